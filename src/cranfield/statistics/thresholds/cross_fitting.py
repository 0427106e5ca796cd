"""Cross-fitting: how good thresholds are on items that they were not tuned on.

Items are dealt into k folds by their ids and a seed. The thresholds of a fold are tuned on all
others; all items, each decided by the thresholds of its fold, are then scored at once. So counts
are added up over folds before a formula sees them: a mean of F over folds would depend on how
positives were dealt (Forman & Scholz 2010).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth

MOST_CELLS = 50_000_000
"""Cells of a collection up to which every one may have a threshold of its own."""

Tuned = Callable[[Truth, Run], Any]
"""The thresholds, by concept, of a part."""


def cross_fitted(truth: Truth, run: Run, folds: int, seed: int, tuned: Tuned) -> Run:
    """The run, each item decided by thresholds that were tuned on other folds than its own."""
    rows = _rows_of_run(truth, run)
    fold = dealt(truth, folds, seed)
    limits = np.zeros((run.item_axis.size, run.concept_axis.size))
    for number in range(folds):
        rest = np.flatnonzero((fold != number) & (rows >= 0))
        own = rows[(fold == number) & (rows >= 0)]
        thresholds = tuned(truth.part(rest), run.part(rows[rest]))
        limits[own] = _by_concept_of_run(thresholds, run)
    return run.decided_by(limits)


def dealt(truth: Truth, folds: int, seed: int) -> Ints:
    """The fold of each item; the order of items does not matter."""
    size = truth.item_axis.size
    fold = np.empty(size, dtype=np.int64)
    shuffled = np.random.default_rng(seed).permutation(np.arange(size) % folds)
    fold[canonical_order(truth.item_axis)] = shuffled
    return fold


def _rows_of_run(truth: Truth, run: Run) -> Ints:
    """Where each item of the truth stands in the run; −1 = nowhere."""
    if run.item_axis.aligns_by_position(truth.item_axis, f"run {run.name!r}", "the truth"):
        return np.arange(truth.item_axis.size)
    positions = run.item_axis.positions
    return np.array([positions.get(name, -1) for name in truth.items], dtype=np.int64)


def _by_concept_of_run(thresholds: Any, run: Run) -> Floats:
    if run.concept_axis.aligns_by_position(thresholds.axis, f"run {run.name!r}", "the thresholds"):
        return np.asarray(thresholds.values)
    by_concept = thresholds.by_concept
    return np.array([by_concept.get(name, np.inf) for name in run.concepts])
