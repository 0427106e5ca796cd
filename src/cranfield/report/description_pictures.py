"""Pictures of collections: how frequent concepts are, and which of them come together.

Frequencies follow Nowak 2011 Fig 10.4: concepts in the order of the file, their occurrence in
percent, a series for each collection. The heat map puts concepts that come together side by side;
where none do, there is no map. Where concepts are too many to be told apart, the most frequent are
shown. The title says either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.collections.description import Description, Overlap
from cranfield.collections.description.cooccurrence import Cooccurrence
from cranfield.core.matrices import Floats
from cranfield.errors import several
from cranfield.report.pictures import COLOURS, Spec, page
from cranfield.report.scales import HEAT, named_axis, step_of

_NAMED = 100
"""Concepts that fit side by side with their names."""
_NUMBERED = 400
"""Concepts that fit side by side without."""
_WIDTH, _SQUARE = 960, 720
_FORGETTING = 0.5
"""How much of their pull earlier neighbours keep from one place of a row to the next."""


def description_picture(description: Description) -> Spec:
    """Frequencies and co-occurrence of one collection."""
    labels = [*description.names.values()]
    facts = [f"{description.name}: {_facts(description)}"]
    return page(
        _frequencies(labels, {description.name: description.frequency}, facts),
        *_heat_maps(description, _neighbours(description.cooccurrence)),
    )


def overlap_picture(overlap: Overlap) -> Spec:
    """Frequencies of two collections in one frame, and the co-occurrence of each."""
    one, other = overlap.one, overlap.other
    names = other.names | one.names
    frame = overlap.frame
    labels = [names[mine or theirs] for mine, theirs in frame.select("concept", "other").rows()]
    columns = (frame[column].to_numpy() for column in ("frequency", "other_frequency"))
    series = dict(zip(overlap.names, columns, strict=True))
    facts = [f"{name}: {_facts(side)}" for name, side in zip(series, (one, other), strict=True)]
    order = _neighbours(one.cooccurrence)
    # The second map keeps the order of the first where it can, so that they can be compared.
    mine = {pair.one: pair.other for pair in overlap.partners}
    known = [mine[concept] for concept in order if concept in mine]
    rest = [concept for concept in _neighbours(other.cooccurrence) if concept not in known]
    return page(
        _frequencies(labels, series, facts),
        *_heat_maps(one, order),
        *_heat_maps(other, [*known, *rest]),
    )


# ── frequencies ───────────────────────────────────────────────────────────────────────────────


def _frequencies(labels: Sequence[str], series: Mapping[str, Floats], facts: Sequence[str]) -> Spec:
    """Bars, with names where they fit; dots where two series of many concepts share a frame."""
    highest = np.max([np.nan_to_num(column) for column in series.values()], axis=0)
    shown = np.sort(np.argsort(-highest, kind="stable")[:_NUMBERED])
    named, shared = len(shown) <= _NAMED, len(series) > 1
    step = step_of(len(shown), _WIDTH)
    spec: Spec = {
        "title": _title("How frequent the concepts are", facts, len(shown), len(labels)),
        "width": step * len(shown) if named else _WIDTH,
        "height": 260,
        "data": {
            "values": [
                {
                    "place": place,
                    "number": int(row) + 1,
                    "concept": labels[row],
                    "collection": name,
                    "percent": round(100 * float(column[row]), 4),
                }
                for place, row in enumerate(shown)
                for name, column in series.items()
                if not np.isnan(column[row])
            ]
        },
        "mark": _mark(named=named, shared=shared, concepts=len(labels)),
        "encoding": {
            "x": named_axis("place", [labels[row] for row in shown], step)
            if named
            else _numbered_axis(len(labels)),
            "y": {
                "field": "percent",
                "type": "quantitative",
                "title": "occurrence in percent",
                # Without a positive there is no top to find, and 0 would be in the middle.
                "scale": {"zero": True} if highest.any() else {"domain": [0, 100]},
            },
            "tooltip": [{"field": name} for name in ("number", "concept", "collection", "percent")],
        },
    }
    if shared:
        spec["encoding"] |= _by_collection(list(series), side_by_side=named)
    return spec


def _mark(*, named: bool, shared: bool, concepts: int) -> Spec:
    if shared and not named:
        return {"type": "circle", "size": 24, "opacity": 0.85}
    wide = {} if named else {"orient": "vertical", "size": max(1.0, 0.8 * _WIDTH / concepts)}
    return {"type": "bar", "color": COLOURS[0]} | wide


def _by_collection(names: list[str], *, side_by_side: bool) -> Spec:
    colour = {
        "field": "collection",
        "title": None,
        "scale": {"domain": names, "range": list(COLOURS[: len(names)])},
        "legend": {"orient": "top", "symbolType": "square"},
    }
    offset = {"xOffset": {"field": "collection", "sort": names}} if side_by_side else {}
    return {"color": colour} | offset


# ── co-occurrence ─────────────────────────────────────────────────────────────────────────────


def _heat_maps(description: Description, order: Sequence[str]) -> list[Spec]:
    """A map, unless it would be blank."""
    return [_heat_map(description, order)] if description.cooccurrence.pairs.height else []


def _heat_map(description: Description, order: Sequence[str]) -> Spec:
    together = description.cooccurrence
    place_of = {concept: place for place, concept in enumerate(together.concepts)}
    places = [place_of[concept] for concept in order if concept in place_of][:_NAMED]
    labels = [description.names[together.concepts[place]] for place in places]
    step = min(56, step_of(len(places), _SQUARE))
    return {
        "title": _title(
            f"Which concepts come together: {description.name}",
            ["of the items with the row's concept, the share that carries the column's"],
            len(places),
            description.concepts,
        ),
        "width": step * len(places),
        "height": step * len(places),
        "view": {"fill": "#e4e7eb"},
        "data": {
            "values": [
                {
                    "row": row,
                    "column": column,
                    "with": labels[row],
                    "also": labels[column],
                    "items": int(together.counts[one, two]),
                    "percent": round(100 * float(together.conditional[one, two]), 4),
                }
                for row, one in enumerate(places)
                for column, two in enumerate(places)
                if row != column and together.positives[one]
            ]
        },
        "mark": {"type": "rect", "stroke": "white", "strokeWidth": 0.5 if step > 9 else 0},
        "encoding": {
            "x": named_axis("column", labels, step, orient="top"),
            "y": named_axis("row", labels, step),
            "color": {
                "field": "percent",
                "type": "quantitative",
                "title": "percent",
                "scale": {"domain": [0, 100], "range": list(HEAT)},
                "legend": {"gradientLength": 160},
            },
            "tooltip": [{"field": name} for name in ("with", "also", "items", "percent")],
        },
    }


def _neighbours(together: Cooccurrence) -> list[str]:
    """The most frequent concepts in an order in which those that attract each other are close.

    The most frequent stands first; whoever is drawn most to those placed last comes next.
    """
    frequent = np.argsort(-together.positives, kind="stable")[:_NAMED]
    attraction = np.nan_to_num(together.correlation[np.ix_(frequent, frequent)])
    order: list[int] = []
    free = np.ones(len(frequent), dtype=bool)
    pull = np.zeros(len(frequent))
    while free.any():
        order.append(int(np.argmax(np.where(free, pull, -np.inf))))
        free[order[-1]] = False
        pull = _FORGETTING * pull + attraction[order[-1]]
    return [together.concepts[place] for place in frequent[order]]


# ── axes and titles ───────────────────────────────────────────────────────────────────────────


def _numbered_axis(concepts: int) -> Spec:
    return {
        "field": "number",
        "type": "quantitative",
        "title": "number of the concept",
        "scale": {"domain": [0, concepts + 1], "nice": False},
        "axis": {"grid": False, "format": "d"},
    }


def _title(text: str, subtitle: Sequence[str], shown: int, concepts: int) -> Spec:
    part = [] if shown == concepts else [f"the {shown} most frequent of {concepts} concepts"]
    return {"text": text, "subtitle": [*subtitle, *part]}


def _facts(description: Description) -> str:
    words = [several(description.items, "item"), several(description.concepts, "concept")]
    if description.cardinality is not None:
        words.append(f"{description.cardinality:.2f} labels an item")
    if not description.cooccurrence.pairs.height:
        words.append("no two concepts come together")
    return ", ".join(words)
