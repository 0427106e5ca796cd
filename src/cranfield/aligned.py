"""Aligned: what a run says, in the truth's order of items and concepts.

Which rows the run came in, what it does not mention, which cells are left out because nobody judged
them, and how confidences become decisions is settled here, once, for dense and for sparse runs.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.axes import Missing
from cranfield.kernels import Decisions
from cranfield.matrices import Bools, Cells, Floats, Scores, at, dense
from cranfield.run import Run
from cranfield.truth import Truth, Unjudged


class Aligned:
    """A run in the order of a truth."""

    def __init__(self, truth: Truth, run: Run, unjudged: Unjudged, missing: Missing) -> None:
        self.truth = truth
        self.run = run
        self._judged = truth.judged if unjudged == "exclude" else None
        self._rows = truth.item_axis.locate(run.item_axis, run=run.name, missing=missing)
        self._columns = truth.concept_axis.locate(run.concept_axis, run=run.name, missing=missing)

    @cached_property
    def scores(self) -> Scores | Cells:
        """What the run is ranked by; sparse if the run is."""
        ranking = self.run.ranking
        return self._cells(ranking) if isinstance(ranking, Cells) else self._matrix(ranking)

    @cached_property
    def included(self) -> Bools | None:
        """(N, C): the cells of a dense run that count; None = all."""
        masks = [] if self._judged is None else [dense(self._judged)]
        for places, shape in ((self._rows, (-1, 1)), (self._columns, (1, -1))):
            if places is not None and (places < 0).any():
                masks.append(np.broadcast_to((places >= 0).reshape(shape), self.truth.shape))
        return np.ascontiguousarray(np.logical_and.reduce(masks)) if masks else None

    @cached_property
    def decisions(self) -> Decisions:
        """What a dense run decides: its labels, or its scores and threshold."""
        if self.run.labels is not None:
            assigned = self._matrix(dense(self.run.labels))
            return Decisions(None, 0.0, assigned, self.truth.labels, self.included)
        assert not isinstance(self.scores, Cells)
        return Decisions(self.scores, self._cut, None, self.truth.labels, self.included)

    @cached_property
    def assigned_cells(self) -> Cells:
        """The cells that a sparse run assigns."""
        assert isinstance(self.run.assigned, Cells)
        said = self.run.assigned
        return self._cells(Cells(said.shape, said.codes[said.values], said.values[said.values]))

    @cached_property
    def _cut(self) -> float | Floats:
        cut = self.run.cut
        if not isinstance(cut, np.ndarray):
            assert cut is not None
            return cut
        if cut.ndim == 2:
            return self._matrix(cut)
        return cut if self._columns is None else cut[self._columns]

    def _matrix(self, matrix: NDArray[Any]) -> NDArray[Any]:
        """Rows and columns in the truth's order; what stands for absent ones is masked."""
        if 0 in matrix.shape:
            return np.zeros(self.truth.shape, dtype=matrix.dtype)
        if self._rows is not None:
            matrix = matrix[self._rows]
        if self._columns is not None:
            matrix = np.ascontiguousarray(matrix[:, self._columns])
        return matrix

    def _cells(self, cells: Cells) -> Cells:
        sides = []
        for side, places, size in (
            (cells.rows, self._rows, cells.shape[0]),
            (cells.columns, self._columns, cells.shape[1]),
        ):
            if places is not None:
                back = np.full(size, -1, dtype=np.int64)
                back[places[places >= 0]] = np.flatnonzero(places >= 0)
                side = back[side]
            sides.append(side)
        aligned = Cells.of(self.truth.shape, sides[0], sides[1], cells.values)
        if self._judged is not None:
            keep = at(self._judged, aligned.codes)
            aligned = Cells(aligned.shape, aligned.codes[keep], aligned.values[keep])
        return aligned
