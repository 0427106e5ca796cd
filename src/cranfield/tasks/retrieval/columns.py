"""Columns of matrices, taken one at a time as whole vectors, and put side by side again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Cells, Ints


class Columns:
    """The columns of a matrix of either form by the names of their concepts, as whole vectors."""

    def __init__(
        self,
        matrix: NDArray[Any] | Cells,
        axis: Axis,
        absent: float | bool,
        *,
        further: int = 0,
    ) -> None:
        """absent   stands where a sparse matrix stores nothing, and for a concept it lacks
        further  rows below those of the matrix, of which it holds nothing
        """
        self._matrix = matrix
        self._further = further
        self._positions = axis.positions
        self._absent = absent
        self._made: dict[str, NDArray[Any]] = {}
        if isinstance(matrix, Cells):
            self._order = np.argsort(matrix.columns, kind="stable")
            self._starts = np.searchsorted(
                matrix.columns[self._order], np.arange(matrix.shape[1] + 1)
            )

    def __getitem__(self, concept: str) -> NDArray[Any]:
        if concept not in self._made:
            self._made[concept] = self._make(self._positions.get(concept))
        return self._made[concept]

    def _make(self, place: int | None) -> NDArray[Any]:
        matrix = self._matrix
        kind = matrix.values.dtype if isinstance(matrix, Cells) else matrix.dtype
        column = np.full(matrix.shape[0] + self._further, self._absent, dtype=kind)
        if place is None:
            return column
        if isinstance(matrix, Cells):
            stored = self._order[self._starts[place] : self._starts[place + 1]]
            column[matrix.rows[stored]] = matrix.values[stored]
        else:
            column[: matrix.shape[0]] = matrix[:, place]
        return column


class SideBySide:
    """Columns that become one matrix: whole, or only those of their cells that are stored."""

    def __init__(self, *, sparse: bool) -> None:
        self._sparse = sparse
        self._length = 0
        self._columns: list[NDArray[Any]] = []
        self._rows: list[Ints] = []

    def add(self, column: NDArray[Any], *, stored: Bools | None = None) -> None:
        """stored  which cells of a sparse matrix are; default: those that are true."""
        self._length = len(column)
        if self._sparse:
            rows = np.flatnonzero(column if stored is None else stored)
            self._rows.append(rows)
            column = column[rows]
        self._columns.append(column)

    @property
    def matrix(self) -> NDArray[Any] | Cells:
        if not self._sparse:
            return np.stack(self._columns, axis=1)
        places = np.repeat(np.arange(len(self._rows)), [len(rows) for rows in self._rows])
        shape = (self._length, len(self._rows))
        return Cells.of(shape, np.concatenate(self._rows), places, np.concatenate(self._columns))
