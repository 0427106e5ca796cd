"""Judgements: what people said about documents, how far they got, and one grade out of several.

Nothing is thrown away in silence: where people disagree the pairs are told, where they split evenly
the lower grade counts and is counted, and what nobody judged stays unjudged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from cranfield.assessment.pools.pooled import Pair, Pool
from cranfield.core.truth import State
from cranfield.errors import InputError

Rule = Literal["majority", "max", "mean"]


class Judgement(NamedTuple):
    """What one person was asked and said."""

    topic: str
    document: str
    assessor: str
    grade: int
    """Below zero: nothing yet."""

    @property
    def pair(self) -> Pair:
        return Pair(self.topic, self.document)


class Disagreement(NamedTuple):
    """A document that people judged differently."""

    topic: str
    document: str
    grades: dict[str, int]
    """By assessor."""
    merged: int


@dataclass(frozen=True)
class Merged:
    """One grade for each pair that somebody judged."""

    grades: dict[Pair, int]
    several: int
    """Pairs that more than one person judged."""
    disagreements: tuple[Disagreement, ...]
    even_splits: int
    """Pairs in which the rule could have gone either way."""


def merge(judgements: Iterable[Judgement], rule: Rule = "majority") -> Merged:
    """One grade for each pair.

    rule  "majority" (the most frequent grade), "max", or "mean" (the nearest whole grade); where it
          could go either way, the lower one
    """
    if rule not in get_args(Rule):
        raise InputError(f"rule={rule!r}; choose {', '.join(map(repr, get_args(Rule)))}")
    said: dict[Pair, dict[str, int]] = {}
    for one in judgements:
        if one.grade > State.UNJUDGED:
            said.setdefault(one.pair, {})[one.assessor] = one.grade
    grades: dict[Pair, int] = {}
    disagreements: list[Disagreement] = []
    splits = 0
    for pair, by_assessor in sorted(said.items()):
        grades[pair], is_even = _RULES[rule](sorted(by_assessor.values()))
        splits += is_even
        if len(set(by_assessor.values())) > 1:
            ordered = dict(sorted(by_assessor.items()))
            disagreements.append(Disagreement(*pair, ordered, grades[pair]))
    several = sum(len(by_assessor) > 1 for by_assessor in said.values())
    return Merged(grades, several, tuple(disagreements), splits)


def _majority(grades: Sequence[int]) -> tuple[int, bool]:
    counts = Counter(grades)
    most = max(counts.values())
    leaders = sorted(grade for grade, count in counts.items() if count == most)
    return leaders[0], len(leaders) > 1


def _largest(grades: Sequence[int]) -> tuple[int, bool]:
    return max(grades), False


def _mean(grades: Sequence[int]) -> tuple[int, bool]:
    # In whole numbers, so that a half is a half: the nearest grade, of two the lower.
    total, count = sum(grades), len(grades)
    return (2 * total + count - 1) // (2 * count), (2 * total) % (2 * count) == count


_RULES: Mapping[Rule, Callable[[Sequence[int]], tuple[int, bool]]] = {
    "majority": _majority,
    "max": _largest,
    "mean": _mean,
}


class Done(NamedTuple):
    """How many judgements of how many are there."""

    done: int
    total: int


@dataclass(frozen=True)
class Progress:
    """How far people got."""

    by_topic: dict[str, Done]
    by_assessor: dict[str, Done]
    documents: Done
    """Documents that somebody judged, of all that are to be judged."""
    not_assigned: int
    """Documents that nobody was asked about."""

    @property
    def judgements(self) -> Done:
        people = self.by_assessor.values()
        return Done(sum(one.done for one in people), sum(one.total for one in people))


def progress_of(pool: Pool, judgements: Iterable[Judgement]) -> Progress:
    """How far people got with a pool."""
    listed = list(judgements)
    to_judge = {
        Pair(topic, document)
        for topic, documents in pool.to_judge.items()
        for document in documents
    }
    judged = {one.pair for one in listed if one.grade > State.UNJUDGED}
    return Progress(
        _counted(pool.to_judge, (one.topic for one in listed), listed),
        _counted((), (one.assessor for one in listed), listed),
        Done(len(judged & to_judge), len(to_judge)),
        len(to_judge - {one.pair for one in listed}),
    )


def _counted(
    first: Iterable[str], keys: Iterable[str], judgements: Sequence[Judgement]
) -> dict[str, Done]:
    found = dict.fromkeys(first, Done(0, 0))
    for key, one in zip(keys, judgements, strict=True):
        done, total = found.get(key, (0, 0))
        found[key] = Done(done + (one.grade > State.UNJUDGED), total + 1)
    return dict(sorted(found.items()))
