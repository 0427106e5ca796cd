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
from cranfield.kernels.text import Names, Room, Rows, number_columns, parse_rows
from cranfield.kernels.threads import begin
from cranfield.matrices import Floats, Ints


class Numbered(NamedTuple):
    """Some rows of a table."""

    numbers: Sequence[NDArray[Any]]
    """Of the names, a list for each column."""
    values: Floats
    """(rows, width). To be copied by who keeps them: the next rows may stand in their place."""
    passed: Ints
    """Lines before each row, from `first` on; to be copied, too."""
    first: int

    @property
    def lines(self) -> Ints:
        return self.passed + self.first

    @property
    def followed(self) -> range | Ints:
        """The lines; nearly always one follows the other, and two numbers say it."""
        first, last = int(self.passed[0]) + self.first, int(self.passed[-1]) + self.first
        return range(first, last + 1) if last - first == len(self.passed) - 1 else self.lines


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
                if len(rows.passed):
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
                columns = self._numbers(names, rows)
                yield Numbered(columns, rows.values, rows.spans[:, -1], self._line)
            self._line += rows.lines
            self._position = rows.position
            rows = None
            if self._position < self._end:
                some = self._take_lines(self._end, layout, where, "")
                columns = [one.of(said) for one, said in zip(names, some.names, strict=True)]
                yield Numbered(columns, some.values, some.lines, 0)

    def _numbers(self, names: Sequence[Names], rows: Rows) -> Sequence[NDArray[Any]]:
        numbers = number_columns(names, self._block, rows)
        if numbers is not None:
            return list(numbers)
        lines = rows.spans[:, -1] + self._line
        return [one.of(self._decoded(rows, lines, at)) for at, one in enumerate(names)]

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
