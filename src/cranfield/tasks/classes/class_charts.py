"""Charts of confusion matrices: shares of classes, joint entropies, and entropies by class.

The joint entropy diagram (Holt et al. 2010 Figure 2) lays H(T) and H(S) over each other: they share
the mutual information I; what sticks out is H(T|S), missed, on one side and H(S|T), made up, on the
other. By class (Figure 6) are H(S|T = t), how uncertain answers are where a class is true, and
H(T|S = s), how uncertain the truth is where it was said; less is better.

In the heat map of a matrix colours are shares of the true class, so that rare classes can be read
as well as frequent ones; numbers are counts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.core.chart import Axis, Chart, Drawing
from cranfield.core.matrices import Floats, Ints
from cranfield.errors import InputError
from cranfield.tasks.classes.confusion import Confusion

Spec = dict[str, Any]

_MOST = 100
"""Classes of a side that stay readable."""
_NUMBERED = 30
"""Classes of a side up to which there is room for numbers."""
_WIDTH = 720
_BAR, _ROW = 26, 74
"""Height of a bar, and of a system with the lines above and below its bar."""
_ROOM = 46
"""Width in points that a number in a bar needs."""
_FAINT = "#9aa3af"
_PARTS = {
    "H(T|S), missed": "#e69f00",
    "I(T;S), shared": "#0072b2",
    "H(S|T), made up": "#d55e00",
}
_READABLE = "indexof(datum.what, 'missed') < 0 ? 'white' : '#2b2f36'"
_UNITS = {2.0: "bits", np.e: "nats", 10.0: "hartleys"}
_WAYS = (
    ("H_S_given_t", "H(S|T = t): answers where the class is true"),
    ("H_T_given_s", "H(T|S = s): truth where the class was predicted"),
)


# ── matrices ──────────────────────────────────────────────────────────────────────────────────


def heat_maps(systems: Sequence[Confusion]) -> list[Chart]:
    """The matrix of each system."""
    return list(map(_heat_map, systems))


def _heat_map(system: Confusion) -> Chart:
    matrix = _squared(system)
    by_true, by_said = matrix.counts.sum(axis=1), matrix.counts.sum(axis=0)
    if matrix.true == matrix.said:
        rows = columns = _most_frequent(by_true + by_said)
    else:
        rows, columns = _most_frequent(by_true), _most_frequent(by_said)
    part = ""
    if (len(rows), len(columns)) != matrix.counts.shape:
        part = (
            f"; the {len(rows)} most frequent of {len(matrix.true)} true classes, "
            f"{len(columns)} of {len(matrix.said)} predicted"
        )
    return Chart(
        kind="heat",
        rows=_cells(matrix, rows, columns),
        x=Axis("predicted"),
        y=Axis("true", "true"),
        value="percent of true",
        label="label",
        tooltip=("true", "predicted", "count", "percent of true", "percent of predicted"),
        title=f"Confusion matrix of {system.name}",
        subtitle=f"colours: share of the items of a true class{part}",
    )


def _squared(system: Confusion) -> Confusion:
    """With a row and a column for each class, if anybody knows which belong together."""
    try:
        return system.aligned()
    except InputError:
        return system


def _most_frequent(frequency: Floats) -> Ints:
    """Indices of the most frequent classes, in the order of the matrix."""
    return np.sort(np.argsort(-frequency, kind="stable")[:_MOST])


def _cells(matrix: Confusion, rows: Ints, columns: Ints) -> list[Spec]:
    of_true, of_said = (matrix.normalised(side).counts * 100 for side in ("true", "said"))
    whole = matrix.table.holds_counts
    room = max(len(rows), len(columns)) <= _NUMBERED

    def label(count: float) -> str:
        if not count or not room:
            return ""
        return f"{count:.0f}" if whole else f"{count:.2g}"

    return [
        {
            "true": matrix.true[i],
            "predicted": matrix.said[j],
            "count": round(float(matrix.counts[i, j]), 6),
            "percent of true": round(float(of_true[i, j]), 4),
            "percent of predicted": round(float(of_said[i, j]), 4),
            "label": label(float(matrix.counts[i, j])),
        }
        for i in rows
        for j in columns
    ]


# ── entropies by class ────────────────────────────────────────────────────────────────────────


def class_entropy_charts(systems: Sequence[Confusion], *, base: float = np.e) -> list[Chart]:
    """The conditional entropies of each class, both ways, of all systems."""
    classes = list(dict.fromkeys(name for system in systems for name in system.classes))
    support = dict.fromkeys(classes, 0.0)
    for system in systems:
        for name, row in zip(system.true, system.counts, strict=True):
            support[name] += float(row.sum())
    frequent = set(sorted(classes, key=lambda name: (-support[name], classes.index(name)))[:_MOST])
    if not frequent:
        raise InputError("there is nothing to draw: the systems have no classes")
    frames = {system.name: system.by_class(base=base).to_dicts() for system in systems}
    part = "" if len(frequent) == len(classes) else f"; the {_MOST} most frequent classes"
    charts = []
    for field, title in _WAYS:
        rows = [
            {
                "class": row["class"],
                "system": name,
                "entropy": row[field],
                "true": row["support"],
                "predicted": row["said"],
            }
            for shown in classes
            if shown in frequent
            for name, frame in frames.items()
            for row in frame
            if row["class"] == shown and row[field] is not None
        ]
        chart = Chart(
            kind="dots",
            rows=rows,
            x=Axis("entropy", _unit(base), zero=True),
            y=Axis("class", scale="names"),
            series="system",
            order=list(frames),
            tooltip=("class", "system", "entropy", "true", "predicted"),
            title=title,
            subtitle=f"less is better{part}",
        )
        charts.append(chart)
    return charts


# ── joint entropy ─────────────────────────────────────────────────────────────────────────────


def entropy_diagram(systems: Sequence[Confusion], *, base: float = np.e) -> Drawing:
    """H(T), H(S), what both share and what each has alone, a bar for each system."""
    rows = [_entropies(system, base) for system in systems]
    bars = _Bars(max(row["joint"] for row in rows) or 1.0, [row["system"] for row in rows])
    return Drawing(
        {"width": _WIDTH, "height": _ROW * len(rows), "layer": bars.layers(rows, _unit(base))},
        "Joint entropy of truth and system",
        "above each bar the truth H(T), below it the system H(S); they overlap in I(T;S)",
    )


def _entropies(system: Confusion, base: float) -> Spec:
    names = ("H_T", "H_S", "H_T_given_S", "H_S_given_T", "I")
    values = {name: system[f"{name}(base={base!r})"] for name in names}
    return {"system": system.name, "joint": values["H_T"] + values["H_S_given_T"], **values}


class _Bars:
    """Bars one below the other; lengths are entropies."""

    def __init__(self, longest: float, systems: Sequence[str]) -> None:
        self.longest = longest
        self.systems = list(systems)

    def layers(self, rows: Sequence[Spec], unit: str) -> list[Spec]:
        parts = [part for index, row in enumerate(rows) for part in _parts(row, index)]
        spans = [span for index, row in enumerate(rows) for span in _spans(row, index)]
        for part in (*parts, *spans):
            part["label"] = f"{part['value']:.3f}"
            part["middle"] = (part["from"] + part["to"]) / 2
        wide = [part for part in parts if part["value"] / self.longest * _WIDTH > _ROOM]
        for span in spans:
            span["label"] = f"{span['what']} = {span['label']}"
        tell = [{"field": name} for name in ("system", "what", "value")]
        return [
            {
                "data": {"values": parts},
                "mark": {"type": "rect", "height": _BAR, "stroke": "white", "strokeWidth": 1.5},
                "encoding": {
                    **self._between(unit),
                    "y": self._row("row"),
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
                "mark": {"type": "rule", "color": _FAINT, "strokeWidth": 2},
                "encoding": {**self._between(unit), "y": self._row("row"), "tooltip": tell},
            },
            self._words(wide, unit, {"fill": {"expr": _READABLE}, "fontWeight": "bold"}),
            self._words([span for span in spans if span["side"] < 0], unit, {"dy": -9}),
            self._words([span for span in spans if span["side"] > 0], unit, {"dy": 10}),
        ]

    def _words(self, values: Sequence[Spec], unit: str, look: Spec) -> Spec:
        along = self._between(unit)["x"] | {"field": "middle"}
        return {
            "data": {"values": list(values)},
            "mark": {"type": "text", "fontSize": 11, **look},
            "encoding": {"x": along, "y": self._row("row"), "text": {"field": "label"}},
        }

    def _between(self, unit: str) -> Spec:
        scale = {"domain": [0, self.longest], "nice": False}
        axis = {"grid": False, "tickCount": 6}
        x = {"field": "from", "type": "quantitative", "title": unit, "scale": scale, "axis": axis}
        return {"x": x, "x2": {"field": "to"}}

    def _row(self, field: str) -> Spec:
        labels = f"{json.dumps(self.systems)}[datum.value]"
        return {
            "field": field,
            "type": "quantitative",
            "title": None,
            "scale": {"domain": [len(self.systems) - 0.5, -0.5], "nice": False, "zero": False},
            "axis": {
                "labelExpr": labels,
                "values": list(range(len(self.systems))),
                "grid": False,
                "labelLimit": 150,
            },
        }


def _parts(row: Spec, index: int) -> list[Spec]:
    """Missed, shared and made up, from left to right."""
    ends = [0.0, row["H_T_given_S"], row["H_T"], row["joint"]]
    return [
        {
            "system": row["system"],
            "what": what,
            "value": round(ends[i + 1] - ends[i], 6),
            "from": ends[i],
            "to": ends[i + 1],
            "row": index,
        }
        for i, what in enumerate(_PARTS)
    ]


def _spans(row: Spec, index: int) -> list[Spec]:
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
            "row": index + side * away,
            "side": side,
        }
        for what, (first, last, side) in ends.items()
    ]


def _unit(base: float) -> str:
    return _UNITS.get(base, f"logarithms to base {base:g}")
