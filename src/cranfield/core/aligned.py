"""Aligned: what a run says, in the truth's order of items and concepts, or of some of them.

Which rows the run came in, what it does not mention, which cells are left out because nobody judged
them, and how confidences become decisions is settled here, once, for dense and for sparse runs.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.axes import Axis, Missing
from cranfield.core.matrices import Bools, Cells, Floats, Ints, Scores, at, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.errors import InputError
from cranfield.kernels import Decisions

Topics = Literal["judged", "common", "all"]
"""The topics of an open truth that a run is scored on: those of the truth (one that the run lacks
retrieved nothing), those of both, or those of either (one without judgements is undefined)."""


def meet(truth: Truth, run: Run, topics: Topics | None) -> Truth:
    """The truth that a run is compared with: an open one is joined by the items of the run."""
    if topics is not None and topics not in get_args(Topics):
        raise InputError(f"topics={topics!r}; choose {', '.join(map(repr, get_args(Topics)))}")
    if not truth.open:
        if topics is not None:
            raise InputError(
                f"topics={topics!r} is for open truths, such as those of TREC files; this truth "
                "knows its concepts",
                mend="choose {missing} instead",
            )
        return truth
    items = truth.item_axis.strangers(run.item_axis)
    concepts = truth.concept_axis.strangers(run.concept_axis) if topics == "all" else []
    truth = truth.joined(items, concepts)
    if topics == "common" and run.concept_axis.ids is not None:
        there = run.concept_axis.positions
        return truth.of_concepts([i for i, name in enumerate(truth.concepts) if name in there])
    return truth


def position_notes(truth: Truth, run: Run) -> list[str]:
    """What readers should know where a frame with the default index met other ids by position."""
    sides = ((truth.item_axis, run.item_axis), (truth.concept_axis, run.concept_axis))
    return [
        f"{truth.terms.word(ours.kind + 's')} aligned by position: one frame has the default "
        "index, the other has ids"
        for ours, theirs in sides
        if (ours.ids is None) != (theirs.ids is None)
        and (ours.default_index or theirs.default_index)
        and ours.aligns_by_position(theirs, "the truth", f"run {run.name!r}")
    ]


class Aligned:
    """A run in the order of a truth."""

    def __init__(self, truth: Truth, run: Run, unjudged: Unjudged, missing: Missing) -> None:
        truth.require_unchanged()
        run.require_unchanged()
        self.truth = truth
        self.run = run
        self._judged = truth.judged if unjudged == "exclude" else None
        strangers: Missing = "error"
        if truth.open:
            missing = strangers = "absent"
        self._rows = truth.item_axis.locate(run.item_axis, run=run.name, missing=missing)
        self._columns = truth.concept_axis.locate(
            run.concept_axis, run=run.name, missing=missing, strangers=strangers
        )

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

    def values(self, rows: slice) -> tuple[Floats, Bools | None]:
        """What the run says of some items, as numbers, 0 where it says nothing; and which cells
        count and are mentioned (None = all)."""
        concepts = self.truth.shape[1]
        if not isinstance(self.scores, Cells):
            predicted = self.scores[rows].astype(np.float64, copy=False)
            if self.included is None:
                return predicted, None
            return np.where(self.included[rows], predicted, 0.0), self.included[rows]
        first, last = np.searchsorted(
            self.scores.codes, (rows.start * concepts, rows.stop * concepts)
        )
        codes = self.scores.codes[first:last] - rows.start * concepts
        predicted, mentioned = np.zeros((2, rows.stop - rows.start, concepts))
        predicted.ravel()[codes] = self.scores.values[first:last]
        mentioned.ravel()[codes] = 1.0
        return predicted, mentioned.astype(np.bool_)

    def of_items(self, values: Floats) -> Floats:
        """A number of each item of the run, in the truth's order; NaN where the run lacks one."""
        if self._rows is None:
            return values
        return np.where(self._rows >= 0, values[self._rows], np.nan)

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
        predicted = self.run.assigned
        if predicted.values.all():
            return self._cells(predicted)
        return self._cells(
            Cells(
                predicted.shape,
                predicted.codes[predicted.values],
                predicted.values[predicted.values],
            )
        )

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
        aligned = cells
        if self._rows is not None or self._columns is not None:
            rows = _moved(cells.rows, self._rows, cells.shape[0])
            columns = _moved(cells.columns, self._columns, cells.shape[1])
            values = cells.values
            if columns.min(initial=0) < 0:  # topics that the truth does not know
                known = columns >= 0
                rows, columns, values = rows[known], columns[known], values[known]
            aligned = Cells.of(self.truth.shape, rows, columns, values)
        if self._judged is not None:
            keep = at(self._judged, aligned.codes)
            aligned = Cells(aligned.shape, aligned.codes[keep], aligned.values[keep])
        return aligned


def narrowed(
    run: Run,
    truth: Truth,
    *,
    rows: Ints | None = None,
    columns: Ints | None = None,
    missing: Missing = "error",
) -> Run:
    """What a run says of some items and concepts of a truth, under the names of the truth.

    rows, columns  their numbers in the truth; None = all
    """
    absent: Missing = "absent" if truth.open else missing
    strangers: Missing = "absent" if truth.open else "error"

    def places(kept: Ints | None, own: Axis, whole: Axis) -> Ints | None:
        """Where what is left stands in the run; -1 = it does not mention it."""
        if kept is None:
            return None
        located = whole.locate(own, run=run.name, missing=absent, strangers=strangers)
        return kept if located is None else located[kept]

    by_row = places(rows, run.item_axis, truth.item_axis)
    by_column = places(columns, run.concept_axis, truth.concept_axis)

    def mentioned(left: Ints | None, there: Ints | None, whole: Axis) -> tuple[Any, Any]:
        """Where the run has what is left, and what the truth calls it."""
        if left is None or there is None:
            return None, None
        return there[there >= 0], whole.named(left[there >= 0])

    own_rows, items = mentioned(rows, by_row, truth.item_axis)
    own_columns, concepts = mentioned(columns, by_column, truth.concept_axis)
    return run.part(own_rows, own_columns, items=items, concepts=concepts)


def _moved(side: Ints, places: Ints | None, size: int) -> Ints:
    """Row or column numbers of a run in the truth's order; -1 = the truth does not know it."""
    if places is None:
        return side
    back = np.full(size, -1, dtype=np.int64)
    back[places[places >= 0]] = np.flatnonzero(places >= 0)
    return back[side]
