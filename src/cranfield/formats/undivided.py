"""Runs without names whose lines may hold decisions behind the confidences, unnoticed.

Text holds C confidences, or C confidences and C decisions; where C is not known every value is a
confidence. What makes topics or labels of all columns refuses a run that looks like the second.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Cells
from cranfield.core.run import Run
from cranfield.errors import InputError, several


def seems_undivided(run: Run) -> bool:
    """Whether the columns have no names, and only those of the second half hold nothing but 0/1."""
    scores = run.scores
    if run.concept_axis.ids is not None or run.labels is not None or isinstance(scores, Cells):
        return False
    if scores is None or scores.shape[1] % 2 or not scores.size:
        return False
    halves = np.hsplit(scores, 2)
    first, second = (bool(np.isin(half, (0, 1)).all()) for half in halves)
    return second and not first


def require_divided(run: Run) -> None:
    """Refuse such a run, since half of its columns would count as further concepts."""
    if seems_undivided(run):
        width = run.shape[1]
        raise InputError(
            f"run {run.name!r} has {width} columns without names, of which the second half holds "
            f"only 0 and 1: it looks like confidences and then decisions on "
            f"{several(width // 2, 'concept')}; name the concepts when reading it with concepts= "
            "(--concepts FILE), or in concepts.txt beside the folder of runs"
        )
