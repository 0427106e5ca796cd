"""Slices drawn: a dot for each score with its interval, and a tick where the rest lies."""

from __future__ import annotations

import math

from cranfield.measures import Measure
from cranfield.report.pictures import FAINT, Spec, page
from cranfield.report.scales import coloured_series, named_axis, shaped_series, tooltip
from cranfield.report.standings import ARROWS, written_p
from cranfield.statistics.slices import Slices

_WIDTH, _RUN, _ROW = 460, 14, 12


def slice_picture(found: Slices) -> Spec:
    """A part for each measure; slices are rows, runs colours."""
    return page(*(_part(found, measure) for measure in found.measures))


def _part(found: Slices, measure: Measure) -> Spec:
    own = [one for one in found if one.measure == measure and math.isfinite(one.score)]
    labels = list(dict.fromkeys(f"{one.attribute}: {one.slice}" for one in found))
    places = {label: place for place, label in enumerate(labels)}
    values = [
        {
            "row": places[f"{one.attribute}: {one.slice}"],
            "slice": f"{one.attribute}: {one.slice}",
            "run": one.run,
            "score": one.score,
            # An interval of which nothing is known has the length 0.
            "low": one.low if math.isfinite(one.low) else one.score,
            "high": one.high if math.isfinite(one.high) else one.score,
            "rest": one.rest if math.isfinite(one.rest) else one.score,
            "items": one.items,
            "concepts": one.concepts,
            "adjusted p": written_p(one.adjusted, digits=4),
            "size": 90 if one.worst else 40,
        }
        for one in own
    ]
    x = _across(measure)
    y = named_axis("row", labels, 30, labelLimit=260)
    offset = {"field": "run", "type": "nominal", "sort": list(found.runs)}
    common = {"y": y, "yOffset": offset, "color": coloured_series("run", found.runs)}
    told = tooltip(
        "slice", "run", "score", "low", "high", "rest", "items", "concepts", "adjusted p"
    )
    return {
        "title": {
            "text": f"{measure} {ARROWS[measure.traits.better]}",
            "subtitle": [
                f"{found.choices.level:.4g} intervals over items; large: the worst slice of an "
                "attribute; tick: the rest"
            ],
        },
        "width": _WIDTH,
        "height": {"step": _RUN * len(found.runs) + _ROW, "for": "position"},
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, **common},
            },
            {
                "mark": {"type": "tick", "thickness": 1.5, "size": 9, "color": FAINT},
                "encoding": {"x": {"field": "rest", **x}, "y": y, "yOffset": offset},
            },
            {
                "mark": {"type": "point", "filled": True, "opacity": 1},
                "encoding": {
                    "x": {"field": "score", **x},
                    **common,
                    "shape": shaped_series("run", found.runs),
                    "size": {"field": "size", "type": "quantitative", "scale": None},
                    "tooltip": told,
                },
            },
        ],
    }


def _across(measure: Measure) -> Spec:
    return {
        "type": "quantitative",
        "title": str(measure),
        "scale": {"zero": False, "nice": True, "padding": 8},
        "axis": {"tickCount": 6, "grid": True},
    }
