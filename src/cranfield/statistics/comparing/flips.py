"""Random signs: if two runs are equally good, each difference might have had the other sign.

Flipping the signs of units flips those of the differences of all pairs, so one set of sums serves
all of them. The flips depend on the number of units and on the seed, and on nothing else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 512
"""Flips of a block."""

Bytes = NDArray[np.uint8]


def distinct_flips(units: int, samples: int) -> int | None:
    """How many ways there are to flip signs, up to all at once; None if more than `samples`."""
    return 2 ** (units - 1) if units <= 62 and 2 ** (units - 1) <= samples else None


def random_flips(units: int, seed: int, block: int) -> Bytes:
    """(flips, units / 8): a bit for each unit."""
    width = -(-units // 8)
    drawn = np.random.default_rng([seed, block]).bytes(AT_ONCE * width)
    return np.frombuffer(drawn, dtype=np.uint8).reshape(AT_ONCE, width)


def counted_flips(units: int, block: int) -> Bytes:
    """Every way once: the number of a way is its bits, and the last unit keeps its sign."""
    first = block * AT_ONCE
    numbers = np.arange(first, min(first + AT_ONCE, 2 ** (units - 1)), dtype="<u8")
    return numbers.view(np.uint8).reshape(-1, 8)[:, : -(-units // 8)]
