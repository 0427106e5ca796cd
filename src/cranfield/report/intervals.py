"""Intervals of scores as tables and exports: the scores as always, with both ends beside them."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from cranfield.engine.evaluation import Evaluation
from cranfield.measures import Measure
from cranfield.report.exports import latex, latex_number, tabular
from cranfield.report.standings import ARROWS, Standings, written
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.intervals import Intervals

_DIGITS = 4


def interval_table(evaluation: Evaluation, found: Intervals) -> Group:
    """For each measure the runs, best first, with the ends of their intervals."""
    standings = Standings(evaluation)
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("run")
    for heading in ("score", "low", "high"):
        table.add_column(heading, justify="right", no_wrap=True)
    for measure in standings.measures:
        _rows(table, standings, measure, found)
    return Group(table, *(remark(text) for text in (*standings.remarks, *interval_remarks(found))))


def _rows(table: Table, standings: Standings, measure: Measure, found: Intervals) -> None:
    runs = standings.order(measure)
    for place, run in enumerate(runs):
        one = found[run, measure]
        named = f"{measure} {ARROWS[measure.traits.better]}" if place == 0 else ""
        score, low, high = (written(x, digits=_DIGITS) for x in (one.score, one.low, one.high))
        style = "bold green" if standings.is_best(run, measure) else ""
        last = place == len(runs) - 1
        table.add_row(named, cut_name(run), Text(score, style), low, high, end_section=last)


def interval_remarks(found: Intervals) -> list[str]:
    """Of what and how sure, and what each interval had to say, once."""
    if not found.results:
        return []
    first = found.results[0]
    what = {"both": "items and concepts"}.get(first.resample, first.resample)
    methods: dict[str, dict[str, None]] = {}
    notes: dict[str, dict[str, None]] = {}
    for one in found:
        methods.setdefault(one.method, {})[str(one.measure)] = None
        for note in one.notes:
            notes.setdefault(note, {})[str(one.measure)] = None
    told = "; ".join(f"{method}: {', '.join(names)}" for method, names in methods.items())
    said = [f"{first.level:.4g} intervals over {what} ({told})"]
    return said + [f"{note} ({', '.join(names)})" for note, names in notes.items()]


def interval_rows(evaluation: Evaluation, found: Intervals) -> list[dict[str, Any]]:
    """The rows of an evaluation with `low`, `high`, and the signature of the interval."""
    rows = []
    for row, one in zip(evaluation.rows(), found, strict=True):
        ends = {name: number if math.isfinite(number) else None for name, number in _ends(one)}
        score = row["score"] if row["score"] != math.inf else None
        notes = "; ".join(filter(None, (row["notes"], *one.notes)))
        rows.append(row | ends | {"score": score, "notes": notes, "signature": one.signature})
    return rows


def _ends(one: Any) -> tuple[tuple[str, float], ...]:
    return (("low", one.low), ("high", one.high))


def as_json(evaluation: Evaluation, found: Intervals) -> str:
    """{"scores": […]} as without intervals, and "low" and "high" in each."""
    rows = {"scores": interval_rows(evaluation, found)}
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def as_csv(evaluation: Evaluation, found: Intervals) -> str:
    """One line for each score; undefined is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = ("run", "measure", "score", "low", "high", "units", "skipped", "notes", "signature")
    writer.writerow(columns)
    for row in interval_rows(evaluation, found):
        writer.writerow(["" if row[column] is None else row[column] for column in columns])
    return out.getvalue()


def as_latex(evaluation: Evaluation, found: Intervals) -> str:
    """Runs by measures, each score with its interval; a booktabs table."""
    standings = Standings(evaluation)

    def cell(run: str, measure: Measure) -> str:
        one = found[run, measure]
        score, low, high = map(latex_number, (one.score, one.low, one.high))
        best = rf"\textbf{{{score}}}" if standings.is_best(run, measure) else score
        return f"{best} {{[{low}, {high}]}}"

    return tabular(
        ["run", *(latex(str(measure)) for measure in standings.measures)],
        [[latex(run), *(cell(run, m) for m in standings.measures)] for run in standings.runs],
        remarks=(*standings.remarks, *interval_remarks(found)),
    )


EXPORTS = {"json": as_json, "csv": as_csv, "latex": as_latex}
