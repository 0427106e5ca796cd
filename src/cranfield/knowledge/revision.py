"""A truth or a run in which some cells are set otherwise; all that was known besides stays.

Cells are given by their codes: row · columns + column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.core.matrices import Cells, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth

NO_CELLS: Ints = np.zeros(0, dtype=np.int64)


def revised_truth(truth: Truth, positive: Ints, negative: Ints) -> Truth:
    """The truth with cells judged positive (of the lowest relevant grade) and negative; they enter
    the pool."""
    if not len(positive) and not len(negative):
        return truth
    both = np.concatenate([positive, negative])
    return Truth(
        _without(_with(truth.matrix, positive, True), negative),
        items=truth.item_axis,
        concepts=truth.concept_axis,
        judged=_with(truth.judged, both, True),
        pool=_with(truth.pool, both, True),
        strata=truth.strata,
        grades=_without(_with(truth.grades, positive, truth.level), negative),
        unjudged=truth.unjudged,
        level=truth.level,
    )


def revised_run(run: Run, added: Ints, removed: Ints) -> Run:
    """The run with decisions of its own, in which labels were added and removed.

    A label in a cell for which a sparse run has no score gets the lowest of its scores.
    """
    scores = run.scores
    if isinstance(scores, Cells):
        scores = _with(scores, np.setdiff1d(added, scores.codes), run.range[0])
    return Run(
        scores,
        labels=_without(_with(run.assigned, added, True), removed),
        name=run.name,
        items=run.item_axis,
        concepts=run.concept_axis,
        group=run.group,
        tags=run.tags,
    )


def _with(matrix: Any, codes: Ints, value: Any) -> Any:
    """A copy of a matrix of either form with one value in some cells; none of none."""
    if matrix is None or not len(codes):
        return matrix
    if not isinstance(matrix, Cells):
        changed = matrix.copy()
        changed.ravel()[codes] = value
        return changed
    every = np.union1d(matrix.codes, codes)
    values = matrix.at(every)
    values[np.searchsorted(every, codes)] = value
    return Cells(matrix.shape, every, values)


def _without(matrix: Any, codes: Ints) -> Any:
    """A copy with zeros in some cells; none of them is stored only for that."""
    if isinstance(matrix, Cells):
        codes = np.intersect1d(codes, matrix.codes)
    return _with(matrix, codes, 0)
