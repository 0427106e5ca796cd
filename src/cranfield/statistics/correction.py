"""Corrections of p-values for many comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.core.matrices import Floats


def holm(p_values: Any) -> Floats:
    """Holm's step-down adjusted p-values; NaN stays NaN and counts as no comparison."""
    given = np.asarray(p_values, dtype=np.float64)
    adjusted = given.copy()
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps * given[order]), 1.0)
    return adjusted


def max_t(seen: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """p-values of distances (k,), from those of draws (k, n): alone, and by step-down max-T.

    The farthest is held against the farthest of each draw, the next one against the farthest among
    the others, and so on (Westfall & Young 1993). p = (c + 1) / (n + 1).
    """
    if not len(seen):
        return np.empty(0), np.empty(0)
    bar = seen - 1e-9
    alone = (np.count_nonzero(drawn >= bar[:, None], axis=1) + 1.0) / (drawn.shape[1] + 1.0)
    order = np.argsort(seen, kind="stable")
    farthest = np.maximum.accumulate(drawn[order], axis=0)
    reached = np.count_nonzero(farthest >= bar[order][:, None], axis=1)
    stepped = np.empty(len(seen))
    stepped[order] = np.maximum.accumulate(((reached + 1.0) / (drawn.shape[1] + 1.0))[::-1])[::-1]
    return alone, stepped
