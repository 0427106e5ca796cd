"""Averages over concepts or items: the one threshold of a run, or one for each concept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.matrices import Bools, Cells, Floats, Ints, Scores
from cranfield.core.run import Run
from cranfield.measures import Measure
from cranfield.statistics.thresholds.criteria import Steps, above, first_best

_ROUNDS = 5
_QUANTILES = 200
"""Thresholds to try where each costs an evaluation."""


def best_average(comparison: Comparison, measure: Measure, within: Bools | None = None) -> float:
    """The threshold whose mean over units is best, of all distinct scores; NaN = undefined.

    within  which of them may be chosen: one that accepts nothing, then all scores, descending
    """
    levels, means = averages(comparison, measure)
    if within is not None:
        means = np.where(within, means, np.nan)
    if np.isnan(means).all():
        return np.nan
    row = first_best(-means if measure.traits.higher_is_better else means)
    return float(levels[row - 1]) if row else above(levels)


def averages(comparison: Comparison, measure: Measure) -> tuple[Scores, Floats]:
    """The distinct scores, descending, and the mean over units if nothing is accepted, and at each
    of them.

    A threshold changes only the units that have a cell of that score: what each of them gains is
    added up from the highest score to the lowest.
    """
    direction = measure.traits.direction
    assert direction != "confusion"
    steps = Steps.of(comparison, direction)
    before, after = _values(measure, steps.before), _values(measure, steps.counts)
    opens = steps.bounds[:-1][np.diff(steps.bounds) > 0]
    previous = np.roll(after, 1, axis=1)
    previous[:, opens] = before[:, steps.unit[opens]]
    scores: NDArray[Any] = steps.score
    ascending, level = np.unique(scores, return_inverse=True)
    levels = ascending[::-1]
    level = len(levels) - 1 - level
    gains = [np.bincount(level, weights=by, minlength=len(levels)) for by in after - previous]
    sums = np.cumsum(np.column_stack([before.sum(axis=1), np.stack(gains)]), axis=1)
    defined = np.rint(sums[1])
    means = np.full(len(defined), np.nan)
    np.divide(sums[0], defined, out=means, where=defined > 0)
    return levels, means


def quantiles(run: Run) -> Floats:
    """Thresholds to try, descending: one that nothing reaches, and quantiles of the scores."""
    assert run.scores is not None
    scores = run.scores.values if isinstance(run.scores, Cells) else run.scores.ravel()
    shares = np.linspace(1.0, 0.0, _QUANTILES)
    drawn = np.quantile(scores, shares, method="higher") if len(scores) else np.zeros(0)
    levels = np.unique(drawn.astype(scores.dtype))[::-1]
    return np.append(above(levels), levels.astype(np.float64))


def _values(measure: Measure, counts: Counts) -> Floats:
    """(2, n): values, 0 where undefined, and whether they are defined."""
    values = measure.of_counts(counts)
    assert values is not None
    defined = ~np.isnan(values)
    return np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)])


def ascended(comparison: Comparison, measure: Measure, start: Floats) -> Floats:
    """(C,): thresholds of concepts by an average over items, which no concept can settle alone.

    One concept after the other gets the threshold that is best while those of all others stay: what
    an item gains by one more label follows from its counts, and is added up from the highest score
    of the concept to the lowest. No step makes the average worse than at the start; after a few
    rounds it hardly gets better. The end may be a local optimum.
    """
    listed = comparison.listed("concept")
    relevant: Ints = comparison.judgements("concept", "matrix").astype(np.int64)
    positives, negatives = comparison.totals("example")
    better = 1.0 if measure.traits.higher_is_better else -1.0
    thresholds = start.astype(np.float64).copy()
    assigned = listed.scores >= thresholds[listed.owner]
    right, wrong = (
        np.bincount(listed.places[assigned & (relevant == hit)], minlength=len(positives))
        for hit in (1, 0)
    )

    def values(items: Ints, tp: Ints, fp: Ints) -> Floats:
        scores = measure.of_counts(Counts(tp, fp, positives[items] - tp, negatives[items] - fp))
        assert scores is not None
        return np.nan_to_num(scores)

    for _ in range(_ROUNDS):
        before = thresholds.copy()
        for concept in range(len(thresholds)):
            own = slice(*listed.offsets[concept : concept + 2])
            items, hit, scores = listed.places[own], relevant[own], listed.scores[own]
            accepted = scores >= thresholds[concept]
            right[items] -= accepted & (hit == 1)
            wrong[items] -= accepted & (hit == 0)
            without = values(items, right[items], wrong[items])
            gains = values(items, right[items] + hit, wrong[items] + 1 - hit) - without
            thresholds[concept] = _best_cut(scores, better * gains)
            accepted = scores >= thresholds[concept]
            right[items] += accepted & (hit == 1)
            wrong[items] += accepted & (hit == 0)
        if (before == thresholds).all():
            break
    return thresholds


def _best_cut(scores: Scores, gains: Floats) -> float:
    """The threshold above which gains sum up to most; of equals the highest."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(order) else order
    sums = np.append(0.0, np.cumsum(gains[order])[ends])
    row = first_best(-sums)
    return float(ordered[ends[row - 1]]) if row else above(ordered)
