"""Which label, or pair of labels, is rarest among the items that are left."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.splits.labels import Labels, Numbers, ranges
from cranfield.core.matrices import Bools, Ints

_BLOCK = 1 << 20
"""Words of 64 items that are worked on together."""
_PAIR_COST = 4
"""How much longer it takes to count a pair on its own than among all pairs of 64 items."""
_ONE = np.int32(1)
"""Of the type it is added to, which is many times faster."""
_NONE_LEFT = np.iinfo(np.int32).max
"""The count of a label that no item left carries, so that it is never the rarest."""


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


def _packed(places: Numbers, size: int) -> NDArray[np.uint64]:
    """A bit for each of so many places, in words of 64."""
    found = np.zeros(-size % 64 + size, dtype=np.bool_)
    found[places] = True
    return np.packbits(found).view(np.uint64)


def _unpacked(words: NDArray[np.uint64]) -> Numbers:
    """The places whose bits are set, ascending."""
    filled = np.flatnonzero(words != 0)
    places = np.flatnonzero(np.unpackbits(words[filled].view(np.uint8)).view(np.bool_))
    return np.asarray(filled[places >> 6] * 64 + (places & 63), dtype=np.int32)
