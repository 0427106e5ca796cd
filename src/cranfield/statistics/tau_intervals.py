"""Intervals of τ over runs, for all pairs of measures at once.

A resample takes each run w times. Pairs of runs then count w·w′ times, so that concordant less
discordant pairs are wᵀSw with S the products of signs: a matrix product over all resamples.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats


def tau_intervals(
    values: Floats, *, resamples: int = 2000, level: float = 0.95, seed: int = 0
) -> Floats:
    """(M, M, 2): percentile bootstrap intervals of τ between M rankings of R runs, given (M, R).

    They are those of `bootstrap_interval(tau, …)`, found faster. NaN for fewer than three runs.
    """
    measures, runs = values.shape
    out = np.full((measures, measures, 2), np.nan)
    if runs < 3:
        return out
    times = drawn_times(runs, resamples, seed)
    signs = [_signs(row) for row in values]
    for one in range(measures):
        for other in range(one + 1):
            agreement = signs[one] * signs[other]
            above, below = (((times @ s) * times).sum(axis=1) for s in (agreement, abs(agreement)))
            out[one, other] = out[other, one] = _quantiles(above, below, level)
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
        known = ~np.isnan(flat)
        sums, counts = times @ np.where(known, flat, 0.0), times @ known.astype(np.float64)
        for place in range(flat.shape[1]):
            out[place] = _quantiles(sums[:, place], counts[:, place], level)
    return out.reshape(*values.shape[1:], 2)


def drawn_times(runs: int, resamples: int, seed: int) -> Floats:
    """(resamples, R): how often each run is drawn."""
    drawn = np.random.default_rng(seed).integers(0, runs, size=(resamples, runs))
    places = drawn + runs * np.arange(resamples)[:, None]
    times = np.bincount(places.ravel(), minlength=resamples * runs)
    return times.reshape(resamples, runs).astype(np.float64)


def _signs(row: Floats) -> Floats:
    """Comparisons, not differences, which two infinite values do not have."""
    above, below = row[:, None] > row, row[:, None] < row
    return above.astype(np.float64) - below


def _quantiles(above: Floats, below: Floats, level: float) -> Floats:
    known = below > 0
    if not known.any():
        return np.full(2, np.nan)
    tail = (1.0 - level) / 2.0
    return np.quantile(above[known] / below[known], [tail, 1.0 - tail])
