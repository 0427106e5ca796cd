"""Limits of shares, and of the ratio of two shares, drawn without putting back."""

from __future__ import annotations

from math import inf, nan, sqrt
from statistics import NormalDist
from typing import NamedTuple


class Estimate(NamedTuple):
    """A number and its interval; NaN where there is nothing to tell from."""

    value: float
    low: float
    high: float


UNKNOWN = Estimate(nan, nan, nan)


def share(found: int, drawn: int, of: int, level: float = 0.95) -> Estimate:
    """A share of all by a sample (Wilson 1927); all of them drawn, nothing is left to chance."""
    if not drawn:
        return UNKNOWN
    value = found / drawn
    if drawn >= of:
        return Estimate(value, value, value)
    size = drawn * (of - 1) / (of - drawn)
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (value + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * sqrt(value * (1 - value) / size + (z / (2 * size)) ** 2)
    low = 0.0 if found == 0 else max(0.0, middle - half)
    high = 1.0 if found == drawn else min(1.0, middle + half)
    return Estimate(value, low, high)


def ratio(above: Estimate, below: Estimate) -> Estimate:
    """A share divided by another, independent one, by the limits of both (Donner and Zou 2012)."""
    if above.value != above.value or below.value != below.value:
        return UNKNOWN
    value = above.value / below.value if below.value else (inf if above.value else nan)
    product = above.value * below.value

    def limit(own: float, other: float, sign: int) -> float:
        divisor = other * (2 * below.value - other)
        if divisor <= 0:
            return inf if sign > 0 else 0.0
        inner = product**2 - own * (2 * above.value - own) * divisor
        return max(0.0, (product + sign * sqrt(max(0.0, inner))) / divisor)

    return Estimate(value, limit(above.low, below.high, -1), limit(above.high, below.low, 1))
