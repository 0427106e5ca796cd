"""Cross-entropy over classes: how surprised one who believed a run would be by the true class.

Conventions
    The true distribution p of an item are the truth's targets, or its labels as 0 and 1; the run's
    confidences are q, from 0 to 1, and taken as they are: what does not sum to 1 is noted, never
    normalised. A truth of one concept has two classes, the concept and its absence. Unlike
    `log_loss`, which asks yes or no of every cell, a class that an item does not have costs nothing
    by itself. What holds for absent cells is said in `cell_losses`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np

from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.axes import cell_name
from cranfield.core.matrices import Bools, Floats
from cranfield.errors import InputError
from cranfield.measures import registry
from cranfield.measures.cell_losses import Absent, ValueBlock, blocks, sizes, sums, value_notes
from cranfield.measures.declare import measured, quotient
from cranfield.measures.definition import Bounds, ItemSums, Options
from cranfield.measures.probability import require_probabilities
from cranfield.measures.regression import targets

_NAME = "micro.cross_entropy"
_ROUNDING = 1e-3
"""How far a sum of probabilities may be from 1: in files they have few digits."""


def _sum_notes(comparison: Comparison, options: Options) -> list[str]:
    notes = value_notes(comparison, options)
    if comparison.truth.shape[1] == 1:
        return notes
    odd_truth = odd_run = 0
    true = _true_distributions(comparison)
    for block in blocks(comparison, _NAME, options["absent"]):
        counted = np.ones(block.said.shape, np.bool_) if block.counted is None else block.counted
        odd_truth += _not_one(true[block.rows], counted)
        odd_run += _not_one(block.said, counted)
    terms = comparison.truth.terms
    if odd_truth:
        what = "targets do not sum to 1"
        if comparison.truth.targets is None:
            what = "not exactly one true class; log_loss takes labels that come together"
        notes.append(f"{terms.several(odd_truth, 'item')}: {what}")
    if odd_run:
        notes.append(f"{terms.several(odd_run, 'item')}: confidences do not sum to 1")
    return notes


def _not_one(shares: Floats, counted: Bools) -> int:
    """Items with a cell that counts whose shares do not sum to 1."""
    total = np.where(counted, shares, 0.0).sum(axis=1)
    return int(np.count_nonzero(counted.any(axis=1) & (np.abs(total - 1.0) > _ROUNDING)))


def _item_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
    """What each item adds to the sum; those without a cell that counts are not there."""
    look = surprise(comparison, options["clip"])
    loss = sums(comparison, "example", look, name=_NAME, absent=options["absent"])
    there = ~np.isnan(loss)
    share = np.count_nonzero(there) if options["reduce"] == "sum" else 1.0
    by_item = np.array([np.nan_to_num(loss), there.astype(np.float64)])
    return ItemSums(lambda totals: share * quotient(totals), by_item)


@measured(
    _NAME,
    source="Weber §1.5",
    prediction="values",
    relevance="distribution",
    range=(0.0, np.inf),
    better="lower",
    notes=_sum_notes,
    sums=_item_sums,
)
def cross_entropy(
    comparison: Comparison,
    *,
    reduce: Literal["sum", "mean"] = "sum",
    clip: Annotated[float, Bounds(1e-300, 0.5)] = 2.220446049250313e-16,
    absent: Absent = "refuse",
) -> Floats:
    """−ΣΣ p·ln q over items and classes; q is kept within [clip, 1 − clip], by default as far from
    0 and 1 as scikit-learn keeps it. reduce=mean divides by the number of items, which on one class
    per item is scikit-learn's log_loss."""
    look = surprise(comparison, clip)
    total = sums(comparison, "micro", look, name=_NAME, absent=absent)
    return total if reduce == "sum" else total / max(1, _items(comparison))


def surprise(comparison: Comparison, clip: float) -> Callable[[ValueBlock], Floats]:
    """−p·ln q of every cell; for a truth of one concept that of its absence as well."""
    require_probabilities(comparison, _NAME)
    true = _true_distributions(comparison)

    def look(block: ValueBlock) -> Floats:
        p = true[block.rows]
        losses = -p * np.log(np.clip(block.said, clip, 1.0 - clip))
        if true.shape[1] == 1:
            losses -= (1.0 - p) * np.log(np.clip(1.0 - block.said, clip, 1.0 - clip))
        return losses

    return look


def _items(comparison: Comparison) -> int:
    return int(np.count_nonzero(sizes(comparison, "example")))


def _true_distributions(comparison: Comparison) -> Floats:
    truth = comparison.truth
    if truth.targets is None:
        return truth.labels.astype(np.float64)
    shares = targets(comparison)
    outside = np.argwhere((shares < 0) | (shares > 1))
    if len(outside):
        row, column = (int(index) for index in outside[0])
        cell = cell_name(truth.item_axis, truth.concept_axis)(row, column)
        raise InputError(
            f"targets: {cell} holds {shares[row, column]:g}, and {_NAME} needs probabilities of "
            "classes, from 0 to 1; give such, or choose a measure of numbers such as MSE"
        )
    return shares


for _former in ("cross_entropy", "concept.cross_entropy", "example.cross_entropy"):
    registry.advise(
        _former,
        f"write {_NAME} for one class per item (−ΣΣ p·ln q over classes), or "
        f"{_former.replace('cross_entropy', 'log_loss')} for yes or no of every cell",
    )
