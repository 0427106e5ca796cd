"""A number for each item whose mean is the score: one entry for all kinds of measures."""

from __future__ import annotations

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Score
from cranfield.errors import MeasureError
from cranfield.kernels import Statistic
from cranfield.measures import Measure
from cranfield.measures.single_labels import contingency_of, item_classes
from cranfield.statistics.influence import gradients, rankings

_STEPS = np.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS = np.array([1.0, -8.0, 8.0, -1.0]) / 12.0
"""The five-point difference, whose middle point has no weight."""
_STEP = 1e-3
_AT_ONCE = 4_000_000
"""Cells of tables that are held at a time."""


class NoItemValuesError(MeasureError):
    """A measure has no number for each item that its score would be the mean of."""


def comparison_of(score: Score) -> Comparison:
    """The truth and the run of a score side by side again, as they were when it was computed."""
    return Comparison(
        score.truth,
        score.run,
        unjudged=score.unjudged,
        missing=score.missing,
        known=score.known,
        topics=score.topics,
    )


def item_values(
    score: Score, comparison: Comparison | None = None, *, widened: bool = False
) -> Floats:
    """(N,): for each item a number, whose mean over items is the score; NaN = does not count.

    Scores of single items where the measure has them (times their weight), else the score plus the
    influence of the item. Items are in the order of the truth. `comparison` spares its making if
    several scores of one run are needed. `widened`: for standard errors; a concept of few
    positives spreads more among all items than in the sample, by P/(P − 1), as in DeLong et al.;
    the N/(N − 1) of the mean of N items comes on top of it.
    Raises `NoItemValuesError` where there are no such numbers.
    """
    if score.measure.traits.direction == "example":
        return _of_units(score)
    if score.truth.open:
        raise NoItemValuesError(
            f"{score.measure}: an open truth has no settled number of items, so none of them has a "
            "share in the score; resample concepts (topics) instead"
        )
    if not np.isfinite(score.value):
        return np.full(score.truth.shape[0], np.nan)
    if widened not in score.influence:
        comparison = comparison_of(score) if comparison is None else comparison
        score.influence[widened] = _moved(score, comparison, widened=widened)
    return score.value + score.truth.shape[0] * score.influence[widened]


def _of_units(score: Score) -> Floats:
    values = score.by_unit
    if score.weights is None:
        return values
    defined = ~np.isnan(values)
    whole = max(kernels.total(score.weights[defined]), 1e-300)
    heavy = score.weights * np.count_nonzero(defined) / whole
    return np.asarray(score.value + heavy * (values - score.value))


def _moved(score: Score, comparison: Comparison, *, widened: bool) -> Floats:
    """∂score/∂wᵢ of each item."""
    measure, direction = score.measure, score.measure.traits.direction
    sums = gradients.item_sums(score, comparison)
    if sums is not None:
        return gradients.pooled(*sums)
    if direction == "confusion":
        return _of_table(comparison, measure)
    every = _shares(score) if direction == "concept" else np.ones(1)
    if direction == "concept" and measure.definition.formula_of_counts is not None:
        return gradients.by_concept(comparison, measure, every, widened=widened)
    statistic = _statistic(measure)
    if statistic is None:
        raise NoItemValuesError(
            f"{measure} has no number for each item that its score would be the mean of",
            mend="intervals by the bootstrap need none: {method=percentile}",
        )
    shares = every * _chain(score, comparison)
    return rankings.by_list(comparison, direction, statistic, shares, widened=widened)


def _shares(score: Score) -> Floats:
    """What each concept counts in the mean; 0 = skipped."""
    defined = ~np.isnan(score.by_unit)
    heavy = defined * (1.0 if score.weights is None else score.weights)
    return np.asarray(heavy / kernels.total(heavy))


def _statistic(measure: Measure) -> Statistic | None:
    """The statistic of the lists of each concept, or of all cells, that a measure rests on."""
    statistic = measure.statistic
    if statistic is None or measure.definition.lists != measure.traits.direction:
        return None
    if statistic.name == "PRAUC" and statistic.variant == "step":
        statistic = statistic._replace(name="AP")
    if statistic.name in ("AP", "AP_at_prevalence") and statistic.ties not in ("grouped", "trec"):
        return None
    if statistic.name == "EER" and statistic.variant == "vertex":
        return None
    return statistic if statistic.name in rankings.STATISTICS else None


def _chain(score: Score, comparison: Comparison) -> Floats | float:
    """How a score moves with the statistic of a concept, where they are not the same."""
    measure = score.measure
    if measure.traits.average == "geometric":  # below 1e-5 counts as that, and does not move
        moves = score.by_unit > 1e-5
        return np.divide(score.value, score.by_unit, out=np.zeros(len(moves)), where=moves)
    slope = measure.definition.slope
    return 1.0 if slope is None else slope(comparison, measure.options)


def _of_table(comparison: Comparison, measure: Measure) -> Floats:
    """∂score/∂wᵢ of a formula over the confusion matrix, by what one more item of a true and a
    said class would change; NaN where it has no slope."""
    table, classes = contingency_of(comparison), item_classes(comparison)
    width = table.counts.shape[1]
    cells = np.flatnonzero(table.counts)
    steep = np.zeros(table.counts.size)
    for part in np.array_split(cells, 1 + 4 * len(cells) * table.counts.size // _AT_ONCE):
        step = _STEP * table.counts.ravel()[part]
        moved = np.repeat(table.counts[None], 4 * len(part), axis=0)
        flat = moved.reshape(4 * len(part), -1)
        flat[np.arange(len(flat)), np.repeat(part, 4)] += np.outer(step, _STEPS).ravel()
        scores = measure.tabulate(table.filled(moved)).reshape(-1, 4)
        steep[part] = scores @ _WEIGHTS / step
    slope = steep[classes.true * width + classes.said]
    # A correction for the size of the sample (bias=miller_madow) is no matter of single items.
    return np.asarray(slope - kernels.total(slope) / max(1, len(slope)))
