"""Tables of bounds and estimates: what is known of scores although cells are unjudged."""

from __future__ import annotations

import csv
import io
import math

from rich.console import Group
from rich.table import Table
from rich.text import Text

from cranfield.report.standings import ARROWS, UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.incomplete import Bound, Bounds, Estimate, Estimates

_DIGITS = 4


def incomplete_table(results: Bounds | Estimates) -> Group:
    """A row for each run and measure, and what was assumed below."""
    table = _bounds(results) if isinstance(results, Bounds) else _estimates(results)
    return Group(table, *(remark(text) for text in _remarks(results)))


def incomplete_csv(results: Bounds | Estimates) -> str:
    """One line for each run and measure; undefined is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows = results.rows()
    writer.writerow(rows[0] if rows else ())
    for row in rows:
        writer.writerow(["" if value is None else value for value in row.values()])
    return out.getvalue()


def _bounds(results: Bounds) -> Table:
    table = _headed("lower", "score", "upper", "bounds")
    for one in results:
        exact = Text("exact" if one.exact else "valid", style="dim")
        table.add_row(*_named(one), *map(_number, (one.lower, one.score, one.upper)), exact)
    return table


def _estimates(results: Estimates) -> Table:
    table = _headed("estimate", "low", "high", "score", "method")
    for one in results:
        numbers = (one.estimate, one.interval.low, one.interval.high, one.score)
        table.add_row(*_named(one), *map(_number, numbers), Text(one.method, style="dim"))
    return table


def _headed(*columns: str) -> Table:
    table = plain_table()
    table.add_column("run")
    table.add_column("measure", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _named(one: Bound | Estimate) -> tuple[Text, str]:
    return cut_name(one.run), f"{one.measure} {ARROWS[one.measure.traits.better]}"


def _number(value: float) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.{_DIGITS}f}"


def _remarks(results: Bounds | Estimates) -> list[str]:
    found: list[Bound | Estimate] = [*results.results]
    if not found:
        return []
    first = found[0]
    said = [f"{first.unjudged:.1%} of the cells are unjudged; score: as evaluated now"]
    if isinstance(first, Estimate):
        said.append(
            f"estimates of the score if all cells were judged, with {first.level:.0%} intervals; "
            "the judged cells are taken for a random sample of the pool, or of each stratum"
        )
    else:
        said.append("bounds: whatever the unjudged cells are, the score lies between them")
    by_note: dict[str, dict[str, None]] = {}
    for one in found:
        for note in one.notes:
            by_note.setdefault(note, {})[str(one.measure)] = None
    return said + [f"{note} ({', '.join(names)})" for note, names in by_note.items()]
