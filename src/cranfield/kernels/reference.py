"""NumPy kernels: what runs without a compiler, and what the C extension must agree with.

Lists are brought to their groups here (see `groups`): columns and lists by sorting, rows by
counting for each relevant cell. Sets of labels have rooms of their own. Where the two backends
differ, this one is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.assignment import assign as assign
from cranfield.kernels.decisions import decide
from cranfield.kernels.draws import rank_draws as rank_draws
from cranfield.kernels.fingerprints import fingerprint as fingerprint
from cranfield.kernels.flips import flip_sums as flip_sums
from cranfield.kernels.flips import tally as tally
from cranfield.kernels.groups import (
    ORDERED,
    Bools,
    Floats,
    Groups,
    Ints,
    RankedLists,
    Scores,
    by_list,
    of_list,
)
from cranfield.kernels.influence import standing_sums as standing_sums
from cranfield.kernels.influence import standings as standings
from cranfield.kernels.label_sets import nearest as nearest
from cranfield.kernels.label_sets import pack as pack
from cranfield.kernels.label_sets import top as top
from cranfield.kernels.label_sets import violators as violators
from cranfield.kernels.problems import Decisions, Grid, Lists, Order, Strand
from cranfield.kernels.standings import count_sides as count_sides
from cranfield.kernels.standings import cuts as cuts
from cranfield.kernels.standings import side_sums as side_sums
from cranfield.kernels.standings import sort_lists as sort_lists
from cranfield.kernels.statistics import Statistic
from cranfield.kernels.sums import group_sums as group_sums
from cranfield.kernels.sums import list_sums as list_sums
from cranfield.kernels.sums import new_sums as new_sums

NAME = "numpy"

_SIDES: tuple[Literal["right"], Literal["left"]] = ("right", "left")


def examine(scores: Scores) -> tuple[bool, float, float]:
    """Whether all scores are finite, and their range."""
    if scores.size == 0:
        return True, np.nan, np.nan
    low, high = float(scores.min()), float(scores.max())
    return bool(np.isfinite(low) and np.isfinite(high)), low, high


def count(decisions: Decisions, by_item: Ints, rows: range) -> Ints:
    """Hits and assigned labels of some rows.

    Writes the two counts of each row to `by_item` (2, N) and returns those by concept (2, C).
    """
    labels = decisions.labels
    by_concept = np.zeros((2, labels.shape[1]), dtype=np.int64)
    chunk = max(1, 1_000_000 // max(1, labels.shape[1]))
    for first in range(rows.start, rows.stop, chunk):
        part = slice(first, min(first + chunk, rows.stop))
        decided = decide(decisions, part)
        for index, cells in enumerate((decided & labels[part], decided)):
            by_item[index, part] = np.count_nonzero(cells, axis=1)
            by_concept[index] += np.count_nonzero(cells, axis=0)
    return by_concept


def rank_columns(grid: Grid, order: Order | None, out: Floats, columns: range) -> None:
    """Statistics of the given columns, one column of `out` for each."""
    block = slice(columns.start, columns.stop)
    cells: NDArray[Any] = np.ascontiguousarray(grid.scores[:, block].T)
    marks: Bools = np.ascontiguousarray(grid.labels[:, block].T)
    totals = grid.positives[block], grid.negatives[block]
    pairs = list(zip(cells, marks, strict=True))
    if grid.include is not None:
        masks = grid.include[:, block].T
        pairs = [(row[m], mark[m]) for (row, mark), m in zip(pairs, masks, strict=True)]
    plain = grid.include is None and cells.min(initial=0) >= 0
    ranked = _by_keys(cells, marks, *totals) if plain else _by_sorting(pairs, *totals)
    lists = [row for row, _ in pairs]
    out[:, block] = _answers(ranked, lists, grid.plan)
    _keep(order, lists, columns, np.arange(columns.start, columns.stop) * len(grid.scores))


def rank_lists(strand: Strand, order: Order | None, out: Floats, lists: range) -> None:
    """Statistics of the given lists, one column of `out` for each."""
    edges = strand.offsets[lists.start : lists.stop + 1]
    part = slice(lists.start, lists.stop)
    pairs = [(strand.scores[a:b], strand.labels[a:b]) for a, b in pairwise(edges.tolist())]
    each = [cells for cells, _ in pairs]
    ranked = _by_sorting(pairs, strand.positives[part], strand.negatives[part])
    out[:, part] = _answers(ranked, each, strand.plan)
    _keep(order, each, lists, edges[:-1])


def _keep(order: Order | None, scores: Sequence[Scores], lists: range, starts: Ints) -> None:
    """Keep the scores of some lists in ascending order."""
    if order is None:
        return
    lengths = [len(own) for own in scores]
    order.spans[lists.start : lists.stop] = np.stack([starts, lengths, lengths], axis=1)
    for own, start in zip(scores, starts.tolist(), strict=True):
        order.keys[start : start + len(own)] = np.sort(own)


def bounds(order: Order, scores: Scores, offsets: Ints, out: Ints, lists: range) -> None:
    """How many cells of the given lists are above some scores, and how many at or above them."""
    for i in lists:
        start, length, _ = order.spans[i].tolist()
        own, queried = order.keys[start : start + length], slice(offsets[i], offsets[i + 1])
        out[:, queried] = [length - np.searchsorted(own, scores[queried], side) for side in _SIDES]


def locate(targets: Lists, among: Lists, out: Ints, lists: range) -> None:
    """Where the target cells of the given lists stand among the others."""
    for i in lists:
        own = slice(targets.offsets[i], targets.offsets[i + 1])
        first, last = among.offsets[[i, i + 1]].tolist()
        places = np.append(among.places[first:last], -1)
        at = np.searchsorted(places[:-1], targets.places[own])
        out[own] = np.where(places[at] == targets.places[own], first + at, -1)


def running_counts(
    owner: Ints, start: Ints, marks: Bools, out: NDArray[np.int32], *, above: bool
) -> None:
    opens = np.append(True, (owner[1:] != owner[:-1]) | (start[1:] != start[:-1]))[: len(marks)]
    first = np.append(np.flatnonzero(opens), len(marks))
    sums = np.append(0, np.cumsum(marks))
    group = np.cumsum(opens) - 1
    before = np.searchsorted(owner, owner)
    out[:] = sums[first[group] if above else first[group + 1]] - sums[before]


def rank_rows(grid: Grid, out: Floats, rows: range) -> None:
    """Statistics of the given rows, one column of `out` for each."""
    chunk = max(1, 4_000_000 // max(1, grid.scores.shape[1] ** 2))
    for first in range(rows.start, rows.stop, chunk):
        part = slice(first, min(first + chunk, rows.stop))
        lists = _by_counting(grid, part)
        out[:, part] = [by_list(statistic, lists) for statistic in grid.plan]


def _by_counting(grid: Grid, part: slice) -> RankedLists:
    """Rows: for each relevant cell, count the cells above it and at its level."""
    scores, labels = grid.scores[part], grid.labels[part]
    listed = np.ones_like(labels) if grid.include is None else grid.include[part]
    row, column = np.nonzero(labels & listed)
    mine = scores[row, column][:, None]
    above = (scores[row] > mine) & listed[row]
    level = (scores[row] >= mine) & listed[row]
    start = np.count_nonzero(above, axis=1)
    # Tied relevant cells make one group: the first of them stands for all.
    representative = np.unique(row * scores.shape[1] + start, return_index=True)[1]
    row, above, level = row[representative], above[representative], level[representative]
    positives, negatives = grid.positives[part], grid.negatives[part]
    groups = Groups(
        start=start[representative],
        end=np.count_nonzero(level, axis=1),
        before=np.count_nonzero(above & labels[row], axis=1),
        through=np.count_nonzero(level & labels[row], axis=1),
        positives=positives[row],
        negatives=negatives[row],
    )
    return RankedLists(groups, row, np.count_nonzero(listed, axis=1), positives, negatives)


def _by_sorting(
    lists: Sequence[tuple[Scores, Bools]], positives: Ints, negatives: Ints
) -> RankedLists:
    """Lists of any scores and their labels."""
    each = [_groups(scores, labels) for scores, labels in lists]
    owner = np.repeat(np.arange(len(lists)), [len(start) for start, *_ in each])
    start, end, before, through = map(np.concatenate, zip(*each, strict=True))
    return RankedLists(
        groups=Groups(start, end, before, through, positives[owner], negatives[owner]),
        owner=owner,
        length=np.array([len(scores) for scores, _ in lists], dtype=np.int64),
        positives=positives,
        negatives=negatives,
    )


def _groups(scores: Scores, labels: Bools) -> tuple[Ints, Ints, Ints, Ints]:
    """Start, end, before and through of the groups of one list."""
    ordered = np.sort(scores)
    values, relevant = np.unique(scores[labels], return_counts=True)
    values, through = values[::-1], np.cumsum(relevant[::-1])
    start, end = (len(scores) - np.searchsorted(ordered, values, side) for side in _SIDES)
    return start, end, through - relevant[::-1], through


def _by_keys(scores: Scores, labels: Bools, positives: Ints, negatives: Ints) -> RankedLists:
    """Rows of scores without a sign, all at once.

    The bits of such a score order like the score. Shifted by one, with the label in bit 0 and
    counted downwards, they sort by descending score, irrelevant cells first among equals.
    """
    kind: Any = np.uint32 if scores.itemsize == 4 else np.uint64
    keys: NDArray[Any] = scores.view(kind) << kind(1)
    np.invert(keys, out=keys)
    keys ^= ~labels  # bit 0 is set everywhere: clear it for irrelevant cells
    keys.sort(axis=1)
    flat, length = keys.ravel(), keys.shape[1]
    positions = np.flatnonzero((keys & kind(1)).astype(np.bool_))
    relevant = np.count_nonzero(labels, axis=1)
    row, key = np.repeat(np.arange(len(keys)), relevant), flat[positions]
    last = np.flatnonzero(
        np.append((key[1:] != key[:-1]) | (row[1:] != row[:-1]), True)[: len(key)]
    )
    first = np.concatenate([[0], last[:-1] + 1])[: len(last)]
    owner, key = row[last], key[last]
    start, end = positions[first] - owner * length, positions[last] + 1 - owner * length
    # Irrelevant cells of the same score stand right before the relevant ones.
    tied = (start > 0) & (flat[positions[first] - 1] == key ^ kind(1))
    for i in np.unique(owner[tied]):
        mixed = tied & (owner == i)
        start[mixed] = np.searchsorted(keys[i], key[mixed] ^ kind(1))
    earlier = (np.cumsum(relevant) - relevant)[owner]
    totals = positives[owner], negatives[owner]
    return RankedLists(
        groups=Groups(start, end, first - earlier, last + 1 - earlier, *totals),
        owner=owner,
        length=np.full(len(keys), length),
        positives=positives,
        negatives=negatives,
    )


def _answers(lists: RankedLists, scores: Sequence[Scores], plan: Sequence[Statistic]) -> Floats:
    """(len(plan), lists)"""
    out = np.empty((len(plan), len(scores)))
    each: list[Groups] = []
    for index, statistic in enumerate(plan):
        if statistic.name not in ORDERED:
            out[index] = by_list(statistic, lists)
            continue
        each = each or lists.split()
        out[index] = [of_list(statistic, *pair) for pair in zip(each, scores, strict=True)]
    return out
