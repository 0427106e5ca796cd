"""Combination: several results as one, with what changed from one to the next.

Results of the same analysis are compared row by row: rows with the same words belong together, and
their first number is followed from result to result. Scores also make one leaderboard.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield.core.reference_names import is_system
from cranfield.core.result import Result
from cranfield.core.table import Column, Row, Table

_BESIDE = ("notes", "signature")
"""Fields of words that do not say what a row is about."""
_TRUTH = re.compile(r"\btruth=(\w+)")


def combined(results: Mapping[str, Result], title: str = "") -> Result:
    """Results by their labels, oldest first, as one: a leaderboard and a history where several are
    of the same analysis, then all of them."""
    kinds: dict[str, dict[str, Result]] = {}
    for label, result in results.items():
        kinds.setdefault(result.name, {})[label] = result
    repeated = [group for group in kinds.values() if len(group) > 1]
    boards = [board for group in repeated for board in _leaderboard(group)]
    histories = [table for group in repeated for table in _history(group)]
    rows = [{"result": label, "analysis": r.title or r.name} for label, r in results.items()]
    listed = Table("results", rows, title="Results", audience="all" if not histories else "people")
    return Result(
        "results",
        facts={"results": {label: result.facts for label, result in results.items()}},
        tables=[*histories, *boards, listed],
        charts=[chart for result in results.values() for chart in result.charts],
        warnings=[warning for group in repeated for warning in _other_truths(group)],
        title=title or f"{len(results)} results",
        parts=[
            replace(result, title=f"{label}: {result.title or result.name}")
            for label, result in results.items()
        ],
    )


def _history(group: Mapping[str, Result]) -> list[Table]:
    """The first number of each row, from result to result; none where no row is in two of them."""
    first = next(iter(group.values()))
    tables = {label: result.tables_for("programs")[0] for label, result in group.items()}
    keys = _keys([row for table in tables.values() for row in table.rows])
    lines: dict[tuple[str, ...], dict[str, Any]] = {}
    for label, table in tables.items():
        for row in table.rows:
            names = tuple(str(row[key]) for key in keys)
            line = lines.setdefault(names, dict(zip(keys, names, strict=True)))
            line[label] = _value(row)
    if all(sum(label in line for label in tables) < 2 for line in lines.values()):
        return []
    *_, before, last = tables
    for line in lines.values():
        line |= {label: line.get(label, math.nan) for label in tables}
        line["change"] = line[last] - line[before]
    columns = [
        *(Column(key, key=True) for key in keys),
        *(Column(label, label, digits=4) for label in tables),
        Column("change", digits=4),
    ]
    title = f"{first.title or first.name}: from result to result"
    return [Table(f"history-{first.name}", list(lines.values()), columns, title=title)]


def _keys(rows: Sequence[Row]) -> list[str]:
    """Fields that say in words what a row is about."""
    names = list(rows[0]) if rows else []
    return [
        name
        for name in names
        if name not in _BESIDE and all(isinstance(row.get(name), str) for row in rows)
    ]


def _value(row: Row) -> float:
    numbers = (v for v in row.values() if isinstance(v, (int, float)) and not isinstance(v, bool))
    return float(next(numbers, math.nan))


def _leaderboard(group: Mapping[str, Result]) -> list[Table]:
    """Runs of all evaluations, each as the last one that has it scored it; best first, random runs
    and the perfect one below all systems."""
    boards = {
        label: table
        for label, result in group.items()
        for table in result.tables
        if table.name == "standings"
    }
    if len(boards) < 2:
        return []
    columns = {c.field: c for board in boards.values() for c in board.columns if c.better}
    runs: dict[str, dict[str, Any]] = {}
    for label, board in boards.items():
        for row in board.rows:
            scores = {field: row[field] for field in columns if field in row}
            runs.setdefault(row["run"], {"run": row["run"]}).update(scores, result=label)
    leading = next(iter(columns.values()))
    sign = -1.0 if leading.better == "higher" else 1.0

    apart = any(map(is_system, runs))

    def order(row: Row) -> tuple[bool, bool, float]:
        value = row.get(leading.field)
        defined = isinstance(value, (int, float)) and not math.isnan(value)
        return (row["_reference"], not defined, sign * value if defined else 0.0)  # type: ignore[operator]

    rows = [row | {"_reference": apart and not is_system(name)} for name, row in runs.items()]
    rows = [row | {"_emphasis": "faint" if row["_reference"] else ""} for row in rows]
    columns_shown = [Column("run", key=True), *columns.values(), Column("result")]
    plain = [replace(c, interval=None, mark="") for c in columns_shown]
    return [
        Table(
            "leaderboard",
            sorted(rows, key=order),
            plain,
            title="Runs of all results",
            audience="people",
            section="_reference",
            emphasis="_emphasis",
        )
    ]


def _other_truths(group: Mapping[str, Result]) -> list[str]:
    """Scores by different truths differ for more reasons than runs."""
    truths: dict[str, list[str]] = {}
    for label, result in group.items():
        rows = result.tables_for("programs")[0].rows
        signatures = [result.signature, *(str(row.get("signature", "")) for row in rows[:1])]
        match = _TRUTH.search(" ".join(signatures))
        if match:
            truths.setdefault(match[1], []).append(label)
    if len(truths) < 2:
        return []
    listed = "; ".join(f"{truth}: {', '.join(labels)}" for truth, labels in truths.items())
    return [f"results rest on different truths, so changes are not those of runs alone ({listed})"]
