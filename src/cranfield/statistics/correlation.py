"""Correlation of paired numbers, and bootstrap intervals for it.

Two Series or mappings align by their ids. Functions work on the last axis, so that all resamples
are computed at once.
"""

from __future__ import annotations

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


def pearson(one: Any, other: Any) -> Floats:
    """Pearson's r; NaN where one side is constant."""
    x, y = paired_numbers(one, other)
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    spread = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    out = np.full(np.shape(spread), np.nan)
    np.divide((x * y).sum(axis=-1), spread, out=out, where=spread > 0)
    return np.clip(out, -1.0, 1.0)


def spearman(one: Any, other: Any) -> Floats:
    """Spearman's ρ: Pearson's r of ranks, tied values sharing the mean of theirs."""
    from scipy.stats import rankdata

    x, y = paired_numbers(one, other)
    return pearson(rankdata(x, axis=-1), rankdata(y, axis=-1))


def bootstrap_interval(
    correlation: Correlation,
    one: Any,
    other: Any,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The percentile bootstrap interval over pairs; NaN for fewer than three of them.

    Resamples without a value, such as those in which one side is constant, are left out.
    """
    x, y = paired_numbers(one, other)
    if len(x) < 3:
        return Interval(np.nan, np.nan)
    random, values = np.random.default_rng(seed), np.empty(resamples)
    # Some correlations look at all pairs, of which a few resamples at a time are enough.
    step = max(1, _PAIRS // len(x) ** 2)
    for first in range(0, resamples, step):
        part = random.integers(0, len(x), size=(min(step, resamples - first), len(x)))
        values[first : first + step] = correlation(x[part], y[part])
    values = values[~np.isnan(values)]
    if not len(values):
        return Interval(np.nan, np.nan)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(values, [tail, 1.0 - tail])
    return Interval(float(low), float(high))
