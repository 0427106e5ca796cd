"""Clouds and contests: what estimators scored, once for each way to cut folds, and who is better.

r is the false information ratio, f the truth information completeness; how wide the cloud of an
estimator is says how much a figure owes to the folds that happened to be drawn (Holt et al. 2010
§4, Table 3).

A contest is one estimator against another by one measure, in two ways. The share of repeats that an
estimator wins is what Holt et al. 2010 §4 call a p-value. It is none: it says how often the folds
decide the order, and comes near 0 or 1 for differences of no weight if there are items enough,
since all repeats know the same items. The corrected resampled t-test asks whether the difference
would hold for other items; differences are those of single folds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.core.matrices import Bools, Floats
from cranfield.errors import InputError, MeasureError
from cranfield.measures import Measure
from cranfield.statistics.significance import ResampledT, corrected_resampled_t

DIGITS = 12
"""Digits of a score that count: sums of the same counts may differ in their last ones."""


@dataclass(frozen=True)
class Ellipse:
    """Where a normal distribution with the mean and covariance of a cloud has a share of itself."""

    center: tuple[float, float]
    """(r, f)."""
    axes: tuple[float, float]
    """Half the long and half the short axis."""
    angle: float
    """From the axis of r to the long axis, in radians, above −π/2 and up to π/2."""
    level: float

    def outline(self, points: int = 72) -> Floats:
        """(points, 2): places (r, f) on the ellipse, in their order."""
        around = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
        along, across = self.axes[0] * np.cos(around), self.axes[1] * np.sin(around)
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return np.stack(
            [
                self.center[0] + cos * along - sin * across,
                self.center[1] + sin * along + cos * across,
            ],
            axis=1,
        )


@dataclass(frozen=True, eq=False)
class Cloud:
    """(r, f) of every repeat."""

    name: str
    """Of the estimator."""
    family: str
    """The name without the parameter of a grid, the same for all its values."""
    setting: tuple[str, Any] | None
    """The parameter of a grid, and its value here."""
    r: Floats
    """The false information ratio of each repeat."""
    f: Floats
    """The truth information completeness of each repeat."""

    @property
    def mean(self) -> tuple[float, float]:
        return float(self.r.mean()), float(self.f.mean())

    @property
    def sigma(self) -> tuple[float, float]:
        """Standard deviations, of a sample; NaN for a single repeat."""
        return spread(self.r), spread(self.f)

    @property
    def rho(self) -> float:
        """The correlation of r and f; NaN where one of them never varies."""
        if len(self.r) < 2 or not all(sigma > 0.0 for sigma in self.sigma):
            return math.nan
        return float(np.corrcoef(self.r, self.f)[0, 1])

    @property
    def covariance(self) -> Floats:
        """(2, 2), of r and f; NaN for a single repeat."""
        if len(self.r) < 2:
            return np.full((2, 2), np.nan)
        return np.cov(self.r, self.f)

    def ellipse(self, level: float = 0.95) -> Ellipse | None:
        """None where fewer than two repeats, or undefined scores, leave no covariance."""
        if not 0.0 < level < 1.0:
            raise InputError(f"level={level:g}; give a number between 0 and 1, such as 0.95")
        covariance = self.covariance
        if not np.isfinite(covariance).all():
            return None
        variances, directions = np.linalg.eigh(covariance)
        # The squared distance from the mean, in units of σ, is χ² with two degrees of freedom.
        scale = math.sqrt(-2.0 * math.log1p(-level))
        short, long = (scale * math.sqrt(max(0.0, value)) for value in variances)
        angle = math.atan2(directions[1, 1], directions[0, 1])
        if not -math.pi / 2 < angle <= math.pi / 2:  # an axis points both ways
            angle -= math.copysign(math.pi, angle)
        return Ellipse(self.mean, (long, short), angle, level)


def spread(values: Floats) -> float:
    """The standard deviation of a sample; NaN for a single value, or where one is undefined."""
    if len(values) < 2 or not np.isfinite(values).all():
        return math.nan
    return float(values.std(ddof=1)) if np.round(np.ptp(values), DIGITS) else 0.0


# ── contests ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Contest:
    """A against B."""

    a: str
    b: str
    measure: Measure
    means: tuple[float, float]
    """Of A and of B over repeats."""
    wins: tuple[float, float]
    """The share of repeats in which A is better, and in which B is; the rest are ties."""
    test: ResampledT
    """Of A − B in every fold; undefined where a fold has no score."""
    holm: float = np.nan
    """The p-value corrected for all pairs, where all were requested."""


def contest(
    names: tuple[str, str],
    measure: Measure,
    scores: tuple[Floats, Floats],
    by_fold: tuple[Floats, Floats],
    folds: int,
) -> Contest:
    """scores  of both in each repeat; by_fold  in each fold of each repeat"""
    ahead, behind = better(measure, *scores), better(measure, *reversed(scores))
    return Contest(
        *names,
        measure,
        (float(scores[0].mean()), float(scores[1].mean())),
        (float(ahead.mean()), float(behind.mean())),
        corrected_resampled_t(_difference(*by_fold), test_share=1.0 / (folds - 1)),
    )


def better(measure: Measure, first: Floats, second: Floats) -> Bools:
    """Where the first is better than the second; an undefined score is never."""
    match measure.traits.better:
        case "higher":
            return np.asarray(_difference(first, second) > 0.0)
        case "lower":
            return np.asarray(_difference(first, second) < 0.0)
    raise MeasureError(f"{measure} calls nobody better; compare by another measure")


def _difference(first: Floats, second: Floats) -> Floats:
    """What is left of rounding; NaN where both are infinite."""
    with np.errstate(invalid="ignore"):
        return np.round(first - second, DIGITS)
