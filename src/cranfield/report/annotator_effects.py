"""What the choice of annotators does to rankings: tables, CSV, JSON and a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from cranfield.core.matrices import Bools, Floats
from cranfield.core.reference_names import references_remark
from cranfield.errors import several
from cranfield.measures.declare import mean_of_known
from cranfield.report.pictures import Spec, page
from cranfield.report.scales import HEAT, coloured_series, named_axis, step_of, tooltip
from cranfield.report.standings import UNDEFINED
from cranfield.report.study_tables import SquareTable, as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.rank_correlation import critical_shift
from cranfield.studies.annotator_effect import AnnotatorEffect
from cranfield.studies.field import DISCORDANT
from cranfield.studies.records import defined, listed

_MOVES = 10
"""Runs that a table of moves lists."""
_ROOM, _WIDTH, _HEIGHT = 460, 420, 260


def effect_tables(found: AnnotatorEffect) -> Group:
    """τ between all truths for each measure, how many annotators are needed, who moves."""
    parts: list[RenderableType] = [
        SquareTable(
            f"τ by {one}", found.truths, found.tau[place], _discordant(found, place), DISCORDANT
        )
        for place, one in enumerate(found.measures)
    ]
    parts.append(_summary(found))
    if found.sizes:
        parts.append(_needed(found))
    parts.append(_movers(found))
    return Group(*parts, *map(remark, _remarks(found)))


def _discordant(found: AnnotatorEffect, place: int) -> Bools:
    """(truths, truths): where a ranking is another one; what is undefined is no other."""
    return np.asarray(~found.concordant[place] & ~np.isnan(found.tau[place]))


def _concordant(found: AnnotatorEffect, place: int) -> list[list[bool | None]]:
    """(truths, truths), None where there is nothing to test."""
    tested = found.concordant[place].astype(object)
    tested[np.isnan(found.shift[place])] = None
    rows: list[list[bool | None]] = tested.tolist()
    return rows


def _summary(found: AnnotatorEffect) -> RenderableType:
    table = plain_table()
    table.add_column("measure")
    for heading in ("annotators", "and Merged", "with Merged"):
        table.add_column(heading, justify="right", no_wrap=True)
    without, merged = found.mean_tau(merged=False), found.mean_tau()
    for place, one in enumerate(found.measures):
        own = found.tau[place, : found.annotators, -1]
        table.add_row(
            cut_name(str(one)),
            number(float(without[place])),
            number(float(merged[place])),
            number(float(mean_of_known(own))),
        )
    return Group(Text("\n  Mean τ", style="bold"), table)


def _needed(found: AnnotatorEffect) -> RenderableType:
    table = plain_table()
    table.add_column("measure")
    for size in found.sizes:
        table.add_column(str(size), justify="right", no_wrap=True)
    for place, one in enumerate(found.measures):
        means = found.by_size[place].mean(axis=1)
        table.add_row(cut_name(str(one)), *(number(float(mean)) for mean in means))
    return Group(Text("\n  Mean τ with Merged of so many annotators an item", style="bold"), table)


def _movers(found: AnnotatorEffect) -> RenderableType:
    table = plain_table()
    table.add_column("run")
    for one in found.measures:
        table.add_column(cut_name(str(one)), justify="right", no_wrap=True)
    spread = _spread(found)
    order = np.argsort(-mean_of_known(spread.T), kind="stable")[:_MOVES]
    for run in order.tolist():
        cells = [_span(ranks) for ranks in found.ranks[:, :, run]]
        table.add_row(cut_name(found.runs[run]), *cells)
    title = "\n  Runs that move most: rank by Merged (best and worst by any truth)"
    return Group(Text(title, style="bold"), table)


def _span(ranks: Floats) -> str:
    """The rank of a run by the merged truth, and its best and worst by any that ranks it."""
    known = ranks[~np.isnan(ranks)]
    if not len(known):
        return UNDEFINED
    merged = UNDEFINED if np.isnan(ranks[-1]) else f"{ranks[-1]:g}"
    return f"{merged} ({known.min():g}–{known.max():g})"


def _spread(found: AnnotatorEffect) -> Floats:
    """(measures, runs): how many ranks lie between the best and the worst."""
    known = ~np.isnan(found.ranks)
    best = np.where(known, found.ranks, np.inf).min(axis=1)
    worst = np.where(known, found.ranks, -np.inf).max(axis=1)
    return np.where(known.any(axis=1), worst - best, np.nan)


def _remarks(found: AnnotatorEffect) -> Iterator[str]:
    critical = critical_shift(len(found.runs))
    yield (
        f"{DISCORDANT} discordant by Kolmogorov and Smirnov: some run moves by more than "
        f"{critical:.3f} of the {several(len(found.runs), 'rank')}"
    )
    if np.isnan(found.tau).any():
        yield f"{UNDEFINED} a truth gives all runs the same score, or some run none"
    if found.passed_over:
        yield references_remark(found.passed_over)
    if found.left_out:
        yield (
            f"{several(len(found.left_out), 'annotator')} voted on too few items to rank runs by; "
            "they count in groups and in Merged (--least)"
        )
    if found.sizes:
        yield f"numbers of annotators: mean over {several(found.by_size.shape[2], 'draw')}"


def effect_content(found: AnnotatorEffect) -> dict[str, Any]:
    """Everything, for JSON."""
    return {
        "truths": list(found.truths),
        "annotators": found.annotators,
        "left_out": list(found.left_out),
        "runs": list(found.runs),
        "passed_over": list(found.passed_over),
        "critical_shift": critical_shift(len(found.runs)),
        "sizes": list(found.sizes),
        "measures": [
            {
                "measure": str(one),
                "tau": listed(found.tau[place]),
                "shift": listed(found.shift[place]),
                "concordant": _concordant(found, place),
                "mean_tau": defined(float(found.mean_tau(merged=False)[place])),
                "mean_tau_with_merged": defined(float(found.mean_tau()[place])),
                "ranks": listed(found.ranks[place]),
                "by_size": listed(found.by_size[place]),
            }
            for place, one in enumerate(found.measures)
        ],
    }


def effect_csv(found: AnnotatorEffect) -> str:
    """A line for each measure and pair of truths."""
    return as_csv(
        {
            "measure": str(one),
            "truth": found.truths[row],
            "other": found.truths[column],
            "tau": defined(float(found.tau[place, row, column])),
            "shift": defined(float(found.shift[place, row, column])),
            "concordant": concordant[row][column],
        }
        for place, one in enumerate(found.measures)
        for concordant in [_concordant(found, place)]
        for row in range(len(found.truths))
        for column in range(row + 1, len(found.truths))
    )


def effect_picture(found: AnnotatorEffect) -> Spec:
    """τ between all truths as heat maps, and τ over the number of annotators."""
    parts = [_heat(found, place) for place in range(len(found.measures))]
    if found.sizes:
        parts.append(_curve(found))
    return page(*parts)


def _heat(found: AnnotatorEffect, place: int) -> Spec:
    names, step = found.truths, step_of(len(found.truths), _ROOM)
    values = [
        {
            "row": row,
            "column": column,
            "truth": names[row],
            "other": names[column],
            "tau": round(float(found.tau[place, row, column]), 4),
            "concordant": "yes" if found.concordant[place, row, column] else "no",
        }
        for row in range(len(names))
        for column in range(len(names))
        if row != column and np.isfinite(found.tau[place, row, column])
    ]
    return {
        "title": {
            "text": f"Rankings by {found.measures[place]}",
            "subtitle": "τ between truths; framed: discordant",
        },
        "width": step * len(names),
        "height": step * len(names),
        "data": {"values": values},
        "mark": {"type": "rect"},
        "encoding": {
            "x": named_axis("column", names, step),
            "y": named_axis("row", names, step),
            "color": {
                "field": "tau",
                "type": "quantitative",
                "title": "τ",
                "scale": {"range": list(HEAT), "zero": False},
            },
            "stroke": {
                "condition": {"test": "datum.concordant == 'no'", "value": "#d55e00"},
                "value": None,
            },
            "tooltip": tooltip("truth", "other", ("tau", "τ"), "concordant"),
        },
    }


def _curve(found: AnnotatorEffect) -> Spec:
    names = [str(one) for one in found.measures]
    values = [
        {
            "measure": names[place],
            "annotators": size,
            "tau": round(float(draws.mean()), 4),
            "lowest": round(float(draws.min()), 4),
            "highest": round(float(draws.max()), 4),
        }
        for place in range(len(names))
        for size, draws in zip(found.sizes, found.by_size[place], strict=True)
        if np.isfinite(draws).all()
    ]
    x = {
        "field": "annotators",
        "type": "quantitative",
        "scale": {"type": "log", "nice": False},
        "axis": {"values": list(found.sizes), "labelFlush": False},
        "title": "annotators an item",
    }
    y = {"field": "tau", "type": "quantitative", "title": "τ with Merged", "scale": {"zero": False}}
    colour = coloured_series("measure", names)
    told = tooltip("measure", "annotators", ("tau", "τ"), "lowest", "highest")
    return {
        "title": {"text": "How many annotators are needed?", "subtitle": "mean and range of draws"},
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rule", "opacity": 0.35},
                "encoding": {
                    "x": x,
                    "y": y | {"field": "lowest"},
                    "y2": {"field": "highest"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "line", "point": {"filled": True, "size": 40}},
                "encoding": {"x": x, "y": y, "color": colour, "tooltip": told},
            },
        ],
    }
