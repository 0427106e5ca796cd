"""Sets of queries made from a truth, to ask how well runs serve many searches.

Which queries come out depends on ids, labels and seed, never on the order of rows and columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Ints
from cranfield.core.pair_counts import pair_counts
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError
from cranfield.tasks.retrieval.expressions import And, Concept, Expression, Not, joined
from cranfield.tasks.retrieval.queries import Query

_TRIES = 100
"""Draws for each query that is wanted before it is said that there are not so many."""


def concept_pairs(truth: Truth | Collection, *, at_least: int = 1) -> tuple[Query, ...]:
    """`a AND b` for all pairs of concepts that so many items have both of, by their names."""
    truth = truth.truth if isinstance(truth, Collection) else truth
    if at_least < 1:
        raise InputError(f"at_least={at_least}; pairs must stand together in one item or more")
    counts = pair_counts(truth.matrix, np.arange(truth.shape[1]))
    found = np.argwhere(np.triu(counts >= at_least, k=1)).tolist()
    names = sorted(tuple(sorted((truth.concepts[i], truth.concepts[j]))) for i, j in found)
    return tuple(Query(And((Concept(one), Concept(other)))) for one, other in names)


def random_conjunctions(
    truth: Truth | Collection,
    count: int,
    *,
    size: int = 3,
    negated: int = 0,
    at_least: int = 1,
    seed: int = 0,
) -> tuple[Query, ...]:
    """Different queries such as `a AND b AND NOT c`, each with something to find.

    size      concepts in each; `negated` of them behind NOT
    at_least  how many items it must find

    An item is drawn, then concepts that it has and concepts that it lacks: like people, queries ask
    for frequent things more often.
    """
    truth = truth.truth if isinstance(truth, Collection) else truth
    if count < 1 or at_least < 1 or not 0 <= negated <= size or size < 1:
        raise InputError(
            f"count={count}, size={size}, negated={negated}, at_least={at_least}: ask for at least "
            "one query of one concept that finds one item, and negate no more concepts than it has"
        )
    states = _in_order_of_ids(truth)
    names = sorted(truth.concepts)
    random = np.random.default_rng(seed)
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
    for _ in range(_TRIES * count if len(states) else 0):
        row = states[random.integers(len(states))]
        wanted = _drawn(random, np.flatnonzero(row == State.POSITIVE), size - negated)
        unwanted = _drawn(random, np.flatnonzero(row == State.NEGATIVE), negated)
        if wanted is None or unwanted is None or (wanted, unwanted) in found:
            continue
        fits = (states[:, wanted] == State.POSITIVE).all(axis=1)
        fits &= (states[:, unwanted] == State.NEGATIVE).all(axis=1)
        if np.count_nonzero(fits) >= at_least:
            found[wanted, unwanted] = None
            if len(found) == count:
                break
    else:
        raise InputError(
            f"only {len(found)} of {count} random queries with {size} concepts, {negated} of them "
            f"negated, were found that {at_least} items or more answer; ask for fewer or shorter "
            "ones"
        )
    return tuple(_conjunction(names, *places) for places in found)


def _in_order_of_ids(truth: Truth) -> NDArray[np.int8]:
    """The states of cells, rows and columns by their names."""
    rows = np.array(sorted(range(truth.shape[0]), key=truth.items.__getitem__), dtype=np.int64)
    columns = np.array(
        sorted(range(truth.shape[1]), key=truth.concepts.__getitem__), dtype=np.int64
    )
    return np.asarray(truth.states[np.ix_(rows, columns)])


def _drawn(random: np.random.Generator, places: Ints, count: int) -> tuple[int, ...] | None:
    """Some of these places in ascending order; None if there are not so many."""
    if len(places) < count:
        return None
    return tuple(sorted(random.choice(places, size=count, replace=False).tolist()))


def _conjunction(names: Sequence[str], wanted: Sequence[int], unwanted: Sequence[int]) -> Query:
    parts: list[Expression] = [Concept(names[place]) for place in wanted]
    return Query(joined(And, [*parts, *(Not(Concept(names[place])) for place in unwanted)]))
