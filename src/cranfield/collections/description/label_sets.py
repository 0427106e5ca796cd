"""Label sets: which items carry the same labels, exactly, without a sort of the matrix.

Every concept has a random key of 64 bits; the key of a label set is the exclusive or of its
concepts' keys, the same for dense and sparse truths. Items are grouped by key, and then every item
is compared with the first of its group. Should two sets ever share a key, all is done again with
other keys: chance decides how long it takes, never what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells, Ints, row_blocks, total

Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class LabelSets:
    """The distinct label sets of some items."""

    matrix: Bools | Cells
    first: Ints
    """For each set, the first item that carries it."""
    items: Ints
    """For each set, how many items carry it."""

    def __len__(self) -> int:
        return len(self.first)

    def concepts(self, place: int) -> Ints:
        """The columns of the concepts in one of the sets."""
        row = int(self.first[place])
        if not isinstance(self.matrix, Cells):
            return np.flatnonzero(self.matrix[row])
        width = self.matrix.shape[1]
        ends = np.searchsorted(self.matrix.codes, [row * width, (row + 1) * width])
        stored = slice(*ends)
        columns: Ints = self.matrix.columns[stored][self.matrix.values[stored]]
        return columns

    def most_frequent(self, wanted: int, names: tuple[str, ...]) -> list[tuple[list[str], int]]:
        """The sets that most items carry; among equals the smaller, then the first by name."""
        wanted = min(wanted, len(self))
        if wanted < 1:
            return []
        sizes = total(self.matrix, axis=1)[self.first]
        last = np.lexsort((sizes, -self.items))[wanted - 1]
        # Names decide only between those that are equal to the last one in both.
        level = (self.items == self.items[last]) & (sizes <= sizes[last])
        listed = [
            (sorted(names[column] for column in self.concepts(int(index))), int(self.items[index]))
            for index in np.flatnonzero(level | (self.items > self.items[last]))
        ]
        listed.sort(key=lambda entry: (-entry[1], len(entry[0]), entry[0]))
        return listed[:wanted]


def label_sets(matrix: Bools | Cells) -> LabelSets:
    """The distinct rows of a matrix; the empty set is one like any other."""
    for seed in count():
        keys: Keys = np.random.default_rng(seed).integers(2**64, size=matrix.shape[1:], dtype="u8")
        first, group, items = np.unique(
            _row_keys(matrix, keys), return_index=True, return_inverse=True, return_counts=True
        )[1:]
        if _equal_rows(matrix, first[group]):
            return LabelSets(matrix, first, items)
    raise AssertionError("there are always other keys")


def _row_keys(matrix: Bools | Cells, keys: Keys) -> Keys:
    out = np.zeros(matrix.shape[0], dtype=np.uint64)
    if isinstance(matrix, Cells):
        true = matrix.values
        np.bitwise_xor.at(out, matrix.rows[true], keys[matrix.columns[true]])
        return out
    tables = _byte_tables(keys)
    for rows in row_blocks(matrix.shape):
        packed = np.packbits(matrix[rows], axis=1)
        for byte, table in enumerate(tables):
            out[rows] ^= table[packed[:, byte]]
    return out


def _byte_tables(keys: Keys) -> Keys:
    """For each byte of packed labels and each of its 256 values, the key of these labels."""
    padded = np.zeros(-(-len(keys) // 8) * 8, dtype=np.uint64)
    padded[: len(keys)] = keys
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(bool)
    chosen = np.where(bits, padded.reshape(-1, 1, 8), np.uint64(0))
    return np.asarray(np.bitwise_xor.reduce(chosen, axis=2), dtype=np.uint64)


def _equal_rows(matrix: Bools | Cells, others: Ints) -> bool:
    """Whether every row equals the row that stands for it."""
    if isinstance(matrix, Cells):
        return _equal_lists(matrix, others)
    for rows in row_blocks(matrix.shape):
        moved = np.flatnonzero(others[rows] != np.arange(rows.start, rows.stop)) + rows.start
        if not np.array_equal(matrix[moved], matrix[others[moved]]):
            return False
    return True


def _equal_lists(cells: Cells, others: Ints) -> bool:
    rows, columns = cells.rows[cells.values], cells.columns[cells.values]
    sizes = np.bincount(rows, minlength=cells.shape[0])
    if not np.array_equal(sizes, sizes[others]):
        return False
    starts = np.cumsum(sizes) - sizes
    theirs = starts[others[rows]] + np.arange(len(rows)) - starts[rows]
    return np.array_equal(columns, columns[theirs])
