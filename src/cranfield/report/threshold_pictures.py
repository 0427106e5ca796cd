"""The threshold sweep: precision, recall, F and accuracy at every threshold, and the best one."""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.report.pictures import FAINT, INK, Spec, page
from cranfield.report.scales import coloured_series, dashed_series, share_axis, tooltip
from cranfield.statistics.thresholds import Best, RocTable

_WIDTH, _HEIGHT = 720, 320
_SPOTS = 1400
"""Thresholds that fall on the same of so many spots are drawn once."""
_RATES = ("precision", "recall", "F", "accuracy")


def sweep_picture(table: RocTable, by: str = "F") -> Spec:
    """Rates against the threshold, of one concept or of all cells together."""
    if len(table) < 2:
        raise InputError(f"run {table.run!r} retrieved nothing, so there is no threshold to draw")
    # The first threshold is infinite: nothing is accepted.
    thresholds = table.thresholds[1:]
    rates: dict[str, Floats] = dict(
        zip(_RATES, (table.ppv, table.tpr, table.f(), table.accuracy), strict=True)
    )
    low, high = float(thresholds[-1]), float(thresholds[0])
    spots = np.round((thresholds - low) / ((high - low) or 1.0) * _SPOTS)
    kept = np.flatnonzero(np.diff(spots, prepend=np.inf) != 0)
    x = {
        "field": "threshold",
        "type": "quantitative",
        "title": "threshold",
        "scale": {"domain": [low, high], "nice": False, "zero": False},
    }
    y = share_axis("value", "rate")
    lines: Spec = {
        "data": {
            "values": [
                {
                    "rate": name,
                    "threshold": float(thresholds[place]),
                    "value": round(float(values[place + 1]), 6),
                    "accepted": int(table.counts.tp[place + 1] + table.counts.fp[place + 1]),
                }
                for name, values in rates.items()
                for place in kept.tolist()
                if not np.isnan(values[place + 1])
            ]
        },
        # A threshold between two scores accepts what the higher of them does.
        "mark": {"type": "line", "interpolate": "step-before", "point": "transparent"},
        "encoding": {
            "x": x,
            "y": y,
            "color": coloured_series("rate", _RATES),
            "strokeDash": dashed_series("rate", _RATES),
            "tooltip": tooltip("rate", "value", "threshold", "accepted"),
        },
    }
    where = table.concept or "all cells together"
    return page(
        {
            "title": {
                "text": f"Thresholds of {where}",
                "subtitle": [
                    f"{table.run}; a label is assigned where the score reaches the threshold"
                ],
            },
            "width": _WIDTH,
            "height": _HEIGHT,
            "layer": [lines, *_best(table, by, x, high)],
        }
    )


def best_threshold(best: Best, by: str) -> str:
    """What is written beside the best threshold."""
    return f"best by {by}: {best.threshold:.4g}"


def _best(table: RocTable, by: str, x: Spec, high: float) -> list[Spec]:
    """A line at the best threshold, with its name above it."""
    best = table.best(by)
    if best is None:
        return []
    label = best_threshold(best, by)
    data = {"values": [{"threshold": min(best.threshold, high), "best": label}]}
    right = min(best.threshold, high) > float(np.mean([high, table.thresholds[-1]]))
    return [
        {
            "data": data,
            "mark": {"type": "rule", "color": FAINT, "strokeDash": [4, 3]},
            "encoding": {"x": x, "tooltip": tooltip("best")},
        },
        {
            "data": data,
            "mark": {
                "type": "text",
                "align": "right" if right else "left",
                "dx": -5 if right else 5,
                "dy": 10,
                "color": INK,
                "fontSize": 11,
            },
            "encoding": {"x": x, "y": {"value": 0}, "text": {"field": "best"}},
        },
    ]
