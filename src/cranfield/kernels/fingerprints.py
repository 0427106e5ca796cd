"""Fingerprints: one number that tells whether an array has changed since.

Σ s(wᵢ ⊕ i·a) + length over the 8-byte words w₁, w₂ … of its memory, the last filled up with zeros,
modulo 2⁶⁴, where s(x) multiplies, folds and multiplies again (the constants are those of
SplitMix64, Steele et al. 2014). It finds every change of a single word and all but one in 2⁶⁴
others; it is no digest that withstands somebody who looks for collisions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEP, _FIRST, _SECOND = (
    np.uint64(constant) for constant in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
_FOLD = np.uint64(32)
_BLOCK = 1 << 14
"""Words that are worked on at once, so that they stay in the cache."""


def fingerprint(array: NDArray[Any]) -> int:
    """The fingerprint of a C-contiguous array."""
    octets = array.reshape(-1).view(np.uint8)
    whole = len(octets) // 8
    total = len(octets) + _sum(octets[: 8 * whole].view(np.uint64), 1)
    if len(octets) > 8 * whole:
        last = np.zeros(8, dtype=np.uint8)
        last[: len(octets) - 8 * whole] = octets[8 * whole :]
        total += _sum(last.view(np.uint64), whole + 1)
    return total % 2**64


def _sum(words: NDArray[np.uint64], first: int) -> int:
    total = 0
    for start in range(0, len(words), _BLOCK):
        part = words[start : start + _BLOCK]
        places = np.arange(first + start, first + start + len(part), dtype=np.uint64)
        mixed = (part ^ (places * _STEP)) * _FIRST
        total += int(((mixed ^ (mixed >> _FOLD)) * _SECOND).sum(dtype=np.uint64))
    return total
