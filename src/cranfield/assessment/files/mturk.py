"""Results of a batch of Amazon Mechanical Turk: CSV with a line for each assignment.

The item stands in a column Input.…, what the worker answered in columns Answer.…:

    Answer.Season          which radio button, or what was written; a, b and c ticked: a|b|c
    Answer.Season.Summer   true or false, one column for each radio button (crowd-html-elements)
    Answer.Sky.on          true or false: a box; Answer.Sky = on or nothing: a box as well
    Answer.tags.labels     ["a","b"]: boxes
    Answer.taskAnswers     all of this as JSON: [{"Sky": {"on": true}, "Season": {"Summer": true}}]

A box that is nowhere said to be false is not ticked where its field is empty. What is called
comment or feedback is a comment.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.assessment.files.gathered import Gathered, HandedIn, Texts
from cranfield.assessment.files.headers import role_of
from cranfield.assessment.files.vote_table import VoteTable
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.gather import Stack
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.matrices import Bools, Ints

_INPUT, _ANSWER, _JSON = "Input.", "Answer.", "taskAnswers"
_ASIDE = {"WorkTimeInSeconds": "seconds", "SubmitTime": "submitted", "AssignmentId": "assignment"}
_TRUE, _FALSE = {"true", "on"}, {"false", "off"}


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
    texts = [Texts() for _ in header]
    rows, lines = Stack(len(header), np.uint32), Stack(1, np.int64)
    layout = Layout(
        b",", 1, 0, after=len(header) - 1, columns=f"{len(header)}, as many as the header has"
    )
    trouble: FileError | None = None
    try:
        for some in table.numbered(layout, where=lambda names, place: "", names=texts):
            rows.add(np.stack(some.numbers, axis=1))
            lines.add(some.lines[:, None])
    except FileError as error:
        trouble = error
    columns = {
        name: _Column(rows.finished()[:, place].astype(np.int64), texts[place].texts)
        for place, name in enumerate(header)
    }
    where = lines.finished()[:, 0]
    number = np.arange(1, len(where) + 1) + np.searchsorted(table.broken, where)
    _Results(problems, gathered, columns, where, number).take(item, rejected=rejected)
    if trouble is not None:
        raise trouble


class _Column(NamedTuple):
    """A column: for each assignment the place of its text; the first text is the empty one."""

    places: Ints
    texts: Sequence[str]

    def some(self, keep: Bools) -> _Column:
        return _Column(self.places[keep], self.texts)

    @property
    def words(self) -> set[str]:
        """What stands in it, in lower case."""
        return {self.texts[place].casefold() for place in set(self.places.tolist()) if place}

    def holding(self, words: set[str]) -> Bools:
        """Where one of these words stands."""
        found = np.array([text.casefold() in words for text in self.texts])
        return found[self.places]


class _Results:
    """All assignments of a file, on their way to votes."""

    def __init__(
        self,
        problems: Problems,
        gathered: Gathered,
        columns: Mapping[str, _Column],
        lines: Ints,
        number: Ints,
    ) -> None:
        self._problems = problems
        self._gathered = gathered
        self._columns = columns
        self._lines = lines
        self._number = number
        """Which assignment of the file each is, broken ones counted."""

    def take(self, item: str | None, *, rejected: bool) -> None:
        named = self._columns[self._item_column(item)]
        keep = self._complete(named)
        if not rejected and "AssignmentStatus" in self._columns:
            refused = self._columns["AssignmentStatus"].holding({"rejected"})
            if refused.any():
                count = several(int(refused.sum()), "assignment")
                self._gathered.note(f"left out {count} that had been rejected")
            keep &= ~refused
        self._lines, self._number = self._lines[keep], self._number[keep]
        self._columns = {name: column.some(keep) for name, column in self._columns.items()}
        sheets = HandedIn(
            self._numbers("item", named.some(keep)),
            self._numbers("annotator", self._columns["WorkerId"]),
            self._lines,
        )
        answers = dict(self._answers())
        aside = {
            role: self._columns[name] for name, role in _ASIDE.items() if name in self._columns
        }
        for name in [name for name in answers if role_of(name) == "comment"]:
            aside["comment"] = answers.pop(name)
        numbers = {role: self._numbers(role, column) for role, column in aside.items()}
        self._gathered.add(*sheets[:2], 0, 0, self._lines, aside=numbers)
        for name, parts in _families(answers).items():
            self._add(name, parts, sheets)

    def _item_column(self, item: str | None) -> str:
        inputs = [name for name in self._columns if name.startswith(_INPUT)]
        if item is not None:
            wanted = [name for name in (item, _INPUT + item) if name in self._columns]
            if not wanted:
                raise FileError(
                    self._problems.path,
                    f"there is no column {item!r} that names items; there are {first_ten(inputs)}",
                )
            return wanted[0]
        if len(inputs) > 1:
            others = ", ".join(name.removeprefix(_INPUT) for name in inputs[1:])
            self._gathered.note(f"items are named by {inputs[0]}; there are {others} too")
        if not inputs and "HITId" not in self._columns:
            raise FileError(self._problems.path, "no column names items; add Input.… or HITId")
        return inputs[0] if inputs else "HITId"

    def _complete(self, named: _Column) -> Bools:
        """Assignments that tell whose and about what they are; the others are reported."""
        lacking = {"WorkerId": self._columns["WorkerId"].places == 0, "item": named.places == 0}
        for what, lacks in lacking.items():
            for place in np.flatnonzero(lacks).tolist():
                self._report(place, f"the {what} is missing; fill it in or take the line out")
        complete: Bools = ~(lacking["WorkerId"] | lacking["item"])
        return complete

    def _report(self, place: int, what: str) -> None:
        number, line = int(self._number[place]), int(self._lines[place])
        self._problems.add(f"assignment {number}: {what}", line=line)

    def _numbers(self, role: str, column: _Column) -> Ints:
        numbers = self._gathered.texts[role].of(list(column.texts)).astype(np.int64)
        return numbers[column.places]

    # ── what was answered ─────────────────────────────────────────────────────────────────────

    def _answers(self) -> Iterator[tuple[str, _Column]]:
        """The columns of answers by their names; JSON gives several."""
        for name, column in self._columns.items():
            if not name.startswith(_ANSWER):
                continue
            name = name.removeprefix(_ANSWER)
            if name == _JSON:
                yield from self._unpacked(column)
            else:
                yield name, column

    def _unpacked(self, column: _Column) -> Iterator[tuple[str, _Column]]:
        found: dict[str, tuple[Any, dict[str, int]]] = {}
        for place, number in enumerate(column.places.tolist()):
            text = column.texts[number]
            try:
                answers = dict(_flat(json.loads(text))) if text else {}
            except (ValueError, RecursionError):
                self._report(place, f"{_ANSWER}{_JSON} is no JSON: {shown(text)}; mend it")
                continue
            for name, said in answers.items():
                size = len(column.places)
                places, texts = found.setdefault(name, (np.zeros(size, dtype=np.int64), {"": 0}))
                places[place] = texts.setdefault(said, len(texts))
        for name, (places, texts) in found.items():
            yield name, _Column(places, list(texts))

    def _add(self, name: str, parts: dict[str, _Column], sheets: HandedIn) -> None:
        """A question: a box, a radio group of several columns, or a column of answers."""
        if "" not in parts and len(parts) > 1:
            self._add_buttons(name, parts, sheets)
            return
        for part, column in parts.items():
            asked = f"{name}.{part}".rstrip(".")
            words = column.words
            if part == "on" or (words and words <= {"on"}):
                self._add_box(name if part == "on" else asked, column, sheets)
            elif any("|" in text or text.startswith("[") for text in column.texts):
                self._add_list(asked.removesuffix(".labels"), column, sheets)
            else:
                concept = self._gathered.texts["concept"].number(asked.removesuffix(".label"))
                value = self._numbers("value", column)
                self._gathered.add(*sheets[:2], concept, value, sheets.position)

    def _add_buttons(self, name: str, parts: dict[str, _Column], sheets: HandedIn) -> None:
        """One column for each radio button of a group."""
        chosen = np.stack([column.holding(_TRUE) for column in parts.values()], axis=1)
        answered: Bools = np.any(chosen, axis=1)
        if (chosen.sum(axis=1) > 1).any():
            self._gathered.note(f"{name!r} has several answers at once: read as boxes")
            asked: Bools = np.any([column.places > 0 for column in parts.values()], axis=0)
            names = [self._gathered.new_concept(name, part) for part in parts]
            sheet, box = np.nonzero(chosen[asked])
            self._gathered.add_boxes(sheets.some(asked), names, box, sheet)
            return
        self._gathered.kinds[name] = "choice"
        labels = self._gathered.texts["value"].of(list(parts))
        self._gathered.add(
            *sheets.some(answered)[:2],
            self._gathered.texts["concept"].number(name),
            labels[chosen[answered].argmax(axis=1)],
            sheets.position[answered],
        )

    def _add_box(self, name: str, column: _Column, sheets: HandedIn) -> None:
        ticked = column.holding(_TRUE)
        explicit = column.holding(_FALSE)
        asked = ticked | explicit if explicit.any() else np.ones(len(ticked), dtype=np.bool_)
        sheet = np.flatnonzero(ticked[asked])
        concept = self._gathered.new_concept(f"{name}.on", name)
        self._gathered.add_boxes(sheets.some(asked), [concept], np.zeros_like(sheet), sheet)

    def _add_list(self, name: str, column: _Column, sheets: HandedIn) -> None:
        """Several answers in one field."""
        parts = [list(_listed(text)) for text in column.texts]
        names: dict[str, int] = {}
        for part in parts:
            for one in part:
                names.setdefault(one, len(names))
        asked = np.flatnonzero(column.places > 0)
        ticks = [
            (names[one], place)
            for place, number in enumerate(column.places[asked].tolist())
            for one in parts[number]
        ]
        box, sheet = np.array(ticks, dtype=np.int64).reshape(-1, 2).T
        concepts = [self._gathered.new_concept(name, one) for one in names]
        self._gathered.add_boxes(sheets.some(asked), concepts, box, sheet)


def _families(answers: Mapping[str, _Column]) -> dict[str, dict[str, _Column]]:
    """Columns by what stands before their last point, if all of them are true or false."""
    families: dict[str, dict[str, _Column]] = {}
    for name, column in answers.items():
        group, point, part = name.rpartition(".")
        if point and group and part and column.words <= _TRUE | _FALSE:
            families.setdefault(group, {})[part] = column
        else:
            families.setdefault(name, {})[""] = column
    return families


def _flat(content: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Answers in JSON by names with points, as the columns of CSV have them."""
    if isinstance(content, list) and not before:
        for one in content:
            yield from _flat(one)
    elif isinstance(content, dict):
        for name, inner in content.items():
            yield from _flat(inner, f"{before}.{_clean(name)}".lstrip("."))
    elif before:
        said = content if isinstance(content, str) else json.dumps(content)
        yield before, "" if content is None else _clean(said)


def _listed(text: str) -> Iterator[str]:
    """The answers in a field: a list in JSON, or with | between them."""
    parts: Any = text.split("|")
    if text.startswith("["):
        try:
            parts = json.loads(text)
        except (ValueError, RecursionError):
            parts = [text]
    for part in parts if isinstance(parts, list) else [parts]:
        said = _clean(str(part)).strip()
        if said:
            yield said


def _clean(text: str) -> str:
    """Text as UTF-8 can hold it; JSON may escape more."""
    return text.encode("utf-8", errors="replace").decode().replace("\0", "\ufffd")
