"""Answers: results of Mechanical Turk as votes, read by the form that they answer.

The form knows what a results file does not tell: boxes that nobody ticked have no column there, and
an answer that nobody gave is an answer nevertheless. Who handed in a page and left a box empty said
no. On pages with several items the time is shared among them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files import read_votes
from cranfield.assessment.jobs.folder import Asked
from cranfield.assessment.jobs.template import coded, decoded, field_of, item_field
from cranfield.assessment.votes import Question, Sheets, Votes
from cranfield.assessment.votes.questions import Kind
from cranfield.core.matrices import Ints
from cranfield.errors import FileError, first_ten, several

_PLACES = ("item", "annotator", "batch")


def read_answers(
    job: Asked, *paths: str | os.PathLike[str], keep_going: bool = False, rejected: bool = False
) -> Votes:
    """The votes in results of a job.

    keep_going, rejected  as in `read_votes`
    """
    parts = [
        _read(job, position, paths, keep_going=keep_going, rejected=rejected)
        for position in range(1, job.per_hit + 1)
    ]
    votes = _Gathering(job, parts).votes()
    votes.problems = tuple(
        {str(problem): problem for part in parts for problem in part.votes.problems}.values()
    )
    votes.notes += tuple(dict.fromkeys(note for part in parts for note in part.votes.notes))
    return votes


class _Part(NamedTuple):
    """The answers about one of the items on a page, and the question of each field."""

    votes: Votes
    fields: Mapping[str, Question]


def _read(
    job: Asked,
    position: int,
    paths: tuple[str | os.PathLike[str], ...],
    *,
    keep_going: bool,
    rejected: bool,
) -> _Part:
    fields = {
        field_of(question.name, position, job.per_hit): question for question in job.form.questions
    }
    kinds = {field: _offered(field, question) for field, question in fields.items()}
    votes = read_votes(
        *paths,
        format="mturk",
        item=item_field(position, job.per_hit),
        kinds=kinds,
        keep_going=keep_going,
        rejected=rejected,
    )
    names = [question.name for question in votes.questions]
    if not any(name in fields for name in names):
        raise FileError(
            os.fspath(paths[0]),
            f"none of the answers is to this job, which asks for {first_ten(fields)}; there are "
            f"{first_ten(names)}; give the results of this job, or the job of these results",
        )
    if job.per_hit > 1:  # what is said of the other items is no stranger
        return _Part(votes, fields)
    strange = [name for name in names if name not in fields]
    if strange:
        left = f"left out answers to {first_ten(strange)}, which this job does not ask for"
        votes.notes = (*votes.notes, left)
    return _Part(votes, fields)


def _offered(field: str, question: Question) -> Kind | Question:
    """What a field can hold: of a choice the answers as pages have them, or as they are."""
    if question.kind != "choice":
        return question.kind
    return Question.choice(field, [*map(coded, question.answers), *question.answers])


class _Gathering:
    """Answers about all items of a page, put together."""

    def __init__(self, job: Asked, parts: list[_Part]) -> None:
        self.questions = job.form.questions
        self.boxes = {
            concept for block in job.form.blocks if block.ask == "any" for concept in block.concepts
        }
        self.parts = parts
        self.items = _numbers(decoded(name) for part in parts for name in part.votes.items)
        self.annotators = _numbers(name for part in parts for name in part.votes.annotators)
        self.batches = _numbers(name for part in parts for name in part.votes.batches)

    def votes(self) -> Votes:
        """Who saw an item on two pages of a batch answered on the first of them."""
        columns, sheets = [np.zeros((5, 0), dtype=np.int64)], []
        seen = np.zeros(0, dtype=np.int64)
        again = 0
        for part in self.parts:
            handed = self._sheets(part.votes)
            codes = self._codes(handed.item, handed.annotator, handed.batch)
            new = ~np.isin(codes, seen)
            again += int((~new).sum())
            seen = np.concatenate([seen, codes[new]])
            sheets.append(handed.filter(new))
            for answers in (*self._answered(part), *self._unticked(sheets[-1])):
                mine = np.isin(self._codes(*answers[:3]), codes[new])
                columns.append(answers[:, mine])
        item, annotator, batch, question, answer = np.concatenate(columns, axis=1)
        code = self._codes(item, annotator, batch) * len(self.questions) + question
        # A box that was ticked comes before the no of everybody who handed in the page.
        _, first = np.unique(code, return_index=True)
        votes = Votes(
            item[first],
            annotator[first],
            question[first],
            answer[first],
            items=list(self.items),
            annotators=list(self.annotators),
            questions=self.questions,
            batch=batch[first],
            batches=list(self.batches),
            sheets=_joined(sheets),
        )
        if again:
            people = f"{several(again, 'item')} seen twice by the same person in a batch"
            votes.notes = (f"{people}; the first answers count",)
        return votes

    def _codes(self, item: Ints, annotator: Ints, batch: Ints) -> Ints:
        return (item * len(self.annotators) + annotator) * len(self.batches) + batch

    def _sheets(self, votes: Votes) -> Sheets:
        """What was handed in about one item of each page, in places among all."""
        sheets, (item, annotator, batch) = votes.sheets, self._moves(votes)
        return Sheets.of(
            item[sheets.item],
            annotator[sheets.annotator],
            batch[sheets.batch],
            seconds=sheets.seconds / len(self.parts),
            submitted=sheets.submitted,
            comments=sheets.comments,
            assignments=sheets.assignments,
        )

    def _moves(self, votes: Votes) -> tuple[Ints, Ints, Ints]:
        """Where items, annotators and batches of a part stand among all."""
        return (
            np.array([self.items[decoded(name)] for name in votes.items], dtype=np.int64),
            np.array([self.annotators[name] for name in votes.annotators], dtype=np.int64),
            np.array([self.batches[name] for name in votes.batches], dtype=np.int64),
        )

    def _answered(self, part: _Part) -> Iterator[NDArray[np.int64]]:
        votes = part.votes
        item, annotator, batch = self._moves(votes)
        for position, given in enumerate(votes.questions):
            question = part.fields.get(given.name)
            if question is None:
                continue
            mine = np.flatnonzero(votes.question == position)
            yield np.stack(
                [
                    item[votes.item[mine]],
                    annotator[votes.annotator[mine]],
                    batch[votes.batch[mine]],
                    np.full(len(mine), self.questions.index(question)),
                    _answers(given, question)[votes.answer[mine]],
                ]
            )

    def _unticked(self, sheets: Sheets) -> Iterator[NDArray[np.int64]]:
        """A no of everybody who handed in a page to each box on it."""
        no = np.zeros(len(sheets), dtype=np.int64)
        for position, question in enumerate(self.questions):
            if question.name in self.boxes:
                asked = np.full(len(sheets), position)
                yield np.stack([sheets.item, sheets.annotator, sheets.batch, asked, no])


def _joined(parts: Sequence[Sheets]) -> Sheets:
    """Sheets one after the other."""
    return Sheets.of(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in _PLACES),
        seconds=np.concatenate([part.seconds for part in parts]),
        submitted=np.concatenate([part.submitted for part in parts]),
        comments=[text for part in parts for text in part.comments],
        assignments=[text for part in parts for text in part.assignments],
    )


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: position for position, name in enumerate(dict.fromkeys(names))}


def _answers(given: Question, question: Question) -> Ints:
    """Where the answers that were given stand among those that the form offers."""
    if question.kind == "yes_no":
        return np.arange(given.size)
    places = [question.answers.index(decoded(answer)) for answer in given.answers]
    return np.array(places, dtype=np.int64)
