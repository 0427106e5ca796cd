"""Limits of shares, and of the ratio of two shares, drawn without putting back."""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import NamedTuple

from cranfield.statistics.significance import wilson


class Estimate(NamedTuple):
    """A number and its interval; NaN where there is nothing to tell from."""

    value: float
    low: float
    high: float


UNKNOWN = Estimate(nan, nan, nan)


def share(found: int, drawn: int, of: int, level: float = 0.95) -> Estimate:
    """A share of all by a sample of them; where all are drawn, nothing is left to chance."""
    if not drawn:
        return UNKNOWN
    value = found / drawn
    if drawn >= of:
        return Estimate(value, value, value)
    size = drawn * (of - 1) / (of - drawn)
    return Estimate(value, *wilson(value * size, size, level))


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
