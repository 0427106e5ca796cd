"""Pictures of how measures agree: dendrograms, runs by all pairs of measures, items by two of them.

After Nowak 2011: Figures 8.2 and 9.2 (dendrograms), 7.8 and 9.3 (runs), 9.4 and 9.5 (items).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.report.pictures import COLOURS, INK, Spec, page
from cranfield.report.scales import tooltip
from cranfield.statistics.correlation import Merge
from cranfield.studies.field import KINDS, Field
from cranfield.studies.measure_correlation import MeasureCorrelation, clustered

_WIDTH, _LEAF = 560, 22
_ROOM = 900
"""Points for the panels of a matrix, side by side."""
_SPOTS = 100
"""Items that fall on the same of so many spots along a side are drawn once."""
_SHOWN = 12
"""Runs whose items are drawn, as in Figure 9.5."""
_SIDE, _COLUMNS = 220, 4
_STAR = (
    "M0,-1.6L0.4,-0.55L1.5,-0.5L0.65,0.2L0.95,1.3L0,0.65L-0.95,1.3L-0.65,0.2L-1.5,-0.5L-0.4,-0.55Z"
)


def measure_correlation_picture(found: MeasureCorrelation, parts: Sequence[str]) -> Spec:
    """Some of "dendrogram", "systems" and "items", one below the other."""
    drawn = {"dendrogram": _dendrograms, "systems": _systems, "items": _items}
    return page(*(part for name in parts for part in drawn[name](found)))


# ── dendrograms ───────────────────────────────────────────────────────────────────────────────


def _dendrograms(found: MeasureCorrelation) -> list[Spec]:
    runs = several(len(found.field.systems), "run")
    drawn = [_dendrogram(f"Rankings of {runs}", *found.clusters())]
    if found.items is not None:
        merged = clustered(found.items.measures, found.items.mean)
        drawn.append(_dendrogram(f"Rankings of items, mean over {runs}", *merged))
    return drawn


def _dendrogram(title: str, measures: tuple[Measure, ...], merges: tuple[Merge, ...]) -> Spec:
    if len(measures) < 2:
        raise InputError("fewer than two measures rank the runs, so there is no tree to draw")
    places, lines = _branches(len(measures), merges)
    order = sorted(range(len(measures)), key=places.__getitem__)
    names = [str(measures[place]) for place in order]
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "title": "1 − τ",
        "scale": {"domain": [0, max(merge.distance for merge in merges) * 1.03 or 1.0]},
        "axis": {"grid": False, "labelFlush": False},
    }
    y: Spec = {
        "field": "y",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [len(names) - 0.5, -0.5], "nice": False, "zero": False},
        "axis": {
            "values": list(range(len(names))),
            "labelExpr": f"{json.dumps(names)}[datum.value]",
            "labelLimit": 240,
            "labelColor": INK,
            "grid": False,
        },
    }
    return {
        "title": {"text": title, "subtitle": "measures that agree are joined early (mean τ)"},
        "width": _WIDTH,
        "height": _LEAF * len(names),
        "data": {"values": lines},
        "mark": {"type": "rule", "color": COLOURS[0], "strokeWidth": 1.6, "strokeCap": "round"},
        "encoding": {
            "x": x,
            "x2": {"field": "to_x"},
            "y": y,
            "y2": {"field": "to_y"},
            "tooltip": tooltip(("tau", "mean τ")),
        },
    }


def _branches(count: int, merges: tuple[Merge, ...]) -> tuple[list[float], list[Spec]]:
    """Where leaves and merges stand, from the top, and the lines between them."""
    members: dict[int, list[int]] = {place: [place] for place in range(count)}
    for number, merge in enumerate(merges, start=count):
        members[number] = members[merge.left] + members[merge.right]
    heights = [0.0] * count + [merge.distance for merge in merges]
    places = [0.0] * (count + len(merges))
    for row, leaf in enumerate(members[count + len(merges) - 1]):
        places[leaf] = float(row)
    lines = []
    for number, merge in enumerate(merges, start=count):
        ends = places[merge.left], places[merge.right]
        places[number] = sum(ends) / 2
        tau = round(1 - merge.distance, 4)
        for child, end in zip((merge.left, merge.right), ends, strict=True):
            lines.append(_line(heights[child], merge.distance, end, end, tau))
        lines.append(_line(merge.distance, merge.distance, *ends, tau))
    return places, lines


def _line(x: float, to_x: float, y: float, to_y: float, tau: float) -> Spec:
    ends = {"x": x, "to_x": to_x, "y": y, "to_y": to_y}
    return {name: round(value, 5) for name, value in ends.items()} | {"tau": tau}


# ── runs ──────────────────────────────────────────────────────────────────────────────────────


def run_marks(kinds: Sequence[str] = KINDS) -> Spec:
    """Dots, crosses and a star, as in Nowak 2011."""
    scale = {"domain": list(KINDS)}
    legend = {"orient": "top", "values": list(kinds)}
    return {
        "color": {
            "field": "kind",
            "type": "nominal",
            "title": None,
            "scale": scale | {"range": ["#0072b2", "#d55e00", "#009e73"]},
            "legend": legend,
        },
        "shape": {
            "field": "kind",
            "type": "nominal",
            "title": None,
            "scale": scale | {"range": ["circle", "cross", _STAR]},
            "legend": legend,
        },
    }  # fmt: skip


def run_records(field: Field) -> list[dict[str, Any]]:
    """For each run its name, kind and scores, as m0, m1 …; measures that are undefined are null."""
    columns = field.scores(field.runs).T
    return [
        {"run": run, "kind": field.kind(run)}
        | {f"m{place}": _finite(value) for place, value in enumerate(column.tolist())}
        for run, column in zip(field.runs, columns, strict=True)
    ]


def _systems(found: MeasureCorrelation) -> list[Spec]:
    """All pairs of measures, below the diagonal."""
    count = len(found.measures)
    side = max(50, min(200, _ROOM // max(1, count - 1)))
    kinds = [
        kind for kind in KINDS if any(found.field.kind(run) == kind for run in found.field.runs)
    ]
    rows = [
        {
            "hconcat": [_panel(found, row, column, side, kinds) for column in range(row)],
            "spacing": 12,
        }
        for row in range(1, count)
    ]
    return [
        {
            "title": {
                "text": "Runs by pairs of measures",
                "subtitle": "losses are drawn downwards, so that the better is always at the top "
                "right",
            },
            "data": {"values": run_records(found.field)},
            "vconcat": rows,
            "spacing": 12,
        }
    ]


def _panel(
    found: MeasureCorrelation, row: int, column: int, side: int, kinds: Sequence[str]
) -> Spec:
    first, last = column == 0, row == len(found.measures) - 1
    return {
        "width": side,
        "height": side,
        "mark": {"type": "point", "filled": True, "size": 18 if side < 120 else 34, "opacity": 0.8},
        "encoding": {
            "x": _score_axis(found.measures[column], column, labelled=last),
            "y": _score_axis(found.measures[row], row, labelled=first),
            **run_marks(kinds),
            "tooltip": tooltip(
                "run",
                (f"m{column}", str(found.measures[column])),
                (f"m{row}", str(found.measures[row])),
            ),
        },
    }


def _score_axis(measure: Measure, place: int, *, labelled: bool) -> Spec:
    return {
        "field": f"m{place}",
        "type": "quantitative",
        "title": str(measure) if labelled else None,
        "scale": {"zero": False, "reverse": measure.traits.better == "lower"},
        "axis": {"tickCount": 3, "labels": labelled, "titleFontSize": 10, "labelFontSize": 9},
    }


# ── items ─────────────────────────────────────────────────────────────────────────────────────


def _items(found: MeasureCorrelation) -> list[Spec]:
    """The scores of all items by the first two example-based measures, a frame for each run."""
    if found.items is None:
        raise InputError(
            "items are drawn by two example-based measures; give two of them, such as example.RP "
            "and SRP"
        )
    one, other = found.items.measures[:2]
    shown = found.field.systems[:_SHOWN]
    frames = [_item_frame(found.field, run, one, other) for run in shown]
    return [
        {
            "title": {
                "text": "Items by two measures",
                "subtitle": f"{several(len(shown), 'run')}; larger dots are several items",
            },
            "concat": frames,
            "columns": _COLUMNS,
            "spacing": 24,
        }
    ]


def _item_frame(field: Field, run: str, one: Measure, other: Measure) -> Spec:
    x, y = (field.evaluation.units(run, m) for m in (one, other))
    known = ~np.isnan(x) & ~np.isnan(y)
    spots, counts = np.unique(
        np.column_stack([_rounded(x[known]), _rounded(y[known])]), axis=0, return_counts=True
    )
    return {
        "title": {"text": run, "fontSize": 12, "offset": 4},
        "width": _SIDE,
        "height": _SIDE,
        "data": {
            "values": [
                {"x": round(a, 4), "y": round(b, 4), "items": count}
                for (a, b), count in zip(spots.tolist(), counts.tolist(), strict=True)
            ]
        },
        "mark": {"type": "circle", "color": COLOURS[0], "opacity": 0.55},
        "encoding": {
            "x": _unit_axis("x", one),
            "y": _unit_axis("y", other),
            "size": {
                "field": "items",
                "type": "quantitative",
                "scale": {"range": [6, 90]},
                "legend": None,
            },
            "tooltip": tooltip(("x", str(one)), ("y", str(other)), "items"),
        },
    }


def _unit_axis(field: str, measure: Measure) -> Spec:
    axis: Spec = {"field": field, "type": "quantitative", "title": str(measure)}
    if all(map(math.isfinite, measure.traits.range)):
        axis["scale"] = {"domain": list(measure.traits.range), "nice": False}
        axis["axis"] = {"tickCount": 5, "labelFlush": False}
    return axis


def _rounded(values: Any) -> Any:
    reach = float(np.ptp(values)) if len(values) else 0.0
    step = (reach or 1.0) / _SPOTS
    return np.round(values / step) * step


def _finite(value: float) -> float | None:
    return round(value, 6) if np.isfinite(value) else None
