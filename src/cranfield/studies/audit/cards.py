"""Cards: what an audit found out about a measure."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from cranfield.caching import cached_property
from cranfield.errors import InputError
from cranfield.studies.audit.counterexamples import Counterexample
from cranfield.studies.audit.requirements import Group
from cranfield.studies.audit.sensitivity import Scores

if TYPE_CHECKING:
    import polars

Verdict = Literal["holds", "fails", "inapplicable", "unknown"]
MARKS: dict[Verdict, str] = {"holds": "✓", "fails": "✗", "inapplicable": "–", "unknown": "?"}


@dataclass(frozen=True)
class Finding:
    """What became of one requirement."""

    requirement: str
    says: str
    source: str
    group: Group
    verdict: Verdict
    counterexample: Counterexample | None = None
    note: str = ""
    """Why it cannot be asked, or was not, or where it holds all the same."""
    scores: Scores = field(default_factory=dict)
    """Of the runs of an experiment."""

    def __str__(self) -> str:
        said = f"{MARKS[self.verdict]} {self.requirement}: {self.says}"
        if self.counterexample is not None:
            said += f"\n    {self.counterexample}"
        return said + (f"\n    {self.note}" if self.note else "")

    def to_dict(self) -> dict[str, Any]:
        shown = self.counterexample
        return {
            "requirement": self.requirement,
            "says": self.says,
            "source": self.source,
            "group": self.group,
            "verdict": self.verdict,
            "note": self.note,
            "counterexample": None if shown is None else shown.to_dict(),
            "scores": {
                name: score if math.isfinite(score) else None for name, score in self.scores.items()
            },
        }


@dataclass(frozen=True)
class Extent:
    """How much was looked at."""

    scores: int
    cells: int
    """Collections of up to so many cells were looked at in every case."""
    drawn: int
    """Larger collections that were drawn."""
    cut_short: bool
    """Whether time ran out before everything was looked at."""

    def __str__(self) -> str:
        short = "; time ran out, more of it may find more" if self.cut_short else ""
        return (
            f"{self.scores} scores: every case of up to {self.cells} cells, "
            f"{self.drawn} larger collections{short}"
        )


@dataclass(frozen=True)
class AuditCard:
    """A measure, and which requirements it meets: card["monotonic"].verdict tells."""

    measure: str
    prediction: str
    better: str
    range: tuple[float, float]
    findings: tuple[Finding, ...]
    extent: Extent
    knowledge: str = ""
    """The ontology that it was audited with."""

    def __getitem__(self, requirement: str) -> Finding:
        for finding in self.findings:
            if finding.requirement == requirement:
                return finding
        names = ", ".join(finding.requirement for finding in self.findings)
        raise InputError(f"there is no requirement {requirement!r}; there are {names}")

    @property
    def failures(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.verdict == "fails")

    @property
    def is_metric(self) -> bool:
        """Whether the distance from the best score meets all axioms, as far as was looked."""
        axioms = [finding for finding in self.findings if finding.group == "metric"]
        return all(finding.verdict == "holds" for finding in axioms)

    @property
    def heading(self) -> str:
        """What was audited."""
        low, high = (f"{end:g}".replace("inf", "∞") for end in self.range)
        said = f"{self.measure}: {self.prediction}, {low} to {high}, {self.better} is better"
        return said + (f", ontology {self.knowledge}" if self.knowledge else "")

    def __str__(self) -> str:
        return "\n".join([self.heading, *(f"  {one}" for one in self.findings), f"  {self.extent}"])

    def rows(self) -> list[dict[str, Any]]:
        """One plain record for each requirement."""
        return [
            {
                "measure": self.measure,
                "group": one.group,
                "requirement": one.requirement,
                "verdict": one.verdict,
                "counterexample": "" if one.counterexample is None else str(one.counterexample),
                "note": one.note,
                "source": one.source,
            }
            for one in self.findings
        ]

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: measure, group, requirement, verdict, counterexample, note, source."""
        import polars

        return polars.DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; an infinite end of the range is None."""
        return {
            "measure": self.measure,
            "prediction": self.prediction,
            "better": self.better,
            "range": [end if math.isfinite(end) else None for end in self.range],
            "knowledge": self.knowledge,
            "findings": [finding.to_dict() for finding in self.findings],
            "extent": {
                "scores": self.extent.scores,
                "cells": self.extent.cells,
                "drawn": self.extent.drawn,
                "cut_short": self.extent.cut_short,
            },
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)
