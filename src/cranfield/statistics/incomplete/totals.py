"""Estimates of count measures that are sums over cells, or functions of such sums.

Hamming loss, accuracy and error rate are sums over the cells: what judged cells stand for is an
unbiased estimate of them (Horvitz & Thompson 1952). Other measures of a concept, or of all cells,
are functions of two shares, of positives among the cells that were assigned and among those that
were not; how many of both there are is known from the run. Such ratios have a bias that falls with
the number of judged cells, and standard errors by linearisation (Särndal et al. 1992, chapter 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from cranfield.collections.comparison import Counts
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.engine.evaluation import mean
from cranfield.errors import several
from cranfield.measures import Measure
from cranfield.statistics.incomplete.sampling import Sample

_TINY = 1e-300
_STEP = 1e-5
"""By how much a share is moved to see how a score follows."""


class Estimated(NamedTuple):
    """A value and its standard error."""

    value: float
    deviation: float
    notes: tuple[str, ...] = ()


def linear(sample: Sample, assigned: Bools, measure: Measure, weights: Floats | None) -> Estimated:
    """An unbiased estimate of a measure that is a sum over cells."""
    wrong = assigned != sample.truth.labels
    counts = ~wrong if measure.traits.share_of == "right" else wrong
    axis = 0 if measure.traits.direction == "concept" else 1
    heavy = np.ones(sample.truth.shape[1 - axis]) if weights is None else weights
    share = heavy / heavy.sum() / sample.truth.shape[axis]
    each = counts * (share if axis == 0 else share[:, None])
    outside = float(each[sample.strata < 0].sum())
    return Estimated(outside + sample.total(each), sample.deviation(each))


def ratio(sample: Sample, assigned: Bools, measure: Measure, weights: Floats | None) -> Estimated:
    """An estimate of a measure that is a function of counts, pooled or by concept."""
    pooled = measure.traits.direction == "micro"
    shares = _Shares.of(sample, assigned, pooled=pooled)
    notes: tuple[str, ...] = ()
    if shares.lacking:
        if pooled:
            return Estimated(np.nan, np.nan, ("no cell was judged that the run (did not) assign",))
        concepts = several(shares.lacking, "concept")
        notes = (f"{concepts} with no judged cell among those assigned, or not assigned",)
    value = mean(shares.units(measure, shares.rates), weights)[0]
    return Estimated(value, shares.deviation(measure, weights), notes)


@dataclass(frozen=True)
class _Shares:
    """Positives among the cells that were not assigned (0) and that were (1); arrays (2, units).

    Cells of a unit of which none was judged are left out on that side, as if there were none.
    """

    cells: Floats
    """Cells of the pool."""
    outside: Floats
    """Cells outside of it, which are negative."""
    judged: Floats
    """Judged cells, of equal weight: as many as are as telling as those there are."""
    left: Floats
    """The share of cells that nobody judged."""
    rates: Floats
    lacking: int
    """Units with cells on a side of which none was judged."""

    @classmethod
    def of(cls, sample: Sample, assigned: Bools, *, pooled: bool) -> _Shares:
        def sums(values: Floats | Bools) -> Floats:
            sides = (~assigned, assigned)
            axis = None if pooled else 0
            totals = [np.where(side, values, 0.0).sum(axis=axis) for side in sides]
            return np.array(totals).reshape(2, -1)

        weights = sample.weights
        stand_for, inside = sums(weights), sums(sample.strata >= 0)
        telling = stand_for**2 / np.maximum(sums(weights**2), _TINY)
        return cls(
            cells=np.where(stand_for > 0, inside, 0.0),
            outside=sums(sample.strata < 0),
            judged=telling,
            left=1.0 - sums(sample.judged) / np.maximum(inside, 1.0),
            rates=sums(weights * sample.truth.labels) / np.maximum(stand_for, _TINY),
            lacking=int(((stand_for == 0) & (inside > 0)).any(axis=0).sum()),
        )

    def units(self, measure: Measure, rates: Floats) -> Floats:
        """The scores of units in which so large shares of the cells are positive."""
        positive = self.cells * rates
        negative = self.cells - positive + self.outside
        parts = (positive[1], negative[1], positive[0], negative[0])
        # Formulas do not mind that expected counts are not whole.
        counts = Counts(*(cast(Ints, part) for part in parts))
        scores = measure.of_counts(counts)
        assert scores is not None
        return scores

    def deviation(self, measure: Measure, weights: Floats | None) -> float:
        """The standard error of the mean score, by linearisation."""
        defined = ~np.isnan(self.units(measure, self.rates))
        heavy = (1.0 if weights is None else weights) * defined
        # A share of 0 or 1 among few cells is not certain: one more cell of each kind is added.
        rates = (self.rates * self.judged + 1.0) / (self.judged + 2.0)
        spread = self.left * rates * (1.0 - rates) / np.maximum(self.judged, 1.0)
        variance = spread * self._slopes(measure) ** 2 * (self.judged > 0)
        return float(np.sqrt((variance * heavy**2).sum()) / max(heavy.sum(), _TINY))

    def _slopes(self, measure: Measure) -> Floats:
        """How the score of each unit follows each share."""
        slopes = np.zeros_like(self.rates)
        for side in (0, 1):
            low, high = self.rates.copy(), self.rates.copy()
            low[side] = np.maximum(low[side] - _STEP, 0.0)
            high[side] = np.minimum(high[side] + _STEP, 1.0)
            rise = self.units(measure, high) - self.units(measure, low)
            slopes[side] = np.nan_to_num(rise) / (high[side] - low[side])
        return slopes
