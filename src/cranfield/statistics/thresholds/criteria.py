"""Criteria: what makes one threshold better than another.

A name without a prefix is a formula over the counts at a threshold, of one concept or of all cells
together: F, accuracy, youden, cost and every other measure of counts. EER asks for the threshold
where false positive rate and false negative rate differ least. A name with a prefix is a measure as
`evaluate` knows it, such as example.F: an average, which one threshold for the whole run can serve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.collections.comparison import Counts
from cranfield.core.matrices import Floats
from cranfield.errors import MeasureError
from cranfield.measures import Measure, measure
from cranfield.measures.concept_sets import fallout, miss_rate


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
        found = self.measure.of_counts(n)
        if found is None:
            raise MeasureError(
                f"{self.name} is no formula over counts of decisions; choose F, accuracy, youden, "
                "cost or EER, or tune one threshold for the whole run by it"
            )
        return found

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
    found = measure(name) if prefixed else _unprefixed(name)
    traits = found.traits
    if traits.prediction != "decisions" or traits.better == "neither":
        raise MeasureError(
            f"no threshold is better than another by {found}, which does not judge decisions; "
            "choose F, accuracy, youden, cost, EER or another measure of decisions"
        )
    prefixed = prefixed or not str(found).startswith("concept.")
    return Criterion(str(found).removeprefix("" if prefixed else "concept."), found, prefixed)


def _unprefixed(name: str) -> Measure:
    """A formula over the counts of a concept; else one that needs no prefix, such as OS."""
    try:
        measure(f"concept.{name.partition('(')[0]}")
    except MeasureError:
        return measure(name)
    return measure(f"concept.{name}")


def _missed(n: Counts) -> Floats:
    return np.where(n.tp + n.fn > 0, miss_rate(n), np.nan)
