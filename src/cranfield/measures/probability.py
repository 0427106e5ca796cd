"""Measures of probabilities: how far confidences are from what came true (Weber §1.5).

Conventions
    Confidences must lie in [0, 1]; others are refused, never squashed. Concepts without positives
    count: to be sure of a no is worth something. `log_loss` is the sum over cells, as Weber prints
    it; reduce=mean divides by their number. The spelling without a prefix pools all cells. What
    holds for absent cells is said in `cell_losses`, how confidences are binned in `calibration`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.axes import cell_name
from cranfield.core.matrices import Cells, Floats
from cranfield.errors import InputError
from cranfield.measures.cell_losses import (
    Absent,
    ValueBlock,
    mean_sums,
    means,
    sizes,
    sums,
    value_notes,
)
from cranfield.measures.declare import measured, quotient
from cranfield.measures.definition import Bounds, ItemSums, Options


def _log_loss_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
    clip, absent = options["clip"], options["absent"]
    loss = np.nan_to_num(log_loss(comparison, "example", clip=clip, absent=absent))
    if options["reduce"] == "mean":
        return ItemSums(quotient, np.array([loss, sizes(comparison, "example")]))
    # The sum over a fixed number of items: their mean, times that number.
    share = len(loss) / (comparison.truth.shape[1] if direction == "concept" else 1)
    return ItemSums(lambda totals: share * quotient(totals), np.array([loss, np.ones(len(loss))]))


@measured(
    "concept.log_loss",
    "example.log_loss",
    "micro.log_loss",
    source="Weber §1.5",
    prediction="values",
    range=(0.0, np.inf),
    better="lower",
    bare=True,
    notes=value_notes,
    sums=_log_loss_sums,
)
def log_loss(
    comparison: Comparison,
    direction: Direction,
    *,
    reduce: Literal["sum", "mean"] = "sum",
    clip: Annotated[float, Bounds(1e-300, 0.5)] = 1e-15,
    absent: Absent = "refuse",
) -> Floats:
    """−Σ (y·ln p + (1 − y)·ln(1 − p)): how surprised one who believed the confidences p would be
    by the labels y; p is kept within [clip, 1 − clip], so that no cell costs everything."""
    require_probabilities(comparison, "log_loss")
    labels = comparison.truth.labels

    def surprise(block: ValueBlock) -> Floats:
        believed: Floats = np.where(labels[block.rows], block.said, 1.0 - block.said)
        return np.asarray(-np.log(np.clip(believed, clip, 1.0 - clip)))

    added = sums if reduce == "sum" else means
    return added(comparison, direction, surprise, name="log_loss", absent=absent)


def _brier_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
    return mean_sums(comparison, brier(comparison, "example", absent=options["absent"]))


@measured(
    "concept.brier",
    "example.brier",
    "micro.brier",
    source="Brier 1950",
    prediction="values",
    better="lower",
    bare=True,
    notes=value_notes,
    sums=_brier_sums,
)
def brier(comparison: Comparison, direction: Direction, *, absent: Absent = "refuse") -> Floats:
    """Mean (p − y)²: the squared distance of the confidences p from the labels y, 0 or 1."""
    require_probabilities(comparison, "brier")
    labels = comparison.truth.labels

    def distance(block: ValueBlock) -> Floats:
        return np.square(block.said - labels[block.rows])

    return means(comparison, direction, distance, name="brier", absent=absent)


def require_probabilities(comparison: Comparison, name: str) -> None:
    """Refuse a run with confidences outside [0, 1]; `name` is the measure that asks."""
    run = comparison.run
    low, high = run.range
    if run.scores is None or (low >= 0.0 and high <= 1.0) or np.isnan(low):
        return
    values = run.scores.values if isinstance(run.scores, Cells) else run.scores.ravel()
    first = int(np.flatnonzero((values < 0) | (values > 1))[0])
    code = int(run.scores.codes[first]) if isinstance(run.scores, Cells) else first
    cell = cell_name(run.item_axis, run.concept_axis)(*divmod(code, run.shape[1]))
    raise InputError(
        f"run {run.name!r}, {cell}: the confidence is {values[first]:g}, and {name} needs "
        "probabilities, from 0 to 1; turn scores into probabilities first (1 / (1 + exp(−score)) "
        "if they are logits), or choose a measure of rankings"
    )
