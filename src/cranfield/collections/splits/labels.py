"""Labels: which items carry which, and which label, or pair of labels, is rarest among those left.

Items are numbered in the order in which they were drawn, so that ascending numbers are a random
order; concepts likewise.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells, Ints

Numbers = NDArray[np.int32]

_BLOCK = 1 << 20
"""Cells, or words of 64 items, that are worked on together."""
_PAIR_COST = 4
"""How much longer it takes to count a pair on its own than among all pairs of 64 items."""
_ONE = np.int32(1)
"""Of the type it is added to, which is many times faster."""
_NONE_LEFT = np.iinfo(np.int32).max
"""The count of a label that no item left carries, so that it is never the rarest."""


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
    positions, columns = [], []
    for first in range(0, len(items), step):
        true = np.flatnonzero(matrix[items[first : first + step]]).astype(np.int32)
        rows = true // width
        positions.append(rows + np.int32(first))
        columns.append(true - rows * width)
    return np.concatenate(positions), np.concatenate(columns)


def ranges(first: Ints, counts: Ints) -> NDArray[np.int64]:
    """first, first + 1, … for each range, one after the other."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + counts, counts)


# ── the rarest ────────────────────────────────────────────────────────────────────────────────


class Rarest(Protocol):
    """Labels, or pairs of them, that compete for being dealt out next."""

    def next(self) -> Numbers | None:
        """All items with the rarest among those left, or None if no labels are left."""

    def remove(self, items: Numbers) -> None:
        """Count these items no longer."""


class RarestLabel:
    """First order: every label for itself."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._left = np.where(labels.totals > 0, labels.totals, _NONE_LEFT)

    def next(self) -> Numbers | None:
        rarest = int(self._left.argmin())
        return None if self._left[rarest] == _NONE_LEFT else self._labels.carriers(rarest)

    def remove(self, items: Numbers) -> None:
        _, labels = self._labels.carried_by(items)
        np.subtract.at(self._left, labels, _ONE)
        self._left[labels[self._left[labels] == 0]] = _NONE_LEFT


class RarestPair:
    """Second order: every two labels that come together, and every label for itself."""

    def __init__(self, labels: Labels) -> None:
        items, concepts = labels.shape
        self._labels = labels
        self._bits = np.array([_packed(labels.carriers(each), items) for each in range(concepts)])
        """A row for each concept, a bit for each item."""
        self._left = np.zeros((concepts, concepts), dtype=np.int32)
        """How often the concepts of row and column come together."""
        self._fewest = np.empty(concepts, dtype=np.int32)
        """The least of each row, so that only rows that changed are searched again."""
        self._add(np.arange(items), 1)
        self._settle(np.ones(concepts, dtype=np.bool_))

    def next(self) -> Numbers | None:
        one = int(self._fewest.argmin())
        if self._fewest[one] == _NONE_LEFT:
            return None
        return _unpacked(self._bits[one] & self._bits[self._left[one].argmin()])

    def remove(self, items: Numbers) -> None:
        self._settle(self._add(items, -1))

    def _add(self, items: NDArray[Any], sign: int) -> Bools:
        """Add or subtract the pairs of items; says which concepts these carry."""
        concepts = len(self._left)
        touched = np.zeros(concepts, dtype=np.bool_)
        step = 64 * max(1, _BLOCK // concepts**2)
        for first in range(0, len(items), step):
            counts, labels = self._labels.carried_by(items[first : first + step])
            touched[labels] = True
            few = _PAIR_COST * int((counts**2).sum()) < concepts**2
            (self._add_few if few else self._add_many)(counts, labels, sign)
        return touched

    def _add_few(self, counts: Ints, labels: Numbers, sign: int) -> None:
        """Pair by pair."""
        starts = np.repeat(np.cumsum(counts) - counts, counts)
        times = np.repeat(counts, counts)
        pairs = np.repeat(labels, times) * len(self._left) + labels[ranges(starts, times)]
        np.add.at(self._left.reshape(-1), pairs, sign * _ONE)

    def _add_many(self, counts: Ints, labels: Numbers, sign: int) -> None:
        """64 items at once, by the bits that concepts share.

        A product of matrices is no faster on one core, and its threads fight over busy ones.
        """
        carried = np.zeros((len(self._left), -len(counts) % 64 + len(counts)), dtype=np.bool_)
        carried[labels, np.repeat(np.arange(len(counts)), counts)] = True
        bits = np.packbits(carried, axis=1).view(np.uint64)
        both = np.bitwise_count(bits[:, None] & bits)
        self._left += sign * both.sum(axis=2, dtype=np.int32)

    def _settle(self, touched: Bools) -> None:
        rows = self._left[touched]
        rows[rows == 0] = _NONE_LEFT
        self._left[touched] = rows
        self._fewest[touched] = rows.min(axis=1)


def _packed(items: Numbers, size: int) -> NDArray[np.uint64]:
    """A bit for each of so many items, in words of 64."""
    marks = np.zeros(-size % 64 + size, dtype=np.bool_)
    marks[items] = True
    return np.packbits(marks).view(np.uint64)


def _unpacked(words: NDArray[np.uint64]) -> Numbers:
    """The items whose bits are set, ascending."""
    filled = np.flatnonzero(words != 0)
    bits = np.flatnonzero(np.unpackbits(words[filled].view(np.uint8)).view(np.bool_))
    return np.asarray(filled[bits >> 6] * 64 + (bits & 63), dtype=np.int32)
