"""Measures of regression: how far the numbers of a run are from those of the truth (Weber §1.5).

Conventions
    The truth's numbers are its targets; without targets its grades, without grades its labels as 0
    and 1. Cells without a target never count, so unjudged=negative is refused where there are some.
    RMSE is the root of the mean, unit by unit; pooled, of the mean over all cells. R2 is undefined
    where all targets of a unit are equal. The spelling without a prefix pools all cells. What holds
    for absent cells is said in `cell_losses`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.matrices import Floats, dense
from cranfield.errors import InputError
from cranfield.measures.cell_losses import (
    Absent,
    ValueBlock,
    counted_cells,
    mean_sums,
    means,
    sizes,
    sums,
    value_notes,
)
from cranfield.measures.declare import Function, Sums, measured, quotient, ratio
from cranfield.measures.definition import ItemSums, Options


def _error(name: str, *, source: str, sums: Sums) -> Callable[[Function], Function]:
    """Declares an error: by concept, by item and pooled; the lower, the better."""
    return measured(
        *(f"{direction}.{name}" for direction in ("concept", "example", "micro")),
        source=source,
        prediction="values",
        relevance="numeric",
        range=(0.0, np.inf),
        better="lower",
        bare=True,
        notes=value_notes,
        sums=sums,
    )


def _mse_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
    absent = options["absent"]
    return mean_sums(comparison, mean_squared_error(comparison, "example", absent=absent))


def _rmse_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums | None:
    if direction == "concept":  # a mean of roots
        return None
    squares = _mse_sums(comparison, options, direction)
    return squares._replace(formula=lambda totals: np.sqrt(quotient(totals)))


def _mae_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
    absent = options["absent"]
    return mean_sums(comparison, mean_absolute_error(comparison, "example", absent=absent))


@_error("MSE", source="Weber §1.5", sums=_mse_sums)
def mean_squared_error(
    comparison: Comparison, direction: Direction, *, absent: Absent = "refuse"
) -> Floats:
    """MSE = mean (ŷ − y)²: the squared distance of what was said, ŷ, from the target y."""
    squared = _of_difference(comparison, np.square)
    return means(comparison, direction, squared, name="MSE", absent=absent)


@_error("RMSE", source="Weber §1.5", sums=_rmse_sums)
def root_mean_squared_error(
    comparison: Comparison, direction: Direction, *, absent: Absent = "refuse"
) -> Floats:
    """RMSE = √MSE: the error in the units of the target."""
    return np.sqrt(mean_squared_error(comparison, direction, absent=absent))


@_error("MAE", source="Willmott & Matsuura 2005", sums=_mae_sums)
def mean_absolute_error(
    comparison: Comparison, direction: Direction, *, absent: Absent = "refuse"
) -> Floats:
    """MAE = mean |ŷ − y|: the distance of what was said, ŷ, from the target y."""
    distance = _of_difference(comparison, np.abs)
    return means(comparison, direction, distance, name="MAE", absent=absent)


@measured(
    "concept.R2",
    "micro.R2",
    source="Draper & Smith 1998",
    prediction="values",
    relevance="numeric",
    range=(-np.inf, 1.0),
    bare=True,
    notes=value_notes,
)
def determination(
    comparison: Comparison, direction: Direction, *, absent: Absent = "refuse"
) -> Floats:
    """R² = 1 − Σ (ŷ − y)² / Σ (y − ȳ)²: the share of the spread of targets that was explained; 0
    for one who always says their mean ȳ, less for one who does worse."""
    spread = _spread(comparison, direction, targets(comparison))
    squared = _of_difference(comparison, np.square)
    missed = sums(comparison, direction, squared, name="R2", absent=absent)
    return 1.0 - ratio(missed, spread)


def _of_difference(
    comparison: Comparison, function: Callable[[Floats], Floats]
) -> Callable[[ValueBlock], Floats]:
    """What a function makes of ŷ − y, block by block."""
    actual = targets(comparison)
    return lambda block: function(block.said - actual[block.rows])


def targets(comparison: Comparison) -> Floats:
    """(N, C): the numbers of the truth."""
    truth = comparison.truth
    if truth.targets is None:
        given = truth.labels if truth.grades is None else dense(truth.grades)
        return given.astype(np.float64)
    if truth.judged is not None and comparison.unjudged == "negative":
        raise InputError(
            "the truth has cells that nobody judged, and no number stands for them; leave them "
            "out: write (unjudged=exclude) behind the measure"
        )
    return truth.targets.astype(np.float64, copy=False)


def _spread(comparison: Comparison, direction: Direction, actual: Floats) -> Floats:
    """Σ (y − ȳ)² of each unit; exactly 0 where all targets are equal."""
    shape = actual.shape if direction == "concept" else (-1, 1)
    counted = counted_cells(comparison)
    actual = actual.reshape(shape)
    there = np.ones((1, 1), dtype=np.bool_) if counted is None else counted.reshape(shape)
    least = actual.min(axis=0, where=there, initial=np.inf)
    # Told from the least of them, equal targets are zeros, whatever they are.
    above = np.where(there, actual - np.where(np.isfinite(least), least, 0.0), 0.0)
    mean = kernels.column_sums(above) / np.maximum(sizes(comparison, direction), 1)
    return kernels.column_sums(np.square(np.where(there, above - mean, 0.0)))
