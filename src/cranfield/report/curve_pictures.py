"""Pictures of precision-recall and ROC curves: runs in one frame, a frame for each concept.

Where a run stands with the decisions it has made is a mark on its curve. Interpolated curves are
staircases, with the pairs of each rank as dots (Weber §1.4). Points that fall on the same spot are
drawn once, so that long lists make small files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import InputError, several
from cranfield.report.pictures import FAINT, INK, Spec, page
from cranfield.report.scales import (
    coloured_series,
    dashed_series,
    shaped_series,
    share_axis,
    tooltip,
)
from cranfield.tasks.retrieval.curves import Curve, Curves

Kind = Literal["pr", "roc"]

_ALONE, _PANEL = 440, 250
"""The side of a single frame, and of one of several."""
_SIDE_BY_SIDE, _FRAMES = 3, 24
_SPOTS = 2
"""Spots for each point of a side; what falls on the same one is drawn once."""
_DOTTED = 60
"""Curves with more points than this are lines without dots."""


class _Axes(NamedTuple):
    """What a kind of curve is drawn of: fields, their titles, and the title of the whole."""

    x: str
    y: str
    across: str
    up: str
    title: str


_AXES = {
    "pr": _Axes("recall", "precision", "recall", "precision", "Precision and recall"),
    "roc": _Axes(
        "fallout", "recall", "false positive rate (fallout)", "true positive rate (recall)", "ROC"
    ),
}
_AVERAGES = {
    "pooled": "all cells as one list",
    "ranks": "mean over {} of precision and recall at ranks",
    "recall": "mean over {} of the best precision at each recall or more",
}


def curve_picture(
    curves: Curves, *, kind: Kind = "pr", interpolated: bool = False, marked: str | None = None
) -> Spec:
    """The curves of all runs; those of single concepts in a frame for each concept.

    marked  what the marks are, written beside them; without it, the decisions of runs
    """
    if kind == "roc" and curves.average in ("ranks", "recall"):
        raise InputError(
            f"average={curves.average!r} is for precision and recall; draw ROC curves of single "
            "concepts, or pooled"
        )
    if not len(curves):
        raise InputError("there is no curve to draw: no concept has positives")
    runs = list(dict.fromkeys(curve.run for curve in curves))
    concepts = list(dict.fromkeys(curve.concept for curve in curves))
    shown = concepts[:_FRAMES]
    side = _ALONE if len(shown) == 1 else _PANEL
    frames = []
    for concept in shown:
        own = [curve for curve in curves if curve.concept == concept]
        frame = _frame(own, runs, kind, side=side, stairs=interpolated, marked=marked)
        if concept is not None and len(shown) > 1:
            frame["title"] = {"text": concept, "fontSize": 12}
        frames.append(frame)
    rows = [frames[at : at + _SIDE_BY_SIDE] for at in range(0, len(frames), _SIDE_BY_SIDE)]
    alone = len(shown) == 1 and shown[0] is not None
    title = f"{_AXES[kind].title}: {shown[0]}" if alone else _AXES[kind].title
    whole: Spec = {
        "title": {"text": title, "subtitle": _told(curves, runs, len(shown), len(concepts))},
        "vconcat": [{"hconcat": row, "spacing": 28} for row in rows],
        "spacing": 28,
        "resolve": {"scale": dict.fromkeys(("color", "shape", "strokeDash"), "shared")},
    }
    return page(whole)


def _told(curves: Curves, runs: Sequence[str], shown: int, concepts: int) -> list[str]:
    # A legend names runs only where there are several.
    name = f"{runs[0]}; " if len(runs) == 1 else ""
    ties = f"ties: {curves.ties}"
    if curves.average != "none":
        made_of = several(max(curve.concepts for curve in curves), "concept")
        return [f"{name}{_AVERAGES[curves.average].format(made_of)}; {ties}"]
    part = "" if shown == concepts else f"; the first {shown} of {concepts} concepts"
    return [f"{name}{ties}{part}"]


def _frame(
    curves: Sequence[Curve],
    runs: Sequence[str],
    kind: Kind,
    *,
    side: int,
    stairs: bool,
    marked: str | None,
) -> Spec:
    axes = _AXES[kind]
    position = {"x": share_axis(axes.x, axes.across), "y": share_axis(axes.y, axes.up)}
    series = {"color": coloured_series("run", runs), "strokeDash": dashed_series("run", runs)}
    layers: list[Spec] = []
    if kind == "roc":
        layers.append(_chance(position))
    lines = [_line(curve, kind, side=side, stairs=stairs) for curve in curves]
    layers += [
        {
            "data": {"values": line},
            "mark": _mark(line, stairs=stairs and kind == "pr"),
            "encoding": {
                **position,
                **series,
                "order": {"field": "step"},
                "tooltip": _tell(line[0]),
            },
        }
        for line in lines
        if line
    ]
    if stairs and kind == "pr":
        layers += [_pairs(curve, position, runs, side) for curve in curves]
    marks = [mark for curve in curves for mark in _operating(curve, marked or "decided")]
    if marks:
        layers.append(_marks(marks, position, runs))
    if marked is not None:
        layers += [_words(one, position, kind) for one in marks if one[axes.x] is not None]
    return {"width": side, "height": side, "layer": layers}


def _mark(line: Sequence[Spec], *, stairs: bool) -> Spec:
    # Invisible dots bring the tooltips of long curves.
    dots = {"filled": True, "size": 24} if len(line) <= _DOTTED and not stairs else "transparent"
    interpolate = "step-before" if stairs else "linear"
    return {"type": "line", "strokeWidth": 1.8, "interpolate": interpolate, "point": dots}


def _line(curve: Curve, kind: Kind, *, side: int, stairs: bool) -> list[Spec]:
    """The vertices of a curve."""
    if kind == "roc":
        fallout, recall = curve.roc
        if not len(fallout):
            return []
        inner = np.flatnonzero(_distinct(fallout, recall, side)[1:-1])
        start, end = ({"fallout": corner, "recall": corner} for corner in (0.0, 1.0))
        vertices = [start, *_points(curve, inner), end]
    else:
        height = curve.interpolated if stairs else curve.precision
        places = np.flatnonzero(_distinct(curve.recall, height, side))
        points = zip(_points(curve, places), height[places].tolist(), strict=True)
        vertices = [{**point, "precision": y} for point, y in points]
        if stairs and vertices:
            # The staircase begins at a recall of 0.
            vertices.insert(0, {**vertices[0], "recall": 0.0})
    name = {"run": curve.run, "concept": curve.concept or "all"}
    return [{**name, **one, "step": step} for step, one in enumerate(vertices)]


def _points(curve: Curve, places: Ints) -> list[Spec]:
    left_out = ("run", "concept", "interpolated")
    return [
        {name: value for name, value in row.items() if name not in left_out}
        for row in curve.rows(places)
    ]


def _distinct(x: Floats, y: Floats, side: int) -> Bools:
    """Which points to draw: those that do not fall on the spot of the one before, and the ends."""
    spots = np.round(np.stack([x, y]) * side * _SPOTS)
    kept = np.ones(len(x), dtype=np.bool_)
    kept[1:] = (np.diff(spots) != 0).any(axis=0)
    kept[-1:] = True
    return kept


def _pairs(curve: Curve, position: Spec, runs: Sequence[str], side: int) -> Spec:
    """The pairs of precision and recall of all ranks, as dots."""
    line = _line(curve, "pr", side=side, stairs=False)
    return {
        "data": {"values": line},
        "mark": {"type": "circle", "size": 14, "opacity": 0.55},
        "encoding": {
            **position,
            "color": coloured_series("run", runs),
            "tooltip": _tell(line[0] if line else {}),
        },
    }


def _operating(curve: Curve, point: str) -> list[Spec]:
    at = curve.operating
    if at is None:
        return []
    values = {"precision": at.precision, "recall": at.recall, "fallout": at.fallout}
    told = {name: None if value != value else value for name, value in values.items()}
    return [{"run": curve.run, "concept": curve.concept or "all", "point": point, **told}]


def _marks(marks: Sequence[Spec], position: Spec, runs: Sequence[str]) -> Spec:
    return {
        "data": {"values": list(marks)},
        "mark": {
            "type": "point",
            "filled": True,
            "size": 110,
            "stroke": "white",
            "strokeWidth": 1.5,
            "opacity": 1,
        },
        "encoding": {
            **position,
            "color": coloured_series("run", runs),
            "shape": shaped_series("run", runs),
            "tooltip": _tell(marks[0]),
        },
    }


def _words(mark: Spec, position: Spec, kind: Kind) -> Spec:
    """What a mark is, where the curve leaves room: ROC curves rise, the others fall."""
    right = mark[_AXES[kind].x] > 0.5
    look = {"align": "right", "dx": -10} if right else {"align": "left", "dx": 10}
    dy = -10 if right == (kind == "roc") else 12
    return {
        "data": {"values": [mark]},
        "mark": {"type": "text", "fontSize": 11, "color": INK, "dy": dy, **look},
        "encoding": {**position, "text": {"field": "point"}},
    }


def _chance(position: Spec) -> Spec:
    return {
        "data": {"values": [{"fallout": end, "recall": end} for end in (0.0, 1.0)]},
        "mark": {"type": "line", "color": FAINT, "strokeDash": [3, 4], "strokeWidth": 1},
        "encoding": position,
    }


def _tell(row: Spec) -> list[Spec]:
    wanted = ("run", "concept", "point", "threshold", "rank", "precision", "recall", "fallout")
    return tooltip(*(name for name in wanted if name in row))
