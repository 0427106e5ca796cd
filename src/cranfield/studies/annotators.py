"""Simulated annotators: people who look at items whose truth is known, and err as people do.

A cell (a question about an item) is easy or unclear, alike for everybody. On an easy one people
slip with a small probability, on an unclear one with a large one; who errs on a concept misses it
as often as they see it where it is not, so that frequencies stay what they are. Who errs on a
choice takes another answer, the frequent ones more often. A careless sheet is filled in without a
look at the item: any answer of a choice, or none at all, and concepts as often as they occur; it is
done in a third of the time.

Everybody draws from a stream of their own, named after them: adding people changes nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.assessment.votes import Question, Sheets, Votes
from cranfield.core.matrices import Bools, Floats, Ints, dense
from cranfield.core.truth import Truth
from cranfield.errors import InputError, require_whole
from cranfield.studies.reference_runs import stream

_SECONDS = 150.0
"""The median time that an honest sheet takes."""
_START = np.datetime64("2010-01-04T09:00:00", "s")
_LEFT_OUT = 0.1
"""The share of choices that a careless sheet leaves open."""


@dataclass(frozen=True)
class Crew:
    """People of one kind.

    count     how many there are
    per_item  how many of them see each item; None: everybody
    slips     the share of errors on an easy question, on average over people
    unclear   the share of errors on an unclear one
    careless  the share of sheets filled in without a look
    """

    name: str
    count: int
    per_item: int | None = None
    slips: float = 0.03
    unclear: float = 0.35
    careless: float = 0.0

    def __post_init__(self) -> None:
        require_whole("count", self.count, least=1)
        for name in ("slips", "unclear", "careless"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name}={getattr(self, name)!r}; give a share from 0 to 1")
        if self.per_item is not None and not 1 <= self.per_item <= self.count:
            raise InputError(f"per_item={self.per_item}; give a number from 1 to {self.count}")

    @property
    def members(self) -> tuple[str, ...]:
        width = len(str(self.count))
        return tuple(f"{self.name}{number:0{width}}" for number in range(1, self.count + 1))


def simulated_votes(
    truth: Truth,
    crews: Sequence[Crew],
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    unclear: float = 0.15,
    seed: int = 0,
) -> Votes:
    """What crews say of the items of a truth.

    groups   concepts of which exactly one holds, asked as one choice
    unclear  the share of cells that are unclear
    """
    asked = _Asked.of(truth, groups or {})
    hard = stream(seed, "unclear").random(asked.right.shape) < unclear
    parts = []
    names: list[str] = []
    for crew in crews:
        seen = _seen(crew, len(truth.items), stream(seed, crew.name))
        for member, name in enumerate(crew.members):
            items = np.flatnonzero(seen[:, member])
            parts.append(_one(asked, hard, crew, items, len(names), stream(seed, crew.name, name)))
            names.append(name)
    votes = [np.concatenate(column) for column in zip(*(one.votes for one in parts), strict=True)]
    item, person, seconds, since = (
        np.concatenate(column) for column in zip(*(one.sheets for one in parts), strict=True)
    )
    return Votes(
        *votes,
        items=truth.items,
        annotators=names,
        questions=asked.questions,
        sheets=Sheets.of(
            item,
            person,
            np.zeros(len(item), dtype=np.int64),
            seconds=seconds,
            submitted=_START + since.astype("timedelta64[s]"),
        ),
        terms=truth.terms,
    )


@dataclass(frozen=True, eq=False)
class _Asked:
    """Questions, (items, questions) the right answers, and how frequent each answer is."""

    questions: tuple[Question, ...]
    right: Ints
    frequencies: tuple[Floats, ...]

    @classmethod
    def of(cls, truth: Truth, groups: Mapping[str, Sequence[str]]) -> _Asked:
        labels = dense(truth.labels)
        index = truth.concept_axis.positions
        grouped = {member for members in groups.values() for member in members}
        free = [concept for concept in truth.concepts if concept not in grouped]
        questions = [Question(concept) for concept in free]
        right = [labels[:, index[concept]].astype(np.int64) for concept in free]
        for name, members in groups.items():
            choice = Question.choice(name, members)
            columns = labels[:, [index[member] for member in choice.answers]]
            if not (columns.sum(axis=1) == 1).all():
                raise InputError(
                    f"group {name!r}: exactly one of its concepts must hold everywhere"
                )
            questions.append(choice)
            right.append(columns.argmax(axis=1))
        frequencies = tuple(
            np.bincount(column, minlength=question.size) / len(column)
            for column, question in zip(right, questions, strict=True)
        )
        return cls(tuple(questions), np.stack(right, axis=1), frequencies)


@dataclass(frozen=True, eq=False)
class _Work:
    """What one person hands in: columns of votes, and of sheets."""

    votes: tuple[Ints, ...]
    sheets: tuple[Ints, Ints, Floats, Floats]


def _seen(crew: Crew, items: int, random: np.random.Generator) -> Bools:
    """(items, members): who sees what."""
    if crew.per_item is None:
        return np.ones((items, crew.count), dtype=np.bool_)
    lots = random.random((items, crew.count))
    return np.argsort(np.argsort(lots, axis=1), axis=1) < crew.per_item


def _one(
    asked: _Asked, hard: Bools, crew: Crew, items: Ints, person: int, random: np.random.Generator
) -> _Work:
    skill = random.gamma(4.0, 0.25)  # 1 on average
    chance = np.where(hard[items], crew.unclear, np.minimum(crew.slips * skill, 0.5))
    errs = random.random(chance.shape) < chance
    careless = random.random(len(items)) < crew.careless
    said = asked.right[items].copy()
    answered = np.ones(said.shape, dtype=np.bool_)
    for number, (question, shares) in enumerate(
        zip(asked.questions, asked.frequencies, strict=True)
    ):
        column, guess = said[:, number], random.random(len(items))
        if question.kind == "yes_no":
            column[:] = _erring(column, errs[:, number], guess, shares[1])
            column[careless] = (guess < shares[1])[careless]
        else:
            column[:] = _another(column, errs[:, number], guess, shares)
            column[careless] = (guess * question.size).astype(np.int64)[careless]
            answered[:, number] = ~(careless & (random.random(len(items)) < _LEFT_OUT))
    row, question_number = np.nonzero(answered)
    pace = np.where(careless, _SECONDS / 3.0, _SECONDS)
    seconds = np.round(pace * random.lognormal(0.0, 0.4, size=len(items)))
    return _Work(
        (items[row], np.full(len(row), person), question_number, said[row, question_number]),
        (items, np.full(len(items), person), seconds, np.cumsum(seconds + 5.0)),
    )


def _erring(right: Ints, errs: Bools, guess: Floats, frequency: float) -> Ints:
    """Missed as often as seen where it is not: rare concepts are rarely imagined."""
    imagined = frequency / max(1.0 - frequency, 1e-9)
    turns = errs & ((right == 1) | (guess < imagined))
    return np.where(turns, 1 - right, right)


def _another(right: Ints, errs: Bools, guess: Floats, shares: Floats) -> Ints:
    """Another answer, by its frequency among the others."""
    weights = np.repeat(shares[None, :] + 0.02, len(right), axis=0)
    weights[np.arange(len(right)), right] = 0.0
    sums = np.cumsum(weights, axis=1)
    other = (guess[:, None] * sums[:, -1:] > sums).sum(axis=1)
    return np.where(errs, other, right)
