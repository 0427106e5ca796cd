"""`cf.gate`: may a run replace a baseline, by every measure of an evaluation?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from xml.etree import ElementTree

from cranfield.core.chart import Axis, Chart
from cranfield.core.printable import printable
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.engine.direct_calls import of_evaluation
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.measures import Measure
from cranfield.measures.reported import measure_among
from cranfield.statistics.comparing.units import Resample
from cranfield.statistics.gating.decisions import (
    Decision,
    Outcome,
    Record,
    decide,
    paired,
    record,
    require_comparable,
)
from cranfield.statistics.gating.verdict import Verdict, meaning_of_all

Margin = float | Mapping[str, float]
"""For all measures, or by measure."""
EXIT_CODES: Mapping[Outcome, int] = {"pass": 0, "fail": 3, "undecided": 4}
_DIGITS = 4
_ARROWS = {"higher": "↑", "lower": "↓"}
_NEEDED = Column("more", "needed", audience="papers")
"""Screens have it in a sentence, where it does not push the table over their edge."""
_SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔"}


@dataclass(frozen=True)
class Gate(Analysis):
    """Verdicts by measure; the gate passes if all of them do, and fails if any does."""

    run: str
    baseline: str
    level: float
    verdicts: tuple[Verdict, ...]

    @property
    def terms(self) -> Terms:
        return self.verdicts[0].terms if self.verdicts else CONCEPTS

    @property
    def title(self) -> str:  # type: ignore[override]
        return f"{_SIGNS[self.outcome]} Gate: {self.outcome}"

    @property
    def outcome(self) -> Outcome:
        """pass, fail or undecided."""
        outcomes = {verdict.outcome for verdict in self.verdicts}
        if "fail" in outcomes:
            return "fail"
        return "undecided" if "undecided" in outcomes else "pass"

    @property
    def exit_code(self) -> int:
        """0 pass, 3 fail, 4 undecided."""
        return EXIT_CODES[self.outcome]

    @property
    def meaning(self) -> str:
        """One sentence for whoever has to decide."""
        return meaning_of_all(self.run, self.baseline, self.outcome, self.verdicts)

    @property
    def more(self) -> int | None:
        """Units until the last undecided measure may be decided; None if no number is enough."""
        lacking = [verdict.more for verdict in self.verdicts if verdict.outcome == "undecided"]
        numbers = [more for more in lacking if more is not None]
        return max(numbers) if numbers and len(numbers) == len(lacking) else None

    def __getitem__(self, spelling: str | Measure) -> Verdict:
        measures = [verdict.measure for verdict in self.verdicts]
        name = str(measure_among(spelling, measures)).lower()
        for verdict in self.verdicts:
            if name in (str(verdict.measure).lower(), verdict.measure.name.lower()):
                return verdict
        there = ", ".join(str(verdict.measure) for verdict in self.verdicts)
        raise InputError(f"there is no verdict by {spelling}; measures: {there}")

    def _facts(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "run": self.run,
            "baseline": self.baseline,
            "level": self.level,
            "more": self.more,
            "meaning": self.meaning,
            "measures": [v.row() | {"meaning": v.meaning} for v in self.verdicts],
        }

    def _tables(self) -> list[Table]:
        rows = [verdict.row() for verdict in self.verdicts]
        shown = [
            row
            | {
                "measure": f"{verdict.measure} {_ARROWS[verdict.measure.traits.better]}",
                "more": verdict.needed,
                "_emphasis": "strong" if verdict.outcome == "fail" else "",
            }
            for row, verdict in zip(rows, self.verdicts, strict=True)
        ]
        columns = (
            Column("measure", key=True),
            Column("baseline", digits=_DIGITS),
            Column("score", "run", _DIGITS),
            Column("difference", digits=_DIGITS, interval=("low", "high")),
            Column("margin", digits=_DIGITS),
            Column("outcome"),
            *([_NEEDED] if any(row["more"] for row in shown) else ()),
        )
        return [
            Table("verdicts", shown, columns, audience="people", emphasis="_emphasis"),
            Table("verdicts", rows, audience="programs"),
        ]

    def _charts(self) -> list[Chart]:
        rows = []
        for verdict in self.verdicts:
            worst = -verdict.margin if verdict.measure.traits.higher_is_better else verdict.margin
            rows.append(verdict.row() | {"largest loss": worst})
        return [
            Chart(
                kind="ranges",
                rows=rows,
                x=Axis("difference", f"{self.run} less {self.baseline}"),
                y=Axis("measure"),
                ends=("low", "high"),
                tick="largest loss",
                rules=(0.0,),
                tooltip=("measure", "difference", "low", "high", "margin", "outcome"),
                title=f"{self.run} against {self.baseline}: {self.outcome}",
                subtitle=f"{100 * self.level:.4g} % intervals of differences; ticks: the margins",
            )
        ]

    def _remarks(self) -> list[str]:
        """The outcome, and how it was decided."""
        count = len(self.verdicts)
        units = dict.fromkeys(verdict.over for verdict in self.verdicts)
        remarks = [
            self.meaning,
            f"{100 * self.level:.4g} % confidence intervals of paired differences over "
            f"{' and '.join(units)}; pass if the whole interval shows a loss smaller than the "
            "margin, fail if it shows a larger loss throughout",
        ]
        if count > 1:
            remarks.append(
                f"{'both' if count == 2 else f'all {count}'} measures must pass, each at the full "
                "level; failing is corrected for their number (Holm)"
            )
        return remarks

    def _signature(self) -> str:
        return "\n".join(verdict.signature for verdict in self.verdicts)

    def to_junit(self) -> str:
        """JUnit XML for build servers: a measure is a test case.

        One that fails is a failure, an undecided one an error, since it could not be carried
        through; either keeps a build from being green.
        """
        outcomes = [verdict.outcome for verdict in self.verdicts]
        count = {
            "tests": str(len(outcomes)),
            "failures": str(outcomes.count("fail")),
            "errors": str(outcomes.count("undecided")),
            "skipped": "0",
            "time": "0",
        }
        against = f"{self.run} against {self.baseline}"
        root = ElementTree.Element("testsuites", {"name": "cranfield gate", **count})
        name = printable(f"{self.outcome}: {against}")
        suite = ElementTree.SubElement(root, "testsuite", {"name": name, **count})
        ElementTree.SubElement(suite, "properties").append(
            ElementTree.Element("property", {"name": "meaning", "value": printable(self.meaning)})
        )
        for verdict in self.verdicts:
            about = {"name": printable(str(verdict.measure)), "time": "0"}
            case = ElementTree.SubElement(
                suite, "testcase", {"classname": "cranfield.gate", **about}
            )
            message = verdict.message
            if verdict.outcome != "pass":
                kind = "failure" if verdict.outcome == "fail" else "error"
                problem = {"message": message, "type": verdict.outcome}
                ElementTree.SubElement(case, kind, problem).text = printable(
                    f"{against}: {message}"
                )
            output = ElementTree.SubElement(case, "system-out")
            output.text = printable(f"{message}\n{verdict.signature}")
        ElementTree.indent(root)
        text = ElementTree.tostring(root, "unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


@dataclass(frozen=True)
class Baseline(Analysis):
    """Scores of a run that later ones are to be held against."""

    title = "Baseline"

    records: Sequence[Record]
    terms: Terms = CONCEPTS

    def _facts(self) -> dict[str, Any]:
        return {"baseline": [record.row() for record in self.records]}

    def _tables(self) -> list[Table]:
        rows = [
            {
                "run": record.run,
                "measure": record.measure,
                "score": record.score,
                "units": len(record.values),
                "of": record.resample,
                "_units": self.terms.several(len(record.values), record.resample[:-1]),
                "signature": record.signature,
            }
            for record in self.records
        ]
        columns = (
            Column("run", key=True),
            Column("measure", key=True),
            Column("score", digits=_DIGITS),
            Column("units", audience="programs"),
            Column("of", audience="programs"),
            Column("_units", "measured on"),
            Column("signature", audience="programs"),
        )
        return [Table("baseline", rows, columns)]


@of_evaluation
def gate(
    result: Evaluation,
    baseline: str | Iterable[Record],
    *,
    margin: Margin,
    run: str | None = None,
    level: float = 0.95,
    resample: Resample | Literal["auto"] = "auto",
) -> Gate:
    """Whether a run is worse than a baseline by no more than a margin, by all measures.

    baseline  another run of the evaluation, or what `cf.formats.read_baseline` returns
    margin    the largest loss that does not matter, in units of the score; or {measure: loss},
              where "" stands for all other measures
    run       may be left out if there is only one beside the baseline
    level     of the intervals: a run that is worse by the margin passes in (1 − level)/2 of cases
    resample  units that are compared: "items", "clusters" or "concepts"; "auto": concepts for open
              truths, else clusters where the truth has such
    """
    if not 0.0 < level < 1.0:
        raise InputError(
            f"{level:g} is not between 0 and 1",
            mend="give {level} a share such as 0.95",
            parameter="level",
        )
    name = _run(result, baseline, run)
    new, old, margins = [], [], []
    for by in result.measures:
        if by.traits.better == "neither":
            raise MeasureError(f"by {by} no run is better than another; leave it out")
        new.append(record(result.score(name, by), resample))
        old.append(_baseline(result, baseline, by, new[-1], resample))
        margins.append(_margin(margin, by, result))
    if not new:
        raise InputError("there is nothing to decide by; evaluate at least one measure")
    gains = [
        paired(dict(a.values), dict(b.values), higher=by.traits.higher_is_better)
        for by, a, b in zip(result.measures, new, old, strict=True)
    ]
    for by, values in zip(result.measures, gains, strict=True):
        if len(values) < 2:
            raise InputError(
                f"{by}: {several(len(values), 'unit')} with a score; a gate needs at least two"
            )
    decisions = decide(gains, margins, level)
    parts = zip(result.measures, new, old, margins, decisions, strict=True)
    return Gate(name, old[0].run, level, tuple(_verdict(*part, result.terms) for part in parts))


def _run(result: Evaluation, baseline: str | Iterable[Record], run: str | None) -> str:
    others = [name for name in result.runs if name != baseline]
    if run is None and len(others) == 1:
        return others[0]
    if run is None or run not in result.runs or run == baseline:
        what = f"run={run!r}" if run is not None else f"{len(others)} runs beside the baseline"
        raise InputError(what, mend=f"give {{run}} one of {first_ten(others) or 'none'}")
    return run


def _baseline(
    result: Evaluation,
    baseline: str | Iterable[Record],
    by: Measure,
    new: Record,
    resample: Resample | Literal["auto"],
) -> Record:
    """The record of the baseline by a measure, which must be comparable."""
    if isinstance(baseline, str):
        old = record(result.score(baseline, by), resample)
        require_comparable(new, old, f"baseline {baseline!r}")
        return old
    stored = list(baseline)
    short = str(by).partition("(")[0]
    alike = [entry for entry in stored if entry.signature.partition("(")[0] == short]
    exact = [entry for entry in alike if entry.measure == str(by)]
    if not alike:
        there = first_ten(dict.fromkeys(entry.measure for entry in stored)) or "none"
        raise InputError(
            f"the baseline has no score by {by}; measures there: {there}",
            mend="score the old run by it",
            about=("baseline", ""),
        )
    names = dict.fromkeys(entry.run for entry in stored)
    if len(names) > 1:
        raise InputError(
            f"the baseline holds several runs: {first_ten(names)}",
            mend="store one of them by itself",
            about=("baseline", ""),
        )
    old = (exact or alike)[0]
    require_comparable(new, old, f"baseline {old.run!r}")
    return old


def _margin(margins: Margin, by: Measure, result: Evaluation) -> float:
    margin: float | None
    if isinstance(margins, Mapping):
        by_name = {
            measure_among(name, result.measures, result.truth): number
            for name, number in margins.items()
            if name
        }
        margin = by_name.get(by, margins.get(""))
        if margin is None:
            raise InputError(
                f"there is no margin for {by}; add one, such as 0.01", parameter="margin"
            )
    else:
        margin = margins
    if not (math.isfinite(margin) and margin >= 0.0):
        raise InputError(
            f"{margin:g} is no margin; a number from 0 up is, such as 0.01", parameter="margin"
        )
    return float(margin)


def _verdict(
    by: Measure, new: Record, old: Record, margin: float, decision: Decision, terms: Terms
) -> Verdict:
    ends = (decision.low, decision.high)
    low, high = ends if by.traits.higher_is_better else (-decision.high, -decision.low)
    return Verdict(
        measure=by,
        outcome=decision.outcome,
        score=new.score,
        baseline=old.score,
        difference=new.score - old.score,
        low=low,
        high=high,
        margin=margin,
        p_pass=decision.p_pass,
        p_fail=decision.p_fail,
        resample=new.resample,
        units=decision.units,
        more=decision.more,
        signature=new.signature,
        terms=terms,
    )
