"""A table of votes as lines: quotes and empty fields, which many programs write, read in bulk.

The C parser takes plain lines only. What it leaves is cut by Python's `csv` block by block, if that
gives just what reading line by line would; else line by line, so that every error has its words.
"""

from __future__ import annotations

import csv
import io

import numpy as np

from cranfield.formats.lines import Layout
from cranfield.formats.numbered_table import NumberedTable
from cranfield.formats.problems import Problems
from cranfield.formats.source import Source
from cranfield.formats.table import Chunk, Where

_ODD = (b" ,", b", ", b" \n", b"\n ", b" \t", b"\t ", b"\0")
"""Blanks around fields, which only the slow way takes off where it should."""


class VoteTable(NumberedTable):
    """A CSV or TSV file of names only."""

    def __init__(
        self, source: Source, separator: bytes, problems: Problems, *, rows: str = "vote"
    ) -> None:
        super().__init__(source, separator, problems, rows=rows)
        self.broken: list[int] = []
        """The lines that were reported and left out."""

    def _take_lines(self, end: int, layout: Layout, where: Where, expected: str) -> Chunk:
        chunk = self._in_bulk(end, layout)
        return chunk or super()._take_lines(end, layout, where, expected)

    def _row(
        self, record: bytes, line: int, layout: Layout, where: Where, expected: str
    ) -> tuple[list[str], list[float]] | None:
        row = super()._row(record, line, layout, where, expected)
        if row is None:
            self.broken.append(line)
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
        reader = csv.reader(
            io.StringIO(text, newline="\n"), delimiter=layout.separator.decode(), strict=True
        )
        rows: list[list[str]] = []
        ends: list[int] = []
        try:
            for row in reader:
                rows.append(row)
                ends.append(reader.line_num)
        except csv.Error:
            return None
        lines = np.concatenate(([0], ends[:-1])).astype(np.int64) + self._line
        if [] in rows:  # a blank line
            lines = lines[[bool(row) for row in rows]]
            rows = [row for row in rows if row]
        if {len(row) for row in rows} != {layout.fields} or not all(row[0] for row in rows):
            return None
        self._position = end
        self._line += ends[-1]
        no_numbers = np.empty((len(rows), 0))
        return Chunk([list(column) for column in zip(*rows, strict=True)], no_numbers, lines)
