"""Searching: what queries find in a truth, and what they find by a run.

A truth of concepts becomes a truth of queries: the qrels. A run of concepts becomes a run of
queries: what the annotator's search would answer. Both can be scored by every measure that there
is, since a query is a concept of its own: how well does this annotator serve that search?

In a truth, logic has three values (Kleene): what nobody judged stays unjudged unless the rest of
the query decides. Of a run, AND, OR and NOT of confidences are min(s, t), max(s, t) and 1 − s, or
else s·t, s + t − s·t and 1 − s; of its decisions they are what they are to Boole.

What a sparse run does not mention has not been retrieved: AND needs all its concepts retrieved, OR
one of them, and NOT holds surely of an item for which the concept was not retrieved. So it does of
items that the run never mentions, as TREC runs do with most; `items=` tells which those are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args, overload

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis, Missing, require_ordered
from cranfield.core.matrices import Bools, Cells, Ints, Scores
from cranfield.core.run import Run
from cranfield.core.terms import Terms
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError
from cranfield.tasks.retrieval.queries import Names, Query, as_queries
from cranfield.tasks.retrieval.query_language import QueryError, answer

Combine = Literal["min", "product", "boolean"]
"""How a run answers: by graded confidences, of two kinds, or by its decisions."""


@overload
def search(
    where: Truth | Collection, queries: Any, *, combine: Combine = ..., missing: Missing = ...
) -> Truth: ...
@overload
def search(
    where: Run,
    queries: Any,
    *,
    combine: Combine = ...,
    missing: Missing = ...,
    items: Iterable[object] | None = ...,
) -> Run: ...
def search(
    where: Truth | Collection | Run,
    queries: Any,
    *,
    combine: Combine = "min",
    missing: Missing = "error",
    items: Iterable[object] | None = None,
) -> Truth | Run:
    """What queries find: the truth or run of a search, with a column for each query.

    queries  a text such as "sea AND sky AND NOT person", a `cf.Query`, several of them, or a
             mapping of ids to them; without an id, the text is the query's id
    combine  "min", "product", or "boolean" for decisions only. Graded runs keep decisions too,
             those of Boolean logic, where the run has any. A truth is the same either way; grades
             and strata of its concepts say nothing of queries and are left behind
    missing  a concept that a run lacks: "error", or "absent" for not retrieved
    items    what a run is searched among, such as truth.items: of items that it lacks nothing was
             retrieved, so NOT finds them; default: its own items

    Names of concepts are looked up as they stand, then in either case, then among the descriptions
    of a collection.
    """
    if combine not in get_args(Combine):
        raise InputError(f"combine={combine!r}; choose {', '.join(map(repr, get_args(Combine)))}")
    if missing not in get_args(Missing):
        raise InputError(f"missing={missing!r}; choose 'error' or 'absent'")
    requested = as_queries(queries)
    if isinstance(where, Run):
        return _search_run(where, requested, combine, missing, items or ())
    if items is not None:
        raise InputError("items= says what a run is searched among; a truth has its own")
    if isinstance(where, Collection):
        return _search_truth(where.truth, resolved(requested, where))
    if isinstance(where, Truth):
        return _search_truth(where, resolved(requested, Collection(where)))
    raise InputError(
        f"a Collection, a Truth or a Run is searched, not a {type(where).__name__}; "
        "make it cf.Truth(labels, concepts=…) or cf.Run(scores, concepts=…)"
    )


def resolved(queries: Mapping[str, Query], collection: Collection) -> dict[str, Query]:
    """Queries with concepts called as the collection calls them; their ids stay."""
    names = Names(collection.concepts, collection.descriptions)
    return {name: query.resolved(names) for name, query in queries.items()}


def items_to_find(truth: Truth, missing: Missing) -> tuple[str, ...] | None:
    """What to search a run among where it may lack items of the truth: all of these."""
    return truth.items if missing == "absent" or truth.open else None


# ── the truth ─────────────────────────────────────────────────────────────────────────────────


class _Known(NamedTuple):
    """For each item whether something holds, does not hold, or (neither) nobody knows."""

    holds: Bools
    fails: Bools


class _Kleene:
    """Three-valued logic over the labels of a truth."""

    def __init__(self, truth: Truth) -> None:
        self._labels = Columns(truth.matrix, truth.concept_axis, False)
        self._judged = (
            None if truth.judged is None else Columns(truth.judged, truth.concept_axis, False)
        )

    def literal(self, concept: str, negated: bool) -> _Known:
        holds = self._labels[concept]
        fails = ~holds if self._judged is None else self._judged[concept] & ~holds
        return _Known(fails, holds) if negated else _Known(holds, fails)

    def both(self, one: _Known, other: _Known) -> _Known:
        return _Known(one.holds & other.holds, one.fails | other.fails)

    def either(self, one: _Known, other: _Known) -> _Known:
        return _Known(one.holds | other.holds, one.fails & other.fails)


def _search_truth(truth: Truth, queries: dict[str, Query]) -> Truth:
    logic = _Kleene(truth)
    pools = None if truth.pool is None else Columns(truth.pool, truth.concept_axis, False)
    sparse = isinstance(truth.matrix, Cells)
    relevant, judged, pooled = (SideBySide(sparse=sparse) for _ in range(3))
    for query in queries.values():
        result = answer(query.expression, logic)
        known = result.holds | result.fails
        relevant.add(result.holds)
        judged.add(known)
        if pools is not None:
            # Outside the pool: not known, and one of its concepts was not offered for judgement.
            pooled.add(known | np.logical_and.reduce([pools[name] for name in query.concepts]))
    return Truth(
        relevant.matrix,
        items=truth.item_axis,
        concepts=list(queries),
        judged=None if truth.judged is None else judged.matrix,
        pool=None if pools is None else pooled.matrix,
        unjudged=truth.unjudged,
        open=truth.open,
        terms=Terms("query", "queries", truth.terms.item, truth.terms.items),
        copy=None,
    )


# ── a run ─────────────────────────────────────────────────────────────────────────────────────


class _Boolean:
    """Logic of decisions."""

    def __init__(self, run: Run, further: int) -> None:
        self._assigned = Columns(run.assigned, run.concept_axis, False, further=further)

    def literal(self, concept: str, negated: bool) -> Bools:
        return ~self._assigned[concept] if negated else self._assigned[concept]

    def both(self, one: Bools, other: Bools) -> Bools:
        return one & other

    def either(self, one: Bools, other: Bools) -> Bools:
        return one | other


class _Fuzzy:
    """Logic of confidences by minimum and maximum; NaN = not retrieved."""

    def __init__(self, run: Run, further: int) -> None:
        self._scores = Columns(run.ranking, run.concept_axis, np.nan, further=further)

    def literal(self, concept: str, negated: bool) -> Scores:
        scores = self._scores[concept]
        return np.where(np.isnan(scores), 1, 1 - scores) if negated else scores

    def both(self, one: Scores, other: Scores) -> Scores:
        return np.minimum(one, other)

    def either(self, one: Scores, other: Scores) -> Scores:
        return np.fmax(one, other)


class _Probable(_Fuzzy):
    """Logic of confidences as if they were probabilities of independent events."""

    def both(self, one: Scores, other: Scores) -> Scores:
        return one * other

    def either(self, one: Scores, other: Scores) -> Scores:
        # s + t − s·t, written so that it is the same for t and s, and never leaves [0, 1].
        high, low = np.fmax(one, other), np.fmin(one, other)
        return np.where(np.isnan(one) | np.isnan(other), high, high + low * (1 - high))


def _search_run(
    run: Run,
    queries: dict[str, Query],
    combine: Combine,
    missing: Missing,
    items: Iterable[object],
) -> Run:
    requested = _resolved_on(run, queries.values(), missing)
    known, own = run.concept_axis.positions, run.item_axis.positions
    require_ordered("items=", items)
    further = [name for name in dict.fromkeys(map(str, items)) if name not in own]
    lacks = any(name not in known for query in requested for name in query.concepts)
    sparse = run.sparse or lacks or bool(further)
    ranked = combine != "boolean" and run.scores is not None
    scores, labels = SideBySide(sparse=sparse), SideBySide(sparse=sparse)
    if ranked:
        _require_probabilities(run, requested, combine)
        graded = (_Probable if combine == "product" else _Fuzzy)(run, len(further))
        for query in requested:
            result = answer(query.expression, graded)
            scores.add(result, stored=~np.isnan(result))
    decided = not ranked or run.labels is not None or _can_decide(run)
    if decided:
        boolean = _Boolean(run, len(further))
        for query in requested:
            labels.add(answer(query.expression, boolean))
    return Run(
        scores.matrix if ranked else None,
        labels=labels.matrix if decided else None,
        name=run.name,
        items=(*run.items, *further) if further else run.item_axis,
        concepts=list(queries),
        group=run.group,
        tags=run.tags,
        copy=None,
    )


def _resolved_on(run: Run, queries: Iterable[Query], missing: Missing) -> list[Query]:
    names = Names(run.concepts)
    try:
        return [query.resolved(names, missing=missing) for query in queries]
    except QueryError as error:
        raise InputError(
            f"run {run.name!r}: {error}",
            mend="give {missing=absent} to count it as not retrieved",
            about=("run", run.name),
        ) from None


def _can_decide(run: Run) -> bool:
    """Whether confidences tell decisions: there is a threshold, or 0.5 is one."""
    return run.threshold is not None or (run.range[0] >= 0 and run.range[1] <= 1)


def _require_probabilities(run: Run, queries: Iterable[Query], combine: Combine) -> None:
    low, high = run.range
    if low >= 0 and high <= 1:
        return
    for query in queries:
        if query.negates or (combine == "product" and len(query) > 1):
            why = "NOT takes 1 − s" if query.negates else "product multiplies"
            raise InputError(
                f"run {run.name!r} has scores from {low:g} to {high:g}, outside [0, 1], but in the "
                f"query {query} {why}",
                mend="bring them into [0, 1], or search its decisions: give {combine=boolean}",
                about=("run", run.name),
            )


# ── columns of matrices ───────────────────────────────────────────────────────────────────────


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

    def _make(self, position: int | None) -> NDArray[Any]:
        matrix = self._matrix
        kind = matrix.values.dtype if isinstance(matrix, Cells) else matrix.dtype
        column = np.full(matrix.shape[0] + self._further, self._absent, dtype=kind)
        if position is None:
            return column
        if isinstance(matrix, Cells):
            stored = self._order[self._starts[position] : self._starts[position + 1]]
            column[matrix.rows[stored]] = matrix.values[stored]
        else:
            column[: matrix.shape[0]] = matrix[:, position]
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
        indices = np.repeat(np.arange(len(self._rows)), [len(rows) for rows in self._rows])
        shape = (self._length, len(self._rows))
        return Cells.of(shape, np.concatenate(self._rows), indices, np.concatenate(self._columns))


# ── first hits ────────────────────────────────────────────────────────────────────────────────


class Hit(NamedTuple):
    """An item that a run found."""

    item: str
    score: float | None
    """None where the run has decisions only."""
    state: State


def first_hits(truth: Truth, run: Run, query: str, count: int) -> list[Hit]:
    """The first items that a run finds for a query, by score; equal ones by id."""
    matrix = run.assigned if run.scores is None else run.scores
    position = run.concept_axis.positions[query]
    if isinstance(matrix, Cells):
        stored = matrix.columns == position
        rows, values = matrix.rows[stored], matrix.values[stored]
    else:
        rows, values = np.arange(run.shape[0]), matrix[:, position]
    if run.scores is None:
        rows, values = rows[values], values[values]
    names = [run.items[row] for row in rows.tolist()]
    best = sorted(zip((-values.astype(np.float64)).tolist(), names, strict=True))[:count]
    ranked = run.scores is not None
    return [
        Hit(item, -score if ranked else None, _state(truth, item, query)) for score, item in best
    ]


def _state(truth: Truth, item: str, query: str) -> State:
    row = truth.item_axis.positions.get(item)
    if row is None:
        return State.OUTSIDE
    return State(int(truth.states[row, truth.concept_axis.positions[query]]))
