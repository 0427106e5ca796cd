"""Shared cells: some rows and columns of a matrix, laid beside those of another.

Dense matrices are compared in blocks of rows; where one is sparse, only its stored cells are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.collections.description.blocks import row_blocks
from cranfield.core.matrices import Bools, Cells, Ints, at


@dataclass(frozen=True)
class Part:
    """Rows and columns of a matrix, in an order of their own; no matrix is true everywhere."""

    matrix: Bools | Cells | None
    rows: Ints
    columns: Ints
    width: int
    """Columns of the whole matrix."""

    def true_with(self, other: Part) -> Ints:
        """How many cells are true here and in a part of the same shape, by column."""
        for here, there in ((self, other), (other, self)):
            if isinstance(here.matrix, Cells):
                rows, columns = here._listed(here.matrix)
                found = columns[there._at(rows, columns)]
                return np.bincount(found, minlength=len(self.columns))
        counts = np.zeros(len(self.columns), dtype=np.int64)
        for block in row_blocks((len(self.rows), len(self.columns))):
            counts += np.count_nonzero(self._dense(block) & other._dense(block), axis=0)
        return counts

    def _listed(self, cells: Cells) -> tuple[Ints, Ints]:
        """Rows and columns, in this part's order, of the true cells."""
        rows = _back(self.rows, cells.shape[0])[cells.rows[cells.values]]
        columns = _back(self.columns, cells.shape[1])[cells.columns[cells.values]]
        inside = (rows >= 0) & (columns >= 0)
        return rows[inside], columns[inside]

    def _at(self, rows: Ints, columns: Ints) -> Bools:
        if self.matrix is None:
            return np.ones(len(rows), dtype=np.bool_)
        return at(self.matrix, self.rows[rows] * self.width + self.columns[columns])

    def _dense(self, block: slice) -> Bools:
        if self.matrix is None:
            return np.ones((block.stop - block.start, len(self.columns)), dtype=np.bool_)
        assert not isinstance(self.matrix, Cells)
        return self.matrix[np.ix_(self.rows[block], self.columns)]


def _back(places: Ints, size: int) -> Ints:
    """Where each of `size` positions stands among the places; -1 = nowhere."""
    out = np.full(size, -1, dtype=np.int64)
    out[places] = np.arange(len(places))
    return out
