"""What people answered: read from any file of votes, and put as one question about many items.

A questionnaire hands out `item,annotator,concept,value`; a sheet filled in by hand has a column
`answer`; at Mechanical Turk everybody answers all questions of one HIT, in columns Answer.ID.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.assessment.files import read_votes
from cranfield.assessment.votes import Question, Votes
from cranfield.errors import FileError, InputError, first_ten, several

COLUMN = "answer"
"""Where a sheet is filled in."""


class Answers(NamedTuple):
    """Votes on one question, and what people wrote besides."""

    votes: Votes
    comments: Mapping[str, str]
    """By annotator."""
    problems: tuple[FileError, ...] = ()
    """What was wrong with the files, and so is left out."""


def read_answers(
    *paths: str | os.PathLike[str],
    asked: Sequence[str],
    question: Question,
    keep_going: bool = False,
) -> Answers:
    """The answers to what was asked, of everybody in these files."""
    names = (*asked, question.name, COLUMN)
    votes = read_votes(
        *paths, batches=False, keep_going=keep_going, kinds=dict.fromkeys(names, question.kind)
    )
    return arranged(votes, asked=asked, question=question)


def arranged(votes: Votes, *, asked: Sequence[str], question: Question) -> Answers:
    """Votes whose items are what was asked; those whose questions are it are turned round."""
    names = [entry.name for entry in votes.questions]
    turned = not set(votes.items) & set(asked) and bool(set(names) & set(asked))
    here, side = (names, votes.question) if turned else (votes.items, votes.item)
    _require_asked(here, asked)
    if not turned and len(names) > 1:
        raise InputError(
            f"answers to {several(len(names), 'question')}: {first_ten(names)}; this survey asks "
            f"for {question.name!r} only, take the others out"
        )
    index = {name: number for number, name in enumerate(asked)}
    made = Votes(
        np.array([index[name] for name in here], dtype=np.int64)[side],
        votes.annotator,
        np.zeros(len(votes), dtype=np.int64),
        _answers(votes, question),
        items=asked,
        annotators=votes.annotators,
        questions=[question],
    )
    return Answers(made, _comments(votes), votes.problems)


def _require_asked(names: Sequence[str], asked: Sequence[str]) -> None:
    unknown = sorted(set(names) - set(asked))
    if unknown:
        raise InputError(
            f"answers to {first_ten(unknown)}, which this survey does not ask; it asks for "
            f"{first_ten(asked)}: give the answers to this survey"
        )


def _answers(votes: Votes, question: Question) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The place of each vote among the answers of the survey's question."""
    index = {answer: number for number, answer in enumerate(question.answers)}
    indices = [[index.get(answer, -1) for answer in entry.answers] for entry in votes.questions]
    starts = np.cumsum([0, *map(len, indices)])[:-1]
    flat = np.array([entry for some in indices for entry in some], dtype=np.int64)
    found = flat[starts[votes.question] + votes.answer]
    wrong = np.flatnonzero(found < 0)
    if len(wrong):
        first = int(wrong[0])
        text = votes.questions[votes.question[first]].answers[votes.answer[first]]
        raise InputError(
            f"{votes.name_of(first)}: {text!r} is no answer here; there are "
            f"{', '.join(question.answers)}"
        )
    return found


def _comments(votes: Votes) -> dict[str, str]:
    """What each person wrote, once."""
    sheets = votes.sheets
    by_person: dict[str, dict[str, None]] = {}
    for annotator, comment in zip(sheets.annotator.tolist(), sheets.comments, strict=True):
        if comment.strip():
            by_person.setdefault(votes.annotators[annotator], {})[comment.strip()] = None
    return {name: " / ".join(comments) for name, comments in by_person.items()}
