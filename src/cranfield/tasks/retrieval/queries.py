"""Query: a search for items by their concepts, as somebody would type it; and sets of queries.

A query is a value: it can be compared and hashed, and `str` gives a text that means the same. Which
concepts of a collection its names stand for is found out here; what it finds, in `searching`.

Sets of queries are made from a truth, to ask how well runs serve many searches. Which queries come
out depends on ids, labels and seed, never on the order of rows and columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.axes import Missing
from cranfield.core.matrices import Ints
from cranfield.core.pair_counts import pair_counts
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten
from cranfield.tasks.retrieval.query_language import (
    NAME,
    And,
    Concept,
    Expression,
    Not,
    joined,
    literals,
    mistake,
    parse,
    renamed,
    tokens,
)

_NEAR = 3
"""Names to suggest for one that is not there."""


class Query:
    """Concepts joined by AND, OR and NOT, such as `sea AND sky AND NOT person`.

    NOT binds closest, then AND; brackets group; names with blanks are quoted.
    """

    def __init__(self, text: str | Expression) -> None:
        if isinstance(text, str):
            self.text, self.expression = text, parse(text)
        elif isinstance(text, Expression):
            self.text, self.expression = str(text), text
        else:
            raise InputError(
                f"a query is a {type(text).__name__}; write a text such as 'sea AND NOT person'"
            )

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """The names in it, each once."""
        return tuple(dict.fromkeys(name for name, _ in literals(self.expression)))

    @property
    def negates(self) -> bool:
        """Whether it wants some concept absent."""
        return any(negated for _, negated in literals(self.expression))

    def __len__(self) -> int:
        """How many concepts stand in it, each as often as it does."""
        return sum(1 for _ in literals(self.expression))

    def resolved(self, names: Names, *, missing: Missing = "error") -> Query:
        """The same with concepts called as a collection or run calls them.

        missing  a concept that is not there: "error", or "absent" to leave its name as it is
        """
        return Query(renamed(self.expression, lambda name: self._found(name, names, missing)))

    def _found(self, name: str, names: Names, missing: Missing) -> str:
        result = names.meant_by(name)
        if not result and missing == "absent":
            return name
        if len(result) == 1:
            return result[0]
        if result:
            what = f"{name!r} may be {first_ten(result)}; write one of them as it stands here"
        else:
            near = names.near(name)
            what = f"there is no concept {name!r}; " + (
                f"did you mean {first_ten(near)}?" if near else f"there are {first_ten(names.ids)}"
            )
        position = next(one for one in tokens(self.text) if (one.kind, one.text) == (NAME, name))
        raise mistake(self.text, position.start, position.end, what)

    def __str__(self) -> str:
        return str(self.expression)

    def __repr__(self) -> str:
        return f"Query({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Query) and self.expression == other.expression

    def __hash__(self) -> int:
        return hash(self.expression)


class NamedQuery(NamedTuple):
    """A query of a file of topics."""

    id: str
    query: Query
    title: str = ""


class Names:
    """The concepts of a collection, by their ids and by what their ids mean."""

    def __init__(self, ids: Iterable[str], descriptions: Mapping[str, str] | None = None) -> None:
        self.ids = tuple(ids)
        self._known = frozenset(self.ids)
        self._folded: dict[str, dict[str, None]] = {}
        for concept in self.ids:
            self._folded.setdefault(concept.casefold(), {})[concept] = None
        self._described: dict[str, dict[str, None]] = {}
        for concept, words in (descriptions or {}).items():
            if concept in self._known:
                self._described.setdefault(words.casefold(), {})[concept] = None

    def meant_by(self, name: str) -> list[str]:
        """The concept of this id; or those that are it in either case; or that mean it."""
        if name in self._known:
            return [name]
        folded = name.casefold()
        return list(self._folded.get(folded) or self._described.get(folded) or ())

    def near(self, name: str) -> list[str]:
        """Concepts that somebody may have meant."""
        known = {**self._described, **self._folded}
        close = get_close_matches(name.casefold(), known, n=_NEAR)
        return [concept for folded in close for concept in known[folded]]


def as_queries(given: Any) -> dict[str, Query]:
    """Queries by their ids, from one or several in any form; without an id, its text is."""
    if isinstance(given, Mapping):
        pairs = [(str(name), _as_query(one)) for name, one in given.items()]
    else:
        single = isinstance(given, str | Query | NamedQuery)
        try:
            listed = [given] if single else list(given)
        except TypeError:
            raise InputError(
                f"queries are a {type(given).__name__}; give texts such as 'sea AND sky', "
                "or a mapping of ids to them"
            ) from None
        pairs = [
            (one.id, one.query) if isinstance(one, NamedQuery) else _with_own_id(one)
            for one in listed
        ]
    if not pairs:
        raise InputError("there are no queries; give at least one")
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise InputError(f"given more than once: query {first_ten(twice)}; keep one of each")
    return dict(pairs)


def _with_own_id(given: Any) -> tuple[str, Query]:
    query = _as_query(given)
    return str(query), query


def _as_query(given: Any) -> Query:
    return given if isinstance(given, Query) else Query(given)


# ── sets of queries ───────────────────────────────────────────────────────────────────────────

_TRIES = 100
"""Draws for each query that is wanted before it is said that there are not so many."""


def concept_pairs(truth: Truth | Collection, *, at_least: int = 1) -> tuple[Query, ...]:
    """`a AND b` for all pairs of concepts that so many items have both of, by their names."""
    truth = truth.truth if isinstance(truth, Collection) else truth
    if at_least < 1:
        raise InputError(f"at_least={at_least}; pairs must stand together in one item or more")
    counts = pair_counts(truth.matrix, np.arange(truth.shape[1]))
    result = np.argwhere(np.triu(counts >= at_least, k=1)).tolist()
    names = sorted(tuple(sorted((truth.concepts[i], truth.concepts[j]))) for i, j in result)
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
    result: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
    for _ in range(_TRIES * count if len(states) else 0):
        row = states[random.integers(len(states))]
        requested = _drawn(random, np.flatnonzero(row == State.POSITIVE), size - negated)
        unwanted = _drawn(random, np.flatnonzero(row == State.NEGATIVE), negated)
        if requested is None or unwanted is None or (requested, unwanted) in result:
            continue
        fits = (states[:, requested] == State.POSITIVE).all(axis=1)
        fits &= (states[:, unwanted] == State.NEGATIVE).all(axis=1)
        if np.count_nonzero(fits) >= at_least:
            result[requested, unwanted] = None
            if len(result) == count:
                break
    else:
        raise InputError(
            f"only {len(result)} of {count} random queries with {size} concepts, {negated} of them "
            f"negated, were found that {at_least} items or more answer; ask for fewer or shorter "
            "ones"
        )
    return tuple(_conjunction(names, *positions) for positions in result)


def _in_order_of_ids(truth: Truth) -> NDArray[np.int8]:
    """The states of cells, rows and columns by their names."""
    rows = np.array(sorted(range(truth.shape[0]), key=truth.items.__getitem__), dtype=np.int64)
    columns = np.array(
        sorted(range(truth.shape[1]), key=truth.concepts.__getitem__), dtype=np.int64
    )
    return np.asarray(truth.states[np.ix_(rows, columns)])


def _drawn(random: np.random.Generator, positions: Ints, count: int) -> tuple[int, ...] | None:
    """Some of these places in ascending order; None if there are not so many."""
    if len(positions) < count:
        return None
    return tuple(sorted(random.choice(positions, size=count, replace=False).tolist()))


def _conjunction(names: Sequence[str], requested: Sequence[int], unwanted: Sequence[int]) -> Query:
    parts: list[Expression] = [Concept(names[position]) for position in requested]
    return Query(joined(And, [*parts, *(Not(Concept(names[position])) for position in unwanted)]))
