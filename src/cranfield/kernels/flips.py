"""Sums under flipped signs, in NumPy: signs are bits, and sums of all runs one matrix product."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import Floats, Ints

Bytes = NDArray[np.uint8]

_UNITS = 2048
"""Units of a block of signs, so that it stays in the caches of a core; a multiple of 8."""
_SIGNS = 1.0 - 2.0 * np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
)
"""(256, 8): the signs that the bits of a byte stand for."""


class Steps(NamedTuple):
    """Pairs of rows, each with a bar; those with the lowest first."""

    first: Ints
    second: Ints
    scale: Floats
    """What the distance between both is multiplied by."""
    bar: Floats


def flip_sums(values: Floats, bits: Bytes) -> Floats:
    """(rows, flips): sums over units of values (units, rows), the sign of unit u turned in flip f
    where bit u % 8 of bits[f, u // 8] is set."""
    total = np.zeros((values.shape[1], len(bits)))
    for start in range(0, len(values), _UNITS):
        part = values[start : start + _UNITS]
        wanted = bits[:, start // 8 : (start + _UNITS) // 8]
        signs = np.take(_SIGNS, wanted, axis=0, mode="clip").reshape(len(bits), -1)
        total += part.T @ signs[:, : len(part)].T
    return total


def tally(sums: Floats, steps: Steps) -> Ints:
    """(pairs, 2): in how many columns of sums the distance of a pair reaches its bar, and in how
    many the largest of this and all pairs before it does."""
    counts = np.empty((len(steps.bar), 2), dtype=np.int64)
    far, farthest = np.empty(sums.shape[1]), np.zeros(sums.shape[1])
    for pair, (first, second, scale, bar) in enumerate(
        zip(*(column.tolist() for column in steps), strict=True)
    ):
        np.subtract(sums[first], sums[second], out=far)
        np.abs(far, out=far)
        np.multiply(far, scale, out=far)
        np.maximum(farthest, far, out=farthest)
        counts[pair] = np.count_nonzero(far >= bar), np.count_nonzero(farthest >= bar)
    return counts
