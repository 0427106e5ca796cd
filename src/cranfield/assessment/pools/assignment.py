"""Assignment: who judges what.

By topic, one person judges all documents of a topic, as at TREC and INEX; by document, those of a
topic are dealt out. Either way several people may be asked about the same document (overlap), and
everybody gets about as much to do. Each sheet is in a random order of its own, which tells nothing
about runs and ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from cranfield.assessment.draws import draw_order
from cranfield.assessment.pools.pooled import Pair, Pool
from cranfield.errors import InputError, first_ten

By = Literal["topic", "document"]


@dataclass(frozen=True)
class Sheet:
    """Documents that one person judges for one topic, in the order in which they are shown."""

    assessor: str
    topic: str
    documents: tuple[str, ...]


def assign(
    pool: Pool,
    assessors: Iterable[str],
    *,
    overlap: int = 1,
    by: By = "topic",
    seed: int = 0,
    before: Mapping[Pair, Collection[str]] | None = None,
) -> tuple[Sheet, ...]:
    """Sheets for people: what of the pool is to be judged and was not handed out yet.

    overlap  how many people judge each document
    by       "topic" keeps the documents of a topic together, "document" deals them out
    before   who was asked about which pair already; these people keep their topics
    """
    people = _as_people(assessors, overlap)
    if by not in get_args(By):
        raise InputError(f"by={by!r}; choose 'topic' or 'document'", parameter="by")
    assigned = {pair: set(whom) for pair, whom in (before or {}).items()}
    loads = dict.fromkeys(people, 0)
    for whom in assigned.values():
        for person in whom & loads.keys():
            loads[person] += 1
    deal = _Deal(pool, people, overlap, seed, assigned, loads)
    dealt = deal.topics() if by == "topic" else deal.documents()
    return tuple(
        Sheet(person, topic, _shuffled(documents, person, topic, seed))
        for (person, topic), documents in sorted(dealt.items())
    )


@dataclass(frozen=True)
class _Deal:
    pool: Pool
    people: tuple[str, ...]
    overlap: int
    seed: int
    assigned: dict[Pair, set[str]]
    loads: dict[str, int]

    def topics(self) -> dict[tuple[str, str], list[str]]:
        """Topics with most documents first, each to those who have least to do."""
        dealt: dict[tuple[str, str], list[str]] = {}
        owned = Counter((pair.topic, p) for pair, whom in self.assigned.items() for p in whom)
        for topic, new in sorted(self._new().items(), key=lambda entry: (-len(entry[1]), entry[0])):
            queue = self._queue(topic)
            queue.sort(key=lambda person: (-owned[topic, person], self.loads[person]))
            for person in queue[: self.overlap]:
                documents = [d for d in new if person not in self._whom(topic, d)]
                if documents:
                    dealt[person, topic] = documents
                    self.loads[person] += len(documents)
        return dealt

    def documents(self) -> dict[tuple[str, str], list[str]]:
        """Each document to those who have least to do."""
        dealt: dict[tuple[str, str], list[str]] = {}
        for topic, new in self._new().items():
            queue = self._queue(topic)
            for index in draw_order(self.seed, "dealing", topic, new).tolist():
                whom = self._whom(topic, new[index])
                free = sorted((p for p in queue if p not in whom), key=self.loads.__getitem__)
                for person in free[: self.overlap - len(whom)]:
                    dealt.setdefault((person, topic), []).append(new[index])
                    self.loads[person] += 1
        return dealt

    def _new(self) -> dict[str, list[str]]:
        """Documents that too few people were asked about, by topic."""
        new = {
            topic: [d for d in documents if len(self._whom(topic, d)) < self.overlap]
            for topic, documents in self.pool.to_judge.items()
        }
        return {topic: documents for topic, documents in new.items() if documents}

    def _whom(self, topic: str, document: str) -> set[str]:
        return self.assigned.get(Pair(topic, document), set())

    def _queue(self, topic: str) -> list[str]:
        """Everybody, in an order by chance, so that nobody is always asked first."""
        order = draw_order(self.seed, "people", topic, self.people)
        return [self.people[index] for index in order.tolist()]


def _as_people(assessors: Iterable[str], overlap: int) -> tuple[str, ...]:
    names = [assessors] if isinstance(assessors, str) else [str(name) for name in assessors]
    people = tuple(sorted(set(names)))
    if len(people) < len(names) or not all(name.strip() for name in names):
        raise InputError(
            f"assessors {first_ten(names)}: name each once, none with an empty name",
            parameter="assessors",
        )
    if not 1 <= overlap <= len(people):
        raise InputError(
            f"{overlap} judgements of each document by {len(people)} assessors; ask for one to "
            f"{len(people)}, or name more assessors",
            parameter="overlap",
        )
    return people


def _shuffled(documents: list[str], person: str, topic: str, seed: int) -> tuple[str, ...]:
    ordered = sorted(documents)
    order = draw_order(seed, f"sheet of {person}", topic, ordered)
    return tuple(ordered[index] for index in order.tolist())
