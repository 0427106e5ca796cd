"""Plans as a table and as CSV: how many items each score, or each pair of runs, still asks for."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group

from cranfield.report.standings import UNDEFINED, written
from cranfield.report.study_tables import as_csv
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.intervals import MOST_UNITS, Plan


def plan_table(plans: Sequence[Plan]) -> Group:
    """A row for each plan, and what it rests on below."""
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("run")
    paired = any(len(one.runs) == 2 for one in plans)
    if paired:
        table.add_column("against")
    for heading in ("difference" if paired else "margin", "spread", "items", "more"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in plans:
        counts = (UNDEFINED if n is None else f"{n:,}" for n in (one.items, one.more))
        numbers = (written(number, digits=4) for number in (one.target, one.spread))
        table.add_row(str(one.measure), *map(cut_name, one.runs), *numbers, *counts)
    return Group(table, *(remark(text) for text in _remarks(plans)))


def plan_csv(plans: Sequence[Plan]) -> str:
    """A line for each plan."""
    rows = []
    for one in plans:
        row = one.row()
        run, *others = row.pop("runs")
        rows.append({"run": run, "against": others[0] if others else None, **row})
    return as_csv(rows)


def _remarks(plans: Sequence[Plan]) -> list[str]:
    first = plans[0]
    now = f"more: beyond the {first.items_now:,} items at hand"
    if first.power is None:
        said = [f"for {first.level:.4g} intervals of ± margin; {now}"]
    else:
        said = [f"a two-sided paired test at {1 - first.level:.4g}, power {first.power:.4g}; {now}"]
    if any(one.items is None for one in plans):
        said.append(f"{UNDEFINED}: no number up to {MOST_UNITS:,} is enough")
    if any(abs(one.design_effect - 1.0) > 1e-9 for one in plans):
        effects = ", ".join(f"{one.design_effect:.2f}" for one in plans)
        said.append(f"clusters ask for so many times more items: {effects}")
    return said
