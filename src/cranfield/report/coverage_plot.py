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

import numpy as np

from cranfield.errors import InputError, first_ten
from cranfield.report.coverage_clouds import HELD, cloud_layers, panel
from cranfield.report.coverage_labels import Box, Label, legend, placed, shortened
from cranfield.report.coverage_plane import (
    PERFECT,
    SPACING,
    TELL,
    Place,
    iso_error,
    position,
    star,
    told,
    words,
)
from cranfield.report.pictures import PALE, Spec, page
from cranfield.report.scales import coloured_series, shaped_series, tooltip
from cranfield.tasks.classes import Confusion
from cranfield.tasks.classes.monte_carlo import Cloud

_UNIT, _WIDEST, _LOWEST = 480, 1000, 240
"""Points of a picture for 1 on either axis, the width it never exceeds, and the least height."""
_MARK, _STAR = 5.0, 11.0
"""From the middle of a mark, and of the star, to the edge."""
_PANELS = 4
"""Pictures of single clouds that stand side by side."""
_SHOWN = 0.975
"""Share of a cloud that the plane has room for; single points far to the right are cut off."""


def coverage_plot(
    systems: Iterable[Confusion | Place] = (),
    *,
    paths: Mapping[str, Sequence[Place]] | None = None,
    clouds: Iterable[Cloud] = (),
) -> Spec:
    """Systems in the space of information coverage.

    paths   by system, its places for one setting of a parameter after the other, each named by it
    clouds  systems that were evaluated again and again; those of one grid are joined by a path.
            A system of the same name says where the mark of a cloud is, else it is the mean.
    """
    given = [one if isinstance(one, Place) else Place.of(one) for one in systems]
    listed = {cloud.name: cloud for cloud in clouds}
    own = {one.name: one for one in given}
    middles = {name: own.get(name, Place(name, *one.mean)) for name, one in listed.items()}
    drawn = [cloud for name, cloud in listed.items() if middles[name].known]
    single = [middles[cloud.name] for cloud in drawn if cloud.setting is None]
    joined = {**_known(paths or {}), **_known(_grids(drawn))}
    alone = [one for one in given if one.known and one.name not in listed]
    everything = [*alone, *single, *(one for path in joined.values() for one in path)]
    if not everything:
        raise InputError(
            "there is nothing to draw: no system has a completeness and a false information ratio"
        )
    furthest = max(
        [one.r for one in everything] + [float(np.quantile(one.r, _SHOWN)) for one in drawn]
    )
    wide = max(1.0, math.ceil(furthest / SPACING - 1e-9) * SPACING)
    names = list(dict.fromkeys([*(one.name for one in (*alone, *single)), *joined]))
    sheet = _Sheet(wide, names, legend(names, {one.name: _error(one) for one in (*alone, *single)}))
    lost = dict.fromkeys(one.name for one in (*given, *middles.values()) if not one.known)
    panels = [panel(cloud, middles[cloud.name], names) for cloud in drawn if cloud.setting is None]
    rows = [panels[first : first + _PANELS] for first in range(0, len(panels), _PANELS)]
    return page(
        sheet.picture(alone, single, joined, drawn, list(lost)),
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
        return coloured_series("system", self.names) | {"legend": self.legend}

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
            subtitle.append(f"ellipses would hold {HELD:.0%} of a normal distribution")
        if lost:
            subtitle.append(f"undefined for {first_ten(lost)}")
        layers = iso_error(self.wide)
        layers += [
            layer
            for cloud in clouds
            for layer in cloud_layers(cloud, position(self.wide), self.colours, size=6)
        ]
        layers += [self._path(name, path) for name, path in joined.items()]
        layers += [self._points(alone, size=80), self._points(means, size=24)]
        layers += self._labels(alone, means, joined)
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
                "color": self.colours,
                "shape": shaped_series("system", self.names) | {"legend": self.legend},
                "tooltip": TELL,
            },
        }

    def _labels(
        self,
        alone: Sequence[Place],
        means: Sequence[Place],
        joined: Mapping[str, Sequence[Place]],
    ) -> list[Spec]:
        """Words beside places: names and errors, unless a legend has them, and ends of paths."""
        said = [
            (f"{shortened(one.name)}  {_error(one)}", one)
            for one in (*alone, *means)
            if self.legend is None
        ]
        said += [
            (end.name if self.legend else f"{shortened(name)}: {end.name}", end)
            for name, path in joined.items()
            for end in dict.fromkeys((path[0], path[-1]))
        ]
        marks = [*alone, *means, *(one for path in joined.values() for one in path)]
        labels = placed(
            [Label(text, *self._point(one)) for text, one in said],
            [self._box(one, _MARK) for one in marks] + [self._box(PERFECT, _STAR)],
            # Words may reach over the lower and upper edge by half a line.
            (0.0, self.width, -7.0, self.height + 7.0),
        )
        sides = {side: [one for one in labels if one.side == side] for side in ("left", "right")}
        return [
            words(
                [
                    {
                        "label": one.text,
                        "r": one.x / self.width * self.wide,
                        "f": 1.0 - one.y / self.height,
                    }
                    for one in found
                ],
                "label",
                self.wide,
                {"align": side, "dx": 9 if side == "left" else -9},
            )
            for side, found in sides.items()
            if found
        ]

    def _point(self, one: Place) -> tuple[float, float]:
        """Points from the left and from above."""
        return one.r / self.wide * self.width, (1.0 - one.f) * self.height

    def _box(self, one: Place, half: float) -> Box:
        x, y = self._point(one)
        return x - half, x + half, y - half, y + half

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
                "color": self.colours,
                "tooltip": [*TELL, *tooltip("setting")],
            },
        }


def _error(place: Place) -> str:
    return f"{place.error:.3f}"
