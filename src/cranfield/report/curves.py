"""Tables of curves: precision and recall point by point, and averages of runs side by side."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.text import Text

from cranfield.errors import several
from cranfield.report.standings import UNDEFINED, written
from cranfield.report.tables import blocks, cut_name, plain_table, remark
from cranfield.tasks.retrieval.curves import Curve, Curves

_DIGITS = 4
_NAME = 24
"""Room for the name of a run."""
_ROWS = 40
"""Points of a curve that are shown; files hold all."""


def curve_tables(curves: Curves) -> Group:
    """Averages in one table, any other curve in a table of its own."""
    remarks = [f"ties: {curves.ties}", *curves.notes]
    if curves.average in ("ranks", "recall") and len(curves):
        most = max(curve.concepts for curve in curves)
        remarks.insert(0, f"means over {several(most, 'concept')}")
        return Group(_Averages(curves), *map(remark, remarks))
    tables = [part for curve in curves for part in _curve(curve)]
    return Group(*tables, *map(remark, remarks))


def curves_json(curves: Curves) -> str:
    """Every curve with its points, and where the run stands on it."""
    said = {
        "average": curves.average,
        "ties": curves.ties,
        "curves": [_record(curve) for curve in curves],
        "notes": list(curves.notes),
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class _Averages:
    """A row for each rank or level of recall, a column for each run; where room is short, runs go
    on in further tables."""

    curves: Curves

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = [cut_name(curve.run) for curve in self.curves]
        widths = [max(len(self._said), min(cell_len(name.plain), _NAME)) for name in names]
        for block in blocks(widths, options.max_width - 10):
            table = plain_table()
            table.add_column(f"\n{self.curves.average.removesuffix('s')}", justify="right")
            for curve, width in zip(self.curves[block], widths[block], strict=True):
                heading = Text.assemble(cut_name(curve.run), f"\n{self._said}", overflow="ellipsis")
                table.add_column(heading, justify="right", no_wrap=True, width=width)
            for place in self._longest[:_ROWS]:
                table.add_row(self._at(place), *(_cell(one, place) for one in self.curves[block]))
            yield table
        if len(self._longest) > _ROWS:
            yield remark(f"{len(self._longest) - _ROWS} more ranks; --csv and --json have them all")

    @property
    def _said(self) -> str:
        return "precision recall" if self.curves.average == "ranks" else "precision"

    @property
    def _longest(self) -> range:
        return range(max(len(curve.precision) for curve in self.curves))

    def _at(self, place: int) -> str:
        for curve in self.curves:
            if place < len(curve.precision):
                return f"{curve.recall[place]:g}" if curve.rank is None else str(curve.rank[place])
        raise AssertionError(place)


def _cell(curve: Curve, place: int) -> str:
    """Precision, and recall where ranks are averaged at; lists may end at different ranks."""
    if place >= len(curve.precision):
        return UNDEFINED
    precision = written(float(curve.precision[place]), digits=_DIGITS)
    if curve.rank is None:
        return precision
    return f"{precision} {written(float(curve.recall[place]), digits=_DIGITS)}"


def _curve(curve: Curve) -> list[Any]:
    """Name, points, and the run's own decisions."""
    name = curve.run if curve.concept is None else f"{curve.run}: {curve.concept}"
    rows = list(curve.rows())
    headings = ("rank", "threshold", "precision", "recall", "interpolated", "fallout")
    table = plain_table()
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows[:_ROWS]:
        cells = (written(row[name], digits=_DIGITS) for name in headings[2:])
        table.add_row(str(row["rank"]), f"{row['threshold']:.6g}", *cells)
    parts: list[Any] = [Text.assemble("\n  ", cut_name(name), style="bold"), table]
    if len(rows) > _ROWS:
        parts.append(remark(f"{len(rows) - _ROWS} more points; --csv and --json have them all"))
    if curve.operating is not None:
        told = ", ".join(
            f"{name} {written(value, digits=_DIGITS)}"
            for name, value in asdict(curve.operating).items()
        )
        parts.append(remark(f"with its own decisions: {told}"))
    return parts


def _record(curve: Curve) -> dict[str, Any]:
    operating = None if curve.operating is None else asdict(curve.operating)
    if operating is not None:
        operating = {name: None if v != v else v for name, v in operating.items()}
    return {
        "run": curve.run,
        "concept": curve.concept,
        "concepts": curve.concepts,
        "operating": operating,
        "points": [
            {name: value for name, value in row.items() if name not in ("run", "concept")}
            for row in curve.rows()
        ],
    }
