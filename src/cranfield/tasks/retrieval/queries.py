"""Query: a search for items by their concepts, as somebody would type it.

A query is a value: it can be compared and hashed, and `str` gives a text that means the same. Which
concepts of a collection its names stand for is found out here; what it finds, in `searching`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from cranfield.caching import cached_property
from cranfield.core.axes import Missing
from cranfield.errors import InputError, first_ten
from cranfield.tasks.retrieval.expressions import Expression, literals, renamed
from cranfield.tasks.retrieval.parsing import NAME, mistake, parse, tokens

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
        found = names.meant_by(name)
        if not found and missing == "absent":
            return name
        if len(found) == 1:
            return found[0]
        if found:
            what = f"{name!r} may be {first_ten(found)}; write one of them as it stands here"
        else:
            near = names.near(name)
            what = f"there is no concept {name!r}; " + (
                f"did you mean {first_ten(near)}?" if near else f"there are {first_ten(names.ids)}"
            )
        place = next(one for one in tokens(self.text) if (one.kind, one.text) == (NAME, name))
        raise mistake(self.text, place.start, place.end, what)

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
