"""How many units are enough: the fewest n whose interval, or whose t-test, does what is asked.

    for a margin δ     t(n − 1)·σ/√n ≤ δ
    to find Δ          the chance that t of n units lies beyond its quantile, on the side of Δ, is
                       the power or more; t then follows the noncentral distribution around √n·Δ/σ

Quantiles of Student's t and not of the normal distribution: for a few units they are far apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable

MOST_UNITS = 10**9
"""Units that nobody will gather."""
_FAR = 1e4
"""Found for certain; SciPy knows no distribution around more."""
_ROUNDING = 1e-12


def units_for_margin(margin: float, spread: float, level: float) -> int | None:
    """Units until an interval is no wider than ±margin; None if no number is enough."""
    from scipy.special import stdtrit

    def narrow(units: int) -> bool:
        quantile = float(stdtrit(units - 1, (1.0 + level) / 2.0))
        return quantile * spread / math.sqrt(units) <= margin * (1.0 + _ROUNDING)

    return _fewest(narrow)


def units_for_difference(
    difference: float, spread: float, level: float, power: float
) -> int | None:
    """Units until a two-sided t-test finds a difference so often; None if no number is enough."""
    from scipy.special import nctdtr, stdtrit

    if spread == 0.0 or difference == 0.0:  # then it is seen at once, or never
        return 2 if difference else None

    def found(units: int) -> bool:
        quantile = float(stdtrit(units - 1, (1.0 + level) / 2.0))
        centre = min(math.sqrt(units) * (difference / spread), _FAR)
        return 1.0 - float(nctdtr(units - 1, centre, quantile)) >= power - _ROUNDING

    return _fewest(found)


def _fewest(enough: Callable[[int], bool]) -> int | None:
    """The least number that is enough, and all above it are."""
    high = 2
    while not enough(high):
        if high >= MOST_UNITS:
            return None
        high = min(2 * high, MOST_UNITS)
    low = high // 2 + 1 if high > 2 else 2
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return high
