"""A table of votes as lines: quotes and empty fields, which many programs write, read in bulk.

The C parser takes plain lines only. So quotes that need not be are taken off; what it still leaves
is cut by Python's `csv` block by block, if that gives just what reading line by line would; else
line by line, so that every error has its words.
"""

from __future__ import annotations

import csv
import io

import numpy as np

from cranfield.formats.gather import NumberedTable
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems
from cranfield.formats.source import Block, Source
from cranfield.formats.table import Chunk, Where

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
