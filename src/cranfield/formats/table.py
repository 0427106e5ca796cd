"""Tables in text files: lines of names and numbers, in chunks, with the line of every row.

The formats say how a line is built and what its columns mean; reading, counting lines, sharing
the work between threads and reporting bad lines is done here, the same for all. So is the header:
which columns are which concepts, and what the name of the column of items says of the others.
`item level=6`: grades of 6 and more are relevant; `item targets`: the numbers are those which a run
should hit. Tables have no other room for this that every reader of CSV or Parquet leaves alone. A
level of 1, which is usual, is not written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Floats, Ints
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.lines import (
    Layout,
    MalformedError,
    complaint,
    decoded,
    field_count,
    fields,
    number,
    numbers,
)
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.kernels import share, worker_count
from cranfield.kernels.text import Room, Rows, cut_names, parse_rows

_PIECE = 1 << 18
"""Bytes that are worth handing to a thread."""
_NOT_BLANK = re.compile(rb"\S")
_FEW = 256
"""Lines to take in Python before the C parser is asked again."""
_GLANCE = 20
"""Lines to look at for the number of values."""


Where = Callable[[list[str], int], str]
"""What to call a cell in messages, from the names on its line and its place among the numbers."""


class Chunk(NamedTuple):
    """Some rows of a table."""

    names: list[list[str]]
    """One list for each name column, those behind the numbers too."""
    values: Floats
    """(rows, width); NaN = an empty field. To be copied by who keeps them: the next chunk may stand
    in their place."""
    lines: Ints


class Table:
    """A text file as lines of names and numbers."""

    def __init__(
        self, source: Source, separator: bytes, problems: Problems, *, rows: str = "item"
    ) -> None:
        """rows  what a line is about, in messages."""
        self.path = source.path
        self.separator = separator
        self.problems = problems
        self.header_line = 1
        """Where the header stands, once it was taken."""
        self._rows = rows
        self._source = source
        self._blocks = source.blocks(quotes=bool(separator))
        self._block = b""
        self._end = 0
        self._position = 0
        self._line = 1
        self._rooms: list[Room] = []

    def comments(self) -> Iterator[tuple[int, bytes]]:
        """The lines before the header that begin with #, and their numbers."""
        self._skip_blank_lines()
        while self._block.startswith(b"#", self._position):
            end = self._block.index(b"\n", self._position)
            yield self._line, self._block[self._position : end]
            self._position = end + 1
            self._line += 1
            self._skip_blank_lines()

    def header(self) -> list[str]:
        """The fields of the first line that is not blank."""
        self._skip_blank_lines()
        self.header_line = self._line
        record = self._take_record()
        try:
            return [decoded(field) for field in fields(record, self.separator)]
        except MalformedError as error:
            raise FileError(self.path, f"header: {error}", line=self.header_line) from None

    def usual_width(self, *, acceptable: Callable[[int], bool] = bool) -> int:
        """Numbers on most of the first lines, those of an acceptable number first."""
        self._skip_blank_lines()
        counts: Counter[int] = Counter()
        for begin, end in self._glance():
            try:
                counts[field_count(self._block[begin:end], self.separator) - 1] += 1
            except MalformedError:
                continue
        ranked = [count for count, _ in counts.most_common()]
        return next(filter(acceptable, ranked), ranked[0] if ranked else 0)

    def chunks(self, layout: Layout, *, where: Where, expected: str = "") -> Iterator[Chunk]:
        """All further rows.

        where     what to call a cell in messages
        expected  how many values a line should have, in words
        """
        self._skip_blank_lines()
        while self._fill():
            for chunk in self._parse_block(layout, where, expected):
                if len(chunk.lines):
                    yield chunk
                self.problems.settle()

    def _parse_block(self, layout: Layout, where: Where, expected: str) -> Iterator[Chunk]:
        """The rows of the block at hand: plain lines by many threads, the others one by one."""
        block = self._block
        edges = self._edges()
        pieces: list[_Piece | None] = [None] * (len(edges) - 1)

        while len(self._rooms) < len(pieces):
            self._rooms.append(Room())

        def plain(index: int, begin: int, end: int) -> _Piece:
            rows = parse_rows(block, begin, end, **layout.parsed, room=self._rooms[index])
            columns = range(layout.names + layout.after)
            return _Piece(rows, [cut_names(block, rows, column) for column in columns])

        def work(shared: range) -> None:
            for index in shared:
                pieces[index] = plain(index, edges[index], edges[index + 1])

        share(len(pieces), 1, work)
        for index, (begin, end) in enumerate(pairwise(edges)):
            piece, pieces[index] = pieces[index], None
            while begin < end:
                rows, cut = piece or plain(index, begin, end)
                piece = None
                if len(rows.values):
                    lines = rows.spans[:, -1] + self._line
                    names = [
                        self._decoded(rows, lines, index) if names is None else names
                        for index, names in enumerate(cut)
                    ]
                    yield Chunk(names, rows.values, lines)
                self._line += rows.lines
                self._position = begin = rows.position
                if begin < end:
                    yield self._take_lines(end, layout, where, expected)
                    begin = self._position

    def _edges(self) -> list[int]:
        """Where to cut the block for the threads: at line ends, never within quotes."""
        begin, end = self._position, self._end
        edges = [begin]
        if worker_count() > 1 and b'"' not in self._block:
            size = max(_PIECE, -(-(end - begin) // (2 * worker_count())))
            while end - edges[-1] > 2 * size:
                edges.append(self._block.index(b"\n", edges[-1] + size) + 1)
        return [*edges, end] if edges[-1] < end else edges

    def _decoded(self, rows: Rows, lines: Ints, index: int) -> list[str]:
        """Names of which at least one is not UTF-8."""
        spans = rows.spans[:, 2 * index : 2 * index + 2].tolist()
        return [
            self._name(self._block[begin:end], line)
            for (begin, end), line in zip(spans, lines.tolist(), strict=True)
        ]

    def _name(self, field: bytes, line: int) -> str:
        try:
            return decoded(field)
        except MalformedError as error:
            self.problems.add(str(error), line=line)
            return field.decode("utf-8", errors="surrogateescape")

    def _take_lines(self, end: int, layout: Layout, where: Where, expected: str) -> Chunk:
        """Lines that are not plain, in Python; without the C parser that is all of them."""
        names: list[list[str]] = [[] for _ in range(layout.names + layout.after)]
        values: list[list[float]] = []
        lines: list[int] = []
        before = self._position
        while self._position < end and self._position - before < _PIECE and len(lines) < _FEW:
            line = self._line
            record = self._take_record()
            if not record.strip():
                continue
            row = self._row(record, line, layout, where, expected)
            if row is not None:
                for index, name in enumerate(row[0]):
                    names[index].append(name)
                values.append(row[1])
                lines.append(line)
        shape = (len(lines), layout.width)
        return Chunk(names, np.array(values).reshape(shape), np.array(lines, dtype=np.int64))

    def _row(
        self,
        record: bytes,
        line: int,
        layout: Layout,
        where: Where,
        expected: str,
    ) -> tuple[list[str], list[float]] | None:
        """The names and numbers of a line; None if it was reported."""
        most = layout.fields
        try:
            cells = fields(record, layout.separator, most=most)
        except MalformedError as error:
            self.problems.add(str(error), line=line)
            return None
        if b"" in cells[: layout.names]:
            index = cells.index(b"")
            self.problems.add(
                f"field {index + 1} is empty; fill it in"
                if index or layout.columns
                else "the id is missing; begin the line with one",
                line=line,
            )
            return None
        names = [self._name(cell, line) for cell in cells[: layout.names]]
        if len(cells) != most:
            count = field_count(record, layout.separator)
            if not layout.allows(count):
                told = f"the line has {several(count, 'field')}; expected {layout.columns}"
                if not layout.columns:
                    values_there = several(max(0, count - layout.names), "value")
                    told = f"{self._rows} {shown(names[0])} has {values_there}; expected {expected}"
                mend = _mend(record, layout.separator, too_many=len(cells) > most)
                self.problems.add(f"{told}; {mend}", line=line)
                return None
        behind = layout.names + layout.width
        names += [self._name(cell, line) for cell in cells[behind:most]]
        cells = cells[layout.names : behind]
        values = numbers(cells)
        if values is not None:
            return names, values
        values = []
        for index, cell in enumerate(cells):
            value = self._cell(cell, index, names, line, layout, where)
            if value is not None:
                values.append(value)
        return (names, values) if len(values) == len(cells) else None

    def _cell(
        self,
        cell: bytes,
        index: int,
        names: list[str],
        line: int,
        layout: Layout,
        where: Where,
    ) -> float | None:
        cell = cell.strip()
        if not cell and layout.separator:
            return np.nan
        value = number(cell)
        if value is None and index in layout.loose:
            return np.nan
        if value is None:
            self.problems.add(f"{where(names, index)}: {complaint(cell, self._rows)}", line=line)
        return value

    # -- Lines and records ---------------------------------------------------------------------

    def _fill(self) -> bool:
        """Have a block at hand in which something is left to read."""
        while self._position >= self._end:
            try:
                block = next(self._blocks, None)
            except FileError as error:
                raise FileError(self.path, error.what, line=self._line) from None
            if block is None:
                return False
            self._block, self._end = block
            self._position = 0
        return True

    def _go_to(self, byte: int, line: int) -> None:
        """Read on from there."""
        self._blocks = self._source.blocks(begin=byte)
        self._block, self._end, self._position, self._line = b"", 0, 0, line

    def _skip_blank_lines(self) -> None:
        """Go to the first line that is not blank; there must be one."""
        while self._fill():
            result = _NOT_BLANK.search(self._block, self._position, self._end)
            stop = self._end if result is None else result.start()
            begin = self._block.rfind(b"\n", self._position, stop) + 1 or self._position
            self._line += self._block.count(b"\n", self._position, begin)
            self._position = begin
            if result is not None:
                return
        raise FileError(
            self.path, f"there are no lines with values; add one line for each {self._rows}"
        )

    def _take_record(self) -> bytes:
        """The next line; more of them where a quote is open, if it is closed again."""
        begin = self._position
        end = self._block.index(b"\n", begin)
        stop = end
        if self.separator:
            is_open = self._block.count(b'"', begin, end) % 2
            while is_open and stop + 1 < self._end:
                further = self._block.index(b"\n", stop + 1)
                is_open ^= self._block.count(b'"', stop, further) % 2
                stop = further
            if is_open:
                stop = end
        self._position = stop + 1
        self._line += self._block.count(b"\n", begin, stop + 1)
        return self._block[begin:stop]

    def _glance(self) -> Iterator[tuple[int, int]]:
        """Where the first lines that are not blank begin and end, without taking them."""
        if not self._fill():
            return
        begin, result = self._position, 0
        while begin < self._end and result < _GLANCE:
            end = self._block.index(b"\n", begin)
            if self._block[begin:end].strip():
                result += 1
                yield begin, end
            begin = end + 1


class _Piece(NamedTuple):
    """What a thread made of its part of a block."""

    rows: Rows
    names: list[list[str] | None]
    """None where one is not UTF-8, so that it must be reported."""


def _mend(record: bytes, separator: bytes, *, too_many: bool) -> str:
    """What to do about a line of the wrong length; it may be cut by another character."""
    if not separator and b"," in record:
        return "if commas separate the columns, begin the file with a header: item,<concept>,…"
    if b";" in record:
        return SEMICOLONS
    return "remove the extra ones" if too_many else "add the missing ones"


SEMICOLONS = "if semicolons separate the columns, write commas instead"
"""What to do about a file as some spreadsheets export it."""


def concept_columns(table: Table, problems: Problems, *, rows: str = "item") -> tuple[str, ...]:
    """The concepts that a header names behind its first field."""
    return heading(table, problems, rows=rows).concepts


class Heading(NamedTuple):
    concepts: tuple[str, ...]
    level: int
    """The lowest grade that counts as relevant."""
    targets: bool
    """Whether the numbers are targets."""


def heading(table: Table, problems: Problems, *, rows: str = "item") -> Heading:
    """The concepts that a header names behind its first field, and what that field tells of them.

    rows  what the lines below are about: the first field of a header that is written well
    """
    first, *concepts = table.header()
    first, targets = split_targets(first)
    first, level = split_level(first)
    line = table.header_line
    if not concepts:
        raise FileError(
            table.path,
            f"the header {shown(first)} names no concepts; "
            + (SEMICOLONS if ";" in first else f"write {rows},<concept>,…"),
            line=line,
        )
    if first.casefold() not in (*WORDS_FOR_ITEMS, rows) and all(
        number(name.encode()) is not None for name in concepts
    ):
        raise FileError(
            table.path,
            f"the first line looks like data; put a header before it: {rows},<concept>,…",
            line=line,
        )
    if "" in concepts:
        problems.add(
            f"column {concepts.index('') + 2} of the header has no name; name its concept",
            line=line,
        )
    twice = [name for name, count in Counter(concepts).items() if count > 1 and name]
    if twice:
        problems.add(
            f"{several(len(twice), 'concept')} more than once in the header: {first_ten(twice)}; "
            "keep one column of each",
            line=line,
        )
    return Heading(tuple(concepts), level, targets)


_NAMED = re.compile(r"(?P<word>.*\S)\s+level=(?P<level>[1-9]\d{0,17})", re.IGNORECASE | re.DOTALL)


def with_level(word: str, level: int) -> str:
    """The name of a column that tells the level."""
    return word if level == 1 else f"{word} level={level}"


def split_level(name: str) -> tuple[str, int]:
    """The name of a column without its level, and the level."""
    match = _NAMED.fullmatch(name.strip())
    return (name, 1) if match is None else (match["word"], int(match["level"]))


def with_targets(word: str) -> str:
    """The name of a column that says that the others hold targets."""
    return f"{word} targets"


def split_targets(name: str) -> tuple[str, bool]:
    """The name of a column without that, and whether it says so."""
    word, _, last = name.strip().rpartition(" ")
    marked = last.casefold() == "targets" and bool(word.strip())
    return (word.strip(), True) if marked else (name, False)
