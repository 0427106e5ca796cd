"""Which items carry which labels.

Items are numbered in the order in which they were drawn, so that ascending numbers are a random
order; concepts likewise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells, Ints

Numbers = NDArray[np.int32]

_BLOCK = 1 << 20
"""Cells that are looked at together."""


class Labels:
    """The labels of each item and the carriers of each label."""

    def __init__(self, matrix: Bools | Cells, items: Ints, concepts: Ints) -> None:
        """items     the row of each item, in the order drawn
        concepts  the number that each column gets
        """
        rows, columns = _positives(matrix, items)
        labels = concepts[columns].astype(np.int32)
        self.shape = matrix.shape
        self.totals = np.bincount(labels, minlength=self.shape[1]).astype(np.int32)
        """How many items carry each label."""
        self._labels = labels
        self._items_end = np.cumsum(np.bincount(rows, minlength=self.shape[0]))
        codes = (labels.astype(np.int64) << 32) | rows
        codes.sort()
        self._carriers = (codes & 0xFFFFFFFF).astype(np.int32)
        self._labels_end = np.cumsum(self.totals)

    def carriers(self, concept: int) -> Numbers:
        """The items with a label, ascending."""
        end = self._labels_end[concept]
        return self._carriers[end - self.totals[concept] : end]

    def carried_by(self, items: NDArray[Any]) -> tuple[Ints, Numbers]:
        """How many labels each item carries, and these labels, one item after the other."""
        ends = self._items_end[items]
        starts = np.where(items > 0, self._items_end[items - 1], 0)
        return ends - starts, self._labels[ranges(starts, ends - starts)]


def _positives(matrix: Bools | Cells, items: Ints) -> tuple[Numbers, Numbers]:
    """Place in `items` and column of every positive cell, item by item."""
    if isinstance(matrix, Cells):
        cells = matrix.part(items)
        stored = cells.values != 0
        return cells.rows[stored].astype(np.int32), cells.columns[stored].astype(np.int32)
    width = np.int32(matrix.shape[1])
    step = max(1, _BLOCK // matrix.shape[1])
    places, columns = [], []
    for first in range(0, len(items), step):
        found = np.flatnonzero(matrix[items[first : first + step]]).astype(np.int32)
        rows = found // width
        places.append(rows + np.int32(first))
        columns.append(found - rows * width)
    return np.concatenate(places), np.concatenate(columns)


def ranges(first: Ints, counts: Ints) -> NDArray[np.int64]:
    """first, first + 1, … for each range, one after the other."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + counts, counts)
