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

from cranfield.collections.collection import Collection
from cranfield.core.axes import Missing, require_ordered
from cranfield.core.matrices import Bools, Cells, Scores
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.tasks.retrieval.columns import Columns, SideBySide
from cranfield.tasks.retrieval.expressions import answer
from cranfield.tasks.retrieval.parsing import QueryError
from cranfield.tasks.retrieval.queries import Names, Query, as_queries

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
    asked = as_queries(queries)
    if isinstance(where, Run):
        return _search_run(where, asked, combine, missing, items or ())
    if items is not None:
        raise InputError("items= says what a run is searched among; a truth has its own")
    if isinstance(where, Collection):
        return _search_truth(where.truth, resolved(asked, where))
    if isinstance(where, Truth):
        return _search_truth(where, resolved(asked, Collection(where)))
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
        found = answer(query.expression, logic)
        known = found.holds | found.fails
        relevant.add(found.holds)
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
    asked = _resolved_on(run, queries.values(), missing)
    known, own = run.concept_axis.positions, run.item_axis.positions
    require_ordered("items=", items)
    further = [name for name in dict.fromkeys(map(str, items)) if name not in own]
    lacks = any(name not in known for query in asked for name in query.concepts)
    sparse = run.sparse or lacks or bool(further)
    ranked = combine != "boolean" and run.scores is not None
    scores, labels = SideBySide(sparse=sparse), SideBySide(sparse=sparse)
    if ranked:
        _require_probabilities(run, asked, combine)
        graded = (_Probable if combine == "product" else _Fuzzy)(run, len(further))
        for query in asked:
            found = answer(query.expression, graded)
            scores.add(found, stored=~np.isnan(found))
    decided = not ranked or run.labels is not None or _can_decide(run)
    if decided:
        boolean = _Boolean(run, len(further))
        for query in asked:
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
            f'run {run.name!r}: {error} (missing="absent" counts it as not retrieved)'
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
                f"query {query} {why}; bring them into [0, 1], or search its decisions: give "
                'combine="boolean" (on the command line --combine boolean)'
            )
