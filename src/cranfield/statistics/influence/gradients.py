"""Slopes of formulas over counts: the delta method, for whatever formula a measure has.

Counts are moved by a thousandth part, twice each way (a five-point difference), which leaves the
slopes of such smooth formulas right to about eleven digits. A count of 0 belongs to no item and is
not moved, so no formula is asked about counts below 0, and none is moved off its singular points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Counts, LabelBlock
from cranfield.core.matrices import Bools, Floats, ratio
from cranfield.engine.evaluation import Score
from cranfield.kernels.influence import widening
from cranfield.measures import Measure
from cranfield.measures.definition import ItemSums

Formula = Callable[[Floats], Floats]
"""From totals (kinds, units) to scores (units)."""

_STEP = 1e-3


def slopes(formula: Formula, totals: Floats) -> Floats:
    """(kinds, units): how a score changes with each of the totals that it is made of."""
    out = np.zeros(totals.shape)
    for kind in range(len(totals)):
        step = _STEP * totals[kind]

        def moved(steps: int, kind: int = kind, step: Floats = step) -> Floats:
            there = totals.copy()
            there[kind] += steps * step
            return formula(there)

        rise = 8.0 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))
        np.divide(rise, 12.0 * step, out=out[kind], where=(step > 0) & ~np.isnan(rise))
    return out


def of_counts(measure: Measure) -> Formula:
    """A measure of right and wrong decisions as a formula over (tp, fp, fn, tn)."""

    def formula(totals: Floats) -> Floats:
        values = measure.of_counts(Counts(*cast(Any, totals)))
        assert values is not None
        return values

    return formula


def stacked(counts: Counts) -> Floats:
    """(4, units): tp, fp, fn, tn."""
    return np.array([counts.tp, counts.fp, counts.fn, counts.tn], dtype=np.float64)


def by_concept(
    comparison: Comparison, measure: Measure, shares: Floats, *, widened: bool = False
) -> Floats:
    """Σ over concepts of share · ∂score/∂wᵢ, for a formula over the decisions of each concept."""
    counts = stacked(comparison.counts("concept"))
    steep = slopes(of_counts(measure), counts)
    if widened:
        for kinds in ([0, 2], [1, 3]):  # the positives, and the negatives
            size = counts[kinds].sum(axis=0)
            mean = ratio((counts[kinds] * steep[kinds]).sum(axis=0), size)
            steep[kinds] = mean + widening(size) * (steep[kinds] - mean)
    tp, fp, fn, tn = np.nan_to_num(steep * shares)
    both = tp - fp - fn + tn

    def look(block: LabelBlock) -> Floats:
        hit = block.true & block.assigned
        rest = kernels.total(tn) if block.counted is None else _sums(block.counted, tn)
        found = _sums(hit, both) + _sums(block.true, fn - tn) + _sums(block.assigned, fp - tn)
        return np.asarray(found + rest)

    return np.asarray(comparison.by_item(look)[0])


def _sums(marks: Bools, weights: Floats) -> Floats:
    """marks @ weights, without making numbers of the marks or waking threads of BLAS."""
    parts = [np.einsum("ij,j->i", marks, part) for part in kernels.slices(weights, len(weights))]
    return kernels.rounded([np.zeros(len(marks)), *parts])


def item_sums(score: Score, comparison: Comparison) -> ItemSums | None:
    """A score as a formula over sums of what each item has; None if it is no such."""
    measure = score.measure
    direction = measure.traits.direction
    if direction == "micro" and measure.definition.formula_of_counts is not None:
        return ItemSums(of_counts(measure), stacked(comparison.counts("example")))
    if direction == "concept" and (
        comparison.truth.judged is not None or score.weights is not None
    ):
        return None  # concepts differ in their cells, or in what they count
    sums = measure.definition.sums
    return None if sums is None else sums(comparison, measure.options)


def pooled(formula: Formula, by_item: Floats) -> Floats:
    """∂score/∂wᵢ of a formula over the sums of what each item has: (kinds, N)."""
    totals = kernels.row_sums(by_item)[:, None]
    return kernels.rounded(list(slopes(formula, totals) * by_item))
