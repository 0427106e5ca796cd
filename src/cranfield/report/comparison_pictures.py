"""Critical-difference diagrams: runs along one axis, bars over those that do not differ.

The axis is the score, or the mean rank where the test is by ranks; the best run is on the right.
With mean ranks a ruler shows the critical difference (Demšar 2006).
"""

from __future__ import annotations

from typing import Any

from cranfield.report.pictures import COLOURS, FAINT, INK, Spec, page
from cranfield.report.scales import tooltip
from cranfield.statistics.comparing import Tournament, critical_difference

_WIDTH, _ROW, _BAR = 640, 17, 9
_RULER = 26
"""Room for the ruler above the bars."""


def difference_picture(found: Tournament, alpha: float = 0.05) -> Spec:
    """Runs by score or mean rank, and bars that join neighbours which do not differ."""
    places = dict(found.mean_ranks or {run: found.score(run) for run in found.runs})
    bars = _bars(found, places, alpha)
    # Another correction than Nemenyi's has no one difference that decides.
    length = (
        critical_difference(len(places), found.units, alpha)
        if found.choices.correction == "nemenyi"
        else 0.0
    )
    ruler = _RULER if length else 0
    top = ruler + 8 + _BAR * (1 + max((bar["level"] for bar in bars), default=-1))
    names = _names(found, places, top)
    height = max(name["y"] for name in names) + _ROW // 2
    x, y = _across(found, places, length), _down(height)
    layers = [_elbows(names, x, y), _dots(names, x, y), *_labels(names, x, y)]
    if bars:
        layers.append(_joins(bars, x, y, ruler))
    if length:
        layers += _ruler(min(places.values()), length, x, y)
    return page(
        {
            "title": {
                "text": f"Which runs differ by {found.measure}",
                "subtitle": [
                    f"{found.choices.test} test, corrected by {found.choices.correction}, "
                    f"α = {alpha:g}; bars join runs that do not differ"
                ],
            },
            "width": _WIDTH,
            "height": height,
            "layer": layers,
        }
    )


def _bars(found: Tournament, places: dict[str, float], alpha: float) -> list[Spec]:
    """Groups of several runs, those that overlap on different levels."""
    ends: list[float] = []
    bars = []
    groups = [group for group in found.groups(alpha) if len(group) > 1]
    for group in sorted(groups, key=lambda group: min(places[run] for run in group)):
        low, high = (end(places[run] for run in group) for end in (min, max))
        free = (level for level, end in enumerate(ends) if end < low)
        level = next(free, len(ends))
        ends[level : level + 1] = [high]
        bars.append({"low": low, "high": high, "level": level, "runs": ", ".join(group)})
    return bars


def _names(found: Tournament, places: dict[str, float], top: int) -> list[Spec]:
    """Where each run is named: the better half on the right, the best of it on top, the others on
    the left, the worst on top, so that no two lines cross."""
    half = (len(found.runs) + 1) // 2
    right, left = found.runs[:half], found.runs[half:][::-1]
    return [
        {
            "run": run,
            "x": places[run],
            "y": top + _ROW * (row + 1),
            "side": side,
            "score": found.score(run),
        }
        for side, runs in (("right", right), ("left", left))
        for row, run in enumerate(runs)
    ]


def _across(found: Tournament, places: dict[str, float], length: float) -> Spec:
    low, high = min(places.values()), max(places.values())
    if found.mean_ranks:
        domain = [1.0, max(float(len(places)), low + length)]
    else:
        margin = 0.04 * (high - low) or 0.5
        domain = [low - margin, high + margin]
    falls = bool(found.mean_ranks) or found.measure.traits.better == "lower"
    return {
        "type": "quantitative",
        "title": "mean rank" if found.mean_ranks else str(found.measure),
        "scale": {"domain": domain[::-1] if falls else domain, "nice": False, "zero": False},
        "axis": {"orient": "top", "grid": False, "domain": True, "domainColor": FAINT}
        | {"ticks": True, "tickColor": FAINT},
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
        "mark": {"type": "line", "color": FAINT, "strokeWidth": 1},
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
        "mark": {"type": "point", "filled": True, "color": INK, "size": 28, "opacity": 1},
        "encoding": {
            "x": {"field": "x", **x},
            "y": {"field": "axis", **y},
            "tooltip": tooltip("run", "score"),
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
            "mark": {"type": "text", "color": INK, "fontSize": 11, "limit": 220, **look},
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
        "mark": {"type": "rule", "color": INK, "strokeWidth": 4, "strokeCap": "round"},
        "encoding": {
            "x": {"field": "low", **x},
            "x2": {"field": "high"},
            "y": {"field": "y", **y},
            "tooltip": tooltip(("runs", "do not differ")),
        },
    }


def _ruler(best: float, length: float, x: Spec, y: Spec) -> list[Spec]:
    """As long as mean ranks must be apart, from the best run on."""
    values = [{"low": best, "high": best + length, "y": 16, "said": f"CD = {length:.3g}"}]
    data = {"values": values}
    down = {"field": "y", **y}
    return [
        {
            "data": data,
            "mark": {"type": "rule", "color": COLOURS[3], "strokeWidth": 2},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": down},
        },
        {
            "data": data,
            "mark": {
                "type": "text",
                "color": COLOURS[3],
                "align": "right",
                "dx": -5,
                "dy": -7,
                "fontSize": 11,
            },
            "encoding": {"x": {"field": "low", **x}, "y": down, "text": {"field": "said"}},
        },
    ]
