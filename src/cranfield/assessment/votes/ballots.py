"""A ballot: all answers to one question, which merging and agreement work on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.assessment.votes.questions import Question
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints

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
    def asked(self) -> Bools:
        """Which items anybody voted on."""
        return self.voters > 0

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
