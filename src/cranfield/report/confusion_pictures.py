"""Heat maps of confusion matrices: what was said where a class is true.

Colours are shares of the true class, so that rare classes can be read as well as frequent ones;
numbers are counts, where they fit. Right answers are framed. Where classes are too many to be told
apart, the most frequent are shown, and the title says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cranfield.core.matrices import Floats, Ints
from cranfield.errors import InputError
from cranfield.report.pictures import FAINT, INK, Spec, page
from cranfield.report.scales import HEAT, named_axis, step_of, tooltip
from cranfield.tasks.classes import Confusion

_SQUARE = 640
_WIDTH, _NAMES = 1600, 150
"""The width of all maps side by side, and what the names of classes need beside each."""
_MOST = 100
"""Classes of a side that stay readable."""
_LARGEST = 56
_DIGIT = 6.6
"""Points that a digit is wide."""
_DARK = 55
"""Percent from which words on a cell are white."""


def heat_map(systems: Sequence[Confusion]) -> Spec:
    """The matrix of each system, side by side as far as there is room."""
    maps = list(map(_map, systems))
    widest = max((one["width"] for one in maps), default=0)
    many = max(1, min(math.ceil(len(maps) ** 0.5), _WIDTH // (widest + _NAMES)))
    rows = [maps[first : first + many] for first in range(0, len(maps), many)]
    return page(
        {
            "title": {
                "text": "Confusion matrix" if len(maps) == 1 else "Confusion matrices",
                "subtitle": [
                    "colours: of the items of a true class, the share that was said to be of the "
                    "column's"
                ],
            },
            "vconcat": [{"hconcat": row, "spacing": 40} for row in rows],
            "spacing": 40,
        }
    )


def _map(system: Confusion) -> Spec:
    matrix = _squared(system)
    square = matrix.true == matrix.said
    by_true, by_said = matrix.counts.sum(axis=1), matrix.counts.sum(axis=0)
    if square:
        rows = columns = _most_frequent(by_true + by_said)
    else:
        rows, columns = _most_frequent(by_true), _most_frequent(by_said)
    true, said = [matrix.true[i] for i in rows], [matrix.said[j] for j in columns]
    step = min(_LARGEST, step_of(max(len(true), len(said)), _SQUARE))
    values = _cells(matrix, rows, columns, square=square)
    position = {
        "x": named_axis("column", said, step, orient="top", titleAnchor="start")
        | {"title": "said"},
        "y": named_axis("row", true, step) | {"title": "true"},
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "rect", "stroke": "white", "strokeWidth": 0.5 if step > 9 else 0},
            "encoding": {
                "color": {
                    "field": "percent",
                    "type": "quantitative",
                    "title": "percent of true",
                    "scale": {"domain": [0, 100], "range": list(HEAT)},
                    "legend": {"gradientLength": 160},
                },
                "tooltip": tooltip(
                    "true", "said", "count", ("percent", "percent of true"), "of_said"
                ),
            },
        },
        {
            "transform": [{"filter": "datum.right"}],
            "mark": {"type": "rect", "filled": False, "stroke": FAINT, "strokeWidth": 1},
        },
    ]
    if max((len(one["label"]) for one in values), default=0) * _DIGIT < step:
        layers.append(_numbers())
    return {
        "title": {
            "text": system.name,
            "fontSize": 12,
            "subtitle": _told(matrix, true, said),
        },
        "width": step * len(said),
        "height": step * len(true),
        "data": {"values": values},
        "encoding": position,
        "layer": layers,
    }


def _squared(system: Confusion) -> Confusion:
    """With a row and a column for each class, if anybody knows which belong together."""
    try:
        return system.aligned()
    except InputError:
        return system


def _most_frequent(frequency: Floats) -> Ints:
    """Places of the most frequent classes, in the order of the matrix."""
    return np.sort(np.argsort(-frequency, kind="stable")[:_MOST])


def _cells(matrix: Confusion, rows: Ints, columns: Ints, *, square: bool) -> list[Spec]:
    of_true, of_said = (matrix.normalised(side).counts * 100 for side in ("true", "said"))
    whole = matrix.table.holds_counts
    return [
        {
            "row": y,
            "column": x,
            "true": matrix.true[i],
            "said": matrix.said[j],
            "count": round(float(matrix.counts[i, j]), 6),
            "label": f"{matrix.counts[i, j]:.0f}" if whole else f"{matrix.counts[i, j]:.2g}",
            "percent": round(float(of_true[i, j]), 4),
            "of_said": round(float(of_said[i, j]), 4),
            "right": square and bool(i == j),
        }
        for y, i in enumerate(rows)
        for x, j in enumerate(columns)
    ]


def _numbers() -> Spec:
    return {
        "transform": [{"filter": "datum.count > 0"}],
        "mark": {"type": "text", "fontSize": 10},
        "encoding": {
            "text": {"field": "label"},
            "color": {
                "condition": {"test": f"datum.percent > {_DARK}", "value": "white"},
                "value": INK,
            },
        },
    }


def _told(matrix: Confusion, true: Sequence[str], said: Sequence[str]) -> list[str]:
    if len(true) == len(matrix.true) and len(said) == len(matrix.said):
        return []
    return [
        f"the {len(true)} most frequent of {len(matrix.true)} true classes, "
        f"{len(said)} of {len(matrix.said)} said"
    ]
