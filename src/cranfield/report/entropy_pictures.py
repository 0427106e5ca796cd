"""Pictures of entropies: what truth and system share, miss and make up, in all and by class.

The joint entropy diagram (Holt et al. 2010 Figure 2) lays H(T) and H(S) over each other: they share
the mutual information I; what sticks out is H(T|S), missed, on one side and H(S|T), made up, on the
other. By class (Figure 6) are H(S|T = t), how uncertain answers are where a class is true, and
H(T|S = s), how uncertain the truth is where it was said; less is better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.errors import InputError
from cranfield.report.pictures import FAINT, INK, Spec, page
from cranfield.report.scales import (
    SERIES,
    coloured_series,
    named_axis,
    shaped_series,
    tooltip,
)
from cranfield.tasks.classes import Confusion

_WIDTH = 720
_BAR, _ROW = 26, 74
"""Height of a bar, and of a system with the lines above and below its bar."""
_ROOM = 46
"""Width in points that a number in a bar needs."""
_PANEL = 320
_STEP = 22
_MOST = 100
"""Classes that stay readable."""
_PARTS = {
    "H(T|S), missed": SERIES[5],
    "I(T;S), shared": SERIES[0],
    "H(S|T), made up": SERIES[1],
}
_READABLE = f"indexof(datum.what, 'missed') < 0 ? 'white' : '{INK}'"
_UNITS = {2.0: "bits", np.e: "nats", 10.0: "hartleys"}


def entropy_diagram(systems: Sequence[Confusion], *, base: float = np.e) -> Spec:
    """H(T), H(S), what both share and what each has alone, a bar for each system."""
    rows = [_entropies(system, base) for system in systems]
    longest = max(row["joint"] for row in rows) or 1.0
    drawing = _Bars(longest, [row["system"] for row in rows])
    title = {
        "text": "Joint entropy of truth and system",
        "subtitle": [
            "above each bar the truth H(T), below it the system H(S); they overlap in I(T;S)"
        ],
        "offset": 18,
    }
    return page(
        {
            "title": title,
            "width": _WIDTH,
            "height": _ROW * len(rows),
            "layer": drawing.layers(rows, _unit(base)),
        }
    )


def _entropies(system: Confusion, base: float) -> Spec:
    names = ("H_T", "H_S", "H_T_given_S", "H_S_given_T", "I")
    told = {name: system[f"{name}(base={base!r})"] for name in names}
    return {"system": system.name, "joint": told["H_T"] + told["H_S_given_T"], **told}


class _Bars:
    """Bars one below the other; lengths are entropies."""

    def __init__(self, longest: float, systems: Sequence[str]) -> None:
        self.longest = longest
        self.systems = list(systems)

    def layers(self, rows: Sequence[Spec], unit: str) -> list[Spec]:
        parts = [part for place, row in enumerate(rows) for part in _parts(row, place)]
        spans = [span for place, row in enumerate(rows) for span in _spans(row, place)]
        for one in (*parts, *spans):
            one["label"] = f"{one['value']:.3f}"
            one["middle"] = (one["from"] + one["to"]) / 2
        wide = [one for one in parts if one["value"] / self.longest * _WIDTH > _ROOM]
        for one in spans:
            one["label"] = f"{one['what']} = {one['label']}"
        tell = tooltip("system", "what", ("value", unit))
        return [
            {
                "data": {"values": parts},
                "mark": {"type": "rect", "height": _BAR, "stroke": "white", "strokeWidth": 1.5},
                "encoding": {
                    **self._between(unit),
                    "y": self._row("place"),
                    "color": {
                        "field": "what",
                        "type": "nominal",
                        "title": None,
                        "scale": {"domain": list(_PARTS), "range": list(_PARTS.values())},
                        "legend": {"orient": "top", "symbolType": "square"},
                    },
                    "tooltip": tell,
                },
            },
            {
                "data": {"values": spans},
                "mark": {"type": "rule", "color": FAINT, "strokeWidth": 2},
                "encoding": {**self._between(unit), "y": self._row("place"), "tooltip": tell},
            },
            self._words(wide, unit, {"fill": {"expr": _READABLE}, "fontWeight": "bold"}),
            self._words([one for one in spans if one["side"] < 0], unit, {"dy": -9, "color": INK}),
            self._words([one for one in spans if one["side"] > 0], unit, {"dy": 10, "color": INK}),
        ]

    def _words(self, values: Sequence[Spec], unit: str, look: Spec) -> Spec:
        along = self._between(unit)["x"] | {"field": "middle"}
        return {
            "data": {"values": list(values)},
            "mark": {"type": "text", "fontSize": 11, **look},
            "encoding": {"x": along, "y": self._row("place"), "text": {"field": "label"}},
        }

    def _between(self, unit: str) -> Spec:
        scale = {"domain": [0, self.longest], "nice": False}
        axis = {"grid": False, "tickCount": 6}
        x = {"field": "from", "type": "quantitative", "title": unit, "scale": scale, "axis": axis}
        return {"x": x, "x2": {"field": "to"}}

    def _row(self, field: str) -> Spec:
        names = named_axis("row", self.systems, _ROW)["axis"]
        return {
            "field": field,
            "type": "quantitative",
            "title": None,
            "scale": {"domain": [len(self.systems) - 0.5, -0.5], "nice": False, "zero": False},
            "axis": names | {"values": list(range(len(self.systems))), "grid": False},
        }


def _parts(row: Spec, place: int) -> list[Spec]:
    """Missed, shared and made up, from left to right."""
    ends = [0.0, row["H_T_given_S"], row["H_T"], row["joint"]]
    return [
        {
            "system": row["system"],
            "what": what,
            "value": round(ends[i + 1] - ends[i], 6),
            "from": ends[i],
            "to": ends[i + 1],
            "place": place,
        }
        for i, what in enumerate(_PARTS)
    ]


def _spans(row: Spec, place: int) -> list[Spec]:
    """The lines of H(T) above the bar and of H(S) below it."""
    away = (_BAR / 2 + 5) / _ROW
    ends = {"H(T)": (0.0, row["H_T"], -1), "H(S)": (row["H_T_given_S"], row["joint"], 1)}
    return [
        {
            "system": row["system"],
            "what": what,
            "value": round(last - first, 6),
            "from": first,
            "to": last,
            "place": place + side * away,
            "side": side,
        }
        for what, (first, last, side) in ends.items()
    ]


# ── by class ──────────────────────────────────────────────────────────────────────────────────


def class_entropies_picture(systems: Sequence[Confusion], *, base: float = np.e) -> Spec:
    """The conditional entropies of each class, both ways, of all systems."""
    classes = list(dict.fromkeys(name for system in systems for name in system.classes))
    support = dict.fromkeys(classes, 0.0)
    for system in systems:
        for name, row in zip(system.true, system.counts, strict=True):
            support[name] += float(row.sum())
    kept = set(sorted(classes, key=lambda name: (-support[name], classes.index(name)))[:_MOST])
    shown = [name for name in classes if name in kept]
    if not shown:
        raise InputError("there is nothing to draw: the systems have no classes")
    names = [system.name for system in systems]
    frames = [system.by_class(base=base).to_dicts() for system in systems]
    highest = max(
        (row[field] or 0.0 for rows in frames for row in rows for field, _ in _WAYS), default=0.0
    )
    panels = [
        _panel(field, title, frames, names, shown, highest or 1.0, _unit(base))
        for field, title in _WAYS
    ]
    part = "" if len(shown) == len(classes) else f"; the {len(shown)} most frequent classes"
    return page(
        {
            "title": {
                "text": "Conditional entropy by class",
                "subtitle": [f"less is better{part}"],
            },
            "hconcat": panels,
            "spacing": 32,
            # One legend serves both panels.
            "resolve": {"scale": {"color": "shared", "shape": "shared"}},
        }
    )


_WAYS = (
    ("H_S_given_t", "H(S|T = t): answers where the class is true"),
    ("H_T_given_s", "H(T|S = s): truth where the class was said"),
)


def _panel(
    field: str,
    title: str,
    frames: Sequence[Sequence[Spec]],
    names: Sequence[str],
    shown: Sequence[str],
    highest: float,
    unit: str,
) -> Spec:
    places = {name: place for place, name in enumerate(shown)}
    step = max(9, min(_STEP, 900 // len(shown)))
    return {
        "title": {"text": title, "fontSize": 12},
        "width": _PANEL,
        "height": step * len(shown),
        "data": {
            "values": [
                {
                    "row": places[row["class"]],
                    "class": row["class"],
                    "system": name,
                    "entropy": round(row[field], 6),
                    "support": row["support"],
                    "said": row["said"],
                }
                for name, rows in zip(names, frames, strict=True)
                for row in rows
                if row["class"] in places and row[field] is not None
            ]
        },
        "mark": {"type": "point", "filled": True, "size": 52, "opacity": 0.9},
        "encoding": {
            "x": {
                "field": "entropy",
                "type": "quantitative",
                "title": unit,
                "scale": {"domain": [0, highest], "nice": True},
            },
            "y": named_axis("row", shown, step, grid=True),
            "color": coloured_series("system", names),
            "shape": shaped_series("system", names),
            "tooltip": tooltip(
                "class", "system", ("entropy", unit), ("support", "true"), ("said", "said")
            ),
        },
    }


def _unit(base: float) -> str:
    return _UNITS.get(base, f"logarithms to base {base:g}")
