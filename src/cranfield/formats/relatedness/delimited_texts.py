"""Texts in columns of a CSV or TSV file.

Columns are named as in the header, or by whole numbers from 1 in a file without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import FileError, first_ten, several
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.plain_columns import PlainColumns
from cranfield.formats.relatedness.rows import (
    Row,
    require_width,
    row_blocks,
    rows_in,
    separator_of,
)
from cranfield.formats.source import Source
from cranfield.knowledge.relatedness.counts import Passages
from cranfield.knowledge.relatedness.spelling import PHRASE_PART


def passages_of(source: Source, columns: Sequence[str], by: str | None) -> Iterator[Passages]:
    """The texts of some columns, a block at a time."""
    layout: _Layout | None = None
    for first, data in row_blocks(source):
        if layout is not None:
            plain = PlainColumns.of(data, separator_of(source), layout.width)
            if plain is not None:
                keys = None if layout.by is None else plain.names(layout.by)
                _require_keys(source.path, by, keys, range(first, first + len(plain)))
                yield Passages(plain.texts(layout.texts), keys)
                continue
        rows = rows_in(source, first, data)
        if layout is None and rows:
            layout = _Layout.of(source.path, rows[0], columns, by)
            del rows[: layout.named]
        if layout is not None:
            yield _passages(source, rows, layout, by)


def _passages(source: Source, rows: list[Row], layout: _Layout, by: str | None) -> Passages:
    like = "header" if layout.named else "first line"
    require_width(source, rows, layout.width, like=like)
    keys = None if layout.by is None else [row.fields[layout.by] for row in rows]
    _require_keys(source.path, by, keys, [row.line for row in rows])
    part = PHRASE_PART.decode()
    texts = [part.join([row.fields[place] for place in layout.texts]) for row in rows]
    lines = "\n".join([*(text.replace("\n", " ") for text in texts), ""])
    return Passages(lines.encode(), keys)


def _require_keys(path: Path, by: str | None, keys: list[str] | None, lines: Sequence[int]) -> None:
    """Every text must name its document."""
    if keys is None or all(map(str.strip, keys)):
        return
    place = next(place for place, key in enumerate(keys) if not key.strip())
    raise FileError(path, f"column {shown(str(by))} is empty; name the document", line=lines[place])


class _Layout(NamedTuple):
    """Where the columns stand."""

    width: int
    texts: list[int]
    by: int | None
    named: bool
    """Whether the first line is a header."""

    @classmethod
    def of(cls, path: Path, first: Row, columns: Sequence[str], by: str | None) -> _Layout:
        asked = [*columns, *(() if by is None else (by,))]
        there = first.fields
        named = all(name in there for name in asked)
        if named:
            places = [there.index(name) for name in asked]
        elif all(name.isdecimal() for name in asked):
            places = [int(name) - 1 for name in asked]
        else:
            missing = first_ten(name for name in asked if name not in there)
            raise FileError(
                path,
                f"there is no column {missing}; the header has {first_ten(there)}",
                line=first.line,
            )
        if not all(0 <= place < len(there) for place in places):
            raise FileError(
                path,
                f"there is no column {max(asked, key=int)}; the first line has "
                f"{several(len(there), 'field')}, counted from 1",
                line=first.line,
            )
        texts = places[: len(columns)]
        return cls(len(there), texts, None if by is None else places[-1], named)
