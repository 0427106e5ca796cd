"""Correcting a truth: one cell says something else, and everything else stays.

A cell holds a label of 0 or 1, a grade where the truth has grades, a number where it has targets
and no labels, or None where nobody judged it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.core.matrices import Cells, at
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.core.truth import Truth

Value = float | int | None
"""What a cell of a truth holds."""


def value_at(truth: Truth, code: int) -> Value:
    """What a cell holds; `code` is its row · columns + column."""
    cell = np.array([code])
    if truth.judged is not None and not at(truth.judged, cell)[0]:
        return None
    if not truth.has_labels:
        assert truth.targets is not None
        return float(at(truth.targets, cell)[0])
    return int(at(truth.matrix if truth.grades is None else truth.grades, cell)[0])


def corrected_matrices(truth: Truth, code: int, value: Value) -> dict[str, Any]:
    """All matrices of a truth after a cell was corrected, by the names that `Truth` takes."""
    if truth.subtopics is not None:
        raise InputError("a truth of subtopics has no single label to correct; edit its file")
    judged, pool = truth.judged, truth.pool
    matrices = {
        "labels": truth.matrix if truth.has_labels else None,
        "grades": truth.grades,
        "targets": truth.targets,
        "strata": truth.strata,
    }
    if not truth.has_labels:
        matrices["targets"] = _with(truth.targets, code, _number(value))
    elif truth.grades is not None:
        matrices["grades"] = _with(truth.grades, code, _grade(value))
        matrices["labels"] = None
    else:
        matrices["labels"] = _with(truth.matrix, code, _label(value))
    if judged is None and value is None:
        judged = np.ones(truth.shape, dtype=np.bool_)
    if judged is not None:
        judged = _with(judged, code, value is not None)
    if pool is not None:
        pool = _with(pool, code, True)
    return {**matrices, "judged": judged, "pool": pool}


def _label(value: Value) -> bool:
    if value not in (None, 0, 1):
        raise InputError(f"{value!r} is no label; give 0 or 1, or None for a cell nobody judged")
    return bool(value)


def _grade(value: Value) -> int:
    if value is not None and (isinstance(value, bool) or int(value) != value):
        raise InputError(f"{value!r} is no grade; give a whole number")
    return int(value or 0)


def _number(value: Value) -> float:
    if value is not None and not math.isfinite(value):
        raise InputError(f"{value!r} is no target; give a finite number")
    return float(value or 0.0)


def _with(matrix: Any, code: int, value: Any) -> Any:
    """A copy of a matrix with another value in a cell."""
    if isinstance(matrix, Cells):
        index = int(np.searchsorted(matrix.codes, code))
        if index < len(matrix.codes) and matrix.codes[index] == code:
            values = matrix.values.copy()
            values[index] = value
            return Cells(matrix.shape, matrix.codes, values)
        return Cells(
            matrix.shape,
            np.insert(matrix.codes, index, code),
            np.insert(matrix.values, index, value),
        )
    copy = np.array(matrix)
    copy.ravel()[code] = value
    return copy
