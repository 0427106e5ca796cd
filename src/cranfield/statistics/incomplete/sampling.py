"""Samples of cells: what was judged, drawn at random from the pool, and how far it speaks for it.

Within a stratum every cell is equally likely to be judged; a truth without strata is one. How many
cells of a stratum were judged is counted, not asked: given their number, cells drawn one by one
with a known rate are a simple random sample without replacement. Cells outside the pool could not
be drawn and are negative, as pooling takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.comparison import Counts
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, Floats, Ints, dense
from cranfield.core.truth import State, Truth
from cranfield.engine.evaluation import mean
from cranfield.errors import InputError, first_ten
from cranfield.measures import Measure
from cranfield.statistics.incomplete.gaps import Gaps, unknown_cells


@dataclass(frozen=True, eq=False)
class Sample:
    """The judged cells of a truth as a sample of its pool."""

    truth: Truth
    strata: Ints
    """(N, C): the stratum of each cell, counted from 0; −1 outside the pool."""
    judged: Bools
    sizes: Ints
    """Cells of each stratum."""
    drawn: Ints
    """Those that were judged."""

    @classmethod
    def of(cls, truth: Truth) -> Sample:
        unknown = unknown_cells(truth, "negative")
        pool = truth.states != State.OUTSIDE
        strata = np.zeros(truth.shape, np.int64) if truth.strata is None else dense(truth.strata)
        names, numbers = np.unique(strata[pool], return_inverse=True)
        strata = np.full(truth.shape, -1, dtype=np.int64)
        strata[pool] = numbers
        judged = pool & ~unknown
        sizes = np.bincount(strata[pool], minlength=len(names))
        drawn = np.bincount(strata[judged], minlength=len(names))
        lacking = names[drawn < np.minimum(sizes, 2)]
        if len(lacking):
            listed = first_ten(map(str, lacking.tolist()))
            raise InputError(
                f"fewer than two judged cells in strata {listed}: so few tell nothing of their "
                "spread; judge more of them or merge strata"
            )
        return cls(truth, strata, judged, sizes, drawn)

    @cached_property
    def weights(self) -> Floats:
        """(N, C): how many cells of its stratum each judged cell stands for; 0 for the others."""
        rates = np.append(self.sizes / np.maximum(self.drawn, 1), 0.0)
        return np.where(self.judged, rates[self.strata], 0.0)

    def total(self, values: Floats) -> float:
        """The total over the pool that judged cells stand for (Horvitz & Thompson)."""
        return float((self.weights * values).sum())

    def deviation(self, values: Floats) -> float:
        """The standard error of that total: strata drawn without replacement."""
        here = self.strata[self.judged]
        each = values[self.judged]
        means = np.bincount(here, weights=each, minlength=len(self.sizes)) / np.maximum(
            self.drawn, 1
        )
        squares = np.bincount(here, weights=(each - means[here]) ** 2, minlength=len(self.sizes))
        spread = squares / np.maximum(self.drawn - 1, 1)
        left = self.sizes - self.drawn
        return float(np.sqrt((self.sizes * left * spread / np.maximum(self.drawn, 1)).sum()))


# Estimates of count measures that are sums over cells, or functions of such sums.
#
# Hamming loss, accuracy and error rate are sums over the cells: what judged cells stand for is an
# unbiased estimate of them (Horvitz & Thompson 1952). Other measures of a concept, or of all cells,
# are functions of two shares, of positives among the cells that were assigned and among those that
# were not; the run tells how many of both there are. Such ratios have a bias that falls with
# the number of judged cells, and standard errors by linearisation (Särndal et al. 1992, chapter 5).


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
        concepts = sample.truth.terms.several(shares.lacking, "concept")
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


# Estimates by multiple imputation: unjudged cells are drawn, again and again, as judged ones say.
#
# An unjudged cell is positive with the chance that judged cells of the same concept and the same
# decision have, which is itself drawn from its posterior each time. The mean score over the drawn
# truths is the estimate, their quantiles are the interval (Rubin 1987). That works for measures of
# decisions. It rests on a model: given its concept and the decision, a cell is taken to be
# independent of the others of its item. docs/incomplete-truths.md shows what that costs.


_PRIOR = 1.0
"""Cells that the rate of concepts assigned about as often counts for, beside those of a concept."""


def drawn_scores(
    gaps: Gaps,
    sample: Sample,
    measures: list[tuple[Measure, Floats | None]],
    *,
    draws: int,
    seed: int,
) -> Floats:
    """(measures, draws): scores of drawn truths; measures come with the weights of their units."""
    random = np.random.default_rng(seed)
    first, second = _posterior(sample, gaps.assigned)
    # Drawn in the order of the ids, so that the order of rows and columns does not matter.
    items, concepts = map(canonical_order, (gaps.truth.item_axis, gaps.truth.concept_axis))
    rates, luck = np.empty_like(first), np.empty(gaps.unknown.shape)
    out = np.empty((len(measures), draws))
    for draw in range(draws):
        rates[:, concepts] = random.beta(first[:, concepts], second[:, concepts])
        luck[np.ix_(items, concepts)] = random.random(luck.shape)
        comparison = gaps.completed(luck < np.where(gaps.assigned, rates[1], rates[0]))
        for index, (measure, weights) in enumerate(measures):
            out[index, draw] = mean(measure.units(comparison), weights)[0]
    return out


def _posterior(sample: Sample, assigned: Bools) -> tuple[Floats, Floats]:
    """(2, C) twice: Beta distributions of the share of positives among unjudged cells.

    Each judged cell speaks for the unjudged ones of its stratum, whose number per judged cell is
    its weight here; weights are scaled to the number of cells that are as telling.
    """
    heavy = np.where(sample.judged, sample.weights - 1.0, 0.0)
    alike = _alike(assigned.sum(axis=0))
    first, second = [], []
    for cells in (~assigned, assigned):
        weight = np.where(cells, heavy, 0.0)
        sums, squares = weight.sum(axis=0), (weight**2).sum(axis=0)
        telling = sums / np.maximum(squares, 1e-300)
        positive = (weight * sample.truth.labels).sum(axis=0) * telling
        size = sums * telling
        prior = (alike @ positive + 0.5) / (alike @ size + 1.0)
        first.append(positive + _PRIOR * prior)
        second.append(size - positive + _PRIOR * (1.0 - prior))
    return np.array(first), np.array(second)


def _alike(frequency: Ints) -> Floats:
    """(C, C): how far concepts are assigned equally often; half and twice as often count 0.6."""
    octaves = np.log2(frequency + 1.0)
    return np.asarray(np.exp(-0.5 * np.subtract.outer(octaves, octaves) ** 2))
