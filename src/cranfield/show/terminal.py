"""Tables on a terminal. One that is too wide goes on below, and every part names its rows."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.text import Text

from cranfield.caching import cached_property
from cranfield.core.printable import printable, printable_name
from cranfield.core.result import Result
from cranfield.core.table import Column, Row, Table
from cranfield.show.cells import ARROWS, interval, is_best, marks_width, number, spaced_mark
from cranfield.show.letter_graphics import LetterGraphic

_GAP = 2
"""Blanks between columns, and before the first."""
_LEAST_KEY = 6
"""Columns that a key has at least, however narrow the terminal."""
_LEAST_TEXT = 16
"""And any other text that is folded so that columns stand side by side."""
_FILE_WIDTH = 200
"""Columns of a text file: wide enough that tables stay in one piece."""
_EMPHASES = {"strong": "bold", "faint": "dim"}


def renderable(result: Result) -> Group:
    """All tables for screens, and the remarks."""
    tables: list[RenderableType] = [
        FoldedTable(table) for table in result.tables_for("people", "screens")
    ]
    return Group(*tables, *map(remark, result.notes))


def plain_text(result: Result, width: int = _FILE_WIDTH) -> str:
    """What a result looks like in a text file."""
    if result.text:
        return result.text
    paper = Console(width=width, file=io.StringIO(), color_system=None, emoji=False)
    with paper.capture() as page:
        paper.print(renderable(result))
    return "".join(f"{line.rstrip()}\n" for line in page.get().splitlines())


def remark(text: str) -> Padding:
    """A paragraph below a table."""
    return Padding(Text(printable(text), style="dim"), (0, 0, 0, _GAP), expand=False)


class Least(NamedTuple):
    """How narrow a column may get."""

    whole: int
    """Without breaking a word or number."""
    text: bool
    """Whether words may break in the end."""
    values: int
    """Numbers never break, whatever their heading does; 0 for texts."""


@dataclass(frozen=True)
class FoldedTable:
    """A table in as many parts as the terminal's width demands, keys repeated in each.

    Nothing is cut: a text that is too long goes on in the next line of its row.
    """

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.table.title:
            title = f"\n{' ' * _GAP}{printable_name(self.table.title)}"
            yield Text(title, style="bold", overflow="fold")
        keys = [column for column in self._columns if column.key]
        others = [column for column in self._columns if not column.key]
        widths = [self._widths[column.field] for column in others]
        room = options.max_width
        widest = min(max(widths, default=0), (room - _GAP) // 2)
        longest = (room - widest - _GAP) // max(1, len(keys)) - _GAP
        longest = max(_LEAST_KEY, longest)
        key_widths = [min(self._widths[column.field], longest) for column in keys]
        left = room - sum(width + _GAP for width in key_widths)
        if sum(widths) + _GAP * len(widths) > left:
            least = [self._least(column) for column in others]
            missing = sum(limit.whole + _GAP for limit in least) - left
            for place, column in enumerate(keys):  # before words of others break
                spared = min(missing, key_widths[place] - self._least(column).whole)
                if spared > 0:
                    key_widths[place], left, missing = (
                        key_widths[place] - spared, left + spared, missing - spared
                    )  # fmt: skip
            widths = _narrowed(widths, least, left)
        for part in _parts(widths, left):
            layout = [*zip(keys, key_widths, strict=True)]
            layout += zip(others[part], widths[part], strict=True)
            yield Text("")
            yield from self._lines(layout)
            yield Text("")
        yield from map(remark, self.table.remarks)

    @cached_property
    def _columns(self) -> list[Column]:
        return self.table.for_people()

    @cached_property
    def _marks_widths(self) -> dict[str, int]:
        return {column.field: marks_width(self.table, column) for column in self._columns}

    @cached_property
    def _widths(self) -> dict[str, int]:
        """The room that each column would like."""
        widths = {}
        for column in self._columns:
            cells = (self._text(column, row) for row in self.table.rows)
            texts = (_title(column), _group(column), *cells)
            widths[column.field] = max(map(cell_len, texts))
        return widths

    def _least(self, column: Column) -> Least:
        """How narrow a column may get: headings go on in a second line, and so do texts."""
        cells = [self._text(column, row) for row in self.table.rows]
        heading = [part for text in (_title(column), _group(column)) for part in _breakable(text)]
        is_text = self.table.is_text(column)
        parts = (
            [*heading, *(word for cell in cells for word in cell.split())]
            if is_text
            else [*heading, *cells]
        )
        whole = max(map(cell_len, parts), default=0)
        values = 0 if is_text else max(map(cell_len, cells), default=0)
        return Least(whole, is_text, values)

    @cached_property
    def _graphics(self) -> dict[str, tuple[LetterGraphic, int]]:
        """Drawings before the values of a column, and the room that the values take."""
        return {
            column.field: (
                LetterGraphic(self.table, column),
                max((cell_len(self._value(column, row)) for row in self.table.rows), default=0),
            )
            for column in self._columns
            if column.graphic and column.graphic.letters
        }

    def _text(self, column: Column, row: Row) -> str:
        value = self._value(column, row)
        if column.field not in self._graphics:
            return value
        graphic, room = self._graphics[column.field]
        return f"{graphic.text(row)}{' ' * _GAP}{value.rjust(room)}"

    def _value(self, column: Column, row: Row) -> str:
        room = self._marks_widths[column.field]
        text = number(row.get(column.field), column) + spaced_mark(row, column).ljust(room)
        ends = interval(row, column)
        return f"{text} {ends}" if ends else text

    def _lines(self, layout: Sequence[tuple[Column, int]]) -> Iterator[Text]:
        table = self.table
        if any(column.group for column, _ in layout):
            yield from self._headings([(_group(column), "dim") for column, _ in layout], layout)
        bold = [(_title(column), "bold" if column.better else "") for column, _ in layout]
        yield from self._headings(bold, layout)
        rule = Text(
            " " + "─" * sum(width + _GAP for _, width in layout),
            style="dim",
            no_wrap=True,
            overflow="crop",
        )
        yield rule
        best = {column.field: table.best(column) for column, _ in layout}
        for index, row in enumerate(table.rows):
            begins = table.begins_section(index)
            if begins and index:
                yield rule
            cells = []
            for column, _ in layout:
                text = self._text(column, row)
                if column.field == table.section and not begins:
                    text = ""
                highlighted = is_best(column, row, best[column.field])
                cells.append((text, "bold green" if highlighted else ""))
            for line in self._row(cells, layout):
                line.stylize(_EMPHASES.get(row.get(table.emphasis, ""), ""))
                yield line

    def _headings(
        self, cells: Sequence[tuple[str, str]], layout: Sequence[tuple[Column, int]]
    ) -> Iterator[Text]:
        """The lines of headings: all of them end on the last."""
        folded = [
            _folded_heading(text, width)
            for (text, _), (_, width) in zip(cells, layout, strict=True)
        ]
        most = max(map(len, folded))
        pieces = [[""] * (most - len(lines)) + lines for lines in folded]
        return self._set(pieces, [style for _, style in cells], layout)

    def _row(
        self, cells: Sequence[tuple[str, str]], layout: Sequence[tuple[Column, int]]
    ) -> Iterator[Text]:
        """The lines of a row: one, unless a text must be folded."""
        folded = [_folded(text, width) for (text, _), (_, width) in zip(cells, layout, strict=True)]
        return self._set(folded, [style for _, style in cells], layout)

    def _set(
        self,
        folded: Sequence[Sequence[str]],
        styles: Sequence[str],
        layout: Sequence[tuple[Column, int]],
    ) -> Iterator[Text]:
        """Lines of cells, side by side."""
        for pieces in zip_longest(*folded, fillvalue=""):
            line = Text(no_wrap=True, overflow="ignore")
            for piece, style, (column, width) in zip(pieces, styles, layout, strict=True):
                line.append(" " * _GAP)
                line.append(self._aligned(piece, column, width), style)
            yield line

    def _aligned(self, text: str, column: Column, width: int) -> str:
        if self.table.is_text(column):
            return set_cell_size(text, width)
        return " " * (width - cell_len(text)) + text


def _narrowed(widths: Sequence[int], least: Sequence[Least], room: int) -> list[int]:
    """Columns narrower, if all of them can stand side by side then: headings folded first, then
    the widest texts whose words stay whole. Else no wider than there is room."""
    narrow = list(widths)
    for _ in range(sum(widths) + _GAP * len(widths) - room):
        candidates = [
            (not limit.text, width > limit.whole, width, index)
            for index, (width, limit) in enumerate(zip(narrow, least, strict=True))
            if limit.text or width > limit.whole
        ]
        heading, _, width, index = max(candidates, default=(False, False, 0, 0))
        if not heading and width <= _LEAST_TEXT:
            limits = zip(widths, least, strict=True)
            return [
                min(width, max(_LEAST_TEXT if limit.text else limit.values, room - _GAP))
                for width, limit in limits
            ]
        narrow[index] -= 1
    return narrow


def _breakable(heading: str) -> list[str]:
    """Parts of a heading that may stand below each other."""
    return re.sub(r"(?<=[_/-])(?=\w)", " ", heading).split()


def _folded_heading(heading: str, width: int) -> list[str]:
    """Lines of a heading, as few as its parts allow."""
    if cell_len(heading) <= width:
        return [heading]
    lines = [""]
    for part in _breakable(heading):
        joint = "" if not lines[-1] or lines[-1][-1] in "_/-" else " "
        if lines[-1] and cell_len(lines[-1] + joint + part) > width:
            lines.append(part)
        else:
            lines[-1] += joint + part
    return [piece for line in lines for piece in _folded(line, width)]


def _folded(text: str, width: int) -> list[str]:
    """Lines of a text, broken between words where that is possible."""
    lines: list[str] = []
    while cell_len(text) > width:
        piece = chop_cells(text, width)[0]
        blank = piece.rstrip().rfind(" ") if text[len(piece)] != " " else len(piece)
        end = blank if blank > 0 and text[:blank].strip() else len(piece)
        lines.append(text[:end])
        text = text[end:].lstrip(" ")
    return [*lines, text]


def _title(column: Column) -> str:
    return f"{printable_name(column.heading)} {ARROWS[column.better]}".rstrip()


def _group(column: Column) -> str:
    return printable_name(column.group)


def _parts(widths: Sequence[int], room: int) -> Iterator[slice]:
    """Columns in their order, as many together as fit; at least one in each part."""
    first, left = 0, room
    for index, width in enumerate(widths):
        if width + _GAP > left and index > first:
            yield slice(first, index)
            first, left = index, room
        left -= width + _GAP
    yield slice(first, len(widths))
