"""Markdown: tables for documents, issues and pull requests."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cranfield.core.printable import printable_name
from cranfield.core.result import Result
from cranfield.core.table import Column, Row, Table
from cranfield.show.cells import ARROWS, interval, is_best, mark, number

_SIGNS = re.compile(r"[\\|`*\[\]<>]|(?<!\w)_|_(?!\w)")
"""What Markdown would obey; an underscore within a word is one."""


def markdown_text(result: Result) -> str:
    """All tables for papers, each below its title, and the remarks."""
    parts = [f"## {escaped(result.title)}"] if result.title else []
    for table in result.tables_for("people", "papers"):
        parts += [f"**{escaped(table.title)}**"] if table.title else []
        parts += [table_markdown(table), *map(escaped, table.remarks)]
    parts += map(escaped, result.notes)
    parts += [f"`{printable_name(result.signature)}`"] if result.signature else []
    return "\n\n".join(parts) + "\n"


def table_markdown(table: Table) -> str:
    """A table with pipes between its cells."""
    columns = table.for_people("papers")
    best = {column.field: table.best(column) for column in columns}
    lines = [
        _line([_heading(column) for column in columns]),
        _line(["---" if table.is_text(column) else "--:" for column in columns]),
    ]
    lines += [
        _line([_cell(column, row, best[column.field]) for column in columns]) for row in table.rows
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Text in which nothing means something to Markdown."""
    return _SIGNS.sub(r"\\\g<0>", printable_name(text))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _heading(column: Column) -> str:
    group = f"{column.group}." if column.group else ""
    return f"{escaped(group + column.heading)} {ARROWS[column.better]}".rstrip()


def _cell(column: Column, row: Row, best: float | None) -> str:
    text = escaped(number(row.get(column.field), column))
    if is_best(column, row, best):
        text = f"**{text}**"
    if signs := mark(row, column):
        text += f"<sup>{escaped(signs)}</sup>" if signs[0].isalpha() else escaped(signs)
    return f"{text} {escaped(interval(row, column))}".rstrip()
