"""Decisions from confidences: score >= threshold, compared in the precision of the scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import Bools, Floats, Scores


def decide(scores: Scores, cut: float | Floats, rows: slice) -> Bools:
    """score >= threshold, compared in the precision of the scores."""
    limit = threshold_like(scores, cut)
    return np.asarray(scores[rows] >= (limit[rows] if limit.ndim == 2 else limit))


def threshold_like(scores: Scores, cut: float | Floats) -> NDArray[Any]:
    """The threshold in the precision of the scores; one beyond it is infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(cut, dtype=scores.dtype)
