"""Writing votes: long CSV or TSV with all that is known, single choices, or as platforms do.

What is written reads back as the same votes: questions whose answers do not tell their kind, or
not all that could be answered, are described before the header. Items and annotators without any
vote or sheet have no line.

Writing votes as platforms export them, for tools that read only that.

Every question is a field of its own: a choice, a rating, or yes and no. A platform's export knows
neither batches nor answers that nobody gave: batches are written one by one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files.gathered import ASIDE
from cranfield.assessment.files.label_studio import OWN_FIELD
from cranfield.assessment.files.sheet_details import moment_text, seconds_text
from cranfield.assessment.files.tables import DESCRIBED, columns_of, role_of
from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.columns import VoteFormat, answers_of, fits, numbered
from cranfield.assessment.votes.questions import Kind, is_whole
from cranfield.core.matrices import Ints
from cranfield.errors import InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.source import written

_BLOCK = 1 << 16


def write_votes(votes: Votes, path: str | os.PathLike[str], *, format: VoteFormat = "long") -> None:
    """Write votes as `item,annotator,concept,value`, or one choice as `item,annotator,<group>`.

    The name tells CSV from TSV, and .gz packs. Batches, times and comments follow if any are known.
    "label-studio" and "mturk": as these platforms export them, one batch.
    """
    if format not in get_args(VoteFormat):
        raise InputError(f"format={format!r}", mend=f"choose {', '.join(get_args(VoteFormat))}")
    if format in ("label-studio", "mturk"):
        (write_mturk if format == "mturk" else write_label_studio)(votes, Path(path))
        return
    if format == "choices" and [question.kind for question in votes.questions] != ["choice"]:
        raise InputError(
            "a file of single choices holds one choice question; choose it with "
            "only(questions=…), or write a long table"
        )
    path = Path(path)
    tab = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    separator = "\t" if tab.lower() == ".tsv" else ","
    with written(path) as target:
        for line in _Lines(votes, separator, long=format == "long").all():
            target.stream.write(line)


class _Lines:
    """Votes on their way to lines; every name is quoted once, whatever number of lines it is on."""

    def __init__(self, votes: Votes, separator: str, *, long: bool) -> None:
        self.votes = votes
        self.separator = separator
        self.long = long
        answers = [
            str(index) if question.kind == "yes_no" else answer
            for question in votes.questions
            for index, answer in enumerate(question.answers)
        ]
        self.starts = np.cumsum([0, *(question.size for question in votes.questions)])
        self.items = self._quoted(votes.items)
        self.annotators = self._quoted(votes.annotators)
        self.concepts = self._quoted([question.name for question in votes.questions])
        self.answers = self._quoted(answers)
        self.batches = self._quoted(votes.batches)

    def all(self) -> Iterator[bytes]:
        for question in self.votes.questions:
            if not _tells(question, self.votes, {} if self.long else {question.name: "choice"}):
                line = line_of([question.name, question.kind, *question.answers], (), ",")
                if b"\n" in line[:-1]:
                    raise InputError(f"the question {question.name!r} has a line end in it")
                yield DESCRIBED + b" " + line
        aside = self._aside()
        fields = ["concept", "value"] if self.long else [self.votes.questions[0].name]
        batch = ["batch"] if len(self.votes.batches) > 1 else []
        header = ["item", "annotator", *fields, *batch, *aside]
        columns = columns_of(header)
        if columns is None or (not self.long and columns.group != fields[0]):
            raise InputError(f"a column cannot be called {fields[0]!r}; write a long table")
        yield line_of(header, (), self.separator)
        yield from self._votes(list(aside.values()))
        yield from self._sheets_alone(list(aside.values()))

    def _votes(self, aside: Sequence[NDArray[Any]]) -> Iterator[bytes]:
        votes = self.votes
        for first in range(0, len(votes), _BLOCK):
            part = slice(first, first + _BLOCK)
            answer = self.starts[votes.question[part]] + votes.answer[part]
            columns = [self.items[votes.item[part]], self.annotators[votes.annotator[part]]]
            columns += [self.concepts[votes.question[part]]] if self.long else []
            columns.append(self.answers[answer])
            if len(votes.batches) > 1:
                columns.append(self.batches[votes.batch[part]])
            columns += [one[votes.sheet[part]] for one in aside]
            rows = zip(*(column.tolist() for column in columns), strict=True)
            yield ("\n".join(map(self.separator.join, rows)) + "\n").encode()

    def _sheets_alone(self, aside: Sequence[NDArray[Any]]) -> Iterator[bytes]:
        """Sheets on which nothing was answered."""
        sheets = self.votes.sheets
        alone = np.ones(len(sheets), dtype=np.bool_)
        alone[self.votes.sheet] = False
        for index in np.flatnonzero(alone).tolist():
            row = [self.items[sheets.item[index]], self.annotators[sheets.annotator[index]]]
            row += ["", ""] if self.long else [""]
            if len(self.votes.batches) > 1:
                row.append(self.batches[sheets.batch[index]])
            row += [one[index] for one in aside]
            yield (self.separator.join(row) + "\n").encode()

    def _aside(self) -> dict[str, NDArray[Any]]:
        """What is known of each sheet, as far as anything is known of any."""
        sheets = self.votes.sheets
        known: dict[str, Sequence[str]] = {"comment": sheets.comments}
        known["assignment"] = sheets.assignments
        if not np.isnan(sheets.seconds).all():
            known["seconds"] = list(map(seconds_text, sheets.seconds.tolist()))
        if not np.isnat(sheets.submitted).all():
            known["submitted"] = list(map(moment_text, sheets.submitted))
        return {
            # The last entry is for votes without a sheet, whose place is −1.
            name: self._quoted([*known[name], ""])
            for name in ASIDE
            if any(known.get(name, ()))
        }

    def _quoted(self, names: Sequence[str]) -> NDArray[Any]:
        if any("\r" in name or "\0" in name for name in names):
            strange = next(name for name in names if "\r" in name or "\0" in name)
            raise InputError(
                f"{strange!r} cannot be written as CSV: it holds a carriage return or a NUL; "
                "rename it"
            )
        return np.array(
            [line_of([name], (), self.separator).decode()[:-1] for name in names], dtype=object
        )


def _tells(question: Question, votes: Votes, known: Mapping[str, Kind]) -> bool:
    """Whether the answers alone make the same question when they are read."""
    ballot = votes.ballot(question.name)
    given = [question.answers[index] for index in np.unique(ballot.answer)]
    values = (
        ["1" if text == "yes" else "0" for text in given] if question.kind == "yes_no" else given
    )
    concept: tuple[Ints, Sequence[str]] = np.zeros(len(values), dtype=np.int64), [question.name]
    if (
        question.kind == "choice"
        and not known
        and any(fits(text, "yes_no") or is_whole(text) for text in values)
    ):
        return False  # few other answers would be taken for slips of the pen
    made, answer = answers_of(concept, numbered(values), known)
    return made == [question] and bool((answer >= 0).all()) and bool(values)


# ── writing votes as platforms export them, for tools that read only that ─────────────────────────


def write_label_studio(votes: Votes, path: Path) -> None:
    """A list of tasks, their items in `data.item`, an annotation for each sheet."""
    _require_one_batch(votes)
    answers = _answers(votes)
    sheets = votes.sheets
    by_item = np.argsort(sheets.item, kind="stable")
    starts = np.searchsorted(sheets.item[by_item], np.arange(len(votes.items) + 1))
    with written(path) as target:
        target.stream.write(b"[")
        for index, item in enumerate(votes.items):
            own = by_item[starts[index] : starts[index + 1]].tolist()
            task = {
                "id": index + 1,
                "data": {OWN_FIELD: item},
                "annotations": [_annotation(votes, sheet, answers[sheet]) for sheet in own],
            }
            text = json.dumps(task, ensure_ascii=False)
            target.stream.write(f"{',' if index else ''}\n{text}".encode())
        target.stream.write(b"\n]\n")


def write_mturk(votes: Votes, path: Path) -> None:
    """CSV with a line for each assignment: Input.item, and Answer.NAME for each question."""
    _require_one_batch(votes)
    names = [f"Answer.{question.name}" for question in votes.questions]
    for question in votes.questions:
        if _misread(question):
            raise InputError(
                f"Mechanical Turk's results cannot hold the question {question.name!r} and its "
                "answers, which mean something else there; rename them, or write a long table"
            )
    header = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "SubmitTime"]
    header += ["WorkTimeInSeconds", "Input.item", *names, "Answer.comment"]
    sheets = votes.sheets
    with written(path) as target:
        target.stream.write(line_of(header, (), ","))
        for sheet, answers in enumerate(_answers(votes)):
            item = int(sheets.item[sheet])
            row = [
                f"hit{item + 1}",
                sheets.assignments[sheet] or f"assignment{sheet + 1}",
                votes.annotators[sheets.annotator[sheet]],
                "Submitted",
                moment_text(sheets.submitted[sheet]),
                seconds_text(sheets.seconds[sheet]),
                votes.items[item],
                *(answers.get(index, "") for index in range(len(names))),
                sheets.comments[sheet],
            ]
            target.stream.write(line_of(row, (), ","))


def _annotation(votes: Votes, sheet: int, answers: dict[int, str]) -> dict[str, Any]:
    sheets = votes.sheets
    made: dict[str, Any] = {
        "id": sheets.assignments[sheet] or sheet + 1,
        "completed_by": votes.annotators[sheets.annotator[sheet]],
        "result": [_result(votes.questions[index], text) for index, text in answers.items()],
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
    words = {answer.casefold() for answer in question.answers}
    lists = any("|" in answer or answer.startswith("[") for answer in question.answers)
    ticks = question.kind == "choice" and words <= {"true", "false", "on", "off"}
    return role_of(question.name) == "comment" or question.name == "taskAnswers" or lists or ticks


def _answers(votes: Votes) -> list[dict[int, str]]:
    """What each sheet says to each question."""
    if (votes.sheet < 0).any():
        raise InputError("some votes are on no sheet; write a long table")
    answers: list[dict[int, str]] = [{} for _ in range(len(votes.sheets))]
    for sheet, question, answer in _votes(votes):
        answers[sheet][question] = votes.questions[question].answers[answer]
    return answers


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
