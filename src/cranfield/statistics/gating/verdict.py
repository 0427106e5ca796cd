"""Verdicts: the outcome of a gate by one measure, and what it means for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.core.terms import CONCEPTS, Terms
from cranfield.measures import Measure
from cranfield.statistics.comparing.units import Resample
from cranfield.statistics.gating.decisions import Outcome

_DIGITS = 4


@dataclass(frozen=True)
class Verdict:
    """The outcome by one measure."""

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
    terms: Terms = CONCEPTS

    def row(self) -> dict[str, Any]:
        """A plain record."""
        values = vars(self) | {"measure": str(self.measure)}
        return {name: value for name, value in values.items() if name != "terms"}

    @property
    def over(self) -> str:
        """The units that were compared: 1,200 items."""
        return f"{self.units:,} {self._noun(self.units)}"

    def _noun(self, count: int) -> str:
        return self.terms.word(self.resample.removesuffix("s") if count == 1 else self.resample)

    @property
    def losses(self) -> tuple[float, float]:
        """The least and the largest loss within the interval; below 0: gains."""
        ends = (self.low, self.high)
        return (-ends[1], -ends[0]) if self.measure.traits.higher_is_better else ends

    @property
    def tends(self) -> Outcome:
        """The outcome to expect of more units, if the difference is as large as it seems."""
        if self.outcome != "undecided" or self.more is None:
            return self.outcome
        higher = self.measure.traits.higher_is_better
        loss = -self.difference if higher else self.difference
        return "fail" if loss > self.margin else "pass"

    @property
    def meaning(self) -> str:
        """What the outcome says: it loses at most 0.014 by concept.AP, and 0.1 is allowed."""
        least, largest = self.losses
        by, allowed = f"by {self.measure}", f"{self.margin:g} is allowed"
        if self.outcome == "fail":
            return f"it loses at least {_amount(least)} {by}, and only {allowed}"
        if self.outcome == "undecided":
            return f"{self.over} cannot tell whether it loses more than {self.margin:g} {by}"
        if largest < 0.0:
            return f"it gains at least {_amount(-largest)} {by}"
        return f"it loses at most {_amount(largest)} {by}, and {allowed}"

    @property
    def needed(self) -> str:
        """What would decide it: 1,206 more items; empty where it is decided."""
        if self.outcome != "undecided":
            return ""
        if self.more is None:
            return "no number is enough"
        return f"{self.more:,} more {self._noun(self.more)}"

    @property
    def message(self) -> str:
        """Outcome and numbers in a line."""
        return (
            f"{self.outcome}: {self.meaning}{expectation([self])}; {self.score:.{_DIGITS}f} "
            f"against {self.baseline:.{_DIGITS}f}, difference {self.difference:+.{_DIGITS}f} "
            f"[{self.low:+.{_DIGITS}f}, {self.high:+.{_DIGITS}f}], margin {self.margin:g}"
        )


def meaning_of_all(run: str, baseline: str, outcome: Outcome, verdicts: Sequence[Verdict]) -> str:
    """What the outcome by all measures means for somebody who has to decide: one sentence."""
    decisive = [verdict for verdict in verdicts if verdict.outcome == outcome]
    reasons = "; ".join(verdict.meaning for verdict in decisive)
    if outcome == "pass":
        return f"pass: {run} may replace {baseline}: {reasons}"
    if outcome == "fail":
        return f"fail: {run} should not replace {baseline}: {reasons}"
    units = " and ".join(dict.fromkeys(v.over for v in decisive))
    measures: dict[float, list[str]] = {}
    for verdict in decisive:
        measures.setdefault(verdict.margin, []).append(str(verdict.measure))
    limits = (f"{margin:g} by {' or '.join(names)}" for margin, names in measures.items())
    return (
        f"undecided: {units} cannot tell whether {run} loses more against {baseline} than "
        f"{' or '.join(limits)}{expectation(decisive)}"
    )


def expectation(undecided: Sequence[Verdict]) -> str:
    """What to expect of more units, as the end of a sentence."""
    waiting = [verdict for verdict in undecided if verdict.outcome == "undecided"]
    if not waiting:
        return ""
    if any(verdict.more is None for verdict in waiting):
        return "; no number of units would, since the loss equals the margin"
    most = max(waiting, key=lambda verdict: verdict.more or 0)
    expected = "fail" if any(verdict.tends == "fail" for verdict in waiting) else "pass"
    return (
        f"; with about {most.needed} it would probably {expected} "
        "(80 % power if the true difference equals the observed one)"
    )


def _amount(loss: float) -> str:
    return f"{loss:.{_DIGITS}f}"
