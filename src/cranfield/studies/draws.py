"""Draws: seeded random numbers that carry a name, and masks with an exact number of cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.core.matrices import Bools

_CELLS = 1 << 20
"""Cells drawn at a time."""


def stream(seed: int, *name: str) -> np.random.Generator:
    """The random numbers of whatever carries this name."""
    return np.random.default_rng([seed, *"/".join(name).encode()])


def scattered(random: np.random.Generator, shape: tuple[int, int], share: float) -> Bools:
    """A mask with exactly round(share · cells) cells set, every such mask equally likely.

    Independent cells first; the few too many or too few are then flipped at random places, which
    keeps all masks of that count equally likely and needs no permutation of the whole matrix.
    """
    mask = np.empty(shape, dtype=np.bool_)
    for rows in chunks(shape):
        mask[rows] = random.random(mask[rows].shape, dtype=np.float32) < share
    flat = mask.ravel()
    surplus = int(np.count_nonzero(flat)) - round(share * flat.size)
    while surplus:
        places = np.unique(random.integers(flat.size, size=4 * abs(surplus)))
        places = random.permutation(places[flat[places] == (surplus > 0)])[: abs(surplus)]
        flat[places] = surplus < 0
        surplus -= len(places) if surplus > 0 else -len(places)
    return mask


def chunks(shape: tuple[int, int]) -> Iterator[slice]:
    """Slices of rows, each of about a million cells."""
    rows = max(1, _CELLS // shape[1])
    for first in range(0, shape[0], rows):
        yield slice(first, min(first + rows, shape[0]))
