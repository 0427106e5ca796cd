"""Writing votes as platforms export them, for tools that read only that.

Every question is a field of its own: a choice, a rating, or yes and no. A platform's export knows
neither batches nor answers that nobody gave: batches are written one by one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.assessment.files.headers import role_of
from cranfield.assessment.files.label_studio import OWN_FIELD
from cranfield.assessment.files.times import moment_text, seconds_text
from cranfield.assessment.votes import Question, Votes
from cranfield.core.matrices import Ints
from cranfield.errors import InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.source import written


def write_label_studio(votes: Votes, path: Path) -> None:
    """A list of tasks, their items in `data.item`, an annotation for each sheet."""
    _require_one_batch(votes)
    answers = _answers(votes)
    sheets = votes.sheets
    by_item = np.argsort(sheets.item, kind="stable")
    starts = np.searchsorted(sheets.item[by_item], np.arange(len(votes.items) + 1))
    with written(path) as target:
        target.stream.write(b"[")
        for place, item in enumerate(votes.items):
            own = by_item[starts[place] : starts[place + 1]].tolist()
            task = {
                "id": place + 1,
                "data": {OWN_FIELD: item},
                "annotations": [_annotation(votes, sheet, answers[sheet]) for sheet in own],
            }
            text = json.dumps(task, ensure_ascii=False)
            target.stream.write(f"{',' if place else ''}\n{text}".encode())
        target.stream.write(b"\n]\n")


def write_mturk(votes: Votes, path: Path) -> None:
    """CSV with a line for each assignment: Input.item, and Answer.NAME for each question."""
    _require_one_batch(votes)
    names = [f"Answer.{question.name}" for question in votes.questions]
    for question in votes.questions:
        if _misread(question):
            raise InputError(
                f"Mechanical Turk's results cannot hold the question {question.name!r} and its "
                'answers, which mean something else there; rename them, or give format="long"'
            )
    header = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "SubmitTime"]
    header += ["WorkTimeInSeconds", "Input.item", *names, "Answer.comment"]
    sheets = votes.sheets
    with written(path) as target:
        target.stream.write(line_of(header, (), ","))
        for sheet, said in enumerate(_answers(votes)):
            item = int(sheets.item[sheet])
            row = [
                f"hit{item + 1}",
                sheets.assignments[sheet] or f"assignment{sheet + 1}",
                votes.annotators[sheets.annotator[sheet]],
                "Submitted",
                moment_text(sheets.submitted[sheet]),
                seconds_text(sheets.seconds[sheet]),
                votes.items[item],
                *(said.get(place, "") for place in range(len(names))),
                sheets.comments[sheet],
            ]
            target.stream.write(line_of(row, (), ","))


def _annotation(votes: Votes, sheet: int, said: dict[int, str]) -> dict[str, Any]:
    sheets = votes.sheets
    made: dict[str, Any] = {
        "id": sheets.assignments[sheet] or sheet + 1,
        "completed_by": votes.annotators[sheets.annotator[sheet]],
        "result": [_result(votes.questions[place], text) for place, text in said.items()],
    }
    if sheets.comments[sheet]:
        text = {"text": [sheets.comments[sheet]]}
        made["result"].append(
            {"from_name": "comment", "to_name": "item", "type": "textarea", "value": text}
        )
    if not np.isnan(sheets.seconds[sheet]):
        made["lead_time"] = float(sheets.seconds[sheet])
    if not np.isnat(sheets.submitted[sheet]):
        made["created_at"] = f"{moment_text(sheets.submitted[sheet])}Z"
    return made


def _result(question: Question, answer: str) -> dict[str, Any]:
    value: dict[str, Any] = {"choices": [answer]}
    if question.kind == "grade":
        value = {"rating": int(answer)}
    kind = "rating" if question.kind == "grade" else "choices"
    return {"from_name": question.name, "to_name": "item", "type": kind, "value": value}


def _misread(question: Question) -> bool:
    """Whether a name means a remark there, or an answer several at once or a ticked box."""
    said = {answer.casefold() for answer in question.answers}
    lists = any("|" in answer or answer.startswith("[") for answer in question.answers)
    ticks = question.kind == "choice" and said <= {"true", "false", "on", "off"}
    return role_of(question.name) == "comment" or question.name == "taskAnswers" or lists or ticks


def _answers(votes: Votes) -> list[dict[int, str]]:
    """What each sheet says to each question."""
    if (votes.sheet < 0).any():
        raise InputError('some votes are on no sheet; give format="long"')
    said: list[dict[int, str]] = [{} for _ in range(len(votes.sheets))]
    for sheet, question, answer in _votes(votes):
        said[sheet][question] = votes.questions[question].answers[answer]
    return said


def _votes(votes: Votes) -> Iterator[tuple[int, int, int]]:
    columns: tuple[Ints, ...] = (votes.sheet, votes.question, votes.answer)
    return zip(*(column.tolist() for column in columns), strict=True)


def _require_one_batch(votes: Votes) -> None:
    used = np.unique(votes.sheets.batch)
    if len(used) > 1:
        raise InputError(
            f"there are {len(used)} batches, and such a file holds one; write each with "
            "only(batches=[…])"
        )
