"""Slices: scores of parts of the collection, as a frame that somebody computed."""

from __future__ import annotations

from typing import Any

from cranfield.report.page.findings import Findings
from cranfield.report.page.section import Section
from cranfield.report.page.tables import Column, Row, Table, Value


def section(found: Findings) -> Section | None:
    if found.slices is None:
        return None
    names = list(map(str, found.slices.columns))
    rows: list[Row] = [[_plain(value) for value in row] for row in found.slices.iter_rows()]
    columns = [Column(name, css="name" if not place else "") for place, name in enumerate(names)]
    table = Table("slices", "Scores of slices", columns, rows)
    return Section(
        "slices", "Where do runs fail?", "Scores of parts of the collection.", table.html, (table,)
    )


def _plain(value: Any) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if value is None or isinstance(value, int | float) else str(value)
