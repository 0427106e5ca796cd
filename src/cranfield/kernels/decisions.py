"""Decisions from confidences: score >= threshold, compared in the precision of the scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import Bools, Floats, Scores
from cranfield.kernels.problems import Decisions


def decide(decisions: Decisions, rows: slice) -> Bools:
    """Which cells of some rows are assigned."""
    said = decisions.assigned
    if said is not None:
        said = said[rows]
    else:
        assert decisions.scores is not None
        limit = threshold_like(decisions.scores, decisions.cut)
        said = np.asarray(decisions.scores[rows] >= (limit[rows] if limit.ndim == 2 else limit))
    return said if decisions.include is None else said & decisions.include[rows]


def threshold_like(scores: Scores, cut: float | Floats) -> NDArray[Any]:
    """The threshold in the precision of the scores; one beyond it is infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(cut, dtype=scores.dtype)
