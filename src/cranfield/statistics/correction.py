"""Corrections of p-values for many comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.matrices import Floats


def holm(p_values: Any) -> Floats:
    """Holm's step-down adjusted p-values; NaN stays NaN and counts as no comparison."""
    given = np.asarray(p_values, dtype=np.float64)
    adjusted = given.copy()
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps * given[order]), 1.0)
    return adjusted
