"""One threshold for a whole run, by an average over concepts or items."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.matrices import Cells, Floats, Scores
from cranfield.core.run import Run
from cranfield.measures import Measure
from cranfield.statistics.thresholds.steps import Steps, above, first_best

_QUANTILES = 200
"""Thresholds to try where each costs an evaluation."""


def best_average(comparison: Comparison, measure: Measure) -> float:
    """The threshold whose mean over units is best, of all distinct scores; NaN = undefined."""
    levels, means = averages(comparison, measure)
    if np.isnan(means).all():
        return np.nan
    place = first_best(-means if measure.traits.higher_is_better else means)
    return float(levels[place - 1]) if place else above(levels)


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
    ascending, place = np.unique(scores, return_inverse=True)
    levels = ascending[::-1]
    place = len(levels) - 1 - place
    gains = [np.bincount(place, weights=by, minlength=len(levels)) for by in after - previous]
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
    known = ~np.isnan(values)
    return np.stack([np.where(known, values, 0.0), known.astype(np.float64)])
