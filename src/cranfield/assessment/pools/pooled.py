"""Pool: the documents that people are asked to judge for each topic.

Every pooled pair of topic and document has a stratum, the part of the pool it belongs to; of a
stratum all documents are judged, or only those that were drawn. What is pooled and not judged stays
known as such, since infAP and xinfAP need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.assessment.pools.qrels import Qrels
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Ints
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten, several

FIELDS = ("topic", "document", "rank", "stratum", "drawn")
"""Of pairs in files and frames; the rank is the best of any run."""
_SHOWN = 20
"""Rows that tables list for people."""


class Pair(NamedTuple):
    """A document to judge for a topic."""

    topic: str
    document: str


@dataclass(frozen=True, eq=False, repr=False)
class Pool(Analysis):
    """Pairs of topic and document, in the order of their ids.

    pool.truth(grades) is what judgements make of it.
    """

    title = "Documents to judge"

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
        by_topic: dict[str, list[str]] = {}
        for (topic, document), drawn in zip(self.pairs, self.drawn.tolist(), strict=True):
            if drawn:
                by_topic.setdefault(topic, []).append(document)
        return {topic: tuple(documents) for topic, documents in by_topic.items()}

    @property
    def depths(self) -> dict[str, int]:
        """How far down the lists the pool of each topic reaches."""
        depths = dict.fromkeys(self.topics, 0)
        topics = (pair.topic for pair in self.pairs)
        for topic, rank in zip(topics, self.ranks.tolist(), strict=True):
            depths[topic] = max(depths[topic], rank)
        return depths

    def truth(self, grades: Mapping[tuple[str, str], int] | Mapping[Pair, int]) -> Truth:
        """An open truth: judged pairs have their grade, the others are pooled and unjudged.

        grades  by (topic, document); below zero = not judged
        """
        pooled = set(self.pairs)
        outside = [
            f"{topic} {document}" for topic, document in grades if (topic, document) not in pooled
        ]
        if outside:
            raise InputError(
                f"{several(len(outside), 'judgement')} of documents outside the pool: "
                f"{first_ten(outside)}; remove them, or pool these documents"
            )
        by_pair = {Pair(*pair): grade for pair, grade in grades.items()}
        judged = np.array([by_pair.get(p, State.UNJUDGED) for p in self.pairs], dtype=np.int64)
        judged = np.maximum(judged, State.UNJUDGED)
        # One stratum that is judged wholly is none: such qrels need no column for it.
        strata = self.strata if self.strata.max(initial=1) > 1 or not self.drawn.all() else None
        return Qrels(self.topics, self.documents, self.codes, judged, strata).truth()

    def records(self) -> Iterator[tuple[str, str, int, int, bool]]:
        """Topic, document, best rank, stratum, and whether it is to be judged."""
        columns = (self.ranks.tolist(), self.strata.tolist(), self.drawn.tolist())
        for (topic, document), *rest in zip(self.pairs, *columns, strict=True):
            yield topic, document, *rest

    def _facts(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "pooled": len(self),
            "to_judge": int(self.drawn.sum()),
            "topics": self._topics(),
        }

    def _topics(self) -> list[dict[str, Any]]:
        """How many documents of each topic are pooled and drawn, and how deep."""
        topic = self.codes // max(1, len(self.documents))
        pooled = np.bincount(topic, minlength=len(self.topics)).tolist()
        drawn = np.bincount(topic[self.drawn], minlength=len(self.topics)).tolist()
        return [
            {"topic": name, "pooled": pooled[index], "drawn": drawn[index], "depth": depth}
            for index, (name, depth) in enumerate(self.depths.items())
        ]

    def _tables(self) -> list[Table]:
        topics = self._topics()
        columns = (
            Column("topic", key=True),
            Column("pooled"),
            Column("drawn", "to judge"),
            Column("depth"),
        )
        documents = [dict(zip(FIELDS, record, strict=True)) for record in self.records()]
        return [
            listed("topics", topics, columns),
            Table("documents", documents, tuple(map(Column, FIELDS)), audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        return [f"{self.method}: {len(self)} pooled, {int(self.drawn.sum())} to judge"]

    @classmethod
    def of_records(cls, records: Iterator[tuple[str, str, int, int, bool]], *, method: str) -> Pool:
        """The pool that `records` describes."""
        pairs = list(records)
        topics = tuple(sorted({record[0] for record in pairs}))
        documents = tuple(sorted({record[1] for record in pairs}))
        row = {name: index for index, name in enumerate(topics)}
        column = {name: index for index, name in enumerate(documents)}
        codes = np.array(
            [row[record[0]] * len(documents) + column[record[1]] for record in pairs],
            dtype=np.int64,
        )
        order = np.argsort(codes)
        ranks, strata, drawn = (
            np.array([record[field] for record in pairs])[order] for field in (2, 3, 4)
        )
        return cls(topics, documents, codes[order], ranks, strata, drawn, method)


def listed(
    name: str, rows: Sequence[dict[str, Any]], columns: Sequence[Column], title: str = ""
) -> Table:
    """A table for people of the first rows, which counts the others."""
    more = len(rows) - _SHOWN
    remarks = [f"and {more} more"] if more > 0 else []
    return Table(name, rows[:_SHOWN], columns, title=title, remarks=remarks, audience="people")
