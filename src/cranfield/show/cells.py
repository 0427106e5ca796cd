"""Cells: a value of a row as people read it, the same in terminals, papers and pages."""

from __future__ import annotations

import math
from typing import Any

from cranfield.core.printable import printable_name
from cranfield.core.table import Column, Row, Table

UNDEFINED = "–"
ARROWS = {"higher": "↑", "lower": "↓", "": ""}
_LARGE = 1e9
"""From here on all digits would fill a line."""


def number(value: Any, column: Column) -> str:
    """A value without what stands beside it."""
    if isinstance(value, str):
        return printable_name(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or math.isnan(value):
        return UNDEFINED
    if column.kind == "count":
        return f"{value:,.0f}" if math.isfinite(value) else _signed(f"{value}")
    if isinstance(value, int):
        return str(value)
    if column.kind == "percent":
        return f"{100 * value:.{column.digits}f} %"
    least = 10.0**-column.digits
    if column.kind == "p" and value < least:
        return f"<{least:.{column.digits}f}"
    if _LARGE <= abs(value) < math.inf:
        return f"{value:.{column.digits}g}"
    return _signed(f"{value:z.{column.digits}f}")


def interval(row: Row, column: Column) -> str:
    """The ends of the interval around a value, in brackets; empty where there is none."""
    if column.interval is None or all(row.get(end) is None for end in column.interval):
        return ""
    if number(row.get(column.field), column) == UNDEFINED:
        return ""
    low, high = (number(row.get(end), column) for end in column.interval)
    return f"[{low}, {high}]"


def mark(row: Row, column: Column) -> str:
    """Signs that follow the value."""
    return printable_name(str(row.get(column.mark) or "")) if column.mark else ""


def spaced_mark(row: Row, column: Column) -> str:
    """Signs that follow the value where nothing can be raised: letters stand apart from digits."""
    signs = mark(row, column)
    return f" {signs}" if signs[:1].isalpha() else signs


def marks_width(table: Table, column: Column) -> int:
    """Room for marks, so that numbers with and without them stand below each other."""
    return max((len(spaced_mark(row, column)) for row in table.rows), default=0)


def is_best(column: Column, row: Row, best: float | None) -> bool:
    """Whether a row has the best value of a column, `table.best(column)`."""
    return best is not None and row.get(column.field) == best


def _signed(text: str) -> str:
    return text.replace("inf", "∞")
