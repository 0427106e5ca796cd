"""Confusion matrices of several systems side by side: tables, and text for other programs.

Three views: scores (systems by measures, with intervals if wished), class by class, and one class
against the rest. Each is a table for a terminal, JSON, CSV and LaTeX.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from cranfield.caching import cached_property
from cranfield.engine.evaluation import or_null
from cranfield.measures import Measure
from cranfield.report.exports import latex, latex_number, latex_standings, tabular
from cranfield.report.standings import Standings, written
from cranfield.report.tables import ScoreTable, blocks, cut_name, names_width, plain_table, remark
from cranfield.tasks.classes import Confusion, Interval

_DIGITS = 4
_HEADINGS = {"H_S_given_t": "H(S|t)", "H_T_given_s": "H(T|s)"}

Record = Mapping[str, Any]


# ── scores ────────────────────────────────────────────────────────────────────────────────────


class ConfusionScores(Standings):
    """Systems by measures, the best by the first measure on top."""

    def __init__(
        self,
        systems: Sequence[Confusion],
        measures: Sequence[Measure],
        intervals: Iterable[tuple[str, Interval]] = (),
    ) -> None:
        """intervals  each with the name of its system"""
        self.systems = {system.name: system for system in systems}
        self.names = tuple(self.systems)
        self.measures = tuple(measures)
        self.intervals = {(name, one.measure): one for name, one in intervals}
        self._values = {
            (name, one): system[one] for name, system in self.systems.items() for one in measures
        }

    def value(self, run: str, measure: Measure) -> float:
        return self._values[run, measure]

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        told = {
            note: [name for name, other in self.systems.items() if note in other.notes]
            for system in self.systems.values()
            for note in system.notes
        }
        said = [f"{', '.join(names)}: {note}" for note, names in told.items()]
        if self.intervals:
            one = next(iter(self.intervals.values()))
            said.append(
                f"{one.level:.0%} intervals by {one.method}, {one.samples} samples, seed "
                f"{one.seed}; corrected = less the bias of entropies"
            )
        return tuple(said)

    def table(self) -> Group:
        """Scores, and below them their intervals."""
        intervals = [self._interval_table()] if self.intervals else []
        remarks = (remark(text) for text in self.remarks)
        return Group(ScoreTable(self, self.runs), *intervals, *remarks)

    def _interval_table(self) -> Table:
        table = plain_table()
        table.add_column("run")
        table.add_column("measure")
        for heading in ("score", "corrected", "low", "high"):
            table.add_column(heading, justify="right", no_wrap=True)
        for measure in self.measures:
            for run in self.runs:
                one = self.intervals[run, measure]
                numbers = (one.score, one.corrected, one.low, one.high)
                cells = (written(number, digits=_DIGITS) for number in numbers)
                table.add_row(cut_name(run), cut_name(str(measure)), *cells)
        return table

    def records(self) -> list[Record]:
        """One for each score; what is undefined or infinite is None, and notes say which."""
        return [
            {
                "run": run,
                "measure": str(measure),
                "score": or_null(self.value(run, measure)),
                "units": int(not math.isnan(self.value(run, measure))),
                "skipped": int(math.isnan(self.value(run, measure))),
                "notes": "; ".join(self._told(run, measure)),
                "signature": self.systems[run].signature(measure),
                **self._interval_record(run, measure),
            }
            for run in self.names
            for measure in self.measures
        ]

    def _told(self, run: str, measure: Measure) -> list[str]:
        infinite = ["infinite"] if math.isinf(self.value(run, measure)) else []
        return [*self.systems[run].notes, *infinite]

    def _interval_record(self, run: str, measure: Measure) -> Record:
        one = self.intervals.get((run, measure))
        if one is None:
            return {}
        numbers = {name: or_null(getattr(one, name)) for name in ("corrected", "low", "high")}
        return {**numbers, "level": one.level, "method": one.method, "samples": one.samples}

    def export(self, form: str) -> str:
        if form == "latex":
            return latex_standings(self)
        return _export(self.records(), form, key="scores")


# ── class by class ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class ClassRows:
    """Counts, rates and entropies of single classes, of each system."""

    systems: Sequence[Confusion]
    only: str | None = None
    """The one class to show; None = all."""

    def table(self) -> Group:
        if self.only is None:
            return Group(*(_ClassTable(one.name, rows) for one, rows in self._rows()))
        return Group(*(_square(one, one.name, self.only) for one in self.systems))

    def export(self, form: str) -> str:
        records = [{"run": one.name, **row} for one, rows in self._rows() for row in rows]
        if form != "latex":
            return _export(records, form, key="classes")
        header = ["run", "class", *(name for name in records[0] if name not in ("run", "class"))]
        return tabular(
            [latex(name) for name in header],
            [[_latex_cell(row[name]) for name in header] for row in records],
        )

    def _rows(self) -> list[tuple[Confusion, list[Record]]]:
        return [
            (one, [row for row in one.by_class().to_dicts() if self.only in (None, row["class"])])
            for one in self.systems
        ]


@dataclass(frozen=True)
class _ClassTable:
    """The classes of one system; where room is short, columns go on in further tables."""

    name: str
    rows: Sequence[Record]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [name for name in self.rows[0] if name != "class"]
        classes = [row["class"] for row in self.rows]
        room = options.max_width - names_width((*classes, "class"), options) - 4
        yield Text(f"\n  {self.name}", style="bold")
        for block in blocks([cell_len(_HEADINGS.get(name, name)) for name in columns], room):
            table = plain_table()
            table.add_column("class")
            for name in columns[block]:
                table.add_column(_HEADINGS.get(name, name), justify="right", no_wrap=True)
            for row in self.rows:
                cells = (_cell(row[name]) for name in columns[block])
                table.add_row(cut_name(row["class"]), *cells)
            yield table


def _square(confusion: Confusion, name: str, wanted: str) -> Group:
    """One class against the rest, with its rates at the edges as Weber §1.5 shows them."""
    pair = confusion.one_vs_rest(wanted)
    rates = pair.by_class().to_dicts()[0]
    table = plain_table()
    table.add_column("")
    for said in pair.said:
        table.add_column(f"said {said}", justify="right")
    table.add_column("", justify="right")
    for true, counts, rate in zip(pair.true, pair.counts.tolist(), ("TPR", "TNR"), strict=True):
        cells = [_cell(int(n) if float(n).is_integer() else n) for n in counts]
        table.add_row(cut_name(f"true {true}"), *cells, _rate(rates, rate))
    table.add_row("", *(_rate(rates, rate) for rate in ("PPV", "NPV", "ACC")))
    return Group(Text(f"\n  {name}", style="bold"), table)


def _rate(rates: Record, name: str) -> str:
    return f"{name} {written(rates[name], digits=_DIGITS)}"


def _cell(value: float | None) -> str:
    return str(value) if isinstance(value, int) else written(value, digits=_DIGITS)


def _latex_cell(value: Any) -> str:
    if isinstance(value, str):
        return latex(value)
    return str(value) if isinstance(value, int) else latex_number(value)


# ── for other programs ────────────────────────────────────────────────────────────────────────


def _export(records: Sequence[Record], form: str, *, key: str) -> str:
    if form == "json":
        return json.dumps({key: records}, indent=2, ensure_ascii=False) + "\n"
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records[0])
    for record in records:
        writer.writerow("" if value is None else value for value in record.values())
    return out.getvalue()
