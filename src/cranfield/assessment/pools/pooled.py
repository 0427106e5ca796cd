"""Pool: the documents that people are asked to judge for each topic.

Every pooled pair of topic and document has a stratum, the part of the pool it belongs to; of a
stratum all documents are judged, or only those that were drawn. What is pooled and not judged stays
known as such, since infAP and xinfAP need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.assessment.pools.qrels import Qrels
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Ints
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten, several

if TYPE_CHECKING:
    import polars


class Pair(NamedTuple):
    """A document to judge for a topic."""

    topic: str
    document: str


@dataclass(frozen=True, eq=False)
class Pool:
    """Pairs of topic and document, in the order of their ids.

    pool.truth(grades) is what judgements make of it.
    """

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    codes: Ints
    """topic · documents + document, ascending."""
    ranks: Ints
    """The best rank that a run gave each pair."""
    strata: Ints
    """From 1."""
    drawn: Bools
    """Which pairs are to be judged."""
    method: str
    """How it was made, in words."""

    def __len__(self) -> int:
        """How many pairs are pooled, drawn or not."""
        return len(self.codes)

    def __repr__(self) -> str:
        return (
            f"Pool({several(len(self.topics), 'topic')}, {several(len(self), 'document')}, "
            f"{int(self.drawn.sum())} to judge, {self.method})"
        )

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The names of all pairs."""
        topic, document = np.divmod(self.codes, max(1, len(self.documents)))
        return tuple(
            Pair(self.topics[t], self.documents[d])
            for t, d in zip(topic.tolist(), document.tolist(), strict=True)
        )

    @cached_property
    def to_judge(self) -> dict[str, tuple[str, ...]]:
        """The documents that were drawn, by topic; topics without any are left out."""
        found: dict[str, list[str]] = {}
        for (topic, document), drawn in zip(self.pairs, self.drawn.tolist(), strict=True):
            if drawn:
                found.setdefault(topic, []).append(document)
        return {topic: tuple(documents) for topic, documents in found.items()}

    @property
    def depths(self) -> dict[str, int]:
        """How far down the lists the pool of each topic reaches."""
        found = dict.fromkeys(self.topics, 0)
        topics = (pair.topic for pair in self.pairs)
        for topic, rank in zip(topics, self.ranks.tolist(), strict=True):
            found[topic] = max(found[topic], rank)
        return found

    def truth(self, grades: Mapping[tuple[str, str], int] | Mapping[Pair, int]) -> Truth:
        """An open truth: judged pairs have their grade, the others are pooled and unjudged.

        grades  by (topic, document); below zero = not judged
        """
        known = set(self.pairs)
        strange = [
            f"{topic} {document}" for topic, document in grades if (topic, document) not in known
        ]
        if strange:
            raise InputError(
                f"{several(len(strange), 'judgement')} of documents outside the pool: "
                f"{first_ten(strange)}; remove them, or pool these documents"
            )
        named = {Pair(*pair): grade for pair, grade in grades.items()}
        said = np.array([named.get(pair, State.UNJUDGED) for pair in self.pairs], dtype=np.int64)
        said = np.maximum(said, State.UNJUDGED)
        # One stratum that is judged wholly is none: such qrels need no column for it.
        strata = self.strata if self.strata.max(initial=1) > 1 or not self.drawn.all() else None
        return Qrels(self.topics, self.documents, self.codes, said, strata).truth()

    def records(self) -> Iterator[tuple[str, str, int, int, bool]]:
        """Topic, document, best rank, stratum, and whether it is to be judged."""
        columns = (self.ranks.tolist(), self.strata.tolist(), self.drawn.tolist())
        for (topic, document), *rest in zip(self.pairs, *columns, strict=True):
            yield topic, document, *rest

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: topic, document, rank (the best of any run), stratum, drawn."""
        import polars

        kinds = {
            "topic": polars.String,
            "document": polars.String,
            "rank": polars.Int64,
            "stratum": polars.Int64,
            "drawn": polars.Boolean,
        }
        return polars.DataFrame(list(self.records()), schema=kinds, orient="row")

    @classmethod
    def of_records(cls, records: Iterator[tuple[str, str, int, int, bool]], *, method: str) -> Pool:
        """The pool that `records` told of."""
        listed = list(records)
        topics = tuple(sorted({record[0] for record in listed}))
        documents = tuple(sorted({record[1] for record in listed}))
        row = {name: place for place, name in enumerate(topics)}
        column = {name: place for place, name in enumerate(documents)}
        codes = np.array(
            [row[record[0]] * len(documents) + column[record[1]] for record in listed],
            dtype=np.int64,
        )
        order = np.argsort(codes)
        ranks, strata, drawn = (
            np.array([record[place] for record in listed])[order] for place in (2, 3, 4)
        )
        return cls(topics, documents, codes[order], ranks, strata, drawn, method)
