"""From a score and its spread, or from the scores of draws, to the two ends of an interval.

analytic    score ± t·standard error; scores between 0 and 1 on the scale of logits, so that
            both ends stay inside and the longer side points away from the nearer bound
percentile  the middle share of the scores of draws (Efron 1979)
BCa         the same with the shares moved for bias and for a spread that changes with the score
            (Efron 1987); the acceleration comes from influence values
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield import kernels
from cranfield.core.axes import Axis
from cranfield.core.matrices import Floats
from cranfield.statistics.resampling import Sampling

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Score


class Limits(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


NOWHERE = Limits(math.nan, math.nan)


def analytic(
    score: float, error: float, degrees: int, level: float, range: tuple[float, float]
) -> Limits:
    """Around the score, as wide as its standard error says; within the range of the measure."""
    from scipy.special import stdtrit

    reach = float(stdtrit(degrees, (1.0 + level) / 2.0)) * error
    least, most = range
    if (least, most) == (0.0, 1.0) and 0.0 < score < 1.0:
        middle, wide = math.log(score / (1.0 - score)), reach / (score * (1.0 - score))
        return Limits(_inverse_logit(middle - wide), _inverse_logit(middle + wide))
    return Limits(max(least, score - reach), min(most, score + reach))


def _inverse_logit(value: float) -> float:
    # exp of a large number overflows, and then the share is 0 or 1 anyway.
    return 0.5 * (1.0 + math.tanh(value / 2.0))


def percentile(drawn: Floats, level: float) -> Limits:
    """The middle of the scores of draws; NaN where none is defined."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return NOWHERE
    low, high = np.quantile(known, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Limits(float(low), float(high))


def bias_corrected(drawn: Floats, score: float, influence: Floats, level: float) -> Limits:
    """BCa: percentiles at shares that make up for bias and acceleration."""
    known = drawn[~np.isnan(drawn)]
    spread = kernels.total(influence, influence)
    if not len(known) or spread == 0.0:
        return percentile(drawn, level)
    below = (np.count_nonzero(known < score) + 0.5 * np.count_nonzero(known == score)) / len(known)
    normal = NormalDist()
    # A score beyond all draws has no finite bias: taken as if half a draw lay beyond it.
    bias = normal.inv_cdf(min(max(below, 0.5 / len(known)), 1.0 - 0.5 / len(known)))
    acceleration = kernels.total(influence**3) / (6.0 * spread**1.5)
    shares = []
    for share in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        moved = bias + normal.inv_cdf(share)
        shares.append(normal.cdf(bias + moved / (1.0 - acceleration * moved)))
    low, high = np.quantile(known, shares)
    return Limits(float(low), float(high))


# ── concepts as the units that are resampled ──────────────────────────────────────────────────


def concept_values(score: Score, seed: int) -> tuple[Floats, Sampling]:
    """A number for each concept that has a score, whose mean is the score; and how to draw them."""
    known = ~np.isnan(score.by_unit)
    places = np.flatnonzero(known).tolist()
    names = [score.truth.concepts[place] for place in places]
    sampling = Sampling.of(Axis("concept", len(names), names), seed=seed)
    values = score.by_unit[known]
    if score.measure.traits.average == "geometric":
        values = score.value * (1.0 + np.log(np.maximum(values, 1e-5)) - math.log(score.value))
    if score.weights is not None:
        heavy = score.weights[known]
        values = score.value + heavy * len(heavy) / kernels.total(heavy) * (values - score.value)
    return values, sampling


def mean_over_concepts(score: Score) -> Callable[[Floats], Floats]:
    """The score of concepts that were drawn so many times (b, concepts with a score)."""
    from cranfield.statistics.resampling import average

    known = ~np.isnan(score.by_unit)
    heavy = 1.0 if score.weights is None else score.weights[known]
    by_unit, kind = score.by_unit[known], score.measure.traits.average

    def mean(times: Floats) -> Floats:
        return average(np.broadcast_to(by_unit, times.shape), times * heavy, kind)

    return mean
