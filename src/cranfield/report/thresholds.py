"""Tables of thresholds: the best one of each concept, and what every one of them would give."""

from __future__ import annotations

import csv
import io
import json
import math

from rich.console import Group
from rich.text import Text

from cranfield.errors import several
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.thresholds import RocTable, Thresholds

_DIGITS = 4
_COUNTS = ("TP", "FP", "FN", "TN")
_RATES = ("TPR", "FPR", "PPV", "accuracy", "F")
_NOTHING = "none"
"""The threshold that no score reaches."""


def thresholds_table(found: Thresholds) -> Group:
    """The threshold of each concept, or the one of all."""
    by = found.by or "score"
    table = plain_table()
    table.add_column("concept")
    table.add_column("threshold", justify="right", no_wrap=True)
    table.add_column(by, justify="right", no_wrap=True)
    if found.per == "run":
        threshold = f"{found.values[0]:.6g}" if len(found.values) else UNDEFINED
        table.add_row(cut_name("all"), threshold, _number(found.score))
        return Group(table, *map(remark, found.notes))
    rows = list(found.rows())
    for row in rows:
        table.add_row(cut_name(row["concept"]), f"{row['threshold']:.6g}", _number(row["score"]))
    averaged = several(sum(row["score"] is not None for row in rows), "concept")
    mean = remark(f"mean of {by} over {averaged}: {_number(found.score)}")
    return Group(table, mean, *map(remark, found.notes))


def roc_rows(table: RocTable, by: str) -> Group:
    """Counts and rates at every threshold; the best by a criterion stands out."""
    best = table.best(by)
    out = plain_table()
    for heading in ("threshold", *_COUNTS, *_RATES):
        out.add_column(heading, justify="right", no_wrap=True)
    for place, row in enumerate(table.rows()):
        threshold = _NOTHING if math.isinf(row["threshold"]) else f"{row['threshold']:.6g}"
        cells = [threshold, *(str(row[name]) for name in _COUNTS)]
        cells += [_number(row[name]) for name in _RATES]
        style = "bold green" if best is not None and place == best.row else ""
        out.add_row(*(Text(cell, style=style) for cell in cells))
    return Group(out, remark(_verdict(table, by)))


def roc_csv(table: RocTable) -> str:
    """One line for each threshold; undefined is empty, the threshold of nothing inf."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("threshold", *_COUNTS, *_RATES))
    for row in table.rows():
        writer.writerow(["" if value is None else value for value in row.values()])
    return out.getvalue()


def roc_json(table: RocTable, by: str) -> str:
    """The rows, and the best threshold; the threshold of nothing is null."""
    best = table.best(by)
    rows = [
        row | {"threshold": None if math.isinf(row["threshold"]) else row["threshold"]}
        for row in table.rows()
    ]
    said = {
        "run": table.run,
        "concept": table.concept,
        "by": by,
        "best": None if best is None else {"threshold": best.threshold, "value": best.value},
        "rows": rows,
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def _verdict(table: RocTable, by: str) -> str:
    best, where = table.best(by), table.concept or "all cells together"
    if best is None:
        return f"{by} is undefined for {where}"
    return f"best by {by} for {where}: {best.threshold:.6g}, with {best.value:.{_DIGITS}f}"


def _number(value: float | None) -> str:
    return UNDEFINED if value is None or math.isnan(value) else f"{value:.{_DIGITS}f}"
