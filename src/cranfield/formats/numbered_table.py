"""Tables of many names: lines in which names are numbers already.

A list of millions of cells names a few million documents: as texts they take longer than all the
rest. So names are numbered as bytes, one line after the other; meanwhile another thread reads and
parses what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from numpy.typing import NDArray

from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems
from cranfield.formats.source import Block, Source
from cranfield.formats.table import Table, Where
from cranfield.kernels.text import Names, Room, Rows, parse_rows
from cranfield.kernels.threads import begin
from cranfield.matrices import Floats, Ints


class Numbered(NamedTuple):
    """Some rows of a table."""

    numbers: Sequence[NDArray[Any]]
    """Of the names, a list for each column."""
    values: Floats
    """(rows, width). To be copied by who keeps them: the next rows may stand in their place."""
    lines: Ints


class NumberedTable(Table):
    """A text file as lines of names, which are numbered, and numbers."""

    def __init__(
        self, source: Source, separator: bytes, problems: Problems, *, rows: str = "item"
    ) -> None:
        super().__init__(source, separator, problems, rows=rows)
        self._rooms = [Room(), Room()]
        self._ahead: Callable[[], tuple[Block | None, Rows | None]] | None = None
        self._parsed: Rows | None = None
        """The plain lines at the beginning of the block, if another thread took them."""

    def numbered(
        self, layout: Layout, *, where: Where, names: Sequence[Names]
    ) -> Iterator[Numbered]:
        """All further rows.

        where  what to call a cell in messages
        names  what numbers those of each column
        """
        self._skip_blank_lines()
        while self._fill():
            for rows in self._number_block(layout, where, names):
                if len(rows.lines):
                    yield rows
                self.problems.settle()

    def _number_block(
        self, layout: Layout, where: Where, names: Sequence[Names]
    ) -> Iterator[Numbered]:
        """The rows of the block at hand: plain lines together, the others one by one."""
        # The two rooms change places: what was parsed ahead stands in the first one now.
        room, free = self._rooms = self._rooms[::-1]
        rows, self._parsed = self._parsed, None
        self._ahead = begin(partial(self._read_ahead, layout, free))
        while self._position < self._end:
            if rows is None:
                rows = parse_rows(
                    self._block, self._position, self._end, **layout.parsed, room=room
                )
            if len(rows.values):
                lines = rows.spans[:, -1] + self._line
                columns = [self._numbers(one, rows, lines, at) for at, one in enumerate(names)]
                yield Numbered(columns, rows.values, lines)
            self._line += rows.lines
            self._position = rows.position
            rows = None
            if self._position < self._end:
                some = self._take_lines(self._end, layout, where, "")
                columns = [one.of(said) for one, said in zip(names, some.names, strict=True)]
                yield Numbered(columns, some.values, some.lines)

    def _numbers(self, names: Names, rows: Rows, lines: Ints, place: int) -> NDArray[Any]:
        numbers = names.of_rows(self._block, rows, place)
        return names.of(self._decoded(rows, lines, place)) if numbers is None else numbers

    def _read_ahead(self, layout: Layout, room: Room) -> tuple[Block | None, Rows | None]:
        block = next(self._blocks, None)
        if block is None or not block.end:
            return block, None
        return block, parse_rows(block.data, 0, block.end, **layout.parsed, room=room)

    def _next_block(self) -> Block | None:
        if self._ahead is None:
            return super()._next_block()
        finished, self._ahead = self._ahead, None
        block, self._parsed = finished()
        return block
