"""Parts that the reports of several studies share: square tables of measures, numbers, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from cranfield.core.matrices import Bools, Floats
from cranfield.measures import Measure
from cranfield.report.standings import written
from cranfield.report.tables import blocks, cut_name, names_width, plain_table
from cranfield.studies.field import CONCORDANT

_CELL = 6


@dataclass(frozen=True)
class SquareTable:
    """Measures, or anything, by the same; columns have the numbers of rows, a sign marks cells."""

    title: str
    measures: Sequence[Measure | str]
    values: Floats
    marked: Bools | None = None
    sign: str = CONCORDANT

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"\n  {self.title}", style="bold")
        names = names_width(map(str, self.measures), options)
        room = options.max_width - names - 8
        for columns in blocks([_CELL] * len(self.measures), room):
            yield self._table(range(len(self.measures))[columns])

    def _table(self, columns: range) -> Table:
        table = plain_table()
        table.add_column("", justify="right", style="dim", no_wrap=True)
        table.add_column("")
        for column in columns:
            table.add_column(str(column + 1), justify="right", no_wrap=True)
        for row, one in enumerate(self.measures):
            cells = [self._cell(row, column) for column in columns]
            table.add_row(str(row + 1), cut_name(str(one)), *cells)
        return table

    def _cell(self, row: int, column: int) -> Text:
        if row == column:
            return Text("·", style="dim")
        sign = self.sign if self.marked is not None and self.marked[row, column] else " "
        return Text(number(self.values[row, column]) + sign)


def number(value: float, digits: int = 3) -> str:
    """A number, or a sign for an undefined one."""
    return written(value, digits=digits)


def as_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """A line for each record; undefined is empty."""
    records = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]) if records else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: "" if value is None else value for name, value in row.items()} for row in records
    )
    return out.getvalue()
