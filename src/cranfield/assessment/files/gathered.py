"""Votes as readers find them: rows of numbers, file after file, until all of them are there.

A row is an answer, or a sheet alone: who handed in something about an item, without a concept.
Texts are numbered while they are read, 0 being the empty one, so a row takes a few bytes whatever
its names are.

A table of votes as lines: quotes and empty fields, which many programs write, read in bulk.

The C parser takes plain lines only. So quotes that need not be are taken off; what it still leaves
is cut by Python's `csv` block by block, if that gives just what reading line by line would; else
line by line, so that every error has its words.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.votes import Question
from cranfield.assessment.votes.questions import Kind, in_order
from cranfield.core.matrices import Bools, Ints
from cranfield.formats.gather import NumberedTable, Stack
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems
from cranfield.formats.source import Block, Source
from cranfield.formats.table import Chunk, Where
from cranfield.kernels.numbering import Names
from cranfield.kernels.text import number_names

KEYS = ("item", "annotator", "concept", "value", "batch")
ASIDE = ("seconds", "submitted", "comment", "assignment")
NEARLY_ALL = 0.9
"""The share of answers that tells what a question asks; the others are errors."""
_ONLY_BATCH = "1"


class Texts(Names):
    """Texts numbered in the order in which they come, the empty one first."""

    def __init__(self) -> None:
        super().__init__()
        super().of([""])

    def of(self, names: list[str]) -> NDArray[np.uint32]:
        different: dict[str, int] = {}
        places = number_names(names, different)
        # What numbers texts cannot hold line ends; no text holds a NUL.
        return super().of([name.replace("\n", "\0") for name in different])[places]

    @property
    def texts(self) -> list[str]:
        return [name.replace("\0", "\n") for name in super().texts]

    def number(self, name: str) -> int:
        return int(self.of([name])[0])


@dataclass(frozen=True)
class Part:
    """A file that rows come from."""

    problems: Problems
    batch: str
    """What its votes belong to where it does not say."""
    unit: str
    """What it has instead of lines, in messages."""
    start: int
    """Its first row."""
    sheets: bool
    """Whether each of its records is a sheet, which is left out whole if a part of it is broken."""

    def report(self, position: int, what: str) -> None:
        if self.unit == "line":
            self.problems.add(what, line=position)
        else:
            self.problems.add(f"{self.unit} {position}: {what}")


class HandedIn(NamedTuple):
    """Sheets of a file: numbers of their items and annotators, and where they stand."""

    item: NDArray[Any]
    annotator: NDArray[Any]
    position: NDArray[Any]

    def some(self, places: Ints | Bools) -> HandedIn:
        return HandedIn(*(column[places] for column in self))


class Gathered:
    """The rows of all files, and the texts that they number."""

    def __init__(self, *, kinds: Mapping[str, Kind | Question], ignore: Collection[str]) -> None:
        """kinds, ignore  what is said about questions beside the files, and which not to read."""
        self.texts = {name: Texts() for name in (*KEYS, *ASIDE)}
        self.given = kinds
        self.ignore = ignore
        self.ignored: set[str] = set()
        """The questions to ignore that were met."""
        self.parts: list[Part] = []
        self.notes: list[str] = []
        self.kinds: dict[str, Kind | Question] = {}
        """What files tell about questions beyond how they are answered."""
        self.offered: dict[str, str] = {}
        """By which question each concept is offered that has a box of its own."""
        self._keys = Stack(len(KEYS) + 1, np.uint32)
        self._aside = Stack(len(ASIDE), np.uint32)
        self._size = 0
        self._sized_aside = 0
        self._spoiled = Stack(3, np.uint32)

    def begin(
        self,
        problems: Problems,
        *,
        batch: str = _ONLY_BATCH,
        unit: str = "line",
        sheets: bool = False,
    ) -> Part:
        """Say that rows of another file follow."""
        self.parts.append(Part(problems, batch, unit, self._size, sheets))
        return self.parts[-1]

    def spoil(
        self, item: NDArray[Any], annotator: NDArray[Any], batch: NDArray[Any] | None
    ) -> None:
        """Say that something on these sheets of the file at hand could not be read."""
        rows = np.empty((len(item), 3), dtype=np.uint32)
        own = self.texts["batch"].number(self.parts[-1].batch) if batch is None else batch
        rows[:, 0], rows[:, 1], rows[:, 2] = item, annotator, own
        self._spoiled.add(rows)

    @property
    def spoiled(self) -> Ints:
        """(sheets, 3): item, annotator and batch of sheets that were not read whole."""
        return self._spoiled.finished().astype(np.int64)

    def note(self, text: str) -> None:
        """Something about the file at hand that is no error, but must not stay unsaid."""
        self.notes.append(f"{self.parts[-1].problems.path}: {text}")

    def ignores(self, name: str) -> bool:
        """Whether a question is not to be read."""
        if name in self.ignore:
            self.ignored.add(name)
        return name in self.ignore

    def know(self, question: Question) -> None:
        """A question that a file describes; several files may each know some of its answers."""
        before = self.kinds.get(question.name)
        if isinstance(before, Question) and before.kind == question.kind != "yes_no":
            answers = in_order({*before.answers, *question.answers})
            question = Question(question.name, question.kind, tuple(answers))
        self.kinds[question.name] = question

    def add(
        self,
        item: NDArray[Any],
        annotator: NDArray[Any],
        concept: NDArray[Any] | int,
        value: NDArray[Any] | int,
        position: NDArray[Any],
        *,
        batch: NDArray[Any] | None = None,
        aside: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """Rows of the file at hand, as numbers of texts; position: the line, or another unit."""
        rows = np.empty((len(item), len(KEYS) + 1), dtype=np.uint32)
        own = self.texts["batch"].number(self.parts[-1].batch) if batch is None else batch
        columns: Sequence[Any] = (item, annotator, concept, value, own, position)
        for index, column in enumerate(columns):
            rows[:, index] = column
        if aside:
            # Rows before these, which nothing more is known of, are made up for.
            self._aside.add(np.zeros((self._size - self._sized_aside, len(ASIDE)), dtype=np.uint32))
            more = np.zeros((len(item), len(ASIDE)), dtype=np.uint32)
            for name, numbers in aside.items():
                more[:, ASIDE.index(name)] = numbers
            self._aside.add(more)
            self._sized_aside = self._size + len(item)
        self._keys.add(rows)
        self._size += len(item)

    def add_boxes(
        self, handed_in: HandedIn, concepts: Sequence[str], box: Ints, sheet: Ints
    ) -> None:
        """Boxes of a list of concepts: those ticked (which box, on which sheet), and the others."""
        no, yes = (self.texts["value"].number(word) for word in ("no", "yes"))
        for index, name in enumerate(concepts):
            value = np.full(len(handed_in.item), no)
            value[sheet[box == index]] = yes
            self.add(
                handed_in.item,
                handed_in.annotator,
                self.texts["concept"].number(name),
                value,
                handed_in.position,
            )

    def new_concept(self, question: str, name: str) -> str:
        """What to call a concept that a question offers, if another question may offer it too."""
        known = self.offered.setdefault(name, question)
        return name if known == question else f"{question}: {name}"

    def __len__(self) -> int:
        return self._size

    def finished(self) -> tuple[dict[str, Ints], Ints, NDArray[np.uint32]]:
        """The columns, the position of each row, and what stands beside the first of them."""
        rows = self._keys.finished()
        columns = {name: rows[:, index].astype(np.int64) for index, name in enumerate(KEYS)}
        return columns, rows[:, -1].astype(np.int64), self._aside.finished()

    def part_of(self, row: int) -> Part:
        """The file that a row comes from."""
        return self.parts[int(self._parts_of(np.array([row]))[0])]

    def of_sheets(self, rows: Ints) -> Bools:
        """Which rows come from files whose records are sheets."""
        return np.array([part.sheets for part in self.parts], dtype=np.bool_)[self._parts_of(rows)]

    def _parts_of(self, rows: Ints) -> Ints:
        starts = [part.start for part in self.parts]
        return np.searchsorted(starts, rows, side="right") - 1


def illegible(texts: Sequence[str]) -> Bools:
    """Which texts were no UTF-8, as was reported when they were met."""
    return np.array([not text.isascii() and _is_broken(text) for text in texts], dtype=np.bool_)


def _is_broken(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text)


# ── a table of votes as lines ─────────────────────────────────────────────────────────────────────


_ODD = (b" ,", b", ", b" \n", b"\n ", b" \t", b"\t ", b"\0")
"""Blanks around fields, which only the slow way takes off where it should."""


def _unquoted(block: Block, separator: bytes) -> Block:
    """The same lines without quotes, if none of them has a meaning."""
    if b'"' not in block.data or not _quotes_are_needless(block, separator):
        return block
    data = block.data[: block.end].replace(b'"', b"")
    return Block(data, len(data))


def _quotes_are_needless(block: Block, separator: bytes) -> bool:
    """Whether all stand around whole fields without separators, and without blanks at the edges."""
    text = np.frombuffer(block.data, dtype=np.uint8, count=block.end)
    is_end = (text == ord(separator)) | (text == ord("\n"))
    quotes = np.flatnonzero(text == ord('"'))
    opening, closing = quotes[::2], quotes[1::2]
    if len(opening) != len(closing):
        return False
    before = is_end[opening[opening > 0] - 1]
    edges = text[np.concatenate((opening + 1, closing - 1))]
    ends = np.cumsum(is_end, dtype=np.int32)
    return bool(
        before.all()
        and is_end[closing + 1].all()
        and (ends[opening] == ends[closing]).all()
        and not np.isin(edges, (ord(" "), ord("\t"))).any()
    )


class VoteTable(NumberedTable):
    """A CSV or TSV file of names only."""

    def __init__(
        self, source: Source, separator: bytes, problems: Problems, *, rows: str = "vote"
    ) -> None:
        super().__init__(source, separator, problems, rows=rows)
        self._blocks = (_unquoted(block, separator) for block in self._blocks)
        self.broken: dict[int, bytes] = {}
        """The lines that were reported and left out, by their numbers."""
        self._slow: bytes | None = None
        """The block that has to be read line by line."""

    def _take_lines(self, end: int, layout: Layout, where: Where, expected: str) -> Chunk:
        chunk = None if self._slow is self._block else self._in_bulk(end, layout)
        if chunk is not None:
            return chunk
        self._slow = self._block
        return super()._take_lines(end, layout, where, expected)

    def _row(
        self, record: bytes, line: int, layout: Layout, where: Where, expected: str
    ) -> tuple[list[str], list[float]] | None:
        row = super()._row(record, line, layout, where, expected)
        if row is None:
            self.broken[line] = record
        return row

    def _in_bulk(self, end: int, layout: Layout) -> Chunk | None:
        """All lines up to `end`; None where one of them is not as it should be."""
        data = self._block[self._position : end]
        odd = _ODD if layout.separator == b"\t" else (*_ODD, b"\t")
        if data.startswith((b" ", b"\t")) or any(sign in data for sign in odd):
            return None
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return None
        lines_of = io.StringIO(text, newline="\n")
        reader = csv.reader(lines_of, delimiter=layout.separator.decode(), strict=True)
        try:
            rows = list(reader)
        except csv.Error:
            return None
        lines = np.arange(self._line, self._line + len(rows))
        if reader.line_num != len(rows):  # some fields hold line ends
            spans = [1 + sum(field.count("\n") for field in row) for row in rows]
            lines = self._line + np.cumsum([0, *spans[:-1]])
        if [] in rows:  # blank lines
            lines = lines[[bool(row) for row in rows]]
            rows = [row for row in rows if row]
        if set(map(len, rows)) != {layout.fields}:
            return None
        columns = [list(column) for column in zip(*rows, strict=True)]
        if "" in columns[0]:
            return None
        self._position = end
        self._line += reader.line_num
        return Chunk(columns, np.empty((len(rows), 0)), lines)
