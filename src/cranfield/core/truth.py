"""Truth: what people say is on the items.

Every cell (item, concept) is in one of four states: positive, negative, pooled but unjudged, or
outside the pool. Grades refine the positives (positive = a grade of `level` or more, usually 1);
strata say from which part of the pool a judgement was drawn. Subtopics (`core/subtopics`) say to
which aspects of a topic a document is relevant. Targets are real numbers for measures
of regression, beside labels or instead of them. An open truth, such as that of a TREC collection,
does not know all items: one that it does not list exists and lies outside the pool. Items may come
in clusters, such as the questions of one document. A truth without concepts lists items alone: it
is that of runs which were scored elsewhere. A truth owns its data, and what it hands out is
read-only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from enum import IntEnum
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.arguments import checked
from cranfield.core.axes import Axis, cell_name
from cranfield.core.correction import Value, corrected_matrices, value_at
from cranfield.core.digests import canonical_order, content_digest
from cranfield.core.inputs import as_given
from cranfield.core.label_lists import read_lists
from cranfield.core.matrices import (
    Bools,
    Cells,
    Ints,
    Scores,
    as_cells,
    as_integers,
    as_labels,
    as_scores,
    at,
    columns_of,
    dense,
    rows_of,
    total,
)
from cranfield.core.ownership import Copy, Watch, locked_again, owned, read_only
from cranfield.core.subtopics import Subtopics, as_subtopics, relevant_to_any, strongest
from cranfield.core.terms import CLASSES, CONCEPTS, TOPICS, Terms
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError, require_whole

Unjudged = Literal["negative", "exclude"]

_Shared = TypeVar("_Shared")

_SUBTOPIC = "subtopic "
"""What its matrices are called in messages, before their name."""


class State(IntEnum):
    """What is known about a cell."""

    OUTSIDE = -2
    UNJUDGED = -1
    NEGATIVE = 0
    POSITIVE = 1


class Totals(NamedTuple):
    """Cells that count, by unit: positives and negatives."""

    positives: Ints
    negatives: Ints


class BestGrades(NamedTuple):
    """Relevant cells, unit after unit."""

    owner: Ints
    """The concept or item of each."""
    grade: Ints
    """Descending within a unit."""
    rank: Ints
    """From 1."""


class Truth:
    """The judged labels of items. Where a frame misses a label or grade, nobody judged.

    labels    (N, C) of 0/1, dense or SciPy sparse; may be left out when grades or targets are given
    judged    (N, C) mask: which cells somebody judged; default: all of the pool
    pool      (N, C) mask: which cells were offered for judgement; default: all
    grades    (N, C) whole numbers; positive = `level` or more
    level     the lowest grade that counts as relevant
    strata    (N, C) whole numbers: the stratum of the pool a cell belongs to
    subtopics a matrix of grades for each name of a subtopic: what documents are for the aspects of
              a topic; without labels and grades, the best of them is the grade for the topic
    targets   (N, C) real numbers that a run should hit; without labels or grades, cells that nobody
              judged are left out, since no number stands for them
    items, concepts  ids of the rows and columns; frames of pandas and Polars bring their own
    clusters  a label for each item (array, or a Series or mapping of ids): items that come
              together; intervals, tests and plans draw whole clusters
    unjudged  how measures treat unjudged cells unless told otherwise: "negative" or "exclude"
    terms     what people call concepts and items: "topic,document" or "person/people,photo";
              default: topics and documents of an open truth, classes where each item has one label
    open      whether there are more items than listed, all outside the pool; then a sparse matrix
              of labels or grades stores the judged cells, and runs need not mention every topic
    copy      False: share the memory of arrays instead of copying them; once one has changed,
              scores, signatures, intervals and explanations are refused. None: take them
              over, if nobody will write to them again
    """

    @checked
    def __init__(
        self,
        labels: Any = None,
        *,
        items: Iterable[object] | Axis | None = None,
        concepts: Iterable[object] | Axis | None = None,
        judged: Any = None,
        pool: Any = None,
        strata: Any = None,
        grades: Any = None,
        targets: Any = None,
        subtopics: Mapping[str, Any] | None = None,
        clusters: Any = None,
        unjudged: Unjudged = "negative",
        open: bool = False,
        level: int = 1,
        terms: str | Terms | None = None,
        copy: Copy = True,
    ) -> None:
        aspects = {_SUBTOPIC + str(name): matrix for name, matrix in (subtopics or {}).items()}
        if labels is None and grades is None and targets is None and not aspects:
            raise InputError("a truth needs labels=, grades= or targets=")
        if unjudged not in ("negative", "exclude"):
            raise InputError(f"unjudged={unjudged!r}; choose 'negative' or 'exclude'")
        if targets is not None and open:
            raise InputError("an open truth has no targets; give labels= or grades=")
        only_targets = labels is None and grades is None and not aspects
        self.unjudged: Unjudged = "exclude" if only_targets else unjudged
        self.open = open
        self.level = _as_level(level, graded=grades is not None or bool(aspects))
        """The lowest grade that counts as relevant."""
        self._origin: Truth | None = None
        self._terms = None if terms is None else Terms.of(terms)
        given = as_given(
            {
                "labels": labels,
                "grades": grades,
                "targets": targets,
                "pool": pool,
                "judged": judged,
                "strata": strata,
                **aspects,
            },
            items=items,
            concepts=concepts,
            may_miss=("labels", "grades", "targets"),
        )
        self.shape = given.shape
        self.item_axis, self.concept_axis = given.item_axis, given.concept_axis
        self.clusters = None if clusters is None else self._as_clusters(clusters)
        """The cluster of each item; None = every item is its own."""
        cell = cell_name(self.item_axis, self.concept_axis)
        matrices = given.matrices
        masks: dict[str, Any] = {
            n: owned(as_labels(n, matrices[n], cell), matrices[n], copy)
            for n in ("labels", "pool", "judged")
            if n in matrices
        }
        numbers: dict[str, Any] = {
            n: owned(as_integers(n, matrices[n], cell), matrices[n], copy)
            for n in ("grades", "strata", *aspects)
            if n in matrices
        }
        self.grades = numbers.get("grades")
        self.strata = numbers.get("strata")
        self.subtopics: Subtopics | None = as_subtopics(
            {name.removeprefix(_SUBTOPIC): numbers[name] for name in aspects}
        )
        self.targets = self._as_targets(matrices.get("targets"), copy)
        self._watch = Watch("the truth", {**masks, **numbers, "targets": self.targets}, copy)
        self.pool = masks.get("pool")
        self.judged = masks.get("judged", self.pool)
        if given.missing:
            self._leave_unjudged(list(given.missing.values()), told="judged" in masks)
        self._matrix: Bools | Cells | None = masks.get("labels")
        if self._matrix is None and self.grades is None and self.subtopics is not None:
            self._grade_by_subtopics(self.subtopics)
        if self._matrix is None and self.grades is not None:
            self._matrix = read_only(_from_grade(self.grades, self.level))
        self._shared: dict[Hashable, object] = {}
        if self.open:
            self._open_up()
        self._require_consistency(labelled="labels" in masks)
        if not self.open:
            self.pool, self.judged = _unless_all(self.pool), _unless_all(self.judged)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= locked_again(state)

    def require_unchanged(self) -> None:
        """An error if an array that is shared has changed since this truth was made from it."""
        self._watch.require_unchanged()

    @classmethod
    def from_lists(
        cls,
        column: Any,
        *,
        items: Iterable[object] | None = None,
        concepts: Any = None,
        unjudged: Unjudged = "negative",
    ) -> Truth:
        """A truth from a list of labels for each item; None is an item that nobody judged.

        column    lists of places in `concepts` or of their names, or single ones
        concepts  names, or a feature of `datasets` that has them; default: those in the lists
        """
        lists = read_lists(column, items=items, concepts=concepts)
        judged = None
        if not lists.known.all():
            judged = np.repeat(lists.known[:, None], lists.cells.shape[1], axis=1)
        return cls(
            lists.cells.dense() if lists.cells.crowded else lists.cells,
            items=lists.items,
            concepts=lists.concepts,
            judged=judged,
            unjudged=unjudged,
            copy=None,
        )

    @property
    def items(self) -> tuple[str, ...]:
        return self.item_axis.names

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.concept_axis.names

    @property
    def matrix(self) -> Bools | Cells:
        """The positive cells, dense or sparse as they were given."""
        if self._matrix is None:
            raise InputError(
                "the truth holds targets, which are numbers, and no labels; score it by a measure "
                "of numbers such as MSE, or give labels= as well"
            )
        return self._matrix

    @property
    def has_labels(self) -> bool:
        """False where there are targets only."""
        return self._matrix is not None

    @cached_property
    def terms(self) -> Terms:
        """What people call concepts and items: topics and documents of searches, classes where each
        item has one label, unless other words were given."""
        if self._terms is not None:
            return self._terms
        if self.open:
            return TOPICS
        if not self.has_labels or self.judged is not None or self.shape[1] < 2 or not self.shape[0]:
            return CONCEPTS
        single = (self.totals(1, "negative").positives == 1).all()
        return CLASSES if single else CONCEPTS

    def in_terms(self, terms: str | Terms) -> Truth:
        """The same truth, which tables and sentences call by other words: "topic,document"."""
        new = copy(self)
        new._terms = new.__dict__["terms"] = Terms.of(terms)
        return new

    @cached_property
    def labels(self) -> Bools:
        """(N, C) bool: the positive cells."""
        return read_only(dense(self.matrix))

    @property
    def gaps(self) -> int:
        """How many cells of the pool nobody judged; an open truth, whose pool is a sample by its
        nature, has none."""
        judged = self.judged
        if self.open or judged is None:
            return 0
        return self.once("gaps", lambda: int(self._pooled - total(judged, 0).sum()))

    @property
    def _pooled(self) -> int:
        return self.shape[0] * self.shape[1] if self.pool is None else total(self.pool, 0).sum()

    @cached_property
    def states(self) -> NDArray[np.int8]:
        """(N, C) of `State`."""
        out = np.full(self.shape, State.NEGATIVE, dtype=np.int8)
        if self.judged is not None:
            out[~dense(self.judged)] = State.UNJUDGED
        if self.pool is not None:
            out[~dense(self.pool)] = State.OUTSIDE
        out[self.labels] = State.POSITIVE
        return read_only(out)

    def select(
        self, *, items: Iterable[object] | None = None, concepts: Iterable[object] | None = None
    ) -> Truth:
        """The truth of some items and concepts, given by their ids, in the order of this truth.

        None = all. Items and concepts without ids are called by their numbers, from 0.
        """
        truth = self if items is None else self.part(self.item_axis.indices(items))
        if concepts is None:
            return truth
        return truth.of_concepts(self.concept_axis.indices(concepts))

    def part(self, rows: Any) -> Truth:
        """The truth of some items, given by their row numbers, in that order.

        Items keep their names, those without ids the number of their row; everything else that is
        known about their cells stays.
        """
        places = _as_places(rows, self.shape[0], "row")

        items = [self.items[index] for index in places.tolist()]
        part = self._kept(lambda matrix: rows_of(matrix, places), items, self.concept_axis)
        if self.clusters is not None:
            part.clusters = tuple(self.clusters[index] for index in places.tolist())
        return part

    def joined(self, items: Sequence[str] = (), concepts: Sequence[str] = ()) -> Truth:
        """An open truth with more items, outside the pool, and more concepts, judged nowhere.

        What people said stays the same, and so does the digest.
        """
        if not self.open:
            raise InputError("only an open truth can be joined by items or concepts it lacks")
        if not items and not concepts:
            return self
        for axis, names in ((self.item_axis, items), (self.concept_axis, concepts)):
            if names and axis.ids is None:
                raise InputError(f"a truth without {axis.kind} ids cannot be joined by others")
        new = copy(self)
        new._origin = self
        new.item_axis = self.item_axis.extended(items) if items else self.item_axis
        new.concept_axis = self.concept_axis.extended(concepts) if concepts else self.concept_axis
        new.shape = (new.item_axis.size, new.concept_axis.size)
        new._shared = {}
        for name in ("_matrix", "judged", "pool", "grades", "strata"):
            cells = getattr(self, name)
            setattr(new, name, None if cells is None else cells.widened(*new.shape))
        if self.subtopics is not None:
            new.subtopics = {n: c.widened(*new.shape) for n, c in self.subtopics.items()}
        for cached in ("labels", "states", "digest"):
            new.__dict__.pop(cached, None)
        return new

    def of_concepts(self, columns: Any) -> Truth:
        """The truth of some concepts, given by their column numbers, in that order."""
        places = _as_places(columns, self.shape[1], "column")

        concepts = [self.concepts[index] for index in places.tolist()]
        part = self._kept(lambda matrix: columns_of(matrix, places), self.item_axis, concepts)
        part.clusters = self.clusters
        return part

    def _kept(
        self,
        kept: Callable[[Any], Any],
        items: Iterable[object] | Axis,
        concepts: Iterable[object] | Axis,
    ) -> Truth:
        """A part of every matrix."""
        self.require_unchanged()
        matrices = {
            name: None if matrix is None else kept(matrix)
            for name, matrix in {
                "labels": self._matrix,
                "judged": self.judged,
                "pool": self.pool,
                "strata": self.strata,
                "grades": self.grades,
                "targets": self.targets,
            }.items()
        }
        return Truth(
            **matrices,
            subtopics={name: kept(cells) for name, cells in (self.subtopics or {}).items()},
            items=items,
            concepts=concepts,
            unjudged=self.unjudged,
            open=self.open,
            level=self.level,
            terms=self.terms,
            copy=None,
        )

    def value(self, item: object, concept: object) -> Value:
        """What a cell holds: its label or grade (or target, without labels), None if unjudged."""
        return value_at(self, self._code(item, concept))

    def corrected(self, item: object, concept: object, value: Value) -> Truth:
        """The truth in which one cell holds something else, as `value` tells it; all else stays."""
        self.require_unchanged()
        code = self._code(item, concept)
        if value_at(self, code) == value:
            return self
        new = Truth(
            **corrected_matrices(self, code, value),
            items=self.item_axis,
            concepts=self.concept_axis,
            unjudged=self.unjudged,
            open=self.open,
            level=self.level,
            terms=self.terms,
            copy=None,
        )
        new.clusters = self.clusters
        return new

    def _code(self, item: object, concept: object) -> int:
        (row,), (column,) = self.item_axis.indices([item]), self.concept_axis.indices([concept])
        return int(row * self.shape[1] + column)

    def at_level(self, level: int) -> Truth:
        """The truth in which cells of this grade or more are relevant; grades stay as they are."""
        if level == self.level:
            return self
        new = copy(self)
        new.level = _as_level(level, graded=self.grades is not None)
        new._terms = self.terms
        assert self.grades is not None
        new._matrix = read_only(_from_grade(self.grades, new.level))
        new._origin, new._shared = None, {}
        for cached in ("labels", "states", "digest"):
            new.__dict__.pop(cached, None)
        return new

    @property
    def binarised(self) -> bool:
        """Whether there are grades of which measures of relevant or not see less than there is."""
        return self.grades is not None and max(self.largest_grade, self.level) > 1

    @property
    def graded(self) -> Bools | Cells:
        """The cells of grade 1 or more; relevant ones where there are no grades."""
        if self.grades is None or self.level == 1:
            return self.matrix
        grades = self.grades
        return self.once("graded", lambda: read_only(_from_grade(grades, 1)))

    def once(self, key: Hashable, compute: Callable[[], _Shared]) -> _Shared:
        """What all runs share, computed for the first that asks."""
        if key not in self._shared:
            self._shared[key] = compute()
        return self._shared[key]  # type: ignore[return-value]

    @cached_property
    def largest_grade(self) -> int:
        """1 where there are no grades."""
        if self.grades is None:
            return 1
        grades = self.grades.values if isinstance(self.grades, Cells) else self.grades
        return max(1, int(grades.max(initial=1)))

    def best_grades(self, axis: int) -> BestGrades:
        """The grades of what is relevant, best first, by concept (axis=0) or by item (axis=1)."""
        return self.once(("best grades", axis), lambda: self._grades_in_order(axis))

    def _grades_in_order(self, axis: int) -> BestGrades:
        assert self.grades is not None
        cells = as_cells(self.grades)
        there = np.flatnonzero(cells.values > 0)
        owner, grade = (cells.columns if axis == 0 else cells.rows)[there], cells.values[there]
        order = np.lexsort((-grade, owner))
        owner, grade = owner[order], grade[order]
        rank = np.arange(1, len(owner) + 1) - np.searchsorted(owner, owner)
        return BestGrades(owner, grade, rank)

    def totals(self, axis: int, unjudged: Unjudged) -> Totals:
        """Positives and negatives that count, by concept (axis=0) or by item (axis=1)."""
        return self.once(("totals", axis, unjudged), lambda: self._count(axis, unjudged))

    def _count(self, axis: int, unjudged: Unjudged) -> Totals:
        positives = total(self.matrix, axis)
        if unjudged == "exclude" and self.judged is not None:
            cells = total(self.judged, axis)
        else:
            cells = np.full(self.shape[1 - axis], self.shape[axis], dtype=np.int64)
        return Totals(read_only(positives), read_only(cells - positives))

    @cached_property
    def digest(self) -> str:
        """Hash of the content, whatever the order of rows and columns that have ids."""
        self.require_unchanged()
        if self._origin is not None:
            return self._origin.digest
        content = content_digest(
            self.item_axis,
            self.concept_axis,
            [
                ("labels", self._matrix),
                ("judged", self.judged),
                ("pool", self.pool),
                ("grades", self.grades),
                ("strata", self.strata),
                ("targets", self.targets),
                *(
                    (_SUBTOPIC + name, cells)
                    for name, cells in (self.subtopics or {}).items()
                    if cells.values.any()
                ),
            ],
        )
        if self.clusters is None:
            return content
        ordered = [self.clusters[index] for index in canonical_order(self.item_axis).tolist()]
        return hashlib.sha256(f"{content}{ordered}".encode()).hexdigest()[:32]

    def __repr__(self) -> str:
        only = "" if self.has_labels else ", targets only"
        items, concepts = self.shape
        sizes = f"{self.terms.several(items, 'item')}, {self.terms.several(concepts, 'concept')}"
        return f"Truth({sizes}{only})"

    def _as_clusters(self, clusters: Any) -> tuple[str, ...]:
        if self.open:
            raise InputError("an open truth does not list its items, so they have no clusters")
        return tuple(map(str, unit_values("clusters", clusters, self.item_axis)))

    def _grade_by_subtopics(self, subtopics: Subtopics) -> None:
        """Documents are as relevant to a topic as to the subtopic that they fit best."""
        best = strongest(subtopics)
        if max(self.level, best.values.max(initial=0)) > 1:
            self.grades = best
        else:
            self._matrix = Cells(best.shape, best.codes, best.values == 1)

    def _as_targets(self, given: Any, copy: Copy) -> Scores | None:
        if given is None:
            return None
        targets: Scores = owned(dense(as_scores("targets", given)), given, copy)
        wrong = np.flatnonzero(~np.isfinite(targets.ravel()))
        if len(wrong):
            cell = cell_name(self.item_axis, self.concept_axis)
            raise InputError(
                f"targets: {cell(*divmod(int(wrong[0]), self.shape[1]))} holds "
                f"{targets.ravel()[wrong[0]]}; give finite numbers, and say with judged= which "
                "cells have one"
            )
        return targets

    def _leave_unjudged(self, missing: list[Bools], *, told: bool) -> None:
        """Cells without a label or grade are not judged."""
        present = ~np.logical_or.reduce(missing)
        if told and self.judged is not None:
            self._require_inside(self.judged, present, "is judged but has no value")
        else:
            self.judged = read_only(present if self.pool is None else present & dense(self.pool))

    def _open_up(self) -> None:
        """Keep only what was said: the stored cells."""
        stored = as_cells(self.matrix)
        if self.judged is None:
            everywhere = np.ones(len(stored.codes), dtype=np.bool_)
            self.judged = self.pool = Cells(self.shape, stored.codes, everywhere)
        elif self.pool is None:
            self.pool = self.judged
        alike = self.judged is self.pool
        self.judged = as_cells(self.judged)
        self.pool = self.judged if alike else as_cells(self.pool)
        self._matrix = stored
        self.grades = None if self.grades is None else as_cells(self.grades)
        self.strata = None if self.strata is None else as_cells(self.strata)

    def _require_consistency(self, *, labelled: bool) -> None:
        """`labelled`: whether labels were given, and do not merely follow from grades."""
        if self.grades is not None and labelled:
            relevant = _from_grade(self.grades, self.level)
            below = "0" if self.level == 1 else f"below {self.level}"
            self._require_inside(relevant, self.matrix, "is graded but not positive")
            self._require_inside(self.matrix, relevant, f"is positive but graded {below}")
        if self.subtopics is not None:
            fitting = relevant_to_any(self.subtopics, self.level)
            self._require_inside(fitting, self.matrix, "is relevant to a subtopic but not positive")
            self._require_inside(self.matrix, fitting, "is positive but relevant to no subtopic")
        if self.pool is not None and self.has_labels:
            self._require_inside(self.matrix, self.pool, "is positive but outside the pool")
        if self.judged is not None and self.has_labels:
            self._require_inside(self.matrix, self.judged, "is positive but not judged")
        if self.judged is not None and self.pool is not None:
            self._require_inside(self.judged, self.pool, "is judged but outside the pool")

    def _require_inside(self, inner: Bools | Cells, outer: Bools | Cells, what: str) -> None:
        if isinstance(inner, Cells) and isinstance(outer, Cells) and inner.same_cells(outer):
            stray = inner.codes[inner.values & ~outer.values]
        elif isinstance(inner, Cells):
            codes = inner.codes[inner.values]
            stray = codes[~at(outer, codes)]
        else:
            stray = np.flatnonzero((inner & ~dense(outer)).ravel())
        if len(stray):
            cell = cell_name(self.item_axis, self.concept_axis)
            raise InputError(
                f"{len(stray)} cells contradict each other: "
                f"{cell(*divmod(int(stray[0]), self.shape[1]))} {what}"
            )


def _as_places(given: Any, count: int, what: str) -> Ints:
    try:
        places = np.asarray(given)
    except ValueError:
        places = np.empty((0, 0))
    if places.ndim != 1 or (places.size and places.dtype.kind not in "iu"):
        raise InputError(f"{what}s are given by a list of whole numbers, such as [0, 2, 5]")
    outside = places[(places < 0) | (places >= count)]
    if len(outside):
        raise InputError(f"there is no {what} {outside[0]}; the {count} {what}s count from 0")
    return places.astype(np.int64)


def _unless_all(mask: Bools | Cells | None) -> Bools | Cells | None:
    """None for a mask that leaves nothing out, which says the same."""
    if mask is None or (mask.values if isinstance(mask, Cells) else mask).sum() < np.prod(
        mask.shape
    ):
        return mask
    return None


def _from_grade(grades: Ints | Cells, level: int) -> Bools | Cells:
    if isinstance(grades, Cells):
        return Cells(grades.shape, grades.codes, grades.values >= level)
    return grades >= level


def _as_level(level: Any, *, graded: bool) -> int:
    require_whole("level", level, least=1)
    if level > 1 and not graded:
        raise InputError(
            f"level={level} needs grades, and this truth only says relevant or not; give grades=, "
            "or leave the level out"
        )
    return int(level)
