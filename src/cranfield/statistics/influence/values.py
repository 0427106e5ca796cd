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
from cranfield.statistics.influence import gradients, rankings
from cranfield.statistics.influence.confusion import of_table


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
    several scores of one run are asked for. `widened`: for standard errors; a concept of few
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
    known = ~np.isnan(values)
    heavy = (
        score.weights * np.count_nonzero(known) / max(kernels.total(score.weights[known]), 1e-300)
    )
    return np.asarray(score.value + heavy * (values - score.value))


def _moved(score: Score, comparison: Comparison, *, widened: bool) -> Floats:
    """∂score/∂wᵢ of each item."""
    one, direction = score.measure, score.measure.traits.direction
    sums = gradients.item_sums(score, comparison)
    if sums is not None:
        return gradients.pooled(*sums)
    if direction == "confusion":
        return of_table(comparison, one)
    every = _shares(score) if direction == "concept" else np.ones(1)
    if direction == "concept" and one.definition.formula_of_counts is not None:
        return gradients.by_concept(comparison, one, every, widened=widened)
    statistic = _statistic(one)
    if statistic is None:
        raise NoItemValuesError(
            f"{one} has no number for each item that its score would be the mean of",
            mend="intervals by the bootstrap need none: {method=percentile}",
        )
    shares = every * _chain(score, comparison)
    return rankings.by_list(comparison, direction, statistic, shares, widened=widened)


def _shares(score: Score) -> Floats:
    """What each concept counts in the mean; 0 = skipped."""
    known = ~np.isnan(score.by_unit)
    heavy = known * (1.0 if score.weights is None else score.weights)
    return np.asarray(heavy / kernels.total(heavy))


def _statistic(one: Measure) -> Statistic | None:
    """The statistic of the lists of each concept, or of all cells, that a measure rests on."""
    found = one.statistic
    if found is None or one.definition.lists != one.traits.direction:
        return None
    if found.name == "PRAUC" and found.variant == "step":
        found = found._replace(name="AP")
    if found.name in ("AP", "AP_at_prevalence") and found.ties not in ("grouped", "trec"):
        return None
    if found.name == "EER" and found.variant == "vertex":
        return None
    return found if found.name in rankings.STATISTICS else None


def _chain(score: Score, comparison: Comparison) -> Floats | float:
    """How a score moves with the statistic of a concept, where they are not the same."""
    one = score.measure
    if one.traits.average == "geometric":  # below 1e-5 counts as that, and does not move
        moves = score.by_unit > 1e-5
        return np.divide(score.value, score.by_unit, out=np.zeros(len(moves)), where=moves)
    slope = one.definition.slope
    return 1.0 if slope is None else slope(comparison, one.options)
