"""Items: how the scores of single items spread, and which items no run gets right."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.measures import Measure
from cranfield.reports.choice import choice
from cranfield.reports.findings import Findings
from cranfield.reports.graphics import Scale, histogram
from cranfield.reports.naming import emphasised, named, slug, titled
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table, written
from cranfield.show.markup import NOTHING, Html, element, joined

_BINS = 25
_WORST = 25
"""Items that are listed."""
_LABELS = 8
"""Labels of an item that are named."""


def section(found: Findings) -> Section | None:
    measures = found.of_direction("example")
    if not measures or not found.truth.items or found.truth.open:
        return None
    panels, tables = [], []
    for one in measures:
        spread, worst = _spread(found, one), _worst(found, one)
        tables += [spread, worst]
        panels.append((str(one), joined([spread.html, worst.html])))
    return Section(
        "items",
        "Which items are hard?",
        "Each hill shows how many items have which score; the line marks the middle one. Below, "
        "the items with the worst scores on average over systems, and what is true of them.",
        choice("Measure", panels),
        tuple(tables),
        _finding(found, measures[0]),
    )


def _spread(found: Findings, one: Measure) -> Table:
    runs = found.standings.order(one)
    values = {run: _ascending(found.result.units(run, one)) for run in runs}
    scale = _scale(one, values.values())
    edges = np.linspace(scale.low, scale.high, _BINS + 1)[1:-1]
    columns = (
        Column("run", css="name"),
        Column("spread", scale.axis, place="page", css="drawn hills"),
        *(Column(name, digits=3) for name in ("lower quarter", "median", "upper quarter", "mean")),
    )
    rows: list[Row] = []
    for run in runs:
        own = values[run]
        quarters = np.quantile(own, [0.25, 0.5, 0.75]).tolist() if len(own) else [math.nan] * 3
        counts = np.diff(np.searchsorted(own, edges), prepend=0, append=len(own))
        low, median, high = (written(value, 3) for value in quarters)
        label = f"half of the items lie between {low} and {high}, the middle at {median}"
        drawn = histogram(counts / max(1, len(own)), quarters[1], scale, label)
        mean = found.standings.value(run, one)
        rows.append([Cell(run, named(found, run)), Cell(None, drawn), *quarters, mean])
    return Table(
        f"items-{slug(one)}",
        f"Scores of items by {titled(one)}",
        columns,
        rows,
        "charted",
        sortable=False,
        row_css=[found.kind(run) for run in runs],
    )


def _ascending(values: Floats) -> Floats:
    """Those that are defined, in order."""
    return np.sort(values[np.isfinite(values)])


def _scale(one: Measure, values: Iterable[Floats]) -> Scale:
    """The range of a measure, or that of the scores where it is open."""
    low, high = one.traits.range
    if math.isfinite(low) and math.isfinite(high):
        return Scale.over([low, high])
    return Scale.over(float(end) for own in values if len(own) for end in own[[0, -1]])


# ── the worst ─────────────────────────────────────────────────────────────────────────────────


def _hardest(found: Findings, mean: Floats, one: Measure) -> Ints:
    """Places of items, the worst first; equals by id, undefined ones nowhere."""
    by_id = canonical_order(found.truth.item_axis)
    sign = -1.0 if one.traits.better == "lower" else 1.0
    ordered = by_id[np.argsort(sign * mean[by_id], kind="stable")]
    return ordered[np.isfinite(mean[ordered])]


def _worst(found: Findings, one: Measure) -> Table:
    values, mean = found.by_unit(one)
    columns = (
        Column("item", css="name"),
        Column("mean", digits=3),
        Column("best", digits=3),
        Column("best run", "by", css="name"),
        Column("labels", "true labels", css="labels"),
    )
    rows: list[Row] = []
    pick = np.nanargmin if one.traits.better == "lower" else np.nanargmax
    for place in _hardest(found, mean, one)[:_WORST].tolist():
        best = int(pick(values[:, place]))
        rows.append(
            [
                Cell(
                    found.truth.items[place], element("span", found.truth.items[place], class_="id")
                ),
                float(mean[place]),
                float(values[best, place]),
                found.systems[best],
                _labels(found, place),
            ]
        )
    caption = f"The {len(rows)} hardest items by {one}"
    return Table(f"hardest-items-{slug(one)}", caption, columns, rows)


def _labels(found: Findings, place: int) -> str:
    names = [found.truth.concepts[j] for j in np.flatnonzero(found.truth.labels[place]).tolist()]
    more = f" and {len(names) - _LABELS} more" if len(names) > _LABELS else ""
    return ", ".join(names[:_LABELS]) + more or "none"


def _finding(found: Findings, one: Measure) -> Html:
    mean = found.by_unit(one)[1]
    order = _hardest(found, mean, one)
    if not len(order):
        return NOTHING
    worst = found.truth.items[int(order[0])]
    average = written(float(mean[order[0]]), 3)
    return joined(["The hardest item is ", emphasised(worst), f" ({average} by {one} on average)."])
