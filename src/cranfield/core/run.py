"""Run: what one system says about the items.

Confidences (higher = surer), decisions (0/1), or both. Decisions follow from confidences as
`score >= threshold`. A sparse run mentions only some cells: an absent cell was not retrieved, is
never assigned and ranks below everything that was. A run owns its data, and what it hands out is
read-only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.core.arguments import checked
from cranfield.core.axes import Axis, cell_name
from cranfield.core.digests import content_digest
from cranfield.core.inputs import as_given, as_thresholds
from cranfield.core.label_lists import read_lists
from cranfield.core.matrices import (
    Bools,
    Cells,
    Ints,
    Scores,
    as_array,
    as_labels,
    as_scores,
    columns_of,
    count_rounded,
    rows_of,
)
from cranfield.core.ownership import Copy, Watch, locked_again, owned, read_only
from cranfield.errors import InputError, several
from cranfield.kernels.decisions import threshold_like

_GLANCE = 4096

Threshold = float | NDArray[Any] | None


class Run:
    """The answers of one system. Where a frame holds null or <NA>, nothing was retrieved.

    scores     (N, C) confidences, dense or SciPy sparse; float32 stays float32
    labels     (N, C) decisions of 0/1, dense or SciPy sparse
    threshold  None (0.5 if all scores lie in [0, 1]), a number, (C,) or {id: number} by concept, or
               (N, C) by cell
    items, concepts  ids of the rows and columns; frames of pandas and Polars bring their own
    group, tags  who made it and anything to sort runs by
    notes      what readers of its rank-based scores should know
    copy       False: share the memory of arrays instead of copying them; once one has changed,
               scores, signatures, intervals and explanations are refused. None: take them
               over, if nobody will write to them again
    """

    @checked
    def __init__(
        self,
        scores: Any = None,
        *,
        labels: Any = None,
        name: str = "run",
        items: Iterable[object] | Axis | None = None,
        concepts: Iterable[object] | Axis | None = None,
        threshold: Any = None,
        group: str | None = None,
        tags: Mapping[str, str] | None = None,
        notes: Iterable[str] = (),
        copy: Copy = True,
    ) -> None:
        if scores is None and labels is None:
            raise InputError(f"run {name!r} needs scores= or labels=")
        if labels is not None and threshold is not None:
            raise InputError(
                f"run {name!r} has labels and a threshold, but labels already are decisions",
                mend="leave {threshold} out for this run, or score it apart",
                about=("run", str(name)),
            )
        self.name = name = str(name)
        self.group = group
        self.tags = dict(tags or {})
        self.notes = tuple(notes)
        self.depth: int | None = None
        """How many items of each concept were kept when this run was made from another."""
        self.source: Path | None = None
        """The file that it was read from, where a command read it."""
        self.left_out = 0
        """How many items of the run it was made from were left out because a truth lacks them."""
        whose = f" of run {name!r}"
        given = as_given(
            {"scores": scores, "labels": labels},
            items=items,
            concepts=concepts,
            may_miss=("scores", "labels"),
            nan_is_missing=False,
            whose=whose,
        )
        self.shape = given.shape
        self.item_axis, self.concept_axis = given.item_axis, given.concept_axis
        cell = cell_name(self.item_axis, self.concept_axis)
        ranked, decided = given.stored("scores"), given.stored("labels")
        absent = sum(int(cells.sum()) for cells in given.missing.values())
        if absent:
            counted = several(absent, "missing value")
            self.notes = (*self.notes, f"{counted} of its frame taken as not retrieved")
        self.scores: Scores | Cells | None = None
        self.labels: Bools | Cells | None = None
        if ranked is not None:
            self.scores = owned(as_scores(f"scores{whose}", ranked), ranked, copy)
            rounded = count_rounded(ranked.values if isinstance(ranked, Cells) else ranked)
            if rounded:
                self.notes += (
                    f"{several(rounded, 'score')} rounded to float64; some that differ may tie",
                )
        if decided is not None:
            self.labels = owned(as_labels(f"labels{whose}", decided, cell), decided, copy)
        if self.scores is not None and self.labels is not None:
            self._require_same_form(self.scores, self.labels)
        self.range = (np.nan, np.nan) if self.scores is None else self._require_finite(self.scores)
        self.threshold: Threshold = self._as_threshold(threshold)
        self._watch = Watch(f"run {name!r}", {"scores": self.scores, "labels": self.labels}, copy)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= locked_again(state)

    def require_unchanged(self) -> None:
        """An error if an array that is shared has changed since this run was made from it."""
        self._watch.require_unchanged()

    @classmethod
    def from_lists(
        cls,
        column: Any,
        *,
        scores: Any = None,
        items: Iterable[object] | None = None,
        concepts: Any = None,
        name: str = "run",
        threshold: Any = None,
        group: str | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> Run:
        """A run from a list of labels for each item; labels that are not listed are absent.

        column    lists of places in `concepts` or of their names, or single ones
        scores    lists of their confidences; without them, the labels are decisions
        concepts  names, or a feature of `datasets` that has them; default: those in the lists
        """
        lists = read_lists(column, scores=scores, items=items, concepts=concepts)
        decisions = scores is None
        return cls(
            None if decisions else lists.cells,
            labels=lists.cells if decisions else None,
            name=name,
            items=lists.items,
            concepts=lists.concepts,
            threshold=threshold,
            group=group,
            tags=tags,
            copy=None,
        )

    def select(
        self, *, items: Iterable[object] | None = None, concepts: Iterable[object] | None = None
    ) -> Run:
        """What this run says of some items and concepts, given by their ids, in its own order.

        None = all. Items and concepts without ids are called by their numbers, from 0.
        """
        return self.part(
            None if items is None else self.item_axis.indices(items),
            None if concepts is None else self.concept_axis.indices(concepts),
        )

    def part(
        self,
        rows: Ints | None = None,
        columns: Ints | None = None,
        *,
        items: Iterable[object] | None = None,
        concepts: Iterable[object] | None = None,
    ) -> Run:
        """What this run says of some items and concepts, given by their numbers, in that order.

        items, concepts  what to call them; default: as this run does

        Whether 0.5 is the threshold is settled by the scores of all items, not by those left.
        """
        if rows is None and columns is None:
            return self
        self.require_unchanged()

        def taken(matrix: Any) -> Any:
            if matrix is None:
                return None
            matrix = matrix if rows is None else rows_of(matrix, rows)
            return matrix if columns is None else columns_of(matrix, columns)

        threshold = self.threshold
        if isinstance(threshold, np.ndarray):
            by_concept = threshold.ndim == 1 and columns is not None
            threshold = threshold[columns] if by_concept else threshold
            threshold = taken(threshold) if threshold.ndim == 2 else threshold
        part = Run(
            taken(self.scores),
            labels=taken(self.labels),
            name=self.name,
            items=self.item_axis.named(rows) if items is None else items,
            concepts=self.concept_axis.named(columns) if concepts is None else concepts,
            threshold=threshold,
            group=self.group,
            tags=self.tags,
            notes=self.notes,
            copy=None,
        )
        part.range, part.depth, part.left_out = self.range, self.depth, self.left_out
        return part

    def decided_by(self, threshold: Any) -> Run:
        """The same confidences with a threshold, as `Run` takes it; own decisions give way."""
        if self.scores is None:
            raise InputError(
                f"run {self.name!r} has decisions and no confidences, so thresholds change "
                "nothing; give a run with confidences"
            )
        decided = copy(self)
        decided.labels, decided.threshold = None, self._as_threshold(threshold)
        for computed in ("ranking_notes", "digest"):
            decided.__dict__.pop(computed, None)
        return decided

    @property
    def sparse(self) -> bool:
        return isinstance(self.labels if self.scores is None else self.scores, Cells)

    @property
    def items(self) -> tuple[str, ...]:
        return self.item_axis.names

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.concept_axis.names

    @cached_property
    def ranking(self) -> Scores | Cells:
        """What the run is ranked by: its confidences, or its decisions as 0/1."""
        if self.scores is not None:
            return self.scores
        assert self.labels is not None
        if isinstance(self.labels, Cells):
            values = self.labels.values.astype(np.float32)
            return read_only(Cells(self.labels.shape, self.labels.codes, values))
        return read_only(self.labels.astype(np.float32))

    @property
    def cut(self) -> Threshold:
        """The threshold in force; an error where none was given and 0.5 would be a guess."""
        if self.threshold is not None:
            return self.threshold
        low, high = self.range
        if low < 0 or high > 1:
            raise InputError(
                f"run {self.name!r} has scores from {low:g} to {high:g}, outside [0, 1], and no "
                "threshold",
                mend="measures of label sets need decisions: give {threshold}, or labels",
                about=("run", self.name),
            )
        return 0.5

    @property
    def decides(self) -> bool:
        """Whether there are decisions: labels, a threshold, or confidences within [0, 1]."""
        low, high = self.range
        return self.labels is not None or self.threshold is not None or (low >= 0 and high <= 1)

    @property
    def assigned(self) -> Bools | Cells:
        """Its decisions: labels as given, or confidences at or above the threshold."""
        if self.labels is not None:
            return self.labels
        assert self.scores is not None
        if not isinstance(self.scores, Cells):
            return np.asarray(self.scores >= self._limit)
        cells = self.scores
        return Cells(cells.shape, cells.codes, cells.values >= self._limit)

    @property
    def _limit(self) -> NDArray[Any]:
        """The threshold in the precision of the scores; of a sparse run, of each of its cells
        where it is not the same for all."""
        cells = self.scores
        assert cells is not None
        assert self.cut is not None
        if not isinstance(cells, Cells):
            return threshold_like(cells, self.cut)
        limit = threshold_like(cells.values, self.cut)
        if limit.ndim == 0:
            return limit
        return limit[cells.columns] if limit.ndim == 1 else limit.ravel()[cells.codes]

    @cached_property
    def one_sided(self) -> str | None:
        """What is to be said of a threshold that makes every decision the same: a threshold for
        logits, applied to probabilities, assigns everything. None where it does not, and where
        decisions are the run's own."""
        if self.labels is not None or self.scores is None or 0 in self.shape:
            return None
        values = self.scores.values if isinstance(self.scores, Cells) else self.scores
        limit = self._limit
        # What a sparse run does not mention is never assigned.
        some, all_of_them = False, not self.sparse or len(values) == self.shape[0] * self.shape[1]
        rows = max(1, _GLANCE // max(1, values[:1].size))
        for first in range(0, len(values), rows):
            part = slice(first, first + rows)
            reached = values[part] >= (limit[part] if limit.ndim == values.ndim else limit)
            some, all_of_them = some or bool(reached.any()), all_of_them and bool(reached.all())
            if some and not all_of_them:
                return None
        cut, answer = self.cut, "yes" if some else "no"
        what = f"the threshold {cut:g} makes" if isinstance(cut, float) else "its thresholds make"
        return f"{what} every decision of the run a {answer}"

    @cached_property
    def ranking_notes(self) -> tuple[str, ...]:
        """What readers of a rank-based score should know about this run."""
        if self.scores is None:
            return (*self.notes, "decisions ranked as 0/1 scores")
        values = self.scores.values if isinstance(self.scores, Cells) else self.scores
        if _takes_two_values(values):
            return (*self.notes, "confidences take at most two values")
        return self.notes

    @cached_property
    def digest(self) -> str:
        """Hash of the content, whatever the order of rows and columns that have ids."""
        self.require_unchanged()
        by_cell = self.threshold if isinstance(self.threshold, np.ndarray) else None
        by_concept = by_cell is not None and by_cell.ndim == 1
        every = (
            np.broadcast_to(by_cell, self.shape) if by_concept and by_cell is not None else by_cell
        )
        content = content_digest(
            self.item_axis,
            self.concept_axis,
            [("scores", self.scores), ("labels", self.labels), ("threshold", every)],
        )
        if isinstance(self.threshold, float):
            return f"{content}@{self.threshold!r}"
        return content

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {self.shape[0]} items, {self.shape[1]} concepts)"

    def _require_same_form(self, scores: Scores | Cells, labels: Bools | Cells) -> None:
        if isinstance(scores, Cells) != isinstance(labels, Cells):
            raise InputError(
                f"run {self.name!r} has one of scores and labels sparse and the other dense; "
                "make both sparse or both dense"
            )
        if (
            isinstance(scores, Cells)
            and isinstance(labels, Cells)
            and not labels.same_cells(scores)
            and not np.isin(labels.codes[labels.values], scores.codes).all()
        ):
            raise InputError(
                f"run {self.name!r} assigns labels to cells that have no score; "
                "store a score for each assigned label"
            )

    def _require_finite(self, scores: Scores | Cells) -> tuple[float, float]:
        values = scores.values if isinstance(scores, Cells) else scores
        finite, low, high = kernels.examine(values)
        if not finite:
            first = int(np.flatnonzero(~np.isfinite(values.ravel()))[0])
            code = int(scores.codes[first]) if isinstance(scores, Cells) else first
            cell = cell_name(self.item_axis, self.concept_axis)
            raise InputError(
                f"run {self.name!r}, {cell(*divmod(code, self.shape[1]))}: "
                f"the score is {values.ravel()[first]}; scores must be finite numbers"
            )
        return low, high

    def _as_threshold(self, given: Any) -> Threshold:
        if given is None:
            return None
        given = as_thresholds(given, self.item_axis, self.concept_axis, run=self.name)
        values = as_array(f"threshold of run {self.name!r}", given)
        if values.dtype.kind not in "biuf":
            raise InputError(f"run {self.name!r}: thresholds must be numbers; got {given!r}")
        cut = np.array(values, dtype=np.float64, order="C")
        if not np.isfinite(cut).all():
            raise InputError(f"run {self.name!r}: thresholds must be finite numbers")
        if cut.ndim == 0:
            return float(cut)
        if cut.shape not in ((self.shape[1],), self.shape):
            raise InputError(
                f"run {self.name!r}: threshold has shape {cut.shape}; give a number, one for each "
                f"of the {self.shape[1]} concepts, or one for each cell {self.shape}"
            )
        return read_only(cut)


def _takes_two_values(values: Scores) -> bool:
    """Whether there are at most two distinct scores; looks no further than a third one."""
    flat = values.ravel()
    second = None
    for first in range(0, flat.size, _GLANCE):
        others = flat[first : first + _GLANCE]
        others = others[others != flat[0]]
        if second is None and others.size:
            second = others[0]
        if (others != second).any():
            return False
    return flat.size > 0
