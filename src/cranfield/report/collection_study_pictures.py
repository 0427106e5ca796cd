"""Pictures of a collection: frequency against score, difficulty, items, comparable confidences.

After Nowak 2011: Figure 10.3 (frequency against the best score of each concept).
"""

from __future__ import annotations

import numpy as np

from cranfield.report.pictures import COLOURS, FAINT, INK, Spec, page
from cranfield.report.scales import coloured_series, named_axis, tooltip
from cranfield.studies.collection_study import CollectionStudy, UnitScores
from cranfield.studies.comparable_confidences import Comparability

_WIDTH, _HEIGHT, _ROW = 640, 340, 13
_BINS = 25
_LABELLED = 6
"""Concepts, the hardest ones, that are named."""


def collection_picture(found: CollectionStudy) -> Spec:
    """Concepts by the first measure that scores them, items likewise, and confidences."""
    parts: list[Spec] = []
    concepts = next((one for one in found.measures if one.kind == "concept"), None)
    items = next((one for one in found.measures if one.kind == "item"), None)
    if concepts is not None:
        parts += [_frequencies(concepts), _difficulty(concepts)]
    if items is not None:
        parts.append(_items(items))
    if found.comparability is not None:
        parts += [_losses(found.comparability), _places(found.comparability)]
    return page(*parts)


def _frequencies(one: UnitScores) -> Spec:
    hardest = set(one.hardest[:_LABELLED].tolist())
    rows = [
        {
            "concept": name,
            "frequency": round(float(one.positives[place] / max(1, one.size)), 5),
            "best": round(float(one.best[place]), 5),
            "run": ", ".join(one.winners(place)),
            "label": name if place in hardest else "",
        }
        for place, name in enumerate(one.units)
    ]
    x = {
        "field": "frequency",
        "type": "quantitative",
        "title": "share of items",
        "scale": {"type": "sqrt"},
        "axis": {"format": "%"},
    }
    y = _quality("best", one)
    return {
        "title": {
            "text": "Frequency and best score of concepts",
            "subtitle": f"by {one.measure}; ρ = {one.by_frequency:.2f}",
        },
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "point", "filled": True, "size": 44, "opacity": 0.85},
                "encoding": {
                    "x": x,
                    "y": y,
                    "tooltip": tooltip("concept", "frequency", "best", "run"),
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 7, "fontSize": 10, "color": FAINT},
                "encoding": {"x": x, "y": y, "text": {"field": "label"}},
            },
        ],
    }


def _difficulty(one: UnitScores) -> Spec:
    order = one.hardest[::-1].tolist()
    names = [one.units[place] for place in order]
    runs = [
        {"row": row, "run": run, "concept": one.units[place], "score": round(score, 5)}
        for row, place in enumerate(order)
        for run, score in zip(one.runs, one.scores[:, place].tolist(), strict=True)
    ]
    means = [
        {"row": row, "mean": round(float(one.average[place]), 5)} for row, place in enumerate(order)
    ]
    y = named_axis("row", names, _ROW, grid=True)
    return {
        "title": {
            "text": "Concepts, the easiest on top",
            "subtitle": f"{one.measure} of all runs; filled: their mean",
        },
        "width": _WIDTH,
        "height": {"step": _ROW},
        "layer": [
            {
                "data": {"values": runs},
                "mark": {"type": "tick", "thickness": 1.2, "opacity": 0.5},
                "encoding": {
                    "x": _quality("score", one),
                    "y": y,
                    "tooltip": tooltip("concept", "run", "score"),
                },
            },
            {
                "data": {"values": means},
                "mark": {"type": "point", "filled": True, "size": 34, "color": COLOURS[1]},
                "encoding": {"x": _quality("mean", one), "y": y, "tooltip": tooltip("mean")},
            },
        ],
    }


def _items(one: UnitScores) -> Spec:
    """How many items reach which score, by the best run and by the best for each item."""
    leader = one.scores[one.runs.index(one.leader.run)]
    names = [f"best run ({one.leader.run})", "best run for each item"]
    both = np.array([leader, one.best])
    edges = np.linspace(both.min(), max(both.max(), both.min() + 1e-9), _BINS + 1)
    rows = [
        {"who": name, "score": round(float(low), 5), "to": round(float(high), 5), "items": count}
        for name, values in zip(names, both, strict=True)
        for low, high, count in zip(
            edges[:-1], edges[1:], np.histogram(values, edges)[0].tolist(), strict=True
        )
    ]
    return {
        "title": {
            "text": "Items by their score",
            "subtitle": f"{one.measure}: {one.leader.score:.3f} by the best run, "
            f"{one.envelope:.3f} by the best for each item",
        },
        "width": _WIDTH,
        "height": _HEIGHT // 2,
        "data": {"values": rows},
        "mark": {"type": "line", "interpolate": "step-after"},
        "encoding": {
            "x": _quality("score", one),
            "y": {"field": "items", "type": "quantitative", "title": "items"},
            "color": coloured_series("who", names),
            "tooltip": tooltip("who", "score", "to", "items"),
        },
    }


def _losses(found: Comparability) -> Spec:
    """Runs as given and made comparable; on the line nothing is lost."""
    frames = []
    for place, one in enumerate(found.measures):
        rows = [
            {"run": run, "given": round(given, 5), "comparable": round(made, 5)}
            for run, given, made in zip(
                found.runs,
                found.as_given[place].tolist(),
                found.comparable[place].tolist(),
                strict=True,
            )
        ]
        both = [row[side] for row in rows for side in ("given", "comparable")]
        ends = [{"end": min(both)}, {"end": max(both)}]
        frames.append(
            {
                "title": {
                    "text": str(one),
                    "fontSize": 12,
                    "offset": 6,
                    "subtitle": f"{found.losses[place].mean():+.3f} on average, τ "
                    f"{found.taus[place]:.2f}",
                },
                "width": 290,
                "height": 290,
                "layer": [
                    {
                        "data": {"values": ends},
                        "mark": {"type": "line", "color": FAINT, "strokeDash": [4, 3]},
                        "encoding": {
                            side: {"field": "end", "type": "quantitative"} for side in ("x", "y")
                        },
                    },
                    {
                        "data": {"values": rows},
                        "mark": {"type": "point", "filled": True, "size": 44, "opacity": 0.85},
                        "encoding": {
                            "x": _free("given", "as given"),
                            "y": _free("comparable", "made comparable"),
                            "tooltip": tooltip("run", "given", "comparable"),
                        },
                    },
                ],
            }
        )
    return {
        "title": {
            "text": "What confidences lose that cannot be compared across concepts",
            "subtitle": "runs above the line gain if each concept has the log-odds of its labels",
        },
        "hconcat": frames,
        "spacing": 48,
    }


def _places(found: Comparability) -> Spec:
    order = np.argsort(-found.too_high, kind="stable").tolist()
    names = [found.concepts[place] for place in order]
    rows = [
        {
            "row": row,
            "concept": found.concepts[place],
            "places": round(float(found.too_high[place]), 3),
            "lowest": round(float(found.places[:, place].min()), 3),
            "highest": round(float(found.places[:, place].max()), 3),
        }
        for row, place in enumerate(order)
    ]
    x: Spec = {"field": "places", "type": "quantitative", "title": "places too high (right)"}
    y = named_axis("row", names, _ROW, grid=True)
    return {
        "title": {
            "text": "Concepts whose confidences stand too high or too low",
            "subtitle": "mean and range over runs, in places among all concepts of an item",
        },
        "width": _WIDTH,
        "height": {"step": _ROW},
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "rule", "opacity": 0.35},
                "encoding": {"x": x | {"field": "lowest"}, "x2": {"field": "highest"}, "y": y},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 40, "color": INK},
                "encoding": {
                    "x": x,
                    "y": y,
                    "tooltip": tooltip("concept", "places", "lowest", "highest"),
                },
            },
        ],
    }


def _quality(field: str, one: UnitScores) -> Spec:
    """An axis of scores, the better ones to the right or on top."""
    return {
        "field": field,
        "type": "quantitative",
        "title": str(one.measure),
        "scale": {"zero": False, "reverse": one.measure.traits.better == "lower"},
    }


def _free(field: str, title: str) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, "scale": {"zero": False}}
