"""Significance: corrections for many comparisons, proportions, and tests of single differences."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.statistics.intervals.limits import Limits


def holm(p_values: Any) -> Floats:
    """Holm's step-down adjusted p-values; NaN stays NaN and counts as no comparison."""
    values = np.asarray(p_values, dtype=np.float64)
    adjusted = values.copy()
    defined = np.flatnonzero(~np.isnan(values))
    order = defined[np.argsort(values[defined], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps * values[order]), 1.0)
    return adjusted


def max_t(seen: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """p-values of distances (k,), from those of draws (k, n): alone, and by step-down max-T.

    The farthest is held against the farthest of each draw, the next one against the farthest among
    the others, and so on (Westfall & Young 1993). p = (c + 1) / (n + 1).
    """
    if not len(seen):
        return np.empty(0), np.empty(0)
    bar = seen - 1e-9
    alone = (np.count_nonzero(drawn >= bar[:, None], axis=1) + 1.0) / (drawn.shape[1] + 1.0)
    order = np.argsort(seen, kind="stable")
    farthest = np.maximum.accumulate(drawn[order], axis=0)
    reached = np.count_nonzero(farthest >= bar[order][:, None], axis=1)
    stepped = np.empty(len(seen))
    stepped[order] = np.maximum.accumulate(((reached + 1.0) / (drawn.shape[1] + 1.0))[::-1])[::-1]
    return alone, stepped


def wilson(count: float, total: float, level: float = 0.95) -> Limits:
    """The interval of a chance that happened `count` of `total` times (Wilson 1927).

    Both may be fractions, since a sample that is much of the whole counts for more.
    """
    from cranfield.statistics.intervals.limits import NOWHERE, Limits

    if not total:
        return NOWHERE
    z = NormalDist().inv_cdf((1.0 + level) / 2.0)
    share, wide = count / total, z * z / total
    reach = z * math.sqrt(share * (1.0 - share) / total + wide / total / 4.0)
    ends = [(share + wide / 2.0 + sign * reach) / (1.0 + wide) for sign in (-1.0, 1.0)]
    return Limits(max(0.0, ends[0]), min(1.0, ends[1]))


def even_chance(ahead: Any, behind: Any) -> Floats:
    """Two-sided exact p of the sign test: both happen equally often; 1 where neither happened.

    With the cases that only one of two raters got right on either side, it is McNemar's test.
    """
    from scipy.special import bdtr

    ahead, behind = np.asarray(ahead, dtype=np.int64), np.asarray(behind, dtype=np.int64)
    p = np.minimum(1.0, 2.0 * bdtr(np.minimum(ahead, behind), ahead + behind, 0.5))
    return np.asarray(np.where(ahead + behind > 0, p, 1.0))


class ResampledT(NamedTuple):
    """A corrected resampled t-test."""

    difference: float
    """The mean of all differences."""
    statistic: float
    p_value: float
    """Two-sided; NaN where the test is undefined."""
    degrees: int


def corrected_resampled_t(differences: Any, *, test_share: float) -> ResampledT:
    """Whether differences between two estimators, one for each fold, are 0 on average.

    Folds of one collection share most of what estimators were trained on, so the differences are
    far from independent, and a plain t-test finds differences that are not there. The correction
    adds what resampling cannot see: the variance of the mean difference is taken as
    (1/n + tests/trainings)·s², with the sizes of a test and of a training part (Nadeau & Bengio
    2003 eq 15; Bouckaert & Frank 2004 for repeated k folds).

    test_share  size of the test part by size of the training part: 1 / (k − 1) for k folds

    Fewer than two differences, and any that is not finite, leave the test undefined. Where all
    are equal there is no variance to judge by: p is 1 if they are 0, and 0 if they are not.
    """
    from scipy.stats import t

    if not 0.0 < test_share < math.inf:
        raise InputError(f"test_share={test_share:g}; give a positive number, such as 1/9")
    values = np.asarray(differences, dtype=np.float64).ravel()
    count = len(values)
    mean = float(values.mean()) if count else math.nan
    if count < 2 or not np.isfinite(values).all():
        return ResampledT(mean, math.nan, math.nan, max(0, count - 1))
    if (values == values[0]).all():
        statistic = math.copysign(math.inf, values[0]) if values[0] else 0.0
        return ResampledT(float(values[0]), statistic, float(not values[0]), count - 1)
    error = math.sqrt((1.0 / count + test_share) * float(values.var(ddof=1)))
    statistic = mean / error
    return ResampledT(mean, statistic, float(2.0 * t.sf(abs(statistic), count - 1)), count - 1)
