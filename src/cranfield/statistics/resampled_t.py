"""Is one classifier better than another, after repeated cross-validation?

Folds of one collection share most of what estimators were trained on, so differences between two
estimators in n folds are far from independent and a plain t-test finds differences that are not
there. The correction adds what resampling cannot see: the variance of the mean difference is taken
as (1/n + tests/trainings)·s², with the sizes of a test and of a training part.

Source: Nadeau & Bengio 2003 eq 15 (the test); Bouckaert & Frank 2004 (for repeated k folds).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError


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
