"""Is one thing more closely correlated with a third than another is?

Both correlations are of the same cases with the same third variable, so they depend on each other
through the correlation of the two things. Exact for normal variables; for rank correlations, the
usual approximation.

Sources: Williams 1959 in the form of Steiger 1980 eq 7; Steiger 1980 eq 14.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Difference(NamedTuple):
    """A test of two dependent correlations."""

    statistic: float
    p_value: float
    """Two-sided; NaN where the test is undefined."""


_UNDEFINED = Difference(math.nan, math.nan)


def williams(first: float, second: float, between: float, cases: int) -> Difference:
    """Williams's t with cases − 3 degrees of freedom.

    first, second  correlation of each of two things with the third
    between        correlation of the two
    """
    from scipy.stats import t

    if cases < 4:
        return _UNDEFINED
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * (cases - 1) / (cases - 3) * determinant + mean**2 * (1 - between) ** 3
    if not spread > 0:
        return _UNDEFINED
    statistic = (first - second) * math.sqrt((cases - 1) * (1 + between) / spread)
    return Difference(statistic, float(2 * t.sf(abs(statistic), cases - 3)))


def steiger(first: float, second: float, between: float, cases: int) -> Difference:
    """Steiger's Z of Fisher-transformed correlations, their covariance taken at the mean."""
    if cases < 4 or max(abs(first), abs(second)) >= 1:
        return _UNDEFINED
    square = ((first + second) / 2) ** 2
    shared = between * (1 - 2 * square) - 0.5 * square * (1 - 2 * square - between**2)
    covariance = shared / (1 - square) ** 2
    if not covariance < 1:
        return _UNDEFINED
    statistic = (math.atanh(first) - math.atanh(second)) * math.sqrt(
        (cases - 3) / (2 - 2 * covariance)
    )
    return Difference(statistic, math.erfc(abs(statistic) / math.sqrt(2)))
