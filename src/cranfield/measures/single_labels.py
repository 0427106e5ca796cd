"""The confusion matrix of a truth that gives each item one class, and of what a run says.

The run says the label it assigns, if it assigns exactly one; otherwise the class of its highest
confidence, and of equal ones that with the smallest id. A truth of one concept has two classes:
the concept, and its absence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Bools, Ints
from cranfield.errors import InputError, first_ten, several
from cranfield.kernels.label_sets import unpack


def contingency_of(comparison: Comparison) -> Contingency:
    """How often each true class and each said one come together."""
    return _tabulated(comparison)[0]


def single_label_notes(comparison: Comparison) -> list[str]:
    """For how many items the ids decided between classes of equal confidence."""
    told_apart = _tabulated(comparison)[1]
    if not told_apart:
        return []
    items = comparison.truth.terms.several(told_apart, "item")
    return [f"{items} with classes of equal confidence: the smallest id"]


class ItemClasses(NamedTuple):
    """The true and the said class of each item, as places in `names`."""

    true: Ints
    said: Ints
    names: tuple[str, ...]
    told_apart: int
    """Items for which ids decided between classes of equal confidence."""


def item_classes(comparison: Comparison) -> ItemClasses:
    """The classes of all items; the confusion matrix counts their pairs."""
    return comparison.once("item classes", lambda: _classes(comparison))


def _tabulated(comparison: Comparison) -> tuple[Contingency, int]:
    return comparison.once("single labels", lambda: _table(comparison))


def _table(comparison: Comparison) -> tuple[Contingency, int]:
    concepts = comparison.truth.concepts
    if 0 in comparison.truth.shape:
        return Contingency(np.zeros((len(concepts), len(concepts))), concepts, concepts), 0
    true, predicted, names, told_apart = item_classes(comparison)
    return Contingency.of_codes(true, predicted, names), told_apart


def _classes(comparison: Comparison) -> ItemClasses:
    concepts = comparison.truth.concepts
    true = unpack(comparison.true_sets, len(concepts))
    if len(concepts) == 1:
        denied = ~unpack(comparison.assigned_sets, 1)[:, 0]
        names = (concepts[0], f"not {concepts[0]}")
        return ItemClasses((~true[:, 0]).astype(np.int64), denied.astype(np.int64), names, 0)
    _require_one(true, comparison)
    chosen, told_apart = _said(comparison)
    return ItemClasses(true.argmax(axis=1), chosen, concepts, told_apart)


def _require_one(true: Bools, comparison: Comparison) -> None:
    sizes = np.count_nonzero(true, axis=1)
    wrong = np.flatnonzero(sizes != 1)
    if len(wrong):
        first = int(wrong[0])
        raise InputError(
            f"a confusion matrix needs one true class for each item; {several(len(wrong), 'item')} "
            f"have none or several, such as {comparison.truth.items[first]!r} with "
            f"{several(int(sizes[first]), 'label')}; take measures concept.… or example.…, or keep "
            "items with one label"
        )


def _said(comparison: Comparison) -> tuple[Ints, int]:
    """The class that the run says of each item, and how often ids decided between equals."""
    run, concepts = comparison.run, comparison.truth.shape[1]
    open_items: Bools = np.ones(comparison.truth.shape[0], dtype=np.bool_)
    predicted = np.zeros(len(open_items), dtype=np.int64)
    if run.labels is not None or isinstance(run.threshold, np.ndarray):
        # One label above a single threshold is that of the highest confidence anyway.
        assigned = unpack(comparison.assigned_sets, concepts)
        open_items = np.count_nonzero(assigned, axis=1) != 1
        predicted = assigned.argmax(axis=1)
    if not open_items.any():
        return predicted, 0
    if run.scores is None:
        _refuse(comparison, open_items, "not one label, and it has no confidences to choose by")
    tops, hung = comparison.top_sets
    top = unpack(tops, concepts)
    silent = open_items & ~top.any(axis=1)
    if silent.any():
        _refuse(comparison, silent, "neither a label nor a confidence")
    return np.where(open_items, top.argmax(axis=1), predicted), int(
        np.count_nonzero(hung & open_items)
    )


def _refuse(comparison: Comparison, items: Bools, why: str) -> None:
    names = first_ten(comparison.truth.items[index] for index in np.flatnonzero(items))
    raise InputError(
        f"run {comparison.run.name!r} has {why} for {several(int(items.sum()), 'item')}: {names}; "
        "a confusion matrix needs one class for each item: give labels= with one label, or scores="
    )
