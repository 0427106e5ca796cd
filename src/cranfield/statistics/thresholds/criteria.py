"""Criteria: what makes one threshold better than another, and decisions at each of them.

A name without a prefix is a formula over the counts at a threshold, of one concept or of all cells
together: F, accuracy, youden, cost and every other measure of counts. EER asks for the threshold
where false positive rate and false negative rate differ least. A name with a prefix is a measure as
`evaluate` knows it, such as example.F: an average, which one threshold for the whole run can serve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cranfield.collections.comparison import Comparison, Counts
from cranfield.collections.ranked_lists import Direction
from cranfield.core.matrices import Floats, Ints, Scores, stable_order
from cranfield.errors import MeasureError
from cranfield.measures import Measure, measure
from cranfield.measures.concept_sets import fallout, miss_rate

_ROUNDING = 1e-12
"""Values that differ by no more are equal: they may be sums of many rounded steps."""


@dataclass(frozen=True)
class Criterion:
    """How good decisions are, given their counts or a whole run."""

    name: str
    measure: Measure | None
    """None: the equal error rate."""
    prefixed: bool
    """Whether it was named with a prefix, so that it means an average."""

    @property
    def sign(self) -> float:
        """What turns its values into losses."""
        return 1.0 if self.measure is None or self.measure.traits.better == "lower" else -1.0

    @property
    def counts(self) -> bool:
        """Whether it is a formula over counts."""
        return self.measure is None or self.measure.definition.formula_of_counts is not None

    @property
    def averages(self) -> bool:
        """Whether it is a mean over concepts or items, not a formula over all cells."""
        return self.prefixed and self._direction != "micro"

    @property
    def of_concepts(self) -> bool:
        """Whether each concept has a value of its own."""
        return self.counts and (not self.prefixed or self._direction == "concept")

    @property
    def _direction(self) -> str | None:
        return None if self.measure is None else self.measure.traits.direction

    def values(self, n: Counts) -> Floats:
        """Its value for each entry of counts; NaN where undefined."""
        if self.measure is None:
            return (fallout(n) + _missed(n)) / 2
        values = self.measure.of_counts(n)
        if values is None:
            raise MeasureError(
                f"{self.name} is no formula over counts of decisions; choose F, accuracy, youden, "
                "cost or EER, or tune one threshold for the whole run by it"
            )
        return values

    def loss(self, n: Counts) -> Floats:
        """What the best threshold makes smallest."""
        if self.measure is None:
            return np.abs(fallout(n) - _missed(n))
        return self.sign * self.values(n)


def criterion(by: str | Criterion) -> Criterion:
    """The criterion of a name."""
    if isinstance(by, Criterion):
        return by
    if not isinstance(by, str):
        raise MeasureError(f"{by!r} names no criterion; choose F, accuracy, youden, cost or EER")
    name = "".join(by.split())
    if name.upper() == "EER":
        return Criterion("EER", None, prefixed=False)
    prefixed = "." in name.partition("(")[0]
    by_name = measure(name) if prefixed else _unprefixed(name)
    traits = by_name.traits
    if traits.prediction != "decisions" or traits.better == "neither":
        raise MeasureError(
            f"no threshold is better than another by {by_name}, which does not judge decisions; "
            "choose F, accuracy, youden, cost, EER or another measure of decisions"
        )
    prefixed = prefixed or not str(by_name).startswith("concept.")
    return Criterion(str(by_name).removeprefix("" if prefixed else "concept."), by_name, prefixed)


def _unprefixed(name: str) -> Measure:
    """A formula over the counts of a concept; else one that needs no prefix, such as OS."""
    try:
        measure(f"concept.{name.partition('(')[0]}")
    except MeasureError:
        return measure(name)
    return measure(f"concept.{name}")


def _missed(n: Counts) -> Floats:
    return np.where(n.tp + n.fn > 0, miss_rate(n), np.nan)


# ── decisions at every threshold ──────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Steps:
    """The distinct scores of each list, descending, list after list."""

    unit: Ints
    """The list of each step."""
    score: Scores
    counts: Counts
    """Decisions of the list if every cell that reaches the score is accepted."""
    bounds: Ints
    """List i is the steps bounds[i] … bounds[i + 1]."""
    before: Counts
    """Decisions of each list if nothing is accepted."""

    @classmethod
    def of(cls, comparison: Comparison, direction: Direction) -> Steps:
        """The steps of every concept, every item, or of all cells together."""
        listed = comparison.listed(direction)
        positives, negatives = comparison.totals(direction)
        order = np.argsort(-listed.scores)
        order = order[stable_order(listed.owner[order], len(positives))]
        scores, owner = listed.scores[order], listed.owner  # which every such order leaves alone
        closes = np.ones(len(order), dtype=np.bool_)
        closes[:-1] = (scores[1:] != scores[:-1]) | (owner[1:] != owner[:-1])
        last = np.flatnonzero(closes)
        unit = owner[last]
        hits = np.cumsum(np.append(0, comparison.judgements(direction, "matrix")[order]))
        first = listed.offsets[unit]
        right = hits[last + 1] - hits[first]
        wrong = last + 1 - first - right
        none = np.zeros_like(positives)
        return cls(
            unit,
            scores[last],
            Counts(tp=right, fp=wrong, fn=positives[unit] - right, tn=negatives[unit] - wrong),
            np.searchsorted(unit, np.arange(len(positives) + 1)),
            Counts(tp=none, fp=none, fn=positives, tn=negatives),
        )

    def lists(self) -> Iterator[slice]:
        """The steps of each list."""
        return (slice(*ends) for ends in pairwise(self.bounds.tolist()))


def above(descending: Scores) -> float:
    """The next number above the highest score, in the precision of the scores."""
    if len(descending) == 0:
        return 1.0
    top = descending[0]
    return float(np.nextafter(top, top.dtype.type(np.inf)))


def first_best(losses: Floats) -> int:
    """The first of the smallest losses, which is that of the highest threshold."""
    least = np.nanmin(losses)
    return int(np.argmax(losses <= least + _ROUNDING * max(1.0, abs(least))))
