"""Concepts as the units that are resampled: a number for each of them, and the mean of draws."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cranfield import kernels
from cranfield.core.axes import Axis
from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Score
from cranfield.statistics.resampling import Sampling, average


def of_concepts(score: Score, seed: int) -> tuple[Floats, Sampling]:
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
    known = ~np.isnan(score.by_unit)
    heavy = 1.0 if score.weights is None else score.weights[known]
    by_unit, kind = score.by_unit[known], score.measure.traits.average

    def mean(times: Floats) -> Floats:
        return average(np.broadcast_to(by_unit, times.shape), times * heavy, kind)

    return mean
