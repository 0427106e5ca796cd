"""Draws that depend on names alone: the same seed picks the same documents, in whatever order they
came. Every name gets a number from its seed and itself; the smallest numbers are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Ints


def draw_order(seed: int, purpose: str, topic: str, names: Iterable[str]) -> Ints:
    """Places of the names in a random order of their own.

    purpose  draws for different purposes are independent, though the seed is the same
    """
    return np.argsort(_numbers(seed, purpose, topic, names), kind="stable").astype(np.int64)


def _numbers(seed: int, purpose: str, topic: str, names: Iterable[str]) -> NDArray[np.uint64]:
    start = blake2b(f"{seed}\0{purpose}\0{topic}\0".encode(), digest_size=8)

    def number(name: str) -> int:
        mine = start.copy()
        mine.update(name.encode())
        return int.from_bytes(mine.digest(), "big")

    return np.fromiter(map(number, names), dtype=np.uint64)
