"""Results of a batch of Amazon Mechanical Turk: CSV with a line for each assignment.

The item stands in a column Input.…, what the worker answered in columns Answer.…:

    Answer.Season          which radio button, or what was written; a, b and c ticked: a|b|c
    Answer.Season.Summer   true or false, one column for each radio button (crowd-html-elements)
    Answer.Sky.on          true or false: a box; Answer.Sky = on or nothing: a box as well
    Answer.tags.labels     ["a","b"]: boxes
    Answer.taskAnswers     all of this as JSON: [{"Sky": {"on": true}, "Season": {"Summer": true}}]

A box that is nowhere said to be false is not ticked where its field is empty. What is called
comment or feedback is a comment, and so is what people wrote in their own words: sentences, or many
texts of which most were given once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.assessment.files.gathered import Gathered, HandedIn, Texts, VoteTable, illegible
from cranfield.assessment.files.mturk_answers import (
    Answers,
    Column,
    families,
    flat,
    joined,
    oddities,
)
from cranfield.assessment.files.tables import role_of, twice
from cranfield.core.matrices import Bools, Ints
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.gather import Stack
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source

_INPUT, _ANSWER, _JSON = "Input.", "Answer.", "taskAnswers"
_ASIDE = {"WorkTimeInSeconds": "seconds", "SubmitTime": "submitted", "AssignmentId": "assignment"}


def is_mturk(header: Sequence[str]) -> bool:
    """Whether a table's columns are those of such results."""
    return "WorkerId" in header and any(name.startswith(_ANSWER) for name in header)


def read(
    source: Source, problems: Problems, gathered: Gathered, *, item: str | None, rejected: bool
) -> None:
    """Read all assignments.

    item      the input field that names the item; default: the first one, or else the HIT
    rejected  whether rejected assignments count
    """
    table = VoteTable(source, b",", problems, rows="assignment")
    header = table.header()
    if not is_mturk(header):
        raise FileError(
            source.path,
            f"the header is {shown(','.join(header))}; results of MTurk have WorkerId and Answer.…",
            line=table.header_line,
        )
    same = twice(header)
    if same is not None:
        raise FileError(
            source.path,
            f"two columns are called {shown(same)}; rename or remove one",
            line=table.header_line,
        )
    texts = [Texts() for _ in header]
    rows, lines = Stack(len(header), np.uint32), Stack(1, np.int64)
    layout = Layout(
        b",", 1, 0, after=len(header) - 1, columns=f"{len(header)}, as many as the header has"
    )
    trouble: FileError | None = None
    try:
        for some in table.numbered(layout, where=lambda names, index: "", names=texts):
            rows.add(np.stack(some.numbers, axis=1))
            lines.add(some.lines[:, None])
    except FileError as error:
        trouble = error
    columns = {
        name: Column(rows.finished()[:, index].astype(np.int64), texts[index].texts)
        for index, name in enumerate(header)
    }
    where = lines.finished()[:, 0]
    number = np.arange(1, len(where) + 1) + np.searchsorted(list(table.broken), where)
    _Results(problems, gathered, columns, where, number).take(item, rejected=rejected)
    if trouble is not None:
        raise trouble


class _Results:
    """All assignments of a file, on their way to votes."""

    def __init__(
        self,
        problems: Problems,
        gathered: Gathered,
        columns: Mapping[str, Column],
        lines: Ints,
        number: Ints,
    ) -> None:
        self._problems = problems
        self._gathered = gathered
        self._columns = columns
        self._lines = lines
        self._number = number
        """Which assignment of the file each is, broken ones counted."""
        self._broken = np.zeros(len(lines), dtype=np.bool_)
        """Those with a part that was reported."""

    def take(self, item: str | None, *, rejected: bool) -> None:
        item_column = self._item_column(item)
        keep = self._complete(self._columns[item_column])
        if not rejected and "AssignmentStatus" in self._columns:
            refused = self._columns["AssignmentStatus"].holding({"rejected"})
            if refused.any():
                count = several(int(refused.sum()), "assignment")
                self._gathered.note(f"left out {count} that had been rejected")
            keep &= ~refused
        self._leave(keep)
        answers = dict(self._answers())
        sound = self._sound(answers)
        self._leave(sound)
        answers = {name: column.some(sound) for name, column in answers.items()}
        texts = self._gathered.texts
        sheets = HandedIn(
            self._columns[item_column].numbered(texts["item"]),
            self._columns["WorkerId"].numbered(texts["annotator"]),
            self._lines,
        )
        aside = {
            role: self._columns[name] for name, role in _ASIDE.items() if name in self._columns
        }
        remarks = [answers.pop(name) for name in self._comments(answers)]
        if remarks:
            aside["comment"] = joined(remarks)
        numbers = {role: column.numbered(texts[role]) for role, column in aside.items()}
        self._gathered.add(*sheets[:2], 0, 0, self._lines, aside=numbers)
        found = Answers(self._gathered, sheets)
        for name, parts in families(answers).items():
            found.add(name, parts)

    def _comments(self, answers: Mapping[str, Column]) -> list[str]:
        """What people wrote, rather than chose; a note tells what only looks like that."""
        called = [name for name in answers if role_of(name) == "comment"]
        others = answers.keys() - set(called) - self._gathered.given.keys()
        written = [name for name in answers if name in others and answers[name].is_written]
        for name in written:
            self._gathered.note(
                f"{shown(name)} is read as a comment: people wrote it in their own words; if it is "
                "a question, give its kind"
            )
        return [*called, *written]

    def _leave(self, keep: Bools) -> None:
        """Go on with some of the assignments."""
        self._lines, self._number = self._lines[keep], self._number[keep]
        self._columns = {name: column.some(keep) for name, column in self._columns.items()}
        self._broken = np.zeros(len(self._lines), dtype=np.bool_)

    def _sound(self, answers: Mapping[str, Column]) -> Bools:
        """Assignments whose answers can be read, all of them; the others are reported.

        Of one that is broken in part nothing is used: what it does not tell is neither a no nor
        left open.
        """
        for column in answers.values():
            self._broken |= illegible(column.texts)[column.places]
        for index, what in oddities(answers, self._gathered.given):
            self._report(index, what)
        sound: Bools = ~self._broken
        return sound

    def _item_column(self, item: str | None) -> str:
        inputs = [name for name in self._columns if name.startswith(_INPUT)]
        if item is not None:
            requested = [name for name in (item, _INPUT + item) if name in self._columns]
            if not requested:
                raise FileError(
                    self._problems.path,
                    f"there is no column {item!r} that names items; there are {first_ten(inputs)}",
                )
            return requested[0]
        if len(inputs) > 1:
            others = ", ".join(name.removeprefix(_INPUT) for name in inputs[1:])
            self._gathered.note(f"items are named by {inputs[0]}; there are {others} too")
        if not inputs and "HITId" not in self._columns:
            raise FileError(self._problems.path, "no column names items; add Input.… or HITId")
        return inputs[0] if inputs else "HITId"

    def _complete(self, named: Column) -> Bools:
        """Assignments that tell whose and about what they are; the others are reported."""
        lacking = {"WorkerId": self._columns["WorkerId"].places == 0, "item": named.places == 0}
        for what, lacks in lacking.items():
            for index in np.flatnonzero(lacks).tolist():
                self._report(index, f"the {what} is missing; fill it in or take the line out")
        complete: Bools = ~(lacking["WorkerId"] | lacking["item"])
        return complete

    def _report(self, index: int, what: str) -> None:
        self._broken[index] = True
        number, line = int(self._number[index]), int(self._lines[index])
        self._problems.add(f"assignment {number}: {what}", line=line)

    # ── what was answered ─────────────────────────────────────────────────────────────────────

    def _answers(self) -> Iterator[tuple[str, Column]]:
        """The columns of answers by their names; JSON gives several."""
        for name, column in self._columns.items():
            if not name.startswith(_ANSWER):
                continue
            name = name.removeprefix(_ANSWER)
            if self._gathered.ignores(name):
                continue
            if name != _JSON:
                yield name, column
                continue
            for inner, texts in self._unpacked(column):
                if not self._gathered.ignores(inner):
                    yield inner, texts

    def _unpacked(self, column: Column) -> Iterator[tuple[str, Column]]:
        fields: dict[str, tuple[Any, dict[str, int]]] = {}
        for index, number in enumerate(column.places.tolist()):
            text = column.texts[number]
            try:
                answers = dict(flat(json.loads(text))) if text else {}
            except (ValueError, RecursionError):
                self._report(
                    index, f"{_ANSWER}{_JSON} is no JSON of answers: {shown(text)}; mend it"
                )
                continue
            for name, answer in answers.items():
                size = len(column.places)
                places, texts = fields.setdefault(name, (np.zeros(size, dtype=np.int64), {"": 0}))
                places[index] = texts.setdefault(answer, len(texts))
        for name, (places, texts) in fields.items():
            yield name, Column(places, list(texts))
