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
from cranfield.formats.parquet.survey import MAGIC
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.parquet_texts import passages_of
from cranfield.formats.relatedness.rows import Row, require_width, rows_of, text_blocks
from cranfield.formats.source import Source, opened
from cranfield.knowledge.relatedness.counts import Passages
from cranfield.knowledge.relatedness.spelling import PHRASE_PART

_BLANK_LINE = re.compile(rb"\n[ \t]*(?=\n)")
_NUMBERED = re.compile(r"#\d+$")
"""How Flickr8k and Flickr30k number the captions of an image."""


class CorpusFile:
    """The texts of a file.

    columns  those that hold the texts; none: every line is a text, unless it is blank
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
            in_parquet = source.head.startswith(MAGIC)
            read = passages_of(source, self._columns, self._by) if in_parquet else self._of(source)
            for passages in read:
                keys = passages.keys
                yield passages._replace(keys=keys and [_NUMBERED.sub("", key) for key in keys])

    def _of(self, source: Source) -> Iterator[Passages]:
        layout: _Layout | None = None
        for rows in rows_of(source):
            if layout is None:
                layout = self._layout(rows[0])
                if layout.named:
                    del rows[0]
            require_width(
                source, rows, layout.width, like="header" if layout.named else "first line"
            )
            texts = _joined(rows, layout.places[: len(self._columns)])
            yield Passages(texts, None if self._by is None else self._keys(rows, layout.places[-1]))

    def _layout(self, first: Row) -> _Layout:
        asked = (*self._columns, *(() if self._by is None else (self._by,)))
        there = first.fields
        if all(name in there for name in asked):
            return _Layout(len(there), [there.index(name) for name in asked], named=True)
        if not all(name.isdecimal() for name in asked):
            missing = [name for name in asked if name not in there]
            raise FileError(
                self._path,
                f"there is no column {first_ten(missing)}; the header has {first_ten(there)}",
                line=first.line,
            )
        places = [int(name) - 1 for name in asked]
        if not all(0 <= place < len(there) for place in places):
            raise FileError(
                self._path,
                f"there is no column {max(asked, key=int)}; the first line has "
                f"{several(len(there), 'field')}, counted from 1",
                line=first.line,
            )
        return _Layout(len(there), places, named=False)

    def _keys(self, rows: list[Row], place: int) -> list[str]:
        keys = [row.fields[place].strip() for row in rows]
        if "" in keys:
            raise FileError(
                self._path,
                f"column {shown(str(self._by))} is empty; name the document",
                line=rows[keys.index("")].line,
            )
        return keys


class _Layout(NamedTuple):
    """Where the columns stand."""

    width: int
    places: list[int]
    """Of the texts, and behind them of the names of documents."""
    named: bool
    """Whether the first line is a header."""


def _without_blank_lines(data: bytes) -> bytes:
    # The pattern takes longer than all else in the reading of lines, and is rarely needed.
    raw = np.frombuffer(b"\n" + data, dtype=np.uint8)
    if ((raw[1:] == ord("\n")) & (raw[:-1] <= ord(" "))).any():
        return _BLANK_LINE.sub(b"", b"\n" + data)[1:]
    return data


def _joined(rows: list[Row], places: list[int]) -> bytes:
    """The texts, a line each; no phrase goes from one column to the next."""
    part = PHRASE_PART.decode()
    texts = [part.join([row.fields[place] for place in places]) for row in rows]
    return "\n".join([*(text.replace("\n", " ") for text in texts), ""]).encode()
