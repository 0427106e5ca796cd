"""The information coverage plot: how much of the truth systems capture, and how much they make up.

After Holt et al. 2010 Figures 3, 5 and 7: the false information ratio r(S|T) to the right, the
truth information completeness f(T;S) upwards. A star marks the perfect system, at (0, 1). Dotted
lines join places with the same erroneous information S_I / H(T) = 1 − f + r, which is the Manhattan
distance to the star. Systems are points; the settings of a tuning parameter are points joined in
their order; repeated evaluations are clouds, each with a mark and an ellipse, and once more by
itself where its form can be seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.core.chart import Drawing
from cranfield.errors import InputError, first_ten, several
from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.coverage_labels import Box, Label, arranged, legend, shortened
from cranfield.tasks.classes.monte_carlo.clouds import Cloud
from cranfield.tasks.classes.uncertainty import Method

Spec = dict[str, Any]

_FAINT = "#9aa3af"
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def _tooltip(*fields: str | tuple[str, str]) -> list[Spec]:
    pairs = ((field, field) if isinstance(field, str) else field for field in fields)
    return [{"field": field, "title": title} for field, title in pairs]


SPACING = 0.2
"""Erroneous information between two dotted lines, unless they would be too many."""
_LINES = 20
_STAR = "M" + "L".join(
    f"{radius * math.sin(turn * math.pi / 5):.3f},{-radius * math.cos(turn * math.pi / 5):.3f}"
    for turn, radius in zip(range(10), (1.0, 0.4) * 5, strict=True)
)
_TELL = _tooltip(
    "system",
    ("r", "false information ratio r"),
    ("f", "completeness f"),
    ("error", "S_I / H(T)"),
)
"""What tooltips say of a place."""
HELD = 0.95
"""Share of a normal distribution that an ellipse holds."""
_PANEL = 220
"""The size of the picture of one cloud."""
_DRAWN = 1000
"""Points of a cloud that are drawn; more would only be blacker."""
_WINDOW = 4.0
"""Standard deviations that the picture of one cloud shows on either side."""
_HEADROOM = {"x": 0, "x2": _PANEL, "y": -8, "y2": 0}
_UNIT, _WIDEST, _LOWEST = 480, 1000, 240
"""Points of a picture for 1 on either axis, the width it never exceeds, and the least height."""
_MARK, _STAR_SIZE = 5.0, 11.0
"""From the middle of a mark, and of the star, to the edge."""
_PANELS = 4
"""Pictures of single clouds that stand side by side."""
_SHOWN = 0.975
"""Share of a cloud that the plane has room for; single points far to the right are cut off."""


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
    def defined(self) -> bool:
        return math.isfinite(self.r) and math.isfinite(self.f)


PERFECT = Place("perfect", 0.0, 1.0)
"""Nothing missed, nothing made up."""


def coverage_plot(
    systems: Iterable[Confusion | Place] = (),
    *,
    paths: Mapping[str, Sequence[Place]] | None = None,
    clouds: Iterable[Cloud] = (),
) -> list[Drawing]:
    """Systems in the space of information coverage: all of them, then each cloud by itself.

    paths   by system, its places for one setting of a parameter after the other, each named by it
    clouds  systems that were evaluated again and again; those of one grid are joined by a path.
            A system of the same name says where the mark of a cloud is, else it is the mean.
    """
    places = [part if isinstance(part, Place) else Place.of(part) for part in systems]
    listed = {cloud.name: cloud for cloud in clouds}
    own = {point.name: point for point in places}
    middles = {name: own.get(name, Place(name, *cloud.mean)) for name, cloud in listed.items()}
    drawn = [cloud for name, cloud in listed.items() if middles[name].defined]
    single = [middles[cloud.name] for cloud in drawn if cloud.setting is None]
    joined = {**_defined(paths or {}), **_defined(_grids(drawn))}
    alone = [point for point in places if point.defined and point.name not in listed]
    everything = [*alone, *single, *(point for path in joined.values() for point in path)]
    if not everything:
        raise InputError(
            "there is nothing to draw: no system has a completeness and a false information ratio"
        )
    furthest = max(
        [point.r for point in everything] + [float(np.quantile(c.r, _SHOWN)) for c in drawn]
    )
    wide = max(1.0, math.ceil(furthest / SPACING - 1e-9) * SPACING)
    named = (*alone, *single)
    names = list(dict.fromkeys([*(point.name for point in named), *joined]))
    sheet = _Sheet(wide, names, legend(names, {point.name: _error(point) for point in named}))
    lost = dict.fromkeys(p.name for p in (*places, *middles.values()) if not p.defined)
    panels = [_panel(cloud, middles[cloud.name], names) for cloud in drawn if cloud.setting is None]
    rows = [panels[first : first + _PANELS] for first in range(0, len(panels), _PANELS)]
    return [
        sheet.drawing(alone, single, joined, drawn, list(lost)),
        *(Drawing({"hconcat": row, "spacing": 40}) for row in rows),
    ]


def _defined(paths: Mapping[str, Sequence[Place]]) -> dict[str, list[Place]]:
    """Paths without the settings that have no place."""
    shown = {name: [point for point in path if point.defined] for name, path in paths.items()}
    return {name: path for name, path in shown.items() if path}


def _grids(clouds: Sequence[Cloud]) -> dict[str, list[Place]]:
    """By estimator, the means of its clouds for one value of a parameter after the other."""
    paths: dict[str, list[Place]] = {}
    for cloud in clouds:
        if cloud.setting is not None:
            setting = "{} = {}".format(*cloud.setting)
            paths.setdefault(cloud.family, []).append(Place(setting, *cloud.mean))
    return paths


@dataclass(frozen=True)
class _Sheet:
    """The plane of r and f."""

    wide: float
    """The largest r."""
    names: list[str]
    legend: Spec | None
    """Where names do not stand beside the marks."""

    @property
    def width(self) -> float:
        return min(_UNIT * self.wide, _WIDEST)

    @property
    def height(self) -> float:
        return max(self.width / self.wide, _LOWEST)

    @property
    def colours(self) -> Spec:
        return _colours(self.names) | {"legend": self.legend}

    def drawing(
        self,
        alone: Sequence[Place],
        means: Sequence[Place],
        joined: Mapping[str, Sequence[Place]],
        clouds: Sequence[Cloud],
        lost: Sequence[str],
    ) -> Drawing:
        subtitle = ["dotted: the same erroneous information, S_I / H(T) = 1 − f + r"]
        if clouds:
            subtitle.append(f"ellipses would hold {HELD:.0%} of a normal distribution")
        if lost:
            subtitle.append(f"undefined for {first_ten(lost)}")
        layers = _iso_error(self.wide)
        layers += [
            layer
            for cloud in clouds
            for layer in _cloud_layers(cloud, _position(self.wide), self.colours, size=6)
        ]
        layers += [self._path(name, path) for name, path in joined.items()]
        layers += [self._points(alone, size=80), self._points(means, size=24)]
        layers += self._labels(alone, means, joined)
        spec = {"width": round(self.width), "height": round(self.height)}
        return Drawing(
            spec | {"layer": [*layers, _star(self.wide)]},
            "Information coverage",
            "; ".join(subtitle),
        )

    # ── systems ───────────────────────────────────────────────────────────────────────────────

    def _points(self, places: Sequence[Place], *, size: int) -> Spec:
        return {
            "data": {"values": [_data(point, point.name) for point in places]},
            "mark": {"type": "point", "filled": True, "size": size, "opacity": 0.85},
            "encoding": {
                **_position(self.wide),
                "color": self.colours,
                "shape": _shapes(self.names) | {"legend": self.legend},
                "tooltip": _TELL,
            },
        }

    def _labels(
        self,
        alone: Sequence[Place],
        means: Sequence[Place],
        joined: Mapping[str, Sequence[Place]],
    ) -> list[Spec]:
        """Words beside places: names and errors, unless a legend has them, and ends of paths."""
        texts = [
            (f"{shortened(point.name)}  {_error(point)}", point)
            for point in (*alone, *means)
            if self.legend is None
        ]
        texts += [
            (end.name if self.legend else f"{shortened(name)}: {end.name}", end)
            for name, path in joined.items()
            for end in dict.fromkeys((path[0], path[-1]))
        ]
        marks = [*alone, *means, *(point for path in joined.values() for point in path)]
        labels = arranged(
            [Label(text, *self._point(point)) for text, point in texts],
            [self._box(point, _MARK) for point in marks] + [self._box(PERFECT, _STAR_SIZE)],
            # Words may reach over the lower and upper edge by half a line.
            (0.0, self.width, -7.0, self.height + 7.0),
        )
        sides = {side: [text for text in labels if text.side == side] for side in ("left", "right")}
        return [
            _words(
                [
                    {
                        "label": label.text,
                        "r": label.x / self.width * self.wide,
                        "f": 1.0 - label.y / self.height,
                    }
                    for label in members
                ],
                "label",
                self.wide,
                {"align": side, "dx": 9 if side == "left" else -9},
            )
            for side, members in sides.items()
            if members
        ]

    def _point(self, point: Place) -> tuple[float, float]:
        """Points from the left and from above."""
        return point.r / self.wide * self.width, (1.0 - point.f) * self.height

    def _box(self, point: Place, half: float) -> Box:
        x, y = self._point(point)
        return x - half, x + half, y - half, y + half

    def _path(self, name: str, path: Sequence[Place]) -> Spec:
        return {
            "data": {
                "values": [
                    {**_data(point, name), "setting": point.name, "step": step}
                    for step, point in enumerate(path)
                ]
            },
            "mark": {
                "type": "line",
                "strokeWidth": 1.5,
                "point": {"filled": True, "size": 36, "opacity": 1},
            },
            "encoding": {
                **_position(self.wide),
                "order": {"field": "step"},
                "color": self.colours,
                "tooltip": [*_TELL, *_tooltip("setting")],
            },
        }


def _error(point: Place) -> str:
    return f"{point.error:.3f}"


# ── clouds ────────────────────────────────────────────────────────────────────────────────────


def _panel(cloud: Cloud, mark: Place, names: Sequence[str]) -> Spec:
    """A cloud by itself, with its mark, σ and ρ."""
    sigma = cloud.sigma
    # Both axes have the same unit, so that the form of the ellipse is the true one.
    half = max((_WINDOW * width for width in sigma if width > 0), default=0.01)
    where = _around(*_window(cloud.mean, half))
    colours = _colours(names) | {"legend": None}
    middle = {
        "data": {"values": [_data(mark, cloud.family)]},
        "mark": {"type": "point", "shape": "cross", "size": 90, "filled": True},
        "encoding": {**where, "tooltip": _TELL},
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
        "width": _PANEL,
        "height": _PANEL,
        "layer": [*_cloud_layers(cloud, where, colours, size=12), middle, _headroom()],
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


def _cloud_layers(cloud: Cloud, where: Spec, colours: Spec, *, size: int) -> list[Spec]:
    """Its points, and the ellipse around them."""
    places = [
        Place(cloud.name, r, f) for r, f in zip(cloud.r.tolist(), cloud.f.tolist(), strict=True)
    ]
    points: Spec = {
        "data": {
            "values": [_data(point, cloud.family) for point in places[:_DRAWN] if point.defined]
        },
        "mark": {"type": "circle", "size": size, "opacity": 0.3, "clip": True},
        "encoding": {**where, "color": colours, "tooltip": _TELL},
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


def sample_clouds(
    systems: Iterable[Confusion], *, method: Method, samples: int, seed: int
) -> list[Cloud]:
    """What chance might have given instead: a cloud for each system that has a place.

    Drawn scores of information are biased. As for intervals, they are moved so that their mean is
    the corrected score, so that a cloud says the same as the table beside it.
    """
    return [_cloud(system, method, samples, seed) for system in systems if Place.of(system).defined]


def _cloud(system: Confusion, method: Method, samples: int, seed: int) -> Cloud:
    names = ("false_ratio", "completeness")
    drawn = system.resampled(names, method=method, samples=samples, seed=seed)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if len(drawn):
        corrected = [
            system.interval(name, method=method, samples=samples, seed=seed).corrected
            for name in names
        ]
        drawn += np.array(corrected) - drawn.mean(axis=0)
    r, f = np.clip(drawn, 0.0, [np.inf, 1.0]).T
    return Cloud(system.name, system.name, None, r, f)


# ── the plane ─────────────────────────────────────────────────────────────────────────────────


def _iso_error(wide: float) -> list[Spec]:
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
            "mark": {"type": "line", "strokeDash": [1, 4], "color": _FAINT, "strokeWidth": 1},
            "encoding": {**_position(wide), "detail": {"field": "error"}},
        },
        _words(top, "error", wide, {"dy": -9, "fontSize": 10, "color": _FAINT}),
        _words(side, "error", wide, {"dx": 12, "fontSize": 10, "color": _FAINT}),
    ]


def _star(wide: float) -> Spec:
    """The place of a system that misses nothing and makes nothing up."""
    return {
        "data": {"values": [_data(PERFECT, PERFECT.name)]},
        "mark": {
            "type": "point",
            "shape": _STAR,
            "size": 320,
            "filled": True,
            "fill": "#f0b400",
            "opacity": 1,
            "clip": False,
        },
        "encoding": {**_position(wide), "tooltip": _TELL},
    }


def _words(values: Sequence[Spec], field: str, wide: float, look: Spec) -> Spec:
    """Text at places."""
    return {
        "data": {"values": list(values)},
        "mark": {"type": "text", "fontSize": 11, "clip": False, **look},
        "encoding": {**_position(wide), "text": {"field": field}},
    }


def _data(point: Place, system: str) -> Spec:
    """The data of a mark."""
    return {
        "system": system,
        "r": round(point.r, 6),
        "f": round(point.f, 6),
        "error": round(point.error, 6),
    }


def _position(wide: float) -> Spec:
    """The whole plane, up to this r."""
    return _around([0.0, wide], [0.0, 1.0])


def _around(r: list[float], f: list[float]) -> Spec:
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


def _colours(names: Sequence[str]) -> Spec:
    return {"field": "system", "type": "nominal", "title": None, "scale": {"domain": list(names)}}


def _shapes(names: Sequence[str]) -> Spec:
    shapes = [_SHAPES[index % len(_SHAPES)] for index in range(len(names))]
    return _colours(names) | {"scale": {"domain": list(names), "range": shapes}}
