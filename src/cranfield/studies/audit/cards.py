"""Cards: what an audit came to; of one measure every requirement, of several only the marks.

What fails is shown by its smallest counterexample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError
from cranfield.studies.audit.kinds import Counterexample
from cranfield.studies.audit.requirements import Group
from cranfield.studies.audit.sensitivity import Scores

Verdict = Literal["holds", "fails", "inapplicable", "unknown"]
MARKS: dict[Verdict, str] = {"holds": "✓", "fails": "✗", "inapplicable": "–", "unknown": "?"}
_WORDS: dict[Verdict, str] = {
    "holds": "holds",
    "fails": "fails",
    "inapplicable": "does not apply",
    "unknown": "no time to look",
}


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

    @property
    def lines(self) -> list[str]:
        """What it says; the counterexample, a line for each pair; a note."""
        lines = [self.says]
        if self.counterexample is not None:
            lines.append(self.counterexample.why)
            lines += [f"  {pair}" for pair in self.counterexample.pairs]
        return [*lines, self.note] if self.note else lines

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
            "scores": dict(self.scores),
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
        short = "; time limit reached: more time may find more failures" if self.cut_short else ""
        return (
            f"{self.scores} scores: every case of up to {self.cells} cells, "
            f"{self.drawn} larger collections{short}"
        )


@dataclass(frozen=True)
class AuditCard(Analysis):
    """A measure, and which requirements it meets: card["monotonic"].verdict tells."""

    title = "Audit of a measure"

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
        words = f"{self.measure}: {self.prediction}, {low} to {high}, {self.better} is better"
        return words + (f", ontology {self.knowledge}" if self.knowledge else "")

    def _rows(self) -> list[dict[str, Any]]:
        """One record for each requirement."""
        return [
            {
                "measure": self.measure,
                "group": finding.group,
                "requirement": finding.requirement,
                "verdict": finding.verdict,
                "counterexample": str(finding.counterexample or ""),
                "note": finding.note,
                "source": finding.source,
            }
            for finding in self.findings
        ]

    def _facts(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "prediction": self.prediction,
            "better": self.better,
            "range": list(self.range),
            "knowledge": self.knowledge,
            "findings": [finding.to_dict() for finding in self.findings],
            "extent": {
                "scores": self.extent.scores,
                "cells": self.extent.cells,
                "drawn": self.extent.drawn,
                "cut_short": self.extent.cut_short,
            },
        }

    def _tables(self) -> list[Table]:
        return [self.table, Table("requirements", self._rows(), audience="programs")]

    @property
    def table(self) -> Table:
        """Every requirement, met or not, and why not."""
        rows = []
        for finding in self.findings:
            for number, line in enumerate(finding.lines):
                first = number == 0
                rows.append(
                    {
                        "_mark": MARKS[finding.verdict] if first else "",
                        "requirement": finding.requirement if first else "",
                        "says": line,
                        "_emphasis": "strong" if first and finding.verdict == "fails" else "",
                    }
                )
        columns = (
            Column("_mark", " ", key=True),
            Column("requirement", key=True),
            Column("says", " "),
        )
        return Table(
            "card",
            rows,
            columns,
            title=self.heading,
            remarks=[str(self.extent)],
            audience="people",
            emphasis="_emphasis",
        )


@dataclass(frozen=True)
class Audits(Analysis):
    """Several measures, and which requirements each meets."""

    title = "Audit of measures"

    cards: tuple[AuditCard, ...]
    in_full: bool = False
    """Whether the cards are shown besides the marks."""

    def __getitem__(self, measure: str) -> AuditCard:
        for card in self.cards:
            if card.measure.lower() == measure.lower():
                return card
        names = ", ".join(card.measure for card in self.cards)
        raise InputError(f"{measure} was not audited; there are {names}")

    def _facts(self) -> dict[str, Any]:
        return {"audits": [card._facts() for card in self.cards]}

    def _tables(self) -> list[Table]:
        several = len(self.cards) > 1
        rows = [row for card in self.cards for row in card._rows()]
        return [
            *([self._matrix()] if several else []),
            *(card.table for card in self.cards if self.in_full or not several),
            Table("requirements", rows, audience="programs"),
        ]

    def _matrix(self) -> Table:
        """Requirements by measures."""
        names = [card.measure for card in self.cards]
        rows = [
            {"requirement": finding.requirement}
            | {card.measure: MARKS[card[finding.requirement].verdict] for card in self.cards}
            for finding in self.cards[0].findings
        ]
        columns = [Column("requirement", key=True), *(Column(name, name) for name in names)]
        return Table("marks", rows, columns, remarks=[legend(self.cards)], audience="people")


def legend(cards: Sequence[AuditCard]) -> str:
    """What marks mean; time is only spoken of where it ran out."""
    present = {finding.verdict for card in cards for finding in card.findings}
    verdicts = (verdict for verdict in _WORDS if verdict != "unknown" or verdict in present)
    return ", ".join(f"{MARKS[verdict]} {_WORDS[verdict]}" for verdict in verdicts)
