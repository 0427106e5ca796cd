"""Ranked lists of resampled items, in NumPy: one order, many draws.

A list is sorted once. A draw says how often each item counts: sums of these numbers down the list
give the groups of every draw, and the statistics of groups are those of plain lists, so that the
score of a draw is that of the repeated items to the last bit. Copies of an item are equal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import (
    ORDERED,
    Bools,
    Floats,
    Groups,
    Ints,
    RankedLists,
    by_list,
    of_list,
)
from cranfield.kernels.statistics import Statistic

Times = NDArray[np.uint16]
"""(draws, N): how often each item was drawn."""


class OrderedList(NamedTuple):
    """The cells of one list that count, best first; those that were not retrieved at the end."""

    items: NDArray[np.uint32]
    relevant: Bools
    last: Bools
    """Whether a cell is the last of its score."""
    listed: int
    """How many were retrieved."""


def rank_draws(
    ordered: OrderedList, times: Times, plan: list[Statistic], out: Floats, draws: range
) -> None:
    """Statistics of a list in the given draws, one column of `out` for each."""
    part = slice(draws.start, draws.stop)
    lists, weights = _ranked(ordered, times[part])
    for place, statistic in enumerate(plan):
        if statistic.name in ORDERED:
            out[place, part] = _one_by_one(statistic, lists, ordered, weights)
        else:
            out[place, part] = by_list(statistic, lists)


def _ranked(ordered: OrderedList, times: Times) -> tuple[RankedLists, Ints]:
    """The groups of all draws one after the other, and how often each listed cell was drawn."""
    # Cells are rows, so that a sum over cells adds whole rows.
    weights = np.ascontiguousarray(times.T)[ordered.items].astype(np.int64)
    positives = weights[ordered.relevant].sum(axis=0)
    negatives = weights.sum(axis=0) - positives
    weights, relevant = weights[: ordered.listed], ordered.relevant[: ordered.listed]
    upto, found = _sums(weights), _sums(weights[relevant])
    hits = np.concatenate([[0], np.cumsum(relevant)])
    end = np.flatnonzero(ordered.last[: ordered.listed]) + 1
    start = np.concatenate([[0], end[:-1]])[: len(end)]
    filled = hits[end] > hits[start]
    start, end = start[filled], end[filled]
    before, through = found[hits[start]], found[hits[end]]
    there = (through > before).T
    owner = np.repeat(np.arange(len(positives)), np.count_nonzero(there, axis=1))
    groups = Groups(
        start=upto[start].T[there],
        end=upto[end].T[there],
        before=before.T[there],
        through=through.T[there],
        positives=positives[owner],
        negatives=negatives[owner],
    )
    return RankedLists(groups, owner, upto[-1], positives, negatives), weights


def _sums(rows: Ints) -> Ints:
    """Sums of the first 0, 1, 2, … rows."""
    out = np.zeros((len(rows) + 1, rows.shape[1]), dtype=np.int64)
    np.cumsum(rows, axis=0, out=out[1:])
    return out


def _one_by_one(
    statistic: Statistic, lists: RankedLists, ordered: OrderedList, weights: Ints
) -> Floats:
    """Statistics that look at the groups of a list in their order."""
    last = ordered.last[: ordered.listed]
    scores = -np.concatenate([[0], np.cumsum(last)[:-1]])[: len(last)].astype(np.float64)
    of_draws = enumerate(zip(lists.split(), lists.length.tolist(), strict=True))
    values = []
    for draw, (groups, length) in of_draws:
        # Only the vertices of a curve ask for more than the number of cells.
        vertices = statistic.variant == "vertex"
        repeated = np.repeat(scores, weights[:, draw]) if vertices else np.empty(length)
        values.append(of_list(statistic, groups, repeated))
    return np.array(values)
