"""Judgements: what people said about documents, how far they got, and one grade out of several.

Nothing is thrown away in silence: where people disagree the pairs are listed, where they split
evenly the lower grade counts and is counted, and what nobody judged stays unjudged.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from cranfield.assessment.pools.pooled import Pair, Pool, listed
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.truth import State
from cranfield.errors import InputError, several

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


@dataclass(frozen=True, eq=False, repr=False)
class Merged(Analysis):
    """One grade for each pair that somebody judged."""

    title = "Merged judgements"

    grades: dict[Pair, int]
    several: int
    """Pairs that more than one person judged."""
    disagreements: tuple[Disagreement, ...]
    even_splits: int
    """Pairs in which the rule could have gone either way."""
    pooled: int = 0
    """Pairs of the pool, judged or not."""

    @property
    def relevant(self) -> int:
        return sum(grade >= 1 for grade in self.grades.values())

    def _facts(self) -> dict[str, Any]:
        return {
            "pooled": self.pooled,
            "judged": len(self.grades),
            "relevant": self.relevant,
            "judged_by_several": self.several,
            "even_splits": self.even_splits,
            "disagreements": [pair._asdict() for pair in self.disagreements],
        }

    def _tables(self) -> list[Table]:
        disagreements = [
            {
                "topic": pair.topic,
                "document": pair.document,
                "judgements": ", ".join(f"{name} {grade}" for name, grade in pair.grades.items()),
                "merged": pair.merged,
            }
            for pair in self.disagreements
        ]
        grades = [pair._asdict() | {"grade": grade} for pair, grade in self.grades.items()]
        fields = tuple(map(Column, ("topic", "document", "grade")))
        columns = (
            Column("topic", key=True),
            Column("document", key=True),
            Column("judgements"),
            Column("merged"),
        )
        differing = [listed("disagreements", disagreements, columns)] if disagreements else []
        return [*differing, Table("grades", grades, fields, audience="programs")]

    def _remarks(self) -> list[str]:
        return [
            f"{len(self.grades)} of {self.pooled} pooled documents judged, {self.relevant} of them "
            f"relevant; {self.pooled - len(self.grades)} stay unjudged (−1)",
            f"{several(self.several, 'document')} judged by several assessors, "
            f"{len(self.disagreements)} of them differently, {self.even_splits} evenly split",
        ]


def merge(judgements: Iterable[Judgement], rule: Rule = "majority", *, pooled: int = 0) -> Merged:
    """One grade for each pair.

    rule    "majority" (the most frequent grade), "max", or "mean" (the nearest whole grade); where
            it could go either way, the lower one
    pooled  how many documents there are to judge
    """
    if rule not in get_args(Rule):
        raise InputError(
            f"rule={rule!r}; choose {', '.join(map(repr, get_args(Rule)))}", parameter="rule"
        )
    judged: dict[Pair, dict[str, int]] = {}
    for judgement in judgements:
        if judgement.grade > State.UNJUDGED:
            judged.setdefault(judgement.pair, {})[judgement.assessor] = judgement.grade
    grades: dict[Pair, int] = {}
    disagreements: list[Disagreement] = []
    splits = 0
    for pair, by_assessor in sorted(judged.items()):
        grades[pair], is_even = _RULES[rule](sorted(by_assessor.values()))
        splits += is_even
        if len(set(by_assessor.values())) > 1:
            ordered = dict(sorted(by_assessor.items()))
            disagreements.append(Disagreement(*pair, ordered, grades[pair]))
    overlapping = sum(len(by_assessor) > 1 for by_assessor in judged.values())
    return Merged(grades, overlapping, tuple(disagreements), splits, pooled)


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


@dataclass(frozen=True, eq=False, repr=False)
class JudgingProgress(Analysis):
    """How far people got."""

    title = "Judgements so far"

    by_topic: dict[str, Done]
    by_assessor: dict[str, Done]
    documents: Done
    """Documents that somebody judged, of all that are to be judged."""
    not_assigned: int
    """Documents that nobody was asked about."""

    @property
    def judgements(self) -> Done:
        people = self.by_assessor.values()
        return Done(sum(count.done for count in people), sum(count.total for count in people))

    def _facts(self) -> dict[str, Any]:
        return {
            "documents": self.documents._asdict(),
            "not_assigned": self.not_assigned,
            "judgements": self.judgements._asdict(),
            "assessors": {name: count._asdict() for name, count in self.by_assessor.items()},
            "topics": {name: count._asdict() for name, count in self.by_topic.items()},
        }

    def _tables(self) -> list[Table]:
        counts = {"assessor": self.by_assessor, "topic": self.by_topic}
        tables, rows = [], []
        for kind, by_name in counts.items():
            named = [
                {"kind": kind, "name": name, "done": done, "total": total}
                | {"share": done / total if total else math.nan}
                for name, (done, total) in by_name.items()
            ]
            columns = (
                Column("name", kind, key=True),
                Column("done"),
                Column("total", "of"),
                Column("share", "%", kind="percent", digits=0),
            )
            tables.append(listed(f"{kind}s", named, columns))
            rows += named
        fields = tuple(map(Column, ("kind", "name", "done", "total", "share")))
        return [*tables, Table("counts", rows, fields, audience="programs")]

    def _remarks(self) -> list[str]:
        done, total = self.documents
        notes = [f"{done} of {several(total, 'document')} judged"]
        if self.not_assigned:
            notes.append(f"{self.not_assigned} not handed out yet")
        return ["; ".join(notes)]


def progress_of(pool: Pool, judgements: Iterable[Judgement]) -> JudgingProgress:
    """How far people got with a pool."""
    answers = list(judgements)
    to_judge = {
        Pair(topic, document)
        for topic, documents in pool.to_judge.items()
        for document in documents
    }
    judged = {answer.pair for answer in answers if answer.grade > State.UNJUDGED}
    return JudgingProgress(
        _counted(pool.to_judge, (answer.topic for answer in answers), answers),
        _counted((), (answer.assessor for answer in answers), answers),
        Done(len(judged & to_judge), len(to_judge)),
        len(to_judge - {answer.pair for answer in answers}),
    )


def _counted(
    first: Iterable[str], keys: Iterable[str], judgements: Sequence[Judgement]
) -> dict[str, Done]:
    counts = dict.fromkeys(first, Done(0, 0))
    for key, judgement in zip(keys, judgements, strict=True):
        done, total = counts.get(key, (0, 0))
        counts[key] = Done(done + (judgement.grade > State.UNJUDGED), total + 1)
    return dict(sorted(counts.items()))
