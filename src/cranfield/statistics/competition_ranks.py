"""Competition ranks: the place of each run, as every leaderboard, table and export shows it."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.core.matrices import Floats

EQUAL = 1e-12
"""Scores that differ by less are equal."""


def competition_ranks(merits: Any) -> Floats:
    """1 + the number of better ones along the last axis: 1, 2, 2, 4; equals share the best place.

    merits  the higher, the better; what is undefined (NaN) has no place, and takes none
    """
    values = np.asarray(merits, dtype=np.float64)
    better = values[..., None, :] > values[..., :, None] + EQUAL
    return np.where(np.isnan(values), np.nan, 1.0 + better.sum(axis=-1))
