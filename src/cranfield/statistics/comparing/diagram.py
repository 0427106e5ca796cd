"""Critical-difference diagrams: runs along one axis, bars over those that do not differ.

The axis is the score, or the mean rank where the test is by ranks; the best run is on the right.
With mean ranks a ruler shows the critical difference (Demšar 2006).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.core.chart import Drawing

_WIDTH, _ROW, _BAR = 640, 17, 9
_RULER = 26
"""Room for the ruler above the bars."""

_FAINT = "#9aa3af"
"""For lines that are only there to lead the eye, in the light and in the dark."""

Spec = dict[str, Any]


def difference_diagram(
    coordinates: Mapping[str, float],
    groups: Sequence[Sequence[str]],
    scores: Mapping[str, float],
    *,
    axis: str,
    falls: bool,
    length: float = 0.0,
) -> Drawing:
    """Runs, best first, and bars that join groups of runs without a significant difference.

    coordinates  where each run stands
    falls        whether lower is better
    length       how far mean ranks must be apart; 0: there is no such difference
    """
    bars = _bars(coordinates, groups)
    ruler = _RULER if length else 0
    top = ruler + 8 + _BAR * (1 + max((bar["level"] for bar in bars), default=-1))
    names = _names(coordinates, scores, top)
    height = max(name["y"] for name in names) + _ROW // 2
    x, y = _across(coordinates, axis, falls, length), _down(height)
    layers = [_elbows(names, x, y), _dots(names, x, y), *_labels(names, x, y)]
    if bars:
        layers.append(_joins(bars, x, y, ruler))
    if length:
        layers += _ruler(min(coordinates.values()), length, x, y)
    return Drawing({"width": _WIDTH, "height": height, "layer": layers})


def _bars(coordinates: Mapping[str, float], groups: Sequence[Sequence[str]]) -> list[Spec]:
    """Groups of several runs, those that overlap on different levels."""
    ends: list[float] = []
    bars = []
    joined = [group for group in groups if len(group) > 1]
    for group in sorted(joined, key=lambda group: min(coordinates[run] for run in group)):
        low, high = (end(coordinates[run] for run in group) for end in (min, max))
        free = (level for level, end in enumerate(ends) if end < low)
        level = next(free, len(ends))
        ends[level : level + 1] = [high]
        bars.append({"low": low, "high": high, "level": level, "runs": ", ".join(group)})
    return bars


def _names(coordinates: Mapping[str, float], scores: Mapping[str, float], top: int) -> list[Spec]:
    """Where each run is named: the better half on the right, the best of it on top, the others on
    the left, the worst on top, so that no two lines cross."""
    runs = list(scores)
    half = (len(runs) + 1) // 2
    right, left = runs[:half], runs[half:][::-1]
    return [
        {
            "run": run,
            "x": coordinates[run],
            "y": top + _ROW * (row + 1),
            "side": side,
            "score": scores[run],
        }
        for side, members in (("right", right), ("left", left))
        for row, run in enumerate(members)
    ]


def _across(coordinates: Mapping[str, float], axis: str, falls: bool, length: float) -> Spec:
    low, high = min(coordinates.values()), max(coordinates.values())
    if axis == "mean rank":
        domain = [1.0, max(float(len(coordinates)), low + length)]
    else:
        margin = 0.04 * (high - low) or 0.5
        domain = [low - margin, high + margin]
    return {
        "type": "quantitative",
        "title": axis,
        "scale": {"domain": domain[::-1] if falls else domain, "nice": False, "zero": False},
        "axis": {"orient": "top", "grid": False, "domain": True, "ticks": True},
    }


def _down(height: int) -> Spec:
    return {
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [0, height], "reverse": True, "nice": False},
    }


def _elbows(names: list[Spec], x: Spec, y: Spec) -> Spec:
    """From the axis down, and out to the side."""
    right, left = x["scale"]["domain"][::-1]
    edges = {"right": right, "left": left}
    return {
        "data": {
            "values": [
                {"run": name["run"], "x": across, "y": down, "step": step}
                for name in names
                for step, (across, down) in enumerate(
                    [(name["x"], 0), (name["x"], name["y"]), (edges[name["side"]], name["y"])]
                )
            ]
        },
        "mark": {"type": "line", "color": _FAINT, "strokeWidth": 1},
        "encoding": {
            "x": {"field": "x", **x},
            "y": {"field": "y", **y},
            "detail": {"field": "run"},
            "order": {"field": "step"},
        },
    }


def _dots(names: list[Spec], x: Spec, y: Spec) -> Spec:
    return {
        "data": {"values": [{**name, "axis": 0} for name in names]},
        "mark": {"type": "point", "filled": True, "size": 28, "opacity": 1},
        "encoding": {
            "x": {"field": "x", **x},
            "y": {"field": "axis", **y},
            "tooltip": _tooltip("run", "score"),
        },
    }


def _labels(names: list[Spec], x: Spec, y: Spec) -> list[Spec]:
    right, left = x["scale"]["domain"][::-1]
    sides: list[tuple[str, float, dict[str, Any]]] = [
        ("right", right, {"align": "left", "dx": 6}),
        ("left", left, {"align": "right", "dx": -6}),
    ]
    return [
        {
            "data": {"values": [{**name, "edge": edge} for name in names if name["side"] == side]},
            "mark": {"type": "text", "fontSize": 11, "limit": 220, **look},
            "encoding": {
                "x": {"field": "edge", **x},
                "y": {"field": "y", **y},
                "text": {"field": "run"},
            },
        }
        for side, edge, look in sides
    ]


def _joins(bars: list[Spec], x: Spec, y: Spec, top: int) -> Spec:
    return {
        "data": {"values": [{**bar, "y": top + 8 + _BAR * bar["level"]} for bar in bars]},
        "mark": {"type": "rule", "strokeWidth": 4, "strokeCap": "round"},
        "encoding": {
            "x": {"field": "low", **x},
            "x2": {"field": "high"},
            "y": {"field": "y", **y},
            "tooltip": _tooltip("runs"),
        },
    }


def _ruler(best: float, length: float, x: Spec, y: Spec) -> list[Spec]:
    """As long as mean ranks must be apart, from the best run on."""
    values = [{"low": best, "high": best + length, "y": 16, "label": f"CD = {length:.3g}"}]
    data = {"values": values}
    down = {"field": "y", **y}
    return [
        {
            "data": data,
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": down},
        },
        {
            "data": data,
            "mark": {
                "type": "text",
                "align": "right",
                "dx": -5,
                "dy": -7,
                "fontSize": 11,
            },
            "encoding": {"x": {"field": "low", **x}, "y": down, "text": {"field": "label"}},
        },
    ]


def _tooltip(*fields: str) -> list[Spec]:
    return [{"field": field} for field in fields]
