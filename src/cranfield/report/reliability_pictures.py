"""The reliability diagram: how often labels come true that were given with some confidence.

Above, the share of positives of each bin against its mean confidence; on the diagonal confidences
say what they mean. Below, how many cells each bin holds, since bins with few say little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.errors import InputError
from cranfield.measures.calibration import Reliability
from cranfield.report.pictures import FAINT, Spec, page
from cranfield.report.scales import coloured_series, shaped_series, share_axis, tooltip

_SIDE, _COUNTS = 420, 60


def reliability_picture(bins: Mapping[str, Reliability], concept: str | None = None) -> Spec:
    """The bins of each run, of one concept or of all cells together."""
    rows = [
        {"run": run, **_rounded(row)}
        for run, own in bins.items()
        for row in own.rows()
        if row["count"]
    ]
    if not rows:
        raise InputError("there is no confidence to draw")
    runs = list(bins)
    errors = ", ".join(f"{run} {own.error():.4f}" for run, own in bins.items())
    colour = coloured_series("run", runs)
    confidence = share_axis("confidence", "mean confidence")
    diagram = {
        "width": _SIDE,
        "height": _SIDE,
        "layer": [
            _diagonal(),
            {
                "data": {"values": rows},
                "mark": {"type": "line", "strokeWidth": 1.2},
                "encoding": {
                    "x": confidence,
                    "y": share_axis("positive", "share of positives"),
                    "color": colour,
                },
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {
                    "x": confidence,
                    "y": share_axis("positive", "share of positives"),
                    "color": colour,
                    "shape": shaped_series("run", runs),
                    "tooltip": tooltip("run", "from", "to", "confidence", "positive", "count"),
                },
            },
        ],
    }
    return page(
        {
            "title": {
                "text": f"Reliability: {concept or 'all cells together'}",
                "subtitle": [f"expected calibration error: {errors}"],
            },
            "vconcat": [diagram, *(_counts(rows, run, runs) for run in runs)],
            "spacing": 16,
            "resolve": {"scale": {"color": "shared", "shape": "shared"}},
        }
    )


def _counts(rows: Sequence[Spec], run: str, runs: Sequence[str]) -> Spec:
    """How many cells each bin of a run holds."""
    return {
        "width": _SIDE,
        "height": _COUNTS,
        "data": {"values": [row for row in rows if row["run"] == run]},
        "mark": {"type": "rect", "stroke": "white"},
        "encoding": {
            "x": share_axis("from", "confidence") if run == runs[-1] else share_axis("from", ""),
            "x2": {"field": "to"},
            "y": {
                "field": "count",
                "type": "quantitative",
                "title": "cells",
                "scale": {"zero": True},
                "axis": {"tickCount": 3},
            },
            "y2": {"datum": 0},
            "color": coloured_series("run", runs),
            "tooltip": tooltip("run", "from", "to", "count"),
        },
    }


def _rounded(row: dict[str, Any]) -> Spec:
    return {name: value if name == "count" else round(value, 6) for name, value in row.items()}


def _diagonal() -> Spec:
    return {
        "data": {"values": [{"confidence": end, "positive": end} for end in (0.0, 1.0)]},
        "mark": {"type": "line", "color": FAINT, "strokeDash": [3, 4], "strokeWidth": 1},
        "encoding": {
            "x": share_axis("confidence", "mean confidence"),
            "y": share_axis("positive", "share of positives"),
        },
    }
