"""`cf.gate`: a run against a baseline, by every measure of an evaluation."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cranfield.caching import cached_property
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.measures import Measure, measure
from cranfield.statistics.comparing.units import Resample
from cranfield.statistics.gating.decisions import Decision, Outcome, decide, paired
from cranfield.statistics.gating.records import Record, record, require_comparable

if TYPE_CHECKING:
    import polars

Margin = float | Mapping[str, float]
"""For all measures, or by measure."""


@dataclass(frozen=True)
class Verdict:
    """What one measure says of a run beside its baseline."""

    measure: Measure
    outcome: Outcome
    score: float
    baseline: float
    difference: float
    """Of the scores: run less baseline."""
    low: float
    high: float
    margin: float
    p_pass: float
    """Of being worse by the margin or more."""
    p_fail: float
    """Of not being worse by the margin, adjusted for all measures."""
    resample: Resample
    units: int
    more: int | None
    """Units still lacking, if undecided; None if no number is enough."""
    signature: str

    def row(self) -> dict[str, Any]:
        """A plain record."""
        return {
            "measure": str(self.measure),
            "outcome": self.outcome,
            "score": self.score,
            "baseline": self.baseline,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "margin": self.margin,
            "p_pass": self.p_pass,
            "p_fail": self.p_fail,
            "resample": self.resample,
            "units": self.units,
            "more": self.more,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Gate:
    """Verdicts by measure; the gate passes if all of them do, and fails if any does."""

    run: str
    baseline: str
    level: float
    verdicts: tuple[Verdict, ...]

    @property
    def outcome(self) -> Outcome:
        """pass, fail or undecided."""
        outcomes = {one.outcome for one in self.verdicts}
        if "fail" in outcomes:
            return "fail"
        return "undecided" if "undecided" in outcomes else "pass"

    @property
    def more(self) -> int | None:
        """Units until the last undecided measure may be decided; None if no number is enough."""
        lacking = [one.more for one in self.verdicts if one.outcome == "undecided"]
        known = [more for more in lacking if more is not None]
        return max(known) if known and len(known) == len(lacking) else None

    def __getitem__(self, spelling: str | Measure) -> Verdict:
        wanted = str(measure(spelling)).lower()
        for one in self.verdicts:
            if wanted in (str(one.measure).lower(), one.measure.name.lower()):
                return one
        there = ", ".join(str(one.measure) for one in self.verdicts)
        raise InputError(f"there is no verdict by {spelling}; measures: {there}")

    def rows(self) -> list[dict[str, Any]]:
        """A plain record for each measure."""
        return [one.row() for one in self.verdicts]

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: a row for each measure."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def to_json(self, *, indent: int | None = None) -> str:
        """{"outcome", "run", "baseline", "level", "more", "measures": […]}"""
        told = {
            "outcome": self.outcome,
            "run": self.run,
            "baseline": self.baseline,
            "level": self.level,
            "more": self.more,
            "measures": self.rows(),
        }
        return json.dumps(told, indent=indent, ensure_ascii=False)


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

    baseline  another run of the evaluation, or what `cf.read_baseline` returns
    margin    the largest loss that does not matter, in units of the score; or {measure: loss}
    run       may be left out if there is one beside the baseline
    level     of the intervals: a run that is worse by the margin passes in (1 − level)/2 of cases
    resample  units that are compared: "items" or "concepts"; "auto": concepts for open truths
    """
    if not 0.0 < level < 1.0:
        raise InputError(f"level={level:g}; give a number between 0 and 1, such as 0.95")
    name = _run(result, baseline, run)
    new, old, margins = [], [], []
    for one in result.measures:
        if one.traits.better == "neither":
            raise MeasureError(f"by {one} no run is better than another; leave it out")
        new.append(record(result.score(name, one), resample))
        old.append(_baseline(result, baseline, one, new[-1], resample))
        margins.append(_margin(margin, one, result.truth))
    if not new:
        raise InputError("there is nothing to decide by; evaluate at least one measure")
    gains = [
        paired(dict(a.values), dict(b.values), higher=one.traits.higher_is_better)
        for one, a, b in zip(result.measures, new, old, strict=True)
    ]
    for one, values in zip(result.measures, gains, strict=True):
        if len(values) < 2:
            raise InputError(
                f"{one}: {several(len(values), 'unit')} with a score; a gate needs at least two"
            )
    decisions = decide(gains, margins, level)
    parts = zip(result.measures, new, old, margins, decisions, strict=True)
    return Gate(name, old[0].run, level, tuple(_verdict(*part) for part in parts))


def _run(result: Evaluation, baseline: str | Iterable[Record], run: str | None) -> str:
    others = [name for name in result.runs if name != baseline]
    if run is None and len(others) == 1:
        return others[0]
    if run is None or run not in result.runs or run == baseline:
        what = f"run={run!r}" if run is not None else f"{len(others)} runs beside the baseline"
        raise InputError(f"{what}; give run= one of {first_ten(others) or 'none'}")
    return run


def _baseline(
    result: Evaluation,
    baseline: str | Iterable[Record],
    one: Measure,
    new: Record,
    resample: Resample | Literal["auto"],
) -> Record:
    """The record of the baseline by a measure, which must be comparable."""
    if isinstance(baseline, str):
        found = record(result.score(baseline, one), resample)
        require_comparable(new, found, f"baseline {baseline!r}")
        return found
    stored = list(baseline)
    short = str(one).partition("(")[0]
    alike = [old for old in stored if old.signature.partition("(")[0] == short]
    exact = [old for old in alike if old.measure == str(one)]
    if not alike:
        there = first_ten(dict.fromkeys(old.measure for old in stored)) or "none"
        raise InputError(
            f"the baseline has no score by {one}; measures there: {there}; score the old run by it"
        )
    names = dict.fromkeys(old.run for old in stored)
    if len(names) > 1:
        raise InputError(
            f"the baseline holds several runs: {first_ten(names)}; store one of them by itself"
        )
    found = (exact or alike)[0]
    require_comparable(new, found, f"baseline {found.run!r}")
    return found


def _margin(given: Margin, one: Measure, truth: Truth) -> float:
    margin: float | None
    if isinstance(given, Mapping):
        by_name = {measure(name).on(truth): number for name, number in given.items()}
        margin = by_name.get(one)
        if margin is None:
            raise InputError(f"there is no margin for {one}; give one, such as {{'{one}': 0.01}}")
    else:
        margin = given
    if not (math.isfinite(margin) and margin >= 0.0):
        raise InputError(f"margin={margin:g}; give a number from 0 up, such as 0.01")
    return float(margin)


def _verdict(one: Measure, new: Record, old: Record, margin: float, found: Decision) -> Verdict:
    ends = (found.low, found.high)
    low, high = ends if one.traits.higher_is_better else (-found.high, -found.low)
    return Verdict(
        measure=one,
        outcome=found.outcome,
        score=new.score,
        baseline=old.score,
        difference=new.score - old.score,
        low=low,
        high=high,
        margin=margin,
        p_pass=found.p_pass,
        p_fail=found.p_fail,
        resample=new.resample,
        units=found.units,
        more=found.more,
        signature=new.signature,
    )
