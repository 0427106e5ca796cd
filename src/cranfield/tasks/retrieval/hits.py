"""Hits: the first items that a search finds, and whether they were wanted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Cells
from cranfield.core.run import Run
from cranfield.core.truth import State, Truth


class Hit(NamedTuple):
    """An item that a run found."""

    item: str
    score: float | None
    """None where the run has decisions only."""
    state: State


def first_hits(truth: Truth, run: Run, query: str, count: int) -> list[Hit]:
    """The first items that a run finds for a query, by score; equal ones by id."""
    matrix = run.assigned if run.scores is None else run.scores
    place = run.concept_axis.positions[query]
    if isinstance(matrix, Cells):
        stored = matrix.columns == place
        rows, values = matrix.rows[stored], matrix.values[stored]
    else:
        rows, values = np.arange(run.shape[0]), matrix[:, place]
    if run.scores is None:
        rows, values = rows[values], values[values]
    names = [run.items[row] for row in rows.tolist()]
    best = sorted(zip((-values.astype(np.float64)).tolist(), names, strict=True))[:count]
    ranked = run.scores is not None
    return [
        Hit(item, -score if ranked else None, _state(truth, item, query)) for score, item in best
    ]


def _state(truth: Truth, item: str, query: str) -> State:
    row = truth.item_axis.positions.get(item)
    if row is None:
        return State.OUTSIDE
    return State(int(truth.states[row, truth.concept_axis.positions[query]]))
