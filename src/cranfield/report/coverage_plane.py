"""The plane of information coverage: its axes, the star of the perfect system, and iso-error lines.

r(S|T), the false information ratio, grows to the right, f(T;S), the truth information completeness,
upwards. Places with the same erroneous information S_I / H(T) = 1 − f + r lie on dotted lines; it
is their Manhattan distance to the star at (0, 1) (Holt et al. 2010 §3, Figure 3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.report.pictures import FAINT, INK, Spec
from cranfield.report.scales import tooltip
from cranfield.tasks.classes import Confusion

SPACING = 0.2
"""Erroneous information between two dotted lines, unless they would be too many."""
_LINES = 20
_STAR = "M" + "L".join(
    f"{radius * math.sin(turn * math.pi / 5):.3f},{-radius * math.cos(turn * math.pi / 5):.3f}"
    for turn, radius in zip(range(10), (1.0, 0.4) * 5, strict=True)
)
TELL = tooltip(
    "system",
    ("r", "false information ratio r"),
    ("f", "completeness f"),
    ("error", "S_I / H(T)"),
)
"""What tooltips say of a place."""


@dataclass(frozen=True)
class Place:
    """Where a system lies."""

    name: str
    r: float
    f: float

    @classmethod
    def of(cls, confusion: Confusion) -> Place:
        return cls(confusion.name, confusion["false_ratio"], confusion["completeness"])

    @property
    def error(self) -> float:
        """Erroneous information by what there is to know: S_I / H(T)."""
        return 1.0 - self.f + self.r

    @property
    def known(self) -> bool:
        return math.isfinite(self.r) and math.isfinite(self.f)


PERFECT = Place("perfect", 0.0, 1.0)
"""Nothing missed, nothing made up."""


def iso_error(wide: float) -> list[Spec]:
    """Lines f = 1 + r − error, and at the upper end of each its error."""
    lines: list[Spec] = []
    ends: list[Spec] = []
    spacing = SPACING * math.ceil((1.0 + wide) / SPACING / _LINES)
    for step in range(1, math.ceil((1.0 + wide) / spacing - 1e-9)):
        error = round(step * spacing, 6)
        low, high = max(0.0, error - 1.0), min(error, wide)
        lines += [{"error": error, "r": r, "f": 1.0 + r - error} for r in (low, high)]
        ends.append({"error": f"{error:.1f}", "r": high, "f": 1.0 + high - error})
    top = [end for end in ends if end["f"] > 1 - 1e-9]
    side = [end for end in ends if end not in top]
    return [
        {
            "data": {"values": lines},
            "mark": {"type": "line", "strokeDash": [1, 4], "color": FAINT, "strokeWidth": 1},
            "encoding": {**position(wide), "detail": {"field": "error"}},
        },
        words(top, "error", wide, {"dy": -9, "fontSize": 10, "color": FAINT}),
        words(side, "error", wide, {"dx": 12, "fontSize": 10, "color": FAINT}),
    ]


def star(wide: float) -> Spec:
    """The place of a system that misses nothing and makes nothing up."""
    return {
        "data": {"values": [told(PERFECT, PERFECT.name)]},
        "mark": {
            "type": "point",
            "shape": _STAR,
            "size": 320,
            "filled": True,
            "fill": "#f0b400",
            "stroke": INK,
            "strokeWidth": 0.8,
            "opacity": 1,
            "clip": False,
        },
        "encoding": {**position(wide), "tooltip": TELL},
    }


def words(values: Sequence[Spec], field: str, wide: float, look: Spec) -> Spec:
    """Text at places."""
    return {
        "data": {"values": list(values)},
        "mark": {"type": "text", "fontSize": 11, "color": INK, "clip": False, **look},
        "encoding": {**position(wide), "text": {"field": field}},
    }


def told(place: Place, system: str) -> Spec:
    """The data of a mark."""
    return {
        "system": system,
        "r": round(place.r, 6),
        "f": round(place.f, 6),
        "error": round(place.error, 6),
    }


def position(wide: float) -> Spec:
    """The whole plane, up to the given r."""
    return around([0.0, wide], [0.0, 1.0])


def around(r: list[float], f: list[float]) -> Spec:
    """A part of the plane."""
    return {
        "x": _axis("r", "false information ratio r(S|T)", r),
        "y": _axis("f", "truth information completeness f(T;S)", f),
    }


def _axis(field: str, title: str, domain: list[float]) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"domain": domain, "nice": False, "zero": False},
        "axis": {"tickCount": 5, "grid": False, "labelFlush": False, "labelPadding": 12},
    }
