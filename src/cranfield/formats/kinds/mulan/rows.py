"""ARFF files, read: the header, then rows of numbers in chunks, with the line of every row.

Dense rows of numbers go through the C parser, a block at a time; every other line is read in
Python. Nominal values are held as their numbers, text apart, missing values as NaN. What a sparse
row `{1 0.5, 7 yes}` does not mention is 0, or the first nominal value, or missing text.

Features are attributes that are neither labels nor ids, as a Polars frame: numbers are Float64,
nominal values an Enum, text String; missing values are null.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import FileError
from cranfield.formats.kinds.mulan.arff import (
    Attribute,
    Kind,
    LineReader,
    Row,
    declared,
    named,
    text_of,
)
from cranfield.formats.lines import MalformedError, number, numbers
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.formats.table import Table
from cranfield.kernels.text import parse_rows

if TYPE_CHECKING:
    import polars


_FEW = 256
"""Lines to take in Python before the C parser is asked again."""
_MOST_CELLS = 1 << 25
_MOST_GROWTH = 125
"""Cells for each byte of sparse rows: real files have fewer, bombs more."""
_KEYWORD = re.compile(r"@(\w*)\s*(.*)", re.DOTALL)
_ODD = re.compile(r"""['"\\{}%?]""")
"""What makes a field of text no plain one."""


@dataclass
class Header:
    """What stands before the data."""

    relation: str = ""
    attributes: list[Attribute] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """Where each attribute is declared."""


class Rows(NamedTuple):
    """Some rows; all of them dense, or all sparse."""

    lines: Ints
    texts: dict[int, list[str | None]]
    """What text attributes hold, by their places."""
    values: Floats | None
    """(rows, attributes), if they are dense."""
    cells: tuple[Ints, Ints, Floats] | None = None
    """Row, attribute and value of what is mentioned, if they are sparse."""

    def taken(self, positions: list[int]) -> Floats:
        """Some attributes, as a matrix."""
        if self.values is not None:
            return self.values[:, positions]
        assert self.cells is not None
        rows, columns, values = self.cells
        order = np.full(max([*positions, columns.max(initial=0)], default=0) + 1, -1)
        order[positions] = np.arange(len(positions))
        wanted = order[columns] >= 0
        matrix = np.zeros((len(self.lines), len(positions)))
        matrix[rows[wanted], order[columns[wanted]]] = values[wanted]
        return matrix


class ArffFile(Table):
    """An ARFF file; its header is read at once."""

    def __init__(self, source: Source, problems: Problems) -> None:
        super().__init__(source, b"", problems)
        self.declared = Header()
        self._read_header()
        attributes = self.declared.attributes
        self._reader = LineReader(attributes, problems)
        # The C parser takes a field of text and then numbers.
        self._is_plain = (
            len(attributes) > 1
            and self._reader.texts in ([], [0])
            and all(attributes[index].numbers for index in self._reader.nominals)
        )

    # -- The header ----------------------------------------------------------------------------

    def _read_header(self) -> None:
        while self._fill():
            line = self._line
            try:
                if self._read_declaration(text_of(self._take_record()), line):
                    break
            except MalformedError as error:
                self.problems.add(str(error), line=line)
                self.problems.settle()
        else:
            raise FileError(self.path, "there is no @data; write it before the first row")
        if not self.declared.attributes and not self.problems.total:
            raise FileError(self.path, "there is no @attribute; declare one for each column")
        # Without all attributes there is no telling what the rows should be.
        self.problems.build(lambda: None)

    def _read_declaration(self, text: str, line: int) -> bool:
        """Take in a line of the header; whether it was the last."""
        result = _KEYWORD.match(text)
        word, rest = ("", "") if result is None else (result[1].casefold(), result[2])
        if word == "attribute":
            self._add(declared(rest), line)
        elif word == "relation":
            self.declared.relation = named(rest)[0] if rest.startswith(("'", '"')) else rest
        elif text and word != "data":
            raise MalformedError(
                f"{shown(text)} is none of @relation, @attribute and @data; correct it, or begin "
                "the line with %"
            )
        return word == "data"

    def _add(self, attribute: Attribute, line: int) -> None:
        before = self.declared.lines.setdefault(attribute.name, line)
        if before != line:
            raise MalformedError(
                f"attribute {shown(attribute.name)} stands on line {before} already; keep one"
            )
        self.declared.attributes.append(attribute)

    # -- Rows ----------------------------------------------------------------------------------

    def rows(self) -> Iterator[Rows]:
        """All rows behind the header."""
        result = False
        size = cells = 0
        while self._fill():
            size += self._end
            while self._position < self._end:
                for rows in (*self._take_plain(), *self._take_few()):
                    result = True
                    if rows.cells is not None:
                        cells += len(rows.lines) * len(self.declared.attributes)
                        self._require_room(cells, size)
                    yield rows
            self.problems.settle()
        if not result and not self.problems.total:
            raise FileError(self.path, "there are no rows behind @data; add one for each item")

    def _require_room(self, cells: int, size: int) -> None:
        """Refuse sparse rows that would become much larger than they are."""
        if cells > max(_MOST_CELLS, _MOST_GROWTH * size):
            raise FileError(
                self.path,
                f"its sparse rows have more than {cells} cells, too many for so small a file; "
                "is it the right one?",
            )

    def _take_plain(self) -> Iterator[Rows]:
        """The next lines, as far as the C parser takes them; odd ones among them by Python."""
        if not self._is_plain:
            return
        block, first, width = self._block, self._line, len(self.declared.attributes)
        parsed = parse_rows(
            block, self._position, self._end, separator=b",", names=1, width=width - 1
        )
        self._line += parsed.lines
        self._position = parsed.position
        values = np.zeros((len(parsed.values), width))
        values[:, 1:] = parsed.values
        lines = parsed.spans[:, -1] + first
        starts = [block[begin:end] for begin, end in parsed.spans[:, :2].tolist()]
        texts = [_plain_text(start) for start in starts] if self._reader.texts else []
        if not self._reader.texts:
            values[:, 0] = _plain_numbers(starts)
        odd = self._to_places(values)
        odd[[index for index, text in enumerate(texts) if text is None]] = True
        for index in np.flatnonzero(odd).tolist():
            begin = block.rfind(b"\n", 0, parsed.spans[index, 0]) + 1
            row = self._reader.read(block[begin : block.index(b"\n", begin)], int(lines[index]))
            if row is not None:
                odd[index] = False
                values[index] = _dense(row)
                texts[index : index + 1] = [row.texts.get(0)] if texts else []
        if not odd.all():
            kept = {0: [texts[index] for index in np.flatnonzero(~odd)]} if texts else {}
            yield Rows(lines[~odd], kept, values[~odd])

    def _to_places(self, values: Floats) -> Bools:
        """Put places for the numbers that are nominal values; tells rows with others, or none."""
        odd: Any = np.isnan(values).any(axis=1)
        for index in self._reader.nominals:
            known = np.array(self.declared.attributes[index].numbers)
            order = np.argsort(known)
            result = np.minimum(np.searchsorted(known[order], values[:, index]), len(known) - 1)
            odd |= known[order[result]] != values[:, index]
            values[:, index] = order[result]
        rows: Bools = odd
        return rows

    def _take_few(self) -> Iterator[Rows]:
        """The next lines, in Python; without the C parser that is all of them."""
        taken: list[Row] = []
        for _ in range(_FEW):
            if self._position >= self._end:
                break
            line = self._line
            row = self._reader.read(self._take_record(), line)
            if row is not None:
                taken.append(row)
        for is_sparse, group in groupby(taken, lambda row: isinstance(row.values, dict)):
            rows = list(group)
            lines = np.array([row.line for row in rows], dtype=np.int64)
            texts = {index: [row.texts.get(index) for row in rows] for index in self._reader.texts}
            if is_sparse:
                yield Rows(lines, texts, None, _mentioned(rows))
            else:
                yield Rows(lines, texts, np.array([_dense(row) for row in rows]))


def _mentioned(rows: list[Row]) -> tuple[Ints, Ints, Floats]:
    """Row, attribute and value of the cells that sparse rows mention."""
    result = [row.values for row in rows if isinstance(row.values, dict)]
    return (
        np.repeat(np.arange(len(rows)), list(map(len, result))),
        np.array([index for values in result for index in values], dtype=np.int64),
        np.array([value for values in result for value in values.values()], dtype=np.float64),
    )


def _dense(row: Row) -> list[float]:
    assert isinstance(row.values, list)
    return row.values


def _plain_text(start: bytes) -> str | None:
    """The text that begins a line; None if it takes more to read it."""
    try:
        text = start.decode()
    except UnicodeDecodeError:
        return None
    return None if _ODD.search(text) or text != text.strip() else text


def _plain_numbers(starts: list[bytes]) -> Floats:
    """The numbers that begin lines; NaN where there is something else."""
    known = numbers(starts)
    if known is None:
        known = [np.nan if value is None else value for value in map(number, starts)]
    return np.array(known, dtype=np.float64)


class Features:
    """Gathers the features of rows."""

    def __init__(self, attributes: Sequence[Attribute], positions: Sequence[int]) -> None:
        self._attributes = [attributes[index] for index in positions]
        self._places = list(positions)
        self._order = np.full(len(attributes), -1)
        self._order[self._places] = np.arange(len(positions))
        self._rows = 0
        none = np.empty(0, dtype=np.int64)
        self._dense: list[tuple[Ints, Floats]] = [(none, np.empty((0, len(positions))))]
        self._sparse: list[tuple[Ints, Ints, Floats]] = [(none, none, np.empty(0))]
        self._texts: dict[int, list[str | None]] = {
            index: [] for index in positions if attributes[index].kind is Kind.TEXT
        }

    def add(self, rows: Rows) -> None:
        if rows.values is not None:
            self._dense.append((self._rows + np.arange(len(rows.lines)), rows.taken(self._places)))
        elif rows.cells is not None:
            row, column, value = rows.cells
            wanted = self._order[column] >= 0
            self._sparse.append(
                (row[wanted] + self._rows, self._order[column[wanted]], value[wanted])
            )
        for index, texts in self._texts.items():
            texts += rows.texts[index]
        self._rows += len(rows.lines)

    def frame(self) -> polars.DataFrame:
        import polars

        return polars.DataFrame(
            [
                polars.Series(attribute.name, self._texts[index], dtype=polars.String)
                if attribute.kind is Kind.TEXT
                else _column(attribute, values)
                for index, attribute, values in zip(
                    self._places, self._attributes, self._columns(), strict=True
                )
            ]
        )

    def _columns(self) -> Iterator[Floats]:
        """The values of one feature after the other; what sparse rows do not mention is 0."""
        dense_rows, matrix = map(np.concatenate, zip(*self._dense, strict=True))
        rows, columns, values = map(np.concatenate, zip(*self._sparse, strict=True))
        order = np.argsort(columns, kind="stable")
        edges = np.searchsorted(columns[order], np.arange(len(self._places) + 1))
        for index in range(len(self._places)):
            column = np.zeros(self._rows)
            column[dense_rows] = matrix[:, index]
            cells = order[edges[index] : edges[index + 1]]
            column[rows[cells]] = values[cells]
            yield column


def _column(attribute: Attribute, values: Floats) -> polars.Series:
    import polars

    numbers = polars.Series(attribute.name, values, nan_to_null=True)
    if attribute.kind is Kind.NUMBER:
        return numbers
    known = polars.Series(
        attribute.name, attribute.values, dtype=polars.Enum(list(attribute.values))
    )
    return known.gather(numbers.cast(polars.UInt32))
