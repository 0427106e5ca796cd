"""Correlation of paired numbers: intervals over resamples, tests of differences, clusters.

Two Series or mappings align by their ids. Functions work on the last axis, so that all resamples
are computed at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.unit_values import paired_numbers

Correlation = Callable[[Any, Any], Floats]

_PAIRS = 1 << 22
"""Pairs of values that are looked at together."""


class Interval(NamedTuple):
    """Where a value lies with some confidence."""

    low: float
    high: float


def pearson(first: Any, second: Any) -> Floats:
    """Pearson's r; NaN where one side is constant."""
    x, y = paired_numbers(first, second)
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    spread = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    out = np.full(np.shape(spread), np.nan)
    np.divide((x * y).sum(axis=-1), spread, out=out, where=spread > 0)
    return np.clip(out, -1.0, 1.0)


def spearman(first: Any, second: Any) -> Floats:
    """Spearman's ρ: Pearson's r of ranks, tied values sharing the mean of theirs."""
    from scipy.stats import rankdata

    x, y = paired_numbers(first, second)
    return pearson(rankdata(x, axis=-1), rankdata(y, axis=-1))


def bootstrap_interval(
    correlation: Correlation,
    first: Any,
    second: Any,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The percentile bootstrap interval over pairs; NaN for fewer than three of them.

    Resamples without a value, such as those in which one side is constant, are left out.
    """
    x, y = paired_numbers(first, second)
    if len(x) < 3:
        return Interval(np.nan, np.nan)
    random, values = np.random.default_rng(seed), np.empty(resamples)
    # Some correlations look at all pairs, of which a few resamples at a time are enough.
    step = max(1, _PAIRS // len(x) ** 2)
    for start in range(0, resamples, step):
        part = random.integers(0, len(x), size=(min(step, resamples - start), len(x)))
        values[start : start + step] = correlation(x[part], y[part])
    values = values[~np.isnan(values)]
    if not len(values):
        return Interval(np.nan, np.nan)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(values, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


# ── τ between many measures ───────────────────────────────────────────────────────────────────


def tau_intervals(
    values: Floats, *, resamples: int = 2000, level: float = 0.95, seed: int = 0
) -> Floats:
    """(M, M, 2): percentile bootstrap intervals of τ between M rankings of R runs, given (M, R).

    They are those of `bootstrap_interval(tau, …)`, computed faster: a resample takes
    each run w times, pairs of runs then count w·w′ times, and concordant less discordant pairs are
    wᵀSw with S the products of signs, a matrix product over all resamples.
    NaN for fewer than three runs.
    """
    measures, runs = values.shape
    out = np.full((measures, measures, 2), np.nan)
    if runs < 3:
        return out
    times = drawn_times(runs, resamples, seed)
    signs = [_signs(row) for row in values]
    for i in range(measures):
        for j in range(i + 1):
            agreement = signs[i] * signs[j]
            above, below = (((times @ s) * times).sum(axis=1) for s in (agreement, abs(agreement)))
            out[i, j] = out[j, i] = _quantiles(above, below, level)
    return out


def mean_intervals(
    values: Floats, *, resamples: int = 2000, level: float = 0.95, seed: int = 0
) -> Floats:
    """(…, 2): the same of means over runs, given (R, …); runs without a value are left out."""
    runs = len(values)
    flat = values.reshape(runs, -1)
    out = np.full((flat.shape[1], 2), np.nan)
    if runs >= 3:
        times = drawn_times(runs, resamples, seed)
        defined = ~np.isnan(flat)
        sums, counts = times @ np.where(defined, flat, 0.0), times @ defined.astype(np.float64)
        for column in range(flat.shape[1]):
            out[column] = _quantiles(sums[:, column], counts[:, column], level)
    return out.reshape(*values.shape[1:], 2)


def drawn_times(runs: int, resamples: int, seed: int) -> Floats:
    """(resamples, R): how often each run is drawn."""
    drawn = np.random.default_rng(seed).integers(0, runs, size=(resamples, runs))
    cells = drawn + runs * np.arange(resamples)[:, None]
    times = np.bincount(cells.ravel(), minlength=resamples * runs)
    return times.reshape(resamples, runs).astype(np.float64)


def _signs(row: Floats) -> Floats:
    """Comparisons, not differences, which two infinite values do not have."""
    above, below = row[:, None] > row, row[:, None] < row
    return above.astype(np.float64) - below


def _quantiles(above: Floats, below: Floats, level: float) -> Floats:
    defined = below > 0
    if not defined.any():
        return np.full(2, np.nan)
    tail = (1.0 - level) / 2.0
    return np.quantile(above[defined] / below[defined], [tail, 1.0 - tail])


# ── two correlations with the same third variable ─────────────────────────────────────────────
# They depend on each other through the correlation of the two things. Exact for normal variables;
# for rank correlations, the usual approximation. Sources: Williams 1959 in the form of Steiger 1980
# eq 7; Steiger 1980 eq 14.


class Difference(NamedTuple):
    """A test of two dependent correlations."""

    statistic: float
    p_value: float
    """Two-sided; NaN where the test is undefined."""


_UNDEFINED = Difference(math.nan, math.nan)


def williams(first: float, second: float, between: float, cases: int) -> Difference:
    """Williams's t with cases − 3 degrees of freedom.

    first, second  correlation of each of two things with the third
    between        correlation of the two
    """
    from scipy.stats import t

    if cases < 4:
        return _UNDEFINED
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * (cases - 1) / (cases - 3) * determinant + mean**2 * (1 - between) ** 3
    if not spread > 0:
        return _UNDEFINED
    statistic = (first - second) * math.sqrt((cases - 1) * (1 + between) / spread)
    return Difference(statistic, float(2 * t.sf(abs(statistic), cases - 3)))


def steiger(first: float, second: float, between: float, cases: int) -> Difference:
    """Steiger's Z of Fisher-transformed correlations, their covariance taken at the mean."""
    if cases < 4 or max(abs(first), abs(second)) >= 1:
        return _UNDEFINED
    square = ((first + second) / 2) ** 2
    shared = between * (1 - 2 * square) - 0.5 * square * (1 - 2 * square - between**2)
    covariance = shared / (1 - square) ** 2
    if not covariance < 1:
        return _UNDEFINED
    statistic = (math.atanh(first) - math.atanh(second)) * math.sqrt(
        (cases - 3) / (2 - 2 * covariance)
    )
    return Difference(statistic, math.erfc(abs(statistic) / math.sqrt(2)))


# ── clusters ──────────────────────────────────────────────────────────────────────────────────


class Merge(NamedTuple):
    """Two clusters that became one; what is merged last has the highest number.

    Numbers below the count of things are the things themselves, the next one is the first merge.
    """

    left: int
    right: int
    distance: float
    """The mean distance between members of either side."""
    size: int


def average_linkage(distances: Floats) -> tuple[Merge, ...]:
    """The merges of n things, the closest first, given (n, n) distances without NaN."""
    from scipy.cluster.hierarchy import linkage

    if len(distances) < 2:
        return ()
    steps = linkage(distances[np.triu_indices(len(distances), k=1)], "average")
    return tuple(Merge(int(a), int(b), float(far), int(size)) for a, b, far, size in steps)
