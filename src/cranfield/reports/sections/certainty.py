"""Certainty: the interval of every score, drawn, one measure at a time."""

from __future__ import annotations

import math

from cranfield.measures import Measure
from cranfield.reports.choice import choice
from cranfield.reports.findings import Findings
from cranfield.reports.graphics import Scale, interval, lanes
from cranfield.reports.naming import named, slug, titled
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table
from cranfield.show.markup import Html, joined, paragraphs


def section(found: Findings) -> Section | None:
    if found.intervals is None or not len(found.intervals):
        return None
    tables = [(str(one), _table(found, one)) for one in found.standings.measures]
    shown = choice("Measure", [(name, table.html) for name, table in tables])
    return Section(
        "certainty",
        "How sure are the scores?",
        "A dot is a score, a line its interval: where the score may lie for more of the same.",
        joined([shown, paragraphs(found.intervals.result.remarks, class_="remark")]),
        tuple(table for _, table in tables),
    )


def _table(found: Findings, one: Measure) -> Table:
    runs = found.standings.order(one)
    sure = [found.interval(run, one) for run in runs]
    values = [found.standings.value(run, one) for run in runs]
    ends = [end for known in sure if known for end in (known.low, known.high)]
    scale, groups = Scale.over([*values, *ends]), _lanes(found, one, runs)
    columns = [
        Column("run", css="name"),
        *([Column("alike", Html("&nbsp;"), place="page", css="lane")] if groups else []),
        Column("interval", scale.axis, place="page", css="drawn"),
        *(Column(name) for name in ("score", "low", "high")),
    ]
    rows: list[Row] = []
    for place, (run, value, known) in enumerate(zip(runs, values, sure, strict=True)):
        low, high = (known.low, known.high) if known else (math.nan, math.nan)
        bars = [Cell(None, lanes(groups, place))] if groups else []
        drawn = Cell(None, interval(scale, value, low, high))
        rows.append([Cell(run, named(found, run)), *bars, drawn, value, low, high])
    caption = titled(one)
    if groups:
        caption += "; bars join neighbours that do not differ significantly"
    return Table(
        f"intervals-{slug(one)}",
        caption,
        columns,
        rows,
        "charted",
        sortable=False,
        row_css=[found.kind(run) for run in runs],
    )


def _lanes(found: Findings, one: Measure, runs: tuple[str, ...]) -> list[list[range]]:
    """Stretches of rows whose runs do not differ, side by side where they overlap."""
    if found.tournament is None or found.tournament.measure != one:
        return []
    places = {run: place for place, run in enumerate(runs)}
    groups = [group for group in found.tournament.groups(found.alpha) if len(group) > 1]
    found_lanes: list[list[range]] = []
    for group in groups:
        stretch = range(places[group[0]], places[group[-1]] + 1)
        free = (lane for lane in found_lanes if lane[-1].stop <= stretch.start)
        lane = next(free, None)
        if lane is None:
            found_lanes.append([stretch])
        else:
            lane.append(stretch)
    return found_lanes
