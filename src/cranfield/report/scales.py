"""Scales and axes that several pictures share: places with names, shares, series told apart.

Series differ in colour and in shape or dash, so that nobody needs to tell colours apart. The
colours are those of Okabe & Ito 2008, which people with any colour vision can distinguish.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cranfield.report.pictures import Spec

HEAT = ("#f4f7fb", "#b9d3ea", "#6aa5d2", "#2a6fae", "#08306b")
"""From nothing to everything."""
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#4d4d4d")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""One fewer than colours, so that colour and shape together repeat late; all have an area to fill.
"""
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])


def named_axis(field: str, labels: Sequence[str], step: int, **look: Any) -> Spec:
    """Places along a side, each with its name; two concepts may have the same."""
    size = min(11, step)
    fits = max(map(len, labels), default=0) * 0.52 * size < step
    angle = 0 if field == "row" or fits else -90 if step < 10 else -55
    return {
        "field": field,
        "type": "ordinal",
        "title": None,
        # All places, so that a concept without values keeps its row.
        "scale": {"domain": list(range(len(labels)))},
        "axis": look
        | {
            "labelExpr": f"{json.dumps(labels)}[datum.value]",
            "labelAngle": angle,
            "labelFontSize": size,
            "labelOverlap": False,
            "labelLimit": 150,
        },
    }


def step_of(count: int, room: int) -> int:
    """The width of each of so many places."""
    return min(90, max(7, room // max(1, count)))


def share_axis(field: str, title: str, **axis: Any) -> Spec:
    """From 0 to 1."""
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"tickCount": 5, "labelFlush": False, **axis},
    }


def coloured_series(field: str, names: Sequence[str], **look: Any) -> Spec:
    """A colour for each series, with a legend where there are several."""
    return {
        "field": field,
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(names), "range": _cycle(SERIES, len(names))},
        "legend": None
        if len(names) < 2
        else {"orient": "top", "columns": 4, "labelLimit": 240, **look},
    }


def shaped_series(field: str, names: Sequence[str]) -> Spec:
    """A shape for each series; the legend of the colours shows it too."""
    colours = coloured_series(field, names)
    return colours | {"scale": {"domain": list(names), "range": _cycle(_SHAPES, len(names))}}


def dashed_series(field: str, names: Sequence[str]) -> Spec:
    """A dash for each series; the colours must have come round before dashes change."""
    colours = coloured_series(field, names)
    dashes = [_DASHES[place // len(SERIES) % len(_DASHES)] for place in range(len(names))]
    return colours | {"scale": {"domain": list(names), "range": dashes}}


def tooltip(*fields: str | tuple[str, str]) -> list[Spec]:
    """What is said of a mark: fields, or pairs of a field and its title."""
    pairs = ((one, one) if isinstance(one, str) else one for one in fields)
    return [{"field": field, "title": title} for field, title in pairs]


def _cycle(values: Sequence[Any], count: int) -> list[Any]:
    return [values[place % len(values)] for place in range(count)]
