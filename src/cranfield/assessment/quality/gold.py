"""Gold: answers that are known, which votes are held against.

A truth tells them cell by cell, where it was judged: of a choice the one answer that holds, if it
is one. Votes tell them as their majority, where that is no even split. What gold says nothing of
counts nowhere.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.ballots import NOT_ASKED
from cranfield.core.matrices import Bools, Ints, dense
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten

_Column = Callable[[Question], Ints | None]
"""(items of the gold,): places among the answers of a question, −1 unknown; None: never known."""


def gold_answers(votes: Votes, gold: Truth | Votes) -> Ints:
    """(votes,): the place of the known answer; −1 where none is known."""
    column = _told_by_votes(gold) if isinstance(gold, Votes) else _told_by_truth(gold)
    places = {name: place for place, name in enumerate(gold.items)}
    place = np.array([places.get(name, -1) for name in votes.items], dtype=np.int64)
    known = np.full(len(votes), NOT_ASKED)
    edges = np.searchsorted(votes.question, np.arange(len(votes.questions) + 1))
    for question, start, stop in zip(votes.questions, edges[:-1], edges[1:], strict=True):
        told = column(question)
        if told is not None:
            where = place[votes.item[start:stop]]
            known[start:stop] = np.where(where < 0, NOT_ASKED, told[where])
    if (known == NOT_ASKED).all():
        raise InputError(
            f"the gold answers nothing that was voted on; it has the items {first_ten(gold.items)}"
        )
    return known


def _told_by_votes(gold: Votes) -> _Column:
    ballots = {ballot.question.name: ballot for ballot in gold.ballots}

    def column(question: Question) -> Ints | None:
        ballot = ballots.get(question.name)
        if ballot is None:
            return None
        if ballot.question.kind != question.kind:
            raise InputError(
                f"gold: {question.name!r} is a question of kind {ballot.question.kind}, and of "
                f"kind {question.kind} in the votes; say in both what it is"
            )
        # An answer that nobody gave is known as well: whoever answered was wrong.
        places = {answer: place for place, answer in enumerate(question.answers)}
        moved = np.array([places.get(answer, question.size) for answer in ballot.question.answers])
        sure = ballot.asked & ~ballot.tied
        return np.where(sure, moved[np.where(sure, ballot.majority, 0)], NOT_ASKED)

    return column


def _told_by_truth(gold: Truth) -> _Column:
    columns = gold.concept_axis.positions
    labels, judged = dense(gold.labels), _judged(gold)

    def column(question: Question) -> Ints | None:
        if question.kind == "choice":
            there = [name for name in question.answers if name in columns]
            if not there:
                return None
            mine = [columns[name] for name in there]
            places = np.array([question.answers.index(name) for name in there])
            holds = labels[:, mine] & judged[:, mine]
            return np.where(holds.sum(axis=1) == 1, places[holds.argmax(axis=1)], NOT_ASKED)
        if question.name not in columns:
            return None
        own = columns[question.name]
        if question.kind == "yes_no":
            said = labels[:, own].astype(np.int64)
        else:
            if gold.grades is None:
                raise InputError(f"gold: {question.name!r} asks for grades, which the truth lacks")
            said = _places(dense(gold.grades)[:, own], question)
        return np.where(judged[:, own], said, NOT_ASKED)

    return column


def _places(grades: Ints, question: Question) -> Ints:
    places = {int(value): place for place, value in enumerate(question.values)}
    return np.array([places.get(int(grade), question.size) for grade in grades], dtype=np.int64)


def _judged(gold: Truth) -> Bools:
    if gold.judged is None:
        return np.ones(gold.shape, dtype=np.bool_)
    return np.asarray(dense(gold.judged), dtype=np.bool_)
