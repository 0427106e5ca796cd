"""Small graphics in letters: what terminals show beside the values of a column."""

from __future__ import annotations

import math
from typing import Any

from cranfield.core.table import Column, Row, Table

_EIGHTHS = " ▏▎▍▌▋▊▉"


class LetterGraphic:
    """The graphic of a column, as wide as it asks for; all rows share one scale."""

    def __init__(self, table: Table, column: Column) -> None:
        assert column.graphic is not None
        self._column, self._graphic = column, column.graphic
        self.width = self._graphic.letters
        fields = (column.field, *self._graphic.fields)
        values = [_number(row.get(field)) for row in table.rows for field in fields]
        finite = [value for value in (*values, *(self._graphic.domain or ())) if value == value]
        least, most = (min(finite), max(finite)) if finite else (0.0, 1.0)
        self._low, self._range = least, (most - least) or 1.0

    def text(self, row: Row) -> str:
        """The drawing of one row, padded to its width."""
        value = _number(row.get(self._column.field))
        if math.isnan(value):
            return " " * self.width
        drawn = self._bar(value)
        if self._graphic.kind == "interval":
            drawn = self._reach(value, [_number(row.get(field)) for field in self._graphic.fields])
        return drawn.ljust(self.width)

    def _bar(self, value: float) -> str:
        """To an eighth of a letter; at least a hair for what is there."""
        share = (value - self._low) / self._range
        full, rest = divmod(max(round(share * self.width * 8), 1) if share else 0, 8)
        return "█" * full + _EIGHTHS[rest].strip()

    def _reach(self, value: float, ends: list[float]) -> str:
        last = self.width - 1
        low, middle, high = (
            round(last * (end - self._low) / self._range) for end in (ends[0], value, ends[1])
        )
        return " " * low + "─" * (middle - low) + "●" + "─" * (high - middle)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan
