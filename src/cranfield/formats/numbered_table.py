"""Tables of many names: lines in which names are numbers already.

A list of millions of cells names a few million documents: as texts they take longer than all the
rest. So names are numbered as bytes, one line after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Floats, Ints
from cranfield.formats.lines import Layout
from cranfield.formats.sections import Sections
from cranfield.formats.table import Table, Where
from cranfield.kernels.numbering import Names, NumberedRows

_TOGETHER = 1 << 15
"""Rows of a section to hand out at a time, so that they are still at hand for who looks twice."""


class Numbered(NamedTuple):
    """Some rows of a table."""

    numbers: Sequence[NDArray[Any]]
    """Of the names, those of a column together. To be copied by who keeps them: the next rows may
    stand in their place."""
    values: Floats
    """(rows, width); to be copied, too."""
    passed: NDArray[Any]
    """Lines before each row, from `first` on; to be copied, too."""
    first: int

    @property
    def lines(self) -> Ints:
        return self.passed.astype(np.int64) + self.first

    @property
    def followed(self) -> range | Ints:
        """The lines; nearly always one follows the other, and two numbers say it."""
        first, last = int(self.passed[0]) + self.first, int(self.passed[-1]) + self.first
        return range(first, last + 1) if last - first == len(self.passed) - 1 else self.lines


class NumberedTable(Table):
    """A text file as lines of names, which are numbered, and numbers."""

    _began = False
    """Whether rows were handed out."""

    def numbered(
        self, layout: Layout, *, where: Where, names: Sequence[Names]
    ) -> Iterator[Numbered]:
        """All further rows.

        where  what to call a cell in messages
        names  what numbers those of each column
        """
        for rows in chain(self._in_sections(layout, names), self._in_blocks(layout, where, names)):
            if len(rows.passed):
                yield rows
            self.problems.settle()

    def _in_sections(self, layout: Layout, names: Sequence[Names]) -> Iterator[Numbered]:
        """The plain lines at the beginning of a large file in which a line end always is one."""
        if self.separator:
            return
        sections, line = Sections(self._source, layout, names), 1
        for rows in sections:
            for first in range(0, len(rows), _TOGETHER):
                some = slice(first, first + _TOGETHER)
                yield Numbered(
                    list(rows.numbers[:, some]), rows.values[some], rows.passed[some], line
                )
                self._began = True
            line += rows.lines
        if self._began:
            self._go_to(sections.position, line)

    def _in_blocks(
        self, layout: Layout, where: Where, names: Sequence[Names]
    ) -> Iterator[Numbered]:
        """All that is left: of each block plain lines together, the others one by one."""
        if not self._began:
            self._skip_blank_lines()
        rows = NumberedRows(names, **layout.built)
        while self._fill():
            rows.clear()
            self._position = rows.parse(self._block, self._position, self._end)
            yield Numbered(list(rows.numbers), rows.values, rows.passed, self._line)
            self._line += rows.lines
            if self._position < self._end:
                some = self._take_lines(self._end, layout, where, "")
                columns = [one.of(said) for one, said in zip(names, some.names, strict=True)]
                yield Numbered(columns, some.values, some.lines, 0)
