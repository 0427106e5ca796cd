"""CSV and TSV: lines that are written, and rows that are read, with the line each begins on.

CSV may quote fields, which then hold commas and line ends. TSV has no quotes: each line is a row,
each tab ends a field, as in files of captions and links. Spreadsheets of some languages write CSV
with semicolons.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells
from cranfield.errors import FileError, InputError, several
from cranfield.formats.problems import shown
from cranfield.formats.source import Source


def stored_cells(matrix: NDArray[Any] | Cells) -> Bools | None:
    """Which cells a sparse matrix stores; None = all."""
    if not isinstance(matrix, Cells):
        return None
    stored = np.zeros(matrix.shape, dtype=np.bool_)
    stored.ravel()[matrix.codes] = True
    return stored


def line_of(names: Iterable[str], numbers: Iterable[str], separator: str) -> bytes:
    """A line of CSV or TSV, names quoted where they need it."""
    fields = [*(_quoted(name, separator) for name in names), *numbers]
    return (separator.join(fields) + "\n").encode()


def _quoted(text: str, separator: str) -> str:
    if "\r" in text or "\0" in text:
        raise InputError(
            f"the id {shown(text)} cannot be written as CSV or TSV; write .npz instead"
        )
    if text.strip(" \t") != text or any(mark in text for mark in (separator, '"', "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text


class Row(NamedTuple):
    line: int
    fields: list[str]


def separator_of(source: Source) -> bytes:
    result = (sign for sign in (b"\t", b",", b";") if sign in source.first_line)
    return next(result, b",")


def rows_of(source: Source) -> Iterator[list[Row]]:
    """The rows of a CSV or TSV file, a block at a time; blank lines do not count."""
    for first, data in row_blocks(source):
        yield rows_in(source, first, data)


def row_blocks(source: Source) -> Iterator[tuple[int, bytes]]:
    """Whole rows as text, and the number of their first line."""
    yield from text_blocks(source, quotes=separator_of(source) != b"\t")


def rows_in(source: Source, first: int, data: bytes) -> list[Row]:
    """The rows of a block that begins with line `first`; blank lines do not count."""
    separator = separator_of(source)
    if separator == b"\t":
        lines = data.decode().split("\n")
        return [Row(at, line.split("\t")) for at, line in enumerate(lines, first) if line.strip()]
    rows: list[Row] = []
    text = io.StringIO(data.decode(), newline="\n")
    reader = csv.reader(text, strict=True, delimiter=separator.decode())
    line = first
    try:
        for fields in reader:
            if fields:
                rows.append(Row(line, fields))
            line = first + reader.line_num
    except csv.Error as error:
        raise FileError(
            source.path,
            f"this is no CSV ({error}); quote a field that holds commas or quotes, "
            'like "this ""one"""',
            line=line,
        ) from None
    return rows


def require_width(source: Source, rows: list[Row], width: int, *, like: str) -> None:
    """Every row must have as many fields as the first one."""
    for line, fields in rows:
        if len(fields) != width:
            mend = {
                b"\t": "write a tab between fields, and none in them",
                b",": "quote a field that holds commas",
                b";": "write semicolons between fields, and quote a field that holds some",
            }[separator_of(source)]
            raise FileError(
                source.path,
                f"{several(len(fields), 'field')}, where the {like} has {width}; {mend}",
                line=line,
            )


def text_blocks(source: Source, *, quotes: bool = False) -> Iterator[tuple[int, bytes]]:
    """Whole lines of UTF-8, and the number of the first of them."""
    line = 1
    blocks = source.blocks(quotes=quotes)
    while True:
        try:
            block = next(blocks, None)
        except FileError as error:
            raise FileError(source.path, error.what, line=error.line or line) from None
        if block is None:
            return
        data = block.data[: block.end]
        if b"\0" in data:
            _refuse(source, data, line, data.index(b"\0"), "a NUL byte; this is not plain text")
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError as error:
                _refuse(source, data, line, error.start, "not UTF-8; save the file as UTF-8")
        yield line, data
        # Several times faster than asking the bytes, where lines are short.
        line += int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")))


def _refuse(source: Source, data: bytes, first: int, position: int, why: str) -> NoReturn:
    begin = data.rfind(b"\n", 0, position) + 1
    text = shown(data[max(begin, position - 20) : position + 10].split(b"\n")[0])
    raise FileError(source.path, f"{text}: {why}", line=first + data.count(b"\n", 0, position))
