"""Sums that are rounded once, in NumPy: the order of what is added never shows.

Numbers are cut into slices of so few digits that sums of them are exact whatever their order, as
NumPy, BLAS or anybody adds them (Rump, Ogita & Oishi 2008, "Accurate floating-point summation").
The few sums of slices are added by `math.fsum`, which rounds once. The C extension has another way
(exact.h) to the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_HIGHEST = 1023
"""The largest exponent of a double, and the least for which 2^-1074 is a digit of its own."""
_LOWEST = -1022

_SPLIT = 2.0**27 + 1.0
_LARGE, _SMALL = 2.0**995, 2.0**-960
"""Bounds of factors that can be split, and of products whose error can be told."""


class ColumnSums(Protocol):
    """Sums of columns that come block after block."""

    def add(self, block: Floats) -> None: ...

    def rounded(self) -> Floats: ...


def slices(values: Floats, count: int) -> Iterator[Floats]:
    """Arrays that add up to the values, each of so few digits that sums of `count` are exact.

    Values are finite, and their sums too.
    """
    left = values
    while (largest := float(np.abs(left).max(initial=0.0))) > 0:
        exponent = max(_reach(largest, count), _LOWEST)
        assert exponent <= _HIGHEST, "sums overflow"
        unit = math.ldexp(1.0, exponent)
        part = (left + unit) - unit
        left = left - part
        yield part


def _reach(largest: float, count: int) -> int:
    """The exponent of a power of two that is twice as large as any sum of so many numbers."""
    return math.frexp(largest)[1] + max(count, 1).bit_length() + 1


def new_sums(size: int) -> ColumnSums:
    return _ColumnSums(size)


class _ColumnSums:
    """The exact parts of each sum so far."""

    def __init__(self, size: int) -> None:
        self._parts: list[Floats] = [np.zeros(size)]
        self._infinite = np.zeros(size)

    def add(self, block: Floats) -> None:
        finite = np.isfinite(block)
        if not finite.all():
            with np.errstate(invalid="ignore"):
                self._infinite = self._infinite + np.where(finite, 0.0, block).sum(axis=0)
            block = np.where(finite, block, 0.0)
        if _sliceable(block, len(block)):
            self._parts += [part.sum(axis=0) for part in slices(block, len(block))]
        else:
            self._parts += list(block)

    def rounded(self) -> Floats:
        finite = np.array(list(map(_sum, np.stack(self._parts, axis=1))))
        return np.where(self._infinite == 0.0, finite, self._infinite)


def list_sums(
    values: Floats, weights: Floats | None, offsets: Ints, out: Floats, lists: range
) -> None:
    """The sums of some lists, or of their products."""
    edges = offsets[lists.start : lists.stop + 1]
    own = slice(edges[0], edges[-1])
    numbers, edges = values[own], edges - edges[0]
    if weights is not None:
        numbers, edges = np.stack(products(numbers, weights[own]), axis=1).ravel(), 2 * edges
    lengths = np.diff(edges)
    finite = bool(np.isfinite(numbers).all())
    longest = int(lengths.max(initial=0))
    if not (finite and _sliceable(numbers, longest)):
        out[lists.start : lists.stop] = [_sum(numbers[a:b]) for a, b in pairwise(edges.tolist())]
        return
    some = np.flatnonzero(lengths)
    first = edges[some]
    parts = [np.add.reduceat(part, first) for part in slices(numbers, longest)] if len(some) else []
    sums = np.zeros(len(lists))
    sums[some] = _rounded(parts, len(some))
    out[lists.start : lists.stop] = sums


def in_lists(values: Floats, offsets: Ints) -> Floats:
    """The sums of all lists."""
    out = np.empty(len(offsets) - 1)
    list_sums(values, None, offsets, out, range(len(out)))
    return out


def total(values: Floats) -> float:
    """The sum of all numbers."""
    return float(in_lists(values.ravel(), np.array([0, values.size]))[0])


def group_sums(values: Floats, groups: Ints, size: int) -> Floats:
    """The sums of groups."""
    if len(groups) and not 0 <= groups.min() <= groups.max() < size:
        raise IndexError("a group is numbered beyond the last one")
    order = np.argsort(groups, kind="stable")
    return in_lists(values[order], np.searchsorted(groups[order], np.arange(size + 1)))


def add_to(sums: Floats, values: Floats) -> None:
    """Add to sums of three doubles each, (3, size), as `add_at` of exact.h does."""
    left = values
    for part in sums:
        whole = part + left
        moved = whole - part
        left = (part - (whole - moved)) + (left - moved)
        part[:] = whole


def products(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Rounded products and their errors (Dekker 1971).

    What is too small to have one, or has a factor too large to be split, has no error.
    """
    with np.errstate(all="ignore"):
        product = values * weights
        (a, b), (c, d) = _halves(values), _halves(weights)
        error = ((a * c - product) + a * d + b * c) + b * d
        fit = (np.abs(values) < _LARGE) & (np.abs(weights) < _LARGE) & (np.abs(product) > _SMALL)
    return product, np.where(fit, error, 0.0)


def _halves(values: Floats) -> tuple[Floats, Floats]:
    """Two numbers of 26 digits that add up to each value."""
    far = _SPLIT * values
    high = far - (far - values)
    return high, values - high


def _sliceable(values: Floats, count: int) -> bool:
    return _reach(float(np.abs(values).max(initial=0.0)), count) <= _HIGHEST


def _rounded(parts: Sequence[Floats], size: int) -> Floats:
    """Parts of sums, added element by element."""
    if len(parts) < 2:  # + 0: zero is positive
        return parts[0] + 0.0 if parts else np.zeros(size)
    if len(parts) == 2:
        return parts[0] + parts[1] + 0.0
    return np.array([math.fsum(of_sum) + 0.0 for of_sum in np.stack(parts, axis=1).tolist()])


def _sum(values: Iterable[float]) -> float:
    """The sum of any numbers."""
    values = list(map(float, values))
    infinite = [value for value in values if not math.isfinite(value)]
    if infinite:
        return sum(infinite)
    try:
        return math.fsum(values) + 0.0
    except OverflowError:  # on the way, if not in the end
        exact = sum(map(Fraction, values), Fraction())
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
