"""Corpora: one text a line, or columns of CSV, TSV or Parquet; handed out in blocks.

Which columns hold the texts decides what is counted: tags; tags, title and description; captions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from cranfield.errors import FileError, InputError
from cranfield.formats.parquet.survey import MAGIC
from cranfield.formats.relatedness import delimited_texts, parquet_texts
from cranfield.formats.relatedness.rows import text_blocks
from cranfield.formats.source import legible, opened
from cranfield.knowledge.relatedness.counts import Passages

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
            kind = parquet_texts if source.head.startswith(MAGIC) else delimited_texts
            for texts, keys in kind.passages_of(source, self._columns, self._by):
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
