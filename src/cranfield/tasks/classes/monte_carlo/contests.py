"""Contest: one estimator against another by one measure, told in two ways.

The share of repeats that an estimator wins is what Holt et al. 2010 §4 call a p-value. It is none:
it says how often the folds decide the order, and comes near 0 or 1 for differences of no weight if
there are items enough, since all repeats know the same items. The corrected resampled t-test asks
whether the difference would hold for other items; differences are those of single folds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.core.matrices import Bools, Floats
from cranfield.errors import MeasureError
from cranfield.measures import Measure
from cranfield.statistics.significance import ResampledT, corrected_resampled_t
from cranfield.tasks.classes.monte_carlo.cloud import DIGITS


@dataclass(frozen=True)
class Contest:
    """A against B."""

    a: str
    b: str
    measure: Measure
    means: tuple[float, float]
    """Of A and of B over repeats."""
    wins: tuple[float, float]
    """The share of repeats in which A is better, and in which B is; the rest are ties."""
    test: ResampledT
    """Of A − B in every fold; undefined where a fold has no score."""
    holm: float = np.nan
    """The p-value corrected for all pairs, where all were asked for."""


def contest(
    names: tuple[str, str],
    measure: Measure,
    scores: tuple[Floats, Floats],
    by_fold: tuple[Floats, Floats],
    folds: int,
) -> Contest:
    """scores  of both in each repeat; by_fold  in each fold of each repeat"""
    ahead, behind = better(measure, *scores), better(measure, *reversed(scores))
    return Contest(
        *names,
        measure,
        (float(scores[0].mean()), float(scores[1].mean())),
        (float(ahead.mean()), float(behind.mean())),
        corrected_resampled_t(_difference(*by_fold), test_share=1.0 / (folds - 1)),
    )


def better(measure: Measure, one: Floats, other: Floats) -> Bools:
    """Where one is better than the other; an undefined score is never."""
    match measure.traits.better:
        case "higher":
            return np.asarray(_difference(one, other) > 0.0)
        case "lower":
            return np.asarray(_difference(one, other) < 0.0)
    raise MeasureError(f"{measure} calls nobody better; compare by another measure")


def _difference(one: Floats, other: Floats) -> Floats:
    """What is left of rounding; NaN where both are infinite."""
    with np.errstate(invalid="ignore"):
        return np.round(one - other, DIGITS)
