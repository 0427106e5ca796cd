"""Clouds of the information coverage plot: repeated evaluations of a system, with an ellipse."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cranfield.errors import several
from cranfield.report.coverage_plane import TELL, Place, around, told
from cranfield.report.pictures import INK, PALE, Spec
from cranfield.report.scales import coloured_series
from cranfield.tasks.classes.monte_carlo import Cloud

HELD = 0.95
"""Share of a normal distribution that an ellipse holds."""
_PANEL = 220
"""The size of the picture of one cloud."""
_DRAWN = 1000
"""Points of a cloud that are drawn; more would only be blacker."""
_AROUND = 4.0
"""Standard deviations that the picture of one cloud shows on either side."""
_HEADROOM = {"x": 0, "x2": _PANEL, "y": -8, "y2": 0}


def panel(cloud: Cloud, mark: Place, names: Sequence[str]) -> Spec:
    """A cloud by itself, with its mark, σ and ρ."""
    sigma = cloud.sigma
    # Both axes have the same unit, so that the form of the ellipse is the true one.
    half = max((_AROUND * width for width in sigma if width > 0), default=0.01)
    where = around(*_window(cloud.mean, half))
    colours = coloured_series("system", names) | {"legend": None}
    middle = {
        "data": {"values": [told(mark, cloud.family)]},
        "mark": {"type": "point", "shape": "cross", "size": 90, "filled": True, "color": INK},
        "encoding": {**where, "tooltip": TELL},
    }
    return {
        "title": {
            "text": cloud.name,
            "fontSize": 12,
            "subtitleFontSize": 11,
            "subtitle": [
                f"r {mark.r:.4f}, σ {_number(sigma[0], '.2e')}",
                f"f {mark.f:.4f}, σ {_number(sigma[1], '.2e')}",
                f"ρ {_number(cloud.rho, '.3f')}, {several(len(cloud.r), 'evaluation')}",
            ],
        },
        "view": {"stroke": PALE},
        "width": _PANEL,
        "height": _PANEL,
        "layer": [*cloud_layers(cloud, where, colours, size=12), middle, _headroom()],
    }


def _headroom() -> Spec:
    """Room for numbers at the upper end of the axis, so that titles side by side are level."""
    return {
        "data": {"values": [{}]},
        "mark": {"type": "rect", "color": "transparent"},
        "encoding": {name: {"value": value} for name, value in _HEADROOM.items()},
    }


def _window(mean: tuple[float, float], half: float) -> tuple[list[float], list[float]]:
    """The part of the plane around a mean, moved to where systems can be: r ≥ 0 and 0 ≤ f ≤ 1."""
    half = min(half, 0.5)
    r, f = max(mean[0], half), min(max(mean[1], half), 1.0 - half)
    return [r - half, r + half], [f - half, f + half]


def cloud_layers(cloud: Cloud, where: Spec, colours: Spec, *, size: int) -> list[Spec]:
    """Its points, and the ellipse around them."""
    places = [
        Place(cloud.name, r, f) for r, f in zip(cloud.r.tolist(), cloud.f.tolist(), strict=True)
    ]
    points: Spec = {
        "data": {"values": [told(one, cloud.family) for one in places[:_DRAWN] if one.known]},
        "mark": {"type": "circle", "size": size, "opacity": 0.3, "clip": True},
        "encoding": {**where, "color": colours, "tooltip": TELL},
    }
    ellipse = cloud.ellipse(HELD)
    if ellipse is None:
        return [points]
    outline = ellipse.outline()
    closed = np.concatenate([outline, outline[:1]]).tolist()
    line = {
        "data": {
            "values": [
                {"system": cloud.family, "step": step, "r": r, "f": f}
                for step, (r, f) in enumerate(closed)
            ]
        },
        "mark": {"type": "line", "strokeWidth": 1.2, "clip": True},
        "encoding": {**where, "order": {"field": "step"}, "color": colours},
    }
    return [points, line]


def _number(value: float, form: str) -> str:
    return "undefined" if math.isnan(value) else format(value, form)
