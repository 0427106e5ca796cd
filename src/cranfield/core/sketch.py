"""Sketches: lines, dots and words at points of a sheet, as layers of a `Drawing`.

For what is no chart: trees, and labels joined by lines. Points are counted from the upper left
corner. Each part brings data of its own, which its colour and its tooltip are taken from.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Any, Literal

Spec = dict[str, Any]
Point = tuple[float, float]
Line = Sequence[Point]
Data = dict[str, Any]

_LEGEND = 22
"""Points of a strip on top, for a legend."""
_STEPS = 24
"""Straight lines that a curve is made of."""


@dataclass(frozen=True)
class Sketch:
    """A sheet of so many points."""

    width: float
    height: float

    def spec(self, layers: Iterable[Spec]) -> Spec:
        """The layers on one sheet, those further back first."""
        return {
            "width": round(self.width),
            "height": round(self.height + _LEGEND),
            "layer": list(layers),
            "resolve": {"scale": {"color": "independent", "stroke": "shared"}},
        }

    def lines(
        self,
        drawn: Iterable[tuple[Data, Line]],
        stroke: Spec,
        *,
        width: float = 1.0,
        dash: Sequence[int] = (),
        tooltip: Sequence[str] = (),
    ) -> Spec:
        return {
            "data": {
                "values": [
                    {**data, "line": number, "step": step, **_at(point)}
                    for number, (data, line) in enumerate(drawn)
                    for step, point in enumerate(line)
                ]
            },
            "mark": {
                "type": "line",
                "strokeWidth": width,
                "interpolate": "linear",
                **({"strokeDash": list(dash)} if dash else {}),
            },
            "encoding": {
                **self._position(),
                "detail": {"field": "line"},
                "order": {"field": "step"},
                "stroke": stroke,
                **_tooltip(tooltip),
            },
        }

    def dots(
        self,
        drawn: Iterable[tuple[Data, Point]],
        colour: Spec,
        *,
        size: float,
        channel: Literal["color", "stroke"] = "color",
        tooltip: Sequence[str] = (),
    ) -> Spec:
        """Full dots, or rings where it is their stroke that is coloured."""
        ring = {"filled": False, "fill": "white", "strokeWidth": 2}
        return {
            "data": {"values": [{**data, **_at(point)} for data, point in drawn]},
            "mark": {
                "type": "point",
                "size": size,
                "opacity": 1,
                **({"filled": True} if channel == "color" else ring),
            },
            "encoding": {**self._position(), channel: colour, **_tooltip(tooltip)},
        }

    def tips(self, drawn: Iterable[tuple[Data, Line]], stroke: Spec) -> Spec:
        """Arrow heads at the ends of lines."""
        return {
            "data": {
                "values": [
                    {**data, **_at(line[-1]), "angle": _heading(line[-2], line[-1])}
                    for data, line in drawn
                ]
            },
            "mark": {
                "type": "point",
                "shape": "triangle-up",
                "size": 36,
                "fill": "white",
                "opacity": 1,
            },
            "encoding": {
                **self._position(),
                "angle": {"field": "angle", "type": "quantitative", "scale": None},
                "stroke": stroke,
            },
        }

    def words(
        self,
        drawn: Iterable[tuple[Data, Point]],
        *,
        size: float,
        align: Literal["left", "right", "center"] = "left",
        indent: float = 0.0,
        colours: Mapping[str, str] | None = None,
    ) -> Spec:
        """The `words` of each, in the colour of its `kind`."""
        return {
            "data": {"values": [{**data, **_at(point)} for data, point in drawn]},
            "mark": {
                "type": "text",
                "align": align,
                "baseline": "middle",
                "dx": -indent if align == "right" else indent,
                "fontSize": size,
            },
            "encoding": {
                **self._position(),
                "text": {"field": "words"},
                "color": {
                    "condition": [
                        {"test": f"datum.kind === '{kind}'", "value": colour}
                        for kind, colour in (colours or {}).items()
                    ],
                },
            },
        }

    def _position(self) -> Spec:
        return {
            "x": _axis("x", [0, self.width]),
            "y": _axis("y", [self.height, -_LEGEND]),
        }


def coloured(
    field: str, colours: Mapping[str, str], present: Iterable[str], *, x: float = 0, **look: Any
) -> Spec:
    """Colours by what a field says, with a legend above the drawing of those that there are."""
    there = set(present)
    return {
        "field": field,
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(colours), "range": list(colours.values())},
        "legend": {
            "values": [kind for kind in colours if kind in there],
            "orient": "none",
            "direction": "horizontal",
            "legendX": x,
            "legendY": 0,
            **look,
        },
    }


def plain(colour: str) -> Spec:
    """One colour, whatever the data."""
    return {"value": colour}


def curve(start: Point, leaving: Point, arriving: Point, end: Point) -> list[Point]:
    """A cubic Bézier curve."""
    line = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        points = list(zip(weights, (start, leaving, arriving, end), strict=True))
        line.append((sum(w * x for w, (x, _) in points), sum(w * y for w, (_, y) in points)))
    return line


def _at(point: Point) -> Data:
    return {"x": round(point[0], 2), "y": round(point[1], 2)}


def _axis(field: str, domain: list[float]) -> Spec:
    scale = {"domain": domain, "nice": False, "zero": False}
    return {"field": field, "type": "quantitative", "scale": scale, "axis": None}


def _tooltip(fields: Sequence[str]) -> Spec:
    return {"tooltip": [{"field": field} for field in fields]} if fields else {}


def _heading(before: Point, end: Point) -> float:
    """The direction of a line at its end, in degrees clockwise from upwards."""
    return round(degrees(atan2(end[0] - before[0], before[1] - end[1])), 1)


def name_width(text: str, font: float) -> float:
    """Points that a name takes in a common sans-serif, nearly."""
    return font * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if letter in "iljtfrI.,:;'|!()[]/ ":
        return 0.31
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in "mwMW@%":
        return 0.86
    return 0.69 if letter.isupper() else 0.56
