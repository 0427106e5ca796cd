"""The information coverage plot: how much of the truth systems capture, and how much they make up.

After Holt et al. 2010 Figures 3, 5 and 7: the false information ratio r(S|T) to the right, the
truth information completeness f(T;S) upwards. A star marks the perfect system, at (0, 1). Dotted
lines join places with the same erroneous information S_I / H(T) = 1 − f + r, which is the Manhattan
distance to the star. Systems are points; the settings of a tuning parameter are points joined in
their order; repeated evaluations are clouds, each with its mean and an ellipse, and once more by
itself where its form can be seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.classes import Confusion
from cranfield.errors import InputError, first_ten
from cranfield.matrices import Floats
from cranfield.report.pictures import FAINT, INK, PALE, Spec, page
from cranfield.report.scales import coloured_series, shaped_series, tooltip

_UNIT, _WIDEST = 480, 1000
"""Points of a picture for 1 on either axis, and the width it never exceeds."""
_PANEL, _PANELS = 220, 4
"""The size of the picture of one cloud, and how many stand side by side."""
_SPACING = 0.2
"""Erroneous information between two dotted lines."""
_LINE, _REACH = 14.0, 130.0
"""How far labels keep apart, one below the other, and how far they reach to the side."""
_DRAWN = 1000
"""Points of a cloud that are drawn; more would only be blacker."""
_HELD = 0.95
"""Share of a normal distribution that an ellipse holds."""
_TURNS = 72
_STAR = "M" + "L".join(
    f"{radius * math.sin(turn * math.pi / 5):.3f},{-radius * math.cos(turn * math.pi / 5):.3f}"
    for turn, radius in zip(range(10), (1.0, 0.4) * 5, strict=True)
)
_TELL = tooltip(
    "system",
    ("r", "false information ratio r"),
    ("f", "completeness f"),
    ("error", "S_I / H(T)"),
)


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


@dataclass(frozen=True, eq=False)
class Cloud:
    """Where one system lies, evaluated again and again."""

    name: str
    r: Floats
    f: Floats

    @cached_property
    def mean(self) -> Place:
        return Place(self.name, float(np.mean(self.r)), float(np.mean(self.f)))

    @cached_property
    def sigma(self) -> tuple[float, float]:
        """Standard deviations of r and f; 0 of a single evaluation."""
        if len(self.r) < 2:
            return 0.0, 0.0
        return float(np.std(self.r, ddof=1)), float(np.std(self.f, ddof=1))

    @cached_property
    def rho(self) -> float:
        """How r and f are correlated; NaN where one of them never changes."""
        if not all(self.sigma):
            return np.nan
        return float(np.corrcoef(self.r, self.f)[0, 1])

    def ellipse(self) -> Floats:
        """(points, 2): r and f on the ellipse that would hold 95 % of a normal cloud."""
        turn = np.linspace(0.0, 2.0 * np.pi, _TURNS + 1)
        circle = np.stack([np.cos(turn), np.sin(turn)])
        spread, axes = np.linalg.eigh(np.cov(self.r, self.f))
        radii = np.sqrt(-2.0 * np.log(1.0 - _HELD) * np.maximum(spread, 0.0))
        centre = np.array([self.mean.r, self.mean.f])
        return np.asarray((axes @ (radii[:, None] * circle)).T + centre)


def coverage_plot(
    systems: Iterable[Confusion | Place] = (),
    *,
    paths: Mapping[str, Sequence[Place]] | None = None,
    clouds: Sequence[Cloud] = (),
) -> Spec:
    """Systems in the space of information coverage.

    paths   by system, its places for one setting of a parameter after the other, each named by it
    clouds  systems that were evaluated again and again
    """
    places = [one if isinstance(one, Place) else Place.of(one) for one in systems]
    tuned = paths or {}
    alone = [one for one in places if one.known]
    joined = {name: [one for one in path if one.known] for name, path in tuned.items()}
    everything = [*alone, *(one for path in joined.values() for one in path)]
    if not everything and not clouds:
        raise InputError(
            "there is nothing to draw: no system has a completeness and a false information ratio"
        )
    names = list(dict.fromkeys([*(one.name for one in alone), *joined, *(c.name for c in clouds)]))
    furthest = max([one.r for one in everything] + [float(c.r.max()) for c in clouds])
    wide = max(1.0, math.ceil(furthest / _SPACING - 1e-9) * _SPACING)
    sheet = _Sheet(wide, min(_UNIT, _WIDEST / wide), names)
    lost = [one.name for one in places if not one.known]
    return page(sheet.picture(alone, joined, clouds, lost), *_panels(clouds, names))


@dataclass(frozen=True)
class _Sheet:
    """The plane of r and f."""

    wide: float
    """The largest r."""
    unit: float
    names: list[str]

    def picture(
        self,
        alone: Sequence[Place],
        joined: Mapping[str, Sequence[Place]],
        clouds: Sequence[Cloud],
        lost: Sequence[str],
    ) -> Spec:
        means = [cloud.mean for cloud in clouds]
        subtitle = ["dotted: the same erroneous information, S_I / H(T) = 1 − f + r"]
        if clouds:
            subtitle.append(f"ellipses would hold {_HELD:.0%} of a normal distribution")
        if lost:
            subtitle.append(f"undefined for {first_ten(lost)}")
        layers = [*self._iso_error(), *(self._cloud(cloud) for cloud in clouds)]
        layers += [self._path(name, path) for name, path in joined.items()]
        ends = [Place(name, path[-1].r, path[-1].f) for name, path in joined.items() if path]
        layers += [self._points(alone, size=80), self._points(means, size=24)]
        layers += self._labels([*alone, *means, *ends])
        return {
            "title": {"text": "Information coverage", "subtitle": subtitle},
            "view": {"stroke": PALE},
            "width": round(self.wide * self.unit),
            "height": round(self.unit),
            "layer": [*layers, self._star()],
        }

    # ── what lies behind ──────────────────────────────────────────────────────────────────────

    def _iso_error(self) -> list[Spec]:
        """Lines f = 1 + r − error, and at the upper end of each its error."""
        lines: list[Spec] = []
        ends: list[Spec] = []
        for step in range(1, round((1.0 + self.wide) / _SPACING)):
            error = round(step * _SPACING, 6)
            low, high = max(0.0, error - 1.0), min(error, self.wide)
            lines += [{"error": error, "r": r, "f": 1.0 + r - error} for r in (low, high)]
            ends.append({"error": f"{error:.1f}", "r": high, "f": 1.0 + high - error})
        top = [end for end in ends if end["f"] > 1 - 1e-9]
        side = [end for end in ends if end not in top]
        return [
            {
                "data": {"values": lines},
                "mark": {"type": "line", "strokeDash": [1, 4], "color": FAINT, "strokeWidth": 1},
                "encoding": {**self._position(), "detail": {"field": "error"}},
            },
            self._words(top, "error", {"dy": -9, "fontSize": 10, "color": FAINT}),
            self._words(side, "error", {"dx": 12, "fontSize": 10, "color": FAINT}),
        ]

    def _star(self) -> Spec:
        words = {"system": "perfect", "r": 0, "f": 1, "error": 0}
        return {
            "data": {"values": [words]},
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
            "encoding": {**self._position(), "tooltip": _TELL},
        }

    # ── systems ───────────────────────────────────────────────────────────────────────────────

    def _points(self, places: Sequence[Place], *, size: int) -> Spec:
        return {
            "data": {"values": [_told(one, one.name) for one in places]},
            "mark": {"type": "point", "filled": True, "size": size, "opacity": 0.85},
            "encoding": {
                **self._position(),
                "color": _coloured(self.names),
                "shape": shaped_series("system", self.names) | {"legend": None},
                "tooltip": _TELL,
            },
        }

    def _labels(self, places: Sequence[Place]) -> list[Spec]:
        """Name and erroneous information beside each point, moved where two would overlap."""
        drawn: list[tuple[float, float]] = []
        sides: dict[str, list[Spec]] = {"left": [], "right": []}
        for one in sorted(places, key=lambda one: (-one.f, one.r, one.name)):
            x, y = one.r * self.unit, (1.0 - one.f) * self.unit
            for other, low in sorted(drawn, key=lambda at: at[1]):
                if abs(x - other) < _REACH and abs(y - low) < _LINE:
                    y = low + _LINE
            drawn.append((x, y))
            side = "right" if one.r > 0.8 * self.wide else "left"
            said = f"{one.name}  {one.error:.3f}"
            sides[side].append({"label": said, "r": one.r, "f": 1.0 - y / self.unit})
        return [
            self._words(values, "label", {"align": side, "dx": 9 if side == "left" else -9})
            for side, values in sides.items()
            if values
        ]

    def _path(self, name: str, path: Sequence[Place]) -> Spec:
        return {
            "data": {
                "values": [
                    {**_told(one, name), "setting": one.name, "step": step}
                    for step, one in enumerate(path)
                ]
            },
            "mark": {
                "type": "line",
                "strokeWidth": 1.5,
                "point": {"filled": True, "size": 36, "opacity": 1},
            },
            "encoding": {
                **self._position(),
                "order": {"field": "step"},
                "color": _coloured(self.names),
                "tooltip": [*_TELL, *tooltip("setting")],
            },
        }

    def _cloud(self, cloud: Cloud) -> Spec:
        return {"layer": _cloud_layers(cloud, self._position(), self.names, size=6)}

    def _words(self, values: Sequence[Spec], field: str, look: Spec) -> Spec:
        return {
            "data": {"values": list(values)},
            "mark": {"type": "text", "fontSize": 11, "color": INK, "clip": False, **look},
            "encoding": {**self._position(), "text": {"field": field}},
        }

    def _position(self) -> Spec:
        return _position([0.0, self.wide], [0.0, 1.0])


# ── clouds ────────────────────────────────────────────────────────────────────────────────────


def _panels(clouds: Sequence[Cloud], names: Sequence[str]) -> list[Spec]:
    """Each cloud by itself, with its mean, σ and ρ."""
    drawn = [_panel(cloud, names) for cloud in clouds]
    rows = [drawn[first : first + _PANELS] for first in range(0, len(drawn), _PANELS)]
    return [{"hconcat": row, "spacing": 40} for row in rows]


def _panel(cloud: Cloud, names: Sequence[str]) -> Spec:
    # Both axes have the same unit, so that the form of the ellipse is the true one.
    half = 4.0 * max(cloud.sigma) or 0.01
    around = [[mean - half, mean + half] for mean in (cloud.mean.r, cloud.mean.f)]
    position = _position(*around)
    middle = {
        "data": {"values": [_told(cloud.mean, cloud.name)]},
        "mark": {"type": "point", "shape": "cross", "size": 90, "filled": True, "color": INK},
        "encoding": {**position, "tooltip": _TELL},
    }
    rho = "undefined" if math.isnan(cloud.rho) else f"{cloud.rho:.3f}"
    return {
        "title": {
            "text": cloud.name,
            "fontSize": 12,
            "subtitleFontSize": 11,
            "subtitle": [
                f"r {cloud.mean.r:.4f}, σ {cloud.sigma[0]:.2e}",
                f"f {cloud.mean.f:.4f}, σ {cloud.sigma[1]:.2e}",
                f"ρ {rho}, {len(cloud.r)} evaluations",
            ],
        },
        "view": {"stroke": PALE},
        "width": _PANEL,
        "height": _PANEL,
        "layer": [*_cloud_layers(cloud, position, names, size=12), middle],
    }


def _cloud_layers(cloud: Cloud, position: Spec, names: Sequence[str], *, size: int) -> list[Spec]:
    """Its points, and the ellipse around them."""
    colour = _coloured(names)
    drawn = zip(cloud.r[:_DRAWN].tolist(), cloud.f[:_DRAWN].tolist(), strict=True)
    points: Spec = {
        "data": {"values": [_told(Place(cloud.name, r, f), cloud.name) for r, f in drawn]},
        "mark": {"type": "circle", "size": size, "opacity": 0.3, "clip": True},
        "encoding": {**position, "color": colour, "tooltip": _TELL},
    }
    if len(cloud.r) < 2:
        return [points]
    ellipse = {
        "data": {
            "values": [
                {"system": cloud.name, "step": step, "r": r, "f": f}
                for step, (r, f) in enumerate(cloud.ellipse().tolist())
            ]
        },
        "mark": {"type": "line", "strokeWidth": 1.2},
        "encoding": {**position, "order": {"field": "step"}, "color": colour},
    }
    return [points, ellipse]


def _coloured(names: Sequence[str]) -> Spec:
    """Without a legend, since names stand beside the marks."""
    return coloured_series("system", names) | {"legend": None}


def _told(place: Place, system: str) -> Spec:
    return {
        "system": system,
        "r": round(place.r, 6),
        "f": round(place.f, 6),
        "error": round(place.error, 6),
    }


def _position(r: list[float], f: list[float]) -> Spec:
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
