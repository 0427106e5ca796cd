"""Corpora: one text a line, or columns of CSV, TSV or Parquet; handed out in blocks.

Which columns hold the texts decides what is counted: tags; tags, title and description; captions.
Columns are named as in the header, or by whole numbers from 1 in a file without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.delimited import (
    Row,
    require_width,
    row_blocks,
    rows_in,
    separator_of,
    text_blocks,
)
from cranfield.formats.kinds.parquet.columns import (
    Columns,
    ids_in,
    is_text,
    opened_columns,
    require_ids,
)
from cranfield.formats.kinds.parquet.survey import MAGIC
from cranfield.formats.problems import Problems, shown
from cranfield.formats.relatedness.vectors import PlainColumns
from cranfield.formats.source import Source, legible, opened
from cranfield.knowledge.relatedness.counts import Passages
from cranfield.knowledge.relatedness.spelling import PHRASE_PART


def delimited_passages(
    source: Source, columns: Sequence[str], by: str | None
) -> Iterator[Passages]:
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
    texts = [part.join([row.fields[position] for position in layout.texts]) for row in rows]
    lines = "\n".join([*(text.replace("\n", " ") for text in texts), ""])
    return Passages(lines.encode(), keys)


def _require_keys(path: Path, by: str | None, keys: list[str] | None, lines: Sequence[int]) -> None:
    """Every text must name its document."""
    if keys is None or all(map(str.strip, keys)):
        return
    position = next(position for position, key in enumerate(keys) if not key.strip())
    raise FileError(
        path, f"column {shown(str(by))} is empty; name the document", line=lines[position]
    )


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
            positions = [there.index(name) for name in asked]
        elif all(name.isdecimal() for name in asked):
            positions = [int(name) - 1 for name in asked]
        else:
            missing = first_ten(name for name in asked if name not in there)
            raise FileError(
                path,
                f"there is no column {missing}; the header has {first_ten(there)}",
                line=first.line,
            )
        if not all(0 <= position < len(there) for position in positions):
            raise FileError(
                path,
                f"there is no column {max(asked, key=int)}; the first line has "
                f"{several(len(there), 'field')}, counted from 1",
                line=first.line,
            )
        texts = positions[: len(columns)]
        return cls(len(there), texts, None if by is None else positions[-1], named)


_ROWS_DECODED = 1 << 17
_ROWS = 1 << 14
"""Rows to hand out at once: about a megabyte of captions."""


def parquet_passages(source: Source, columns: Sequence[str], by: str | None) -> Iterator[Passages]:
    """The texts of some columns, a few rows at a time; null is no text."""
    import polars

    texts = polars.concat_str(
        [polars.col(str(position)).cast(polars.String) for position in range(len(columns))],
        separator=PHRASE_PART.decode(),
        ignore_nulls=True,
    ).str.replace_all("[\n\r]", " ")
    problems = Problems(source.path)
    with opened_columns(source) as there:
        _require_columns(there, columns, by, problems)
        asked = columns if by is None else (*columns, by)
        for first, frame in there.slices(asked, rows=_ROWS_DECODED):
            frame.columns = [str(position) for position in range(len(asked))]
            for begin in range(0, len(frame), _ROWS):
                rows = frame.slice(begin, _ROWS)
                lines = rows.select(texts).to_series().to_list()
                keys = None
                if by is not None:
                    keys = ids_in(rows[str(len(columns))].alias(by), problems, first=first + begin)
                    problems.settle()
                yield Passages("\n".join([*lines, ""]).encode(), keys)


def _require_columns(
    there: Columns, columns: Sequence[str], by: str | None, problems: Problems
) -> None:
    missing = [name for name in (*columns, by) if name not in (*there.names, None)]
    if missing:
        raise FileError(
            there.path,
            f"there is no column {first_ten(map(str, missing))}, only {first_ten(there.names)}",
        )
    for name in columns:
        if not is_text(there.types[there.names.index(name)]):
            problems.add(f"column {shown(name)} holds no text; name columns of text")
    if by is not None:
        require_ids(there, there.names.index(by), problems)
    problems.settle()


_BLANK_LINE = re.compile(rb"\n[ \t]*(?=\n)")
_NUMBERED = re.compile(r"#\d+$")
"""How Flickr8k and Flickr30k number the captions of an image."""


class CorpusFile:
    """The texts of a file.

    columns  those that hold the texts; none: every line is a text, unless it is blank. By the names
             in the header, or by numbers from 1: then the first line is a text too
    by       the column that names the document of a text; a number behind # does not count
    """

    def __init__(
        self, path: str | Path, *, columns: Sequence[str | int] = (), by: str | int | None = None
    ) -> None:
        if by is not None and not columns:
            raise InputError(f"by={by!r} needs columns=, those that hold the texts")
        self._path = Path(path)
        self._columns = tuple(map(str, columns))
        self._by = None if by is None else str(by)
        with opened(path) as source:
            self.name = source.name
            self.origin = _origin(legible(self._path.name), self._columns, self._by)
            if source.is_folder:
                raise FileError(path, "this is a folder; name one file of texts")
            if source.head.startswith(MAGIC) and not columns:
                raise FileError(path, "this is Parquet; say which columns hold the texts")

    def passages(self) -> Iterator[Passages]:
        with opened(self._path) as source:
            if not self._columns:
                for _, data in text_blocks(source):
                    yield Passages(_without_blank_lines(data))
                return
            is_parquet = source.head.startswith(MAGIC)
            passages = parquet_passages if is_parquet else delimited_passages
            for texts, keys in passages(source, self._columns, self._by):
                yield Passages(texts, keys and [_NUMBERED.sub("", key.strip()) for key in keys])


def _origin(file: str, columns: Sequence[str], by: str | None) -> str:
    """What is read, in words."""
    if not columns:
        return file
    return f"{file} (columns {'+'.join(columns)}{'' if by is None else f', by {by}'})"


def _without_blank_lines(data: bytes) -> bytes:
    # The pattern takes longer than all else in the reading of lines, and is rarely needed.
    raw = np.frombuffer(b"\n" + data, dtype=np.uint8)
    if ((raw[1:] == ord("\n")) & (raw[:-1] <= ord(" "))).any():
        return _BLANK_LINE.sub(b"", b"\n" + data)[1:]
    return data
