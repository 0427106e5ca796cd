"""How often two columns of a 0/1 matrix are both true, for all pairs of columns.

Dense labels are packed into bits, column by column, and the bits that two columns share are
counted: as fast as a product of matrices on one core, and indifferent to who else uses the others.
Sparse ones are counted pair by pair within each row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells, Ints

_ROWS = 16_384
"""Rows in a block: the bits of a hundred columns stay close to the processor."""


def pair_counts(matrix: Bools | Cells, columns: Ints) -> Ints:
    """(n, n): rows in which both columns are true; on the diagonal, those in which one is.

    columns  which take part, ascending
    """
    return _of_cells(matrix, columns) if isinstance(matrix, Cells) else _of_rows(matrix, columns)


def _of_rows(labels: Bools, kept: Ints) -> Ints:
    counts = np.zeros((len(kept), len(kept)), dtype=np.int64)
    for first in range(0, len(labels), _ROWS):
        words = _packed_columns(labels[first : first + _ROWS], kept)
        for index, column in enumerate(words):
            both = np.bitwise_count(column & words[index:])
            counts[index, index:] += both.sum(axis=1, dtype=np.int64)
    return _mirrored(counts)


def _packed_columns(labels: Bools, kept: Ints) -> NDArray[np.uint64]:
    """A row for each column, 64 of its cells in a word; what fills up the last word is false."""
    columns = np.ascontiguousarray(labels.T if len(kept) == labels.shape[1] else labels[:, kept].T)
    packed = np.packbits(columns, axis=1)
    words = np.zeros((len(kept), -(-packed.shape[1] // 8)), dtype=np.uint64)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    return words


def _of_cells(cells: Cells, kept: Ints) -> Ints:
    places = np.full(cells.shape[1], -1, dtype=np.int64)
    places[kept] = np.arange(len(kept))
    columns = places[cells.columns]
    requested = cells.values & (columns >= 0)
    rows, columns = cells.rows[requested], columns[requested]
    counts = np.diag(np.bincount(columns, minlength=len(kept)))
    # True cells of a row stand side by side, their columns ascending: pair each with the next, then
    # with the one after, until no row has so many.
    left = np.arange(len(rows))
    for distance in range(1, len(rows)):
        left = left[left + distance < len(rows)]
        left = left[rows[left] == rows[left + distance]]
        if not len(left):
            break
        np.add.at(counts, (columns[left], columns[left + distance]), 1)
    return _mirrored(counts)


def _mirrored(counts: Ints) -> Ints:
    """What is counted above the diagonal, below it too."""
    return counts + np.triu(counts, k=1).T
