"""Concepts: which run is good at which concept, as a table whose cells are coloured."""

from __future__ import annotations

import math

import numpy as np

from cranfield.core.matrices import Floats, Ints
from cranfield.errors import several
from cranfield.measures import Measure
from cranfield.reports.choice import choice
from cranfield.reports.findings import Findings
from cranfield.reports.graphics import Heat, short
from cranfield.reports.naming import emphasised, slug, titled
from cranfield.reports.section import Section
from cranfield.reports.tables import Cell, Column, Row, Table
from cranfield.show.markup import NOTHING, Html, element, joined

_CONCEPTS, _RUNS = 120, 80
"""Rows and columns that stay readable."""


def section(found: Findings) -> Section | None:
    measures = found.of_direction("concept")
    if not measures or not found.truth.concepts:
        return None
    maps = [(one, _map(found, one)) for one in measures]
    panels = [(str(one), joined([heat.legend, table.html])) for one, (table, heat) in maps]
    return Section(
        "concepts",
        "Which concepts are hard?",
        "Concepts from the hardest to the easiest on average over systems, runs from the best to "
        "the worst. Click a heading to sort.",
        joined([choice("Measure", panels), _left_out(found)]),
        tuple(table for _, (table, _) in maps),
        _finding(found, measures[0]),
    )


def _map(found: Findings, one: Measure) -> tuple[Table, Heat]:
    runs = found.standings.runs[:_RUNS]
    values = np.array([found.result.units(run, one) for run in runs])
    average = found.by_unit(one)[1]
    shown, heat = _hardest(average, one)[:_CONCEPTS], Heat.of(values, one)
    frequency = found.truth.totals(0, found.truth.unjudged).positives
    names = found.truth.concepts
    columns = (
        Column("concept", css="name"),
        Column("positives", "n", css="dim"),
        Column("mean", digits=3, css="mean"),
        *(Column(run, element("span", run), 3, css="run") for run in runs),
    )
    best = _best(values, one)
    rows: list[Row] = []
    for place in shown.tolist():
        cells = [
            Cell(value, _cell(value, strong=value == best[place]), css=heat.level(value))
            for value in values[:, place].tolist()
        ]
        label = Cell(names[place], Html(element("span", found.called(names[place]), class_="id")))
        rows.append([label, int(frequency[place]), float(average[place]), *cells])
    caption = f"Scores of concepts by {titled(one)}"
    return Table(f"concepts-{slug(one)}", caption, columns, rows, "heat"), heat


def _cell(value: float, *, strong: bool) -> Html:
    return element("b", short(value)) if strong else short(value)


def _hardest(average: Floats, one: Measure) -> Ints:
    """Places of concepts, the hardest first, undefined ones last."""
    sign = -1.0 if one.traits.better == "lower" else 1.0
    return np.argsort(sign * average, kind="stable")


def _best(values: Floats, one: Measure) -> list[float]:
    """The best value of each concept; NaN where there is none."""
    worst = math.inf if one.traits.better == "lower" else -math.inf
    filled = np.where(np.isfinite(values), values, worst)
    best = filled.min(axis=0) if one.traits.better == "lower" else filled.max(axis=0)
    return [value if math.isfinite(value) else math.nan for value in best.tolist()]


def _left_out(found: Findings) -> Html:
    there, runs = len(found.truth.concepts), len(found.standings.runs)
    said = []
    if there > _CONCEPTS:
        said.append(f"the {_CONCEPTS} hardest of {several(there, 'concept')}")
    if runs > _RUNS:
        said.append(f"the best {_RUNS} of {runs} runs")
    if not said:
        return NOTHING
    text = f"Shown are {' and '.join(said)}; cranfield evaluate --per-unit --csv has all."
    return element("p", text, class_="remark")


def _finding(found: Findings, one: Measure) -> Html:
    average = found.by_unit(one)[1]
    order = [place for place in _hardest(average, one).tolist() if math.isfinite(average[place])]
    if len(order) < 2:
        return NOTHING
    hardest, easiest = (found.truth.concepts[order[place]] for place in (0, -1))
    return joined(
        [
            "The hardest concept is ", emphasised(found.called(hardest)),
            f" ({average[order[0]]:.2f} by {one} on average), the easiest ",
            emphasised(found.called(easiest)), f" ({average[order[-1]]:.2f}).",
        ]
    )  # fmt: skip
