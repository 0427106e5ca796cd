"""Odds: how much rather present than absent each label is, by somebody's confidences."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.core.matrices import Floats, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.kernels.decisions import threshold_like

_SURE = 1e-12
"""Nothing is surer than this: probabilities of 0 and 1 would forbid what rules may ask for."""


def log_odds(confidences: Any, given: Truth | Run) -> Floats:
    """(N, C): log p/(1−p) in the order of what is given; a cell without confidence has p = 0.

    confidences  a Run with scores in [0, 1], or a matrix of them

    Where a run is held against its own decisions, its threshold has even odds.
    """
    run = confidences if isinstance(confidences, Run) else Run(confidences, name="confidences")
    if run.scores is None:
        raise InputError(
            f"run {run.name!r} has decisions and no confidences, so no label set is the most "
            "probable one; give scores, or repair by labels alone"
        )
    low, high = run.range
    if low < 0 or high > 1:
        raise InputError(
            f"run {run.name!r} has scores from {low:g} to {high:g}; as probabilities they must lie "
            "in [0, 1]: calibrate them, or repair by labels alone"
        )
    scores = dense(run.scores)
    odds = logit(scores)
    if run is given:
        if run.labels is None and run.cut is not None:
            odds -= logit(threshold_like(scores, run.cut))
        return odds
    rows = given.item_axis.locate(run.item_axis, run=run.name, missing="error")
    columns = given.concept_axis.locate(run.concept_axis, run=run.name, missing="error")
    if rows is not None:
        odds = odds[rows]
    return odds if columns is None else odds[:, columns]


def logit(shares: Any) -> Floats:
    """log p/(1−p), finite also for 0 and 1."""
    p = np.clip(np.asarray(shares, dtype=np.float64), _SURE, 1.0 - _SURE)
    return np.asarray(np.log(p) - np.log1p(-p))
