"""Questions: what annotators are asked about an item.

    yes_no   does this concept hold?
    choice   which one of these concepts, which exclude each other, holds?
    grade    how far does this concept hold? whole numbers, in their order

An annotator's set of labels is a yes/no vote on each concept that was asked.

A ballot: all answers to one question, which merging and agreement work on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.arguments import FormerName
from cranfield.core.axes import as_ids
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import InputError, first_ten

Kind = Literal["yes_no", "choice", "grade"]

YES_NO = ("no", "yes")


@dataclass(frozen=True)
class Question:
    """A question and what can be answered; a vote is a place among the answers.

    name     the concept, or what the group of concepts is called
    answers  of a choice: the concepts; of grades: the numbers, ascending; of yes/no: none to give
    """

    name: str
    kind: Kind = "yes_no"
    answers: tuple[str, ...] = YES_NO

    def __post_init__(self) -> None:
        if self.kind not in ("yes_no", "choice", "grade"):
            raise InputError(
                f"question {self.name!r}: kind {self.kind!r}; choose yes_no, choice or grade"
            )
        object.__setattr__(self, "answers", as_ids("concept", self.answers))
        if self.kind == "yes_no" and self.answers != YES_NO:
            raise InputError(f"question {self.name!r}: yes/no questions are answered by no and yes")
        if self.kind == "grade" and list(self.answers) != in_order(self.answers):
            raise InputError(
                f"question {self.name!r}: grades are whole numbers, ascending; "
                f"got {first_ten(self.answers)}"
            )
        if not self.answers:
            raise InputError(f"question {self.name!r} has no answers; give at least one")

    @classmethod
    def choice(cls, name: str, answers: Iterable[object]) -> Question:
        """Which one of these; in the order of their ids, so that the smallest comes first."""
        return cls(name, "choice", tuple(in_order(map(str, answers))))

    @classmethod
    def grades(cls, name: str, grades: Iterable[int]) -> Question:
        return cls(name, "grade", tuple(str(grade) for grade in sorted(set(grades))))

    @property
    def size(self) -> int:
        """How many different answers there are."""
        return len(self.answers)

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts that a truth made of the answers has."""
        return self.answers if self.kind == "choice" else (self.name,)

    @cached_property
    def values(self) -> Ints:
        """What each answer counts: the grade, or the answer's place."""
        if self.kind == "grade":
            return np.array([int(answer) for answer in self.answers])
        return np.arange(self.size)


def in_order(ids: Iterable[str]) -> list[str]:
    """Different ids in their order: by number where all are whole numbers, else by letter."""
    names = set(ids)
    if all(is_whole(name) for name in names):
        return sorted(names, key=lambda name: (int(name), name))
    return sorted(names)


def is_whole(text: str) -> bool:
    """Whether a text is a whole number of a size that counts something."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 18


# ── a ballot ──────────────────────────────────────────────────────────────────────────────────────


NOT_ASKED = -1


@dataclass(frozen=True, eq=False)
class Ballot:
    """The votes on a question, ordered by item and then by annotator."""

    question: Question
    item: Ints
    annotator: Ints
    answer: Ints
    items: int
    """How many there are, voted on or not."""
    annotators: int

    def __len__(self) -> int:
        return len(self.answer)

    @cached_property
    def counts(self) -> Ints:
        """(items, answers): how many gave each answer."""
        size = self.question.size
        cells = np.bincount(self.item * size + self.answer, minlength=self.items * size)
        return cells.reshape(self.items, size)

    @cached_property
    def voters(self) -> Ints:
        """(items,): how many voted on each."""
        return np.asarray(np.einsum("ij->i", self.counts))

    @property
    def answered(self) -> Bools:
        """Which items anybody voted on."""
        return self.voters > 0

    asked = FormerName("answered")

    @cached_property
    def shares(self) -> Floats:
        """(items, answers): which share of the voters gave each answer; NaN where nobody voted."""
        with np.errstate(invalid="ignore"):
            return self.counts / self.voters[:, None]

    @cached_property
    def majority(self) -> Ints:
        """(items,): what the majority answers; −1 where nobody voted.

        Of a choice the most frequent answer, the smallest of several; of grades the median voter's,
        the smaller of two. So an even split is a no.
        """
        return decided(self.question, self.counts)

    @cached_property
    def tied(self) -> Bools:
        """(items,): where the votes are evenly split, and the majority is so by rule only."""
        return evenly_split(self.question, self.counts)

    @cached_property
    def work(self) -> Ints:
        """(annotators,): how many votes each cast."""
        return np.bincount(self.annotator, minlength=self.annotators)

    @cached_property
    def table(self) -> Ints:
        """(items, annotators): each one's answer, −1 where there is none.

        Who voted on an item in several batches is seen with the last.
        """
        table = np.full((self.items, self.annotators), NOT_ASKED)
        table[self.item, self.annotator] = self.answer
        return table


def decided(question: Question, counts: Ints) -> Ints:
    """(n,): the answer of the majority, from (n, answers) how many gave each; −1 where nobody."""
    voters = counts.sum(axis=1)
    if question.kind == "choice":
        answer = counts.argmax(axis=1)
    else:
        answer = (2 * np.cumsum(counts, axis=1) >= voters[:, None]).argmax(axis=1)
    return np.where(voters > 0, answer, NOT_ASKED)


def evenly_split(question: Question, counts: Ints) -> Bools:
    """(n,): where such a majority is one by rule only."""
    voters = counts.sum(axis=1)
    if question.kind == "choice":
        split = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    else:
        split = (2 * np.cumsum(counts, axis=1) == voters[:, None]).any(axis=1)
    return np.asarray((voters > 0) & split, dtype=np.bool_)
