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

import numpy as np

from cranfield.classes import Confusion
from cranfield.classes.monte_carlo import Cloud
from cranfield.errors import InputError, first_ten, several
from cranfield.report.coverage_plane import (
    SPACING,
    TELL,
    Place,
    around,
    iso_error,
    position,
    star,
    told,
    words,
)
from cranfield.report.pictures import INK, PALE, Spec, page
from cranfield.report.scales import coloured_series, shaped_series, tooltip

_UNIT, _WIDEST, _LOWEST = 480, 1000, 240
"""Points of a picture for 1 on either axis, the width it never exceeds, and the least height."""
_PANEL, _PANELS = 220, 4
"""The size of the picture of one cloud, and how many stand side by side."""
_LINE, _REACH = 14.0, 130.0
"""How far labels keep apart, one below the other, and how far they reach to the side."""
_DRAWN = 1000
"""Points of a cloud that are drawn; more would only be blacker."""
_HELD = 0.95
"""Share of a normal distribution that an ellipse holds."""
_AROUND = 4.0
"""Standard deviations that the picture of one cloud shows on either side."""


def coverage_plot(
    systems: Iterable[Confusion | Place] = (),
    *,
    paths: Mapping[str, Sequence[Place]] | None = None,
    clouds: Iterable[Cloud] = (),
) -> Spec:
    """Systems in the space of information coverage.

    paths   by system, its places for one setting of a parameter after the other, each named by it
    clouds  systems that were evaluated again and again; those of one grid are joined by a path
    """
    given = [one if isinstance(one, Place) else Place.of(one) for one in systems]
    listed = {cloud.name: cloud for cloud in clouds}
    means = {name: Place(name, *cloud.mean) for name, cloud in listed.items()}
    drawn = [cloud for name, cloud in listed.items() if means[name].known]
    single = [means[cloud.name] for cloud in drawn if cloud.setting is None]
    joined = {**_known(paths or {}), **_known(_grids(drawn))}
    alone = [one for one in given if one.known]
    everything = [*alone, *single, *(one for path in joined.values() for one in path)]
    if not everything:
        raise InputError(
            "there is nothing to draw: no system has a completeness and a false information ratio"
        )
    furthest = max([one.r for one in everything] + [float(np.nanmax(one.r)) for one in drawn])
    wide = max(1.0, math.ceil(furthest / SPACING - 1e-9) * SPACING)
    names = list(dict.fromkeys([*(one.name for one in (*alone, *single)), *joined]))
    sheet = _Sheet(wide, names)
    lost = [one.name for one in (*given, *means.values()) if not one.known]
    panels = [_panel(cloud, names) for cloud in drawn if cloud.setting is None]
    rows = [panels[first : first + _PANELS] for first in range(0, len(panels), _PANELS)]
    return page(
        sheet.picture(alone, single, joined, drawn, lost),
        *({"hconcat": row, "spacing": 40} for row in rows),
    )


def _known(paths: Mapping[str, Sequence[Place]]) -> dict[str, list[Place]]:
    """Paths without the settings that have no place."""
    known = {name: [one for one in path if one.known] for name, path in paths.items()}
    return {name: path for name, path in known.items() if path}


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

    @property
    def width(self) -> float:
        return min(_UNIT * self.wide, _WIDEST)

    @property
    def height(self) -> float:
        return max(self.width / self.wide, _LOWEST)

    def picture(
        self,
        alone: Sequence[Place],
        means: Sequence[Place],
        joined: Mapping[str, Sequence[Place]],
        clouds: Sequence[Cloud],
        lost: Sequence[str],
    ) -> Spec:
        subtitle = ["dotted: the same erroneous information, S_I / H(T) = 1 − f + r"]
        if clouds:
            subtitle.append(f"ellipses would hold {_HELD:.0%} of a normal distribution")
        if lost:
            subtitle.append(f"undefined for {first_ten(lost)}")
        layers = iso_error(self.wide)
        layers += [
            layer
            for cloud in clouds
            for layer in _cloud_layers(cloud, position(self.wide), self.names, size=6)
        ]
        layers += [self._path(name, path) for name, path in joined.items()]
        layers += [self._points(alone, size=80), self._points(means, size=24)]
        labels = [(f"{one.name}  {one.error:.3f}", one) for one in (*alone, *means)]
        labels += [
            (f"{name}: {end.name}", end)
            for name, path in joined.items()
            for end in dict.fromkeys((path[0], path[-1]))
        ]
        layers += self._labels(labels)
        return {
            "title": {"text": "Information coverage", "subtitle": subtitle},
            "view": {"stroke": PALE},
            "width": round(self.width),
            "height": round(self.height),
            "layer": [*layers, star(self.wide)],
        }

    # ── systems ───────────────────────────────────────────────────────────────────────────────

    def _points(self, places: Sequence[Place], *, size: int) -> Spec:
        return {
            "data": {"values": [told(one, one.name) for one in places]},
            "mark": {"type": "point", "filled": True, "size": size, "opacity": 0.85},
            "encoding": {
                **position(self.wide),
                "color": _coloured(self.names),
                "shape": shaped_series("system", self.names) | {"legend": None},
                "tooltip": TELL,
            },
        }

    def _labels(self, labels: Sequence[tuple[str, Place]]) -> list[Spec]:
        """Words beside places, moved down where they would overlap."""
        drawn: list[tuple[float, float]] = []
        sides: dict[str, list[Spec]] = {"left": [], "right": []}
        for said, one in sorted(labels, key=lambda pair: (-pair[1].f, pair[1].r, pair[0])):
            x, y = one.r / self.wide * self.width, (1.0 - one.f) * self.height
            for other, low in sorted(drawn, key=lambda at: at[1]):
                if abs(x - other) < _REACH and abs(y - low) < _LINE:
                    y = low + _LINE
            drawn.append((x, y))
            side = "right" if one.r > 0.8 * self.wide else "left"
            sides[side].append({"label": said, "r": one.r, "f": 1.0 - y / self.height})
        return [
            words(values, "label", self.wide, {"align": side, "dx": 9 if side == "left" else -9})
            for side, values in sides.items()
            if values
        ]

    def _path(self, name: str, path: Sequence[Place]) -> Spec:
        return {
            "data": {
                "values": [
                    {**told(one, name), "setting": one.name, "step": step}
                    for step, one in enumerate(path)
                ]
            },
            "mark": {
                "type": "line",
                "strokeWidth": 1.5,
                "point": {"filled": True, "size": 36, "opacity": 1},
            },
            "encoding": {
                **position(self.wide),
                "order": {"field": "step"},
                "color": _coloured(self.names),
                "tooltip": [*TELL, *tooltip("setting")],
            },
        }


# ── clouds ────────────────────────────────────────────────────────────────────────────────────


def _panel(cloud: Cloud, names: Sequence[str]) -> Spec:
    """A cloud by itself, with its mean, σ and ρ."""
    mean, sigma = Place(cloud.name, *cloud.mean), cloud.sigma
    # Both axes have the same unit, so that the form of the ellipse is the true one.
    half = max((_AROUND * width for width in sigma if width > 0), default=0.01)
    where = around(*([centre - half, centre + half] for centre in cloud.mean))
    middle = {
        "data": {"values": [told(mean, cloud.family)]},
        "mark": {"type": "point", "shape": "cross", "size": 90, "filled": True, "color": INK},
        "encoding": {**where, "tooltip": TELL},
    }
    return {
        "title": {
            "text": cloud.name,
            "fontSize": 12,
            "subtitleFontSize": 11,
            "subtitle": [
                f"r {mean.r:.4f}, σ {_number(sigma[0], '.2e')}",
                f"f {mean.f:.4f}, σ {_number(sigma[1], '.2e')}",
                f"ρ {_number(cloud.rho, '.3f')}, {several(len(cloud.r), 'evaluation')}",
            ],
        },
        "view": {"stroke": PALE},
        "width": _PANEL,
        "height": _PANEL,
        "layer": [*_cloud_layers(cloud, where, names, size=12), middle],
    }


def _cloud_layers(cloud: Cloud, where: Spec, names: Sequence[str], *, size: int) -> list[Spec]:
    """Its points, and the ellipse around them."""
    places = [
        Place(cloud.name, r, f) for r, f in zip(cloud.r.tolist(), cloud.f.tolist(), strict=True)
    ]
    points: Spec = {
        "data": {"values": [told(one, cloud.family) for one in places[:_DRAWN] if one.known]},
        "mark": {"type": "circle", "size": size, "opacity": 0.3, "clip": True},
        "encoding": {**where, "color": _coloured(names), "tooltip": TELL},
    }
    ellipse = cloud.ellipse(_HELD)
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
        "mark": {"type": "line", "strokeWidth": 1.2},
        "encoding": {**where, "order": {"field": "step"}, "color": _coloured(names)},
    }
    return [points, line]


def _number(value: float, form: str) -> str:
    return "undefined" if math.isnan(value) else format(value, form)


def _coloured(names: Sequence[str]) -> Spec:
    """Without a legend, since names stand beside the marks."""
    return coloured_series("system", names) | {"legend": None}
