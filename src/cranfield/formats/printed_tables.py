"""Confusion matrices as Weka, R and pandas print them.

R and pandas write titles over the columns and the rows:

          Reference                     Predicted  woman  man
Prediction woman man                    Actual
     woman    13   4                    woman         13    2
     man       2  15                    man            4   15

R cuts wide tables into parts that stand below each other. What caret prints around its table is
passed over. Weka names columns by letters and classes behind the rows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import FileError, first_ten
from cranfield.formats.lines import number, numbers
from cranfield.formats.problems import shown
from cranfield.formats.source import Source
from cranfield.tasks.classes.layout import TitledMatrix, side_of

_TITLE = re.compile(rb"[^,;\t\d]+")


class _Part(NamedTuple):
    """Some columns of a table, as far as a page is wide."""

    row_title: str
    column_title: str
    columns: list[str]
    rows: list[tuple[str, list[float]]]
    line: int


def is_printed_table(source: Source) -> bool:
    """Whether the head of the file holds the two titles of such a table."""
    lines = list(source.head_lines())
    return any(_titles(lines, position) is not None for position in range(len(lines)))


def read_printed_table(source: Source) -> TitledMatrix:
    """The first table in the file, its parts side by side."""
    lines = list(source.lines())
    parts: list[_Part] = []
    position = 0
    while position < len(lines):
        titles = _titles(lines, position)
        if titles is None:
            if parts and lines[position].strip():
                break
            position += 1
            continue
        part = _part(source, lines, position, *titles)
        if parts and [name for name, _ in part.rows] != [name for name, _ in parts[0].rows]:
            break
        parts.append(part)
        position = part.line
    first = parts[0]
    values: Floats = np.hstack([np.array([cells for _, cells in part.rows]) for part in parts])
    return TitledMatrix(
        values,
        tuple(name for name, _ in first.rows),
        tuple(name for part in parts for name in part.columns),
        first.row_title,
        first.column_title,
    )


def _titles(lines: list[bytes], position: int) -> tuple[str, str, bool] | None:
    """The titles of rows and columns if a heading begins on this line, and whether R made it."""
    if position + 1 >= len(lines):
        return None
    words = [
        line.decode("utf-8", errors="replace").split() for line in lines[position : position + 2]
    ]
    first, second = words
    if not first or not second or side_of(first[0]) is None or side_of(second[0]) is None:
        return None
    if len(second) == 1 < len(first) and _TITLE.fullmatch(lines[position + 1]):
        return second[0], first[0], False
    if len(first) == 1 < len(second) and _TITLE.fullmatch(lines[position]):
        return second[0], first[0], True
    return None


def _part(
    source: Source, lines: list[bytes], position: int, row_title: str, column_title: str, by_r: bool
) -> _Part:
    """The part whose heading begins on this line."""
    heading = lines[position + 1 if by_r else position].decode("utf-8", errors="backslashreplace")
    columns = heading.split()[1:]
    rows: list[tuple[str, list[float]]] = []
    position += 2
    while position < len(lines):
        name, *fields = lines[position].split() or [b""]
        values = [number(field) for field in fields]
        cells = [value for value in values if value is not None and value >= 0]
        if not len(cells) == len(fields) == len(columns):
            break
        rows.append((name.decode("utf-8", errors="backslashreplace"), cells))
        position += 1
    if not rows or (position < len(lines) and _is_broken_row(lines[position])):
        what = shown(lines[position].strip()) if position < len(lines) else "the end of the file"
        raise FileError(
            source.path,
            f"{what} is no row of the table; write a class and {len(columns)} counts, and names of "
            "classes without blanks",
            line=position + 1,
        )
    return _Part(row_title, column_title, columns, rows, position)


def _is_broken_row(line: bytes) -> bool:
    """Whether a line after rows seems to be one more, not what a program prints below."""
    fields = line.split()
    return len(fields) > 1 and any(number(field) is not None for field in fields[1:])


_HEADING = re.compile(rb"^\s*(?:\S+\s+)+<--\s+classified as\s*$")
_ROW = re.compile(rb"^(?P<cells>[^|]*)\|\s*\S+\s*=\s*(?P<name>.*\S)\s*$")


def is_weka(source: Source) -> bool:
    """Whether the head of the file holds the heading of such a matrix."""
    return any(_HEADING.match(line) for line in source.head_lines())


def read_weka(source: Source) -> TitledMatrix:
    """The last matrix in the file, which is that of the test."""
    rows: dict[str, list[float]] = {}
    expected = 0
    inside = False
    for position, line in enumerate(source.lines(), start=1):
        if _HEADING.match(line):
            rows, expected, inside = {}, len(line.split(b"<--")[0].split()), True
        elif inside and line.strip():
            result = _ROW.match(line)
            cells = None if result is None else numbers(result["cells"].split())
            if result is None or cells is None or len(cells) != expected or min(cells) < 0:
                raise FileError(
                    source.path,
                    f"{shown(line)} is no row of Weka's matrix; write {expected} counts, |, and "
                    "what the letter means",
                    line=position,
                )
            name = result["name"].decode("utf-8", errors="backslashreplace")
            if name in rows:
                raise FileError(
                    source.path, f"class {shown(name)} has a row already; keep one", line=position
                )
            rows[name] = cells
        elif inside and rows:
            inside = False
    if len(rows) != expected:
        raise FileError(
            source.path,
            f"Weka's matrix has {expected} columns, but rows for {first_ten(rows) or 'none'}; it "
            "needs a row for each class",
        )
    return TitledMatrix(
        np.array(list(rows.values())), tuple(rows), tuple(rows), column_title="classified as"
    )
