"""Blocks of rows, so that what is computed of a matrix needs little memory beside it."""

from __future__ import annotations

from collections.abc import Iterator

_CELLS = 2_000_000
"""In a block."""


def row_blocks(shape: tuple[int, int]) -> Iterator[slice]:
    """Slices that cover all rows, each of about two million cells."""
    rows, columns = shape
    step = max(1, _CELLS // max(1, columns))
    for first in range(0, rows, step):
        yield slice(first, min(first + step, rows))
