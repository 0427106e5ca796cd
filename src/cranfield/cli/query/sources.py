"""The queries of `cranfield query`: typed, read from a file, or made from the truth."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.tasks.retrieval import NamedQuery, Query


@dataclass(frozen=True)
class QuerySources:
    """Where queries come from; several may be given."""

    typed: tuple[str, ...]
    topics: Path | None
    pairs: int | None
    random: int | None
    size: int
    negated: int
    at_least: int
    seed: int

    def require_any(self) -> None:
        """Refuse, before anything is read, what can be seen to be wrong."""
        if not (self.typed or self.topics or self.pairs or self.random):
            raise typer.BadParameter(
                "there is nothing to search for; give a query such as 'sea AND NOT person', "
                "--topics FILE, --pairs N or --random N",
                param_hint="QUERY",
            )
        if self.negated > self.size:
            raise typer.BadParameter(
                f"{self.negated} concepts of {self.size} cannot be negated; give a larger --size",
                param_hint="--negated",
            )
        for _ in self._parsed():
            pass

    def read(self, collection: Collection) -> tuple[NamedQuery, ...]:
        """The queries, with concepts called as the collection calls them, each under its id.

        Those of a file keep their ids; the others are q1, q2, …
        """
        from cranfield.errors import InputError
        from cranfield.formats.query_files import read_queries
        from cranfield.tasks.retrieval import NamedQuery

        named = read_queries(self.topics, collection) if self.topics else ()
        taken = {one.id for one in named}
        free = (name for name in map("q{}".format, count(1)) if name not in taken)
        others = dict.fromkeys(self._others(collection))
        found = (*named, *(NamedQuery(next(free), query) for query in others))
        if not found:
            raise InputError(
                f"no two concepts stand together in {self.pairs} items; ask for fewer with --pairs"
            )
        return found

    def _others(self, collection: Collection) -> Iterator[Query]:
        from cranfield.tasks.retrieval import concept_pairs, random_conjunctions
        from cranfield.tasks.retrieval.queries import Names

        names = Names(collection.concepts, collection.descriptions)
        yield from (query.resolved(names) for query in self._parsed())
        if self.pairs:
            yield from concept_pairs(collection, at_least=self.pairs)
        if self.random:
            yield from random_conjunctions(
                collection,
                self.random,
                size=self.size,
                negated=self.negated,
                at_least=self.at_least,
                seed=self.seed,
            )

    def _parsed(self) -> Iterable[Query]:
        from cranfield.tasks.retrieval import Query
        from cranfield.tasks.retrieval.parsing import QueryError

        for text in self.typed:
            if os.path.exists(text):
                raise typer.BadParameter(
                    f"{text} is a file; name the truth with --truth, runs with --run, and a file "
                    "of queries with --topics",
                    param_hint="QUERY",
                )
            try:
                yield Query(text)
            except QueryError as error:
                raise typer.BadParameter(str(error), param_hint="QUERY") from None
