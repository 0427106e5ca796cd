"""Whole lists: their order, where they are cut, and on which side of a cut their cells stand.

Here are the forms in which they are handed around, and the NumPy versions.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import Bools, Floats, Ints
from cranfield.kernels.sums import add_to, group_sums


class SortedLists(NamedTuple):
    """Lists one after the other: list i is the cells offsets[i] … offsets[i + 1]."""

    scores: Floats
    relevant: Bools
    offsets: Ints
    order: Ints
    """The cells of each list, best first; equals in any order."""
    last: Bools
    """In that order, whether a cell is the last of its score."""


class Kinds(NamedTuple):
    """Cells of each list."""

    positives: Ints
    negatives: Ints
    found: Ints
    """Positives that were retrieved; the others stand at the end."""


class Standings(NamedTuple):
    """Where cells stand among the relevant ones of their list."""

    starts: Ints
    """Where the table of each list begins, and the last ends, in columns."""
    counts: Ints
    """Tables (3, relevant + 1) one after the other: of irrelevant cells, irrelevant cells that tie
    with relevant ones, and relevant cells those with so many relevant ones above."""
    codes: NDArray[np.uint32]
    """Of each cell, its place in the table of its list."""


class Levels(NamedTuple):
    """How far down lists are cut: relevant and irrelevant cells from the top, each over a divisor,
    add up to a level; all are (lists,)."""

    relevant: Floats
    irrelevant: Floats
    low: Floats
    target: Floats
    high: Floats


class Cuts(NamedTuple):
    """Around the group of equals in which a level is reached; places are (lists, 2), so many cells
    from the top and so many relevant ones among them."""

    low: Floats
    """Where the low level is, if need be between the ends of two groups; or the top."""
    before: Floats
    """Where the group begins."""
    after: Floats
    """Where it ends."""
    high: Floats
    """Where the high level is, or the end. If the group is longer than from the target to the high
    level, low and high are its own ends."""
    kind: Floats
    """1 where all cells of the group are relevant, 0 where none is, else -1."""
    threshold: Floats
    """Its score."""

    @classmethod
    def of(cls, table: Floats) -> Cuts:
        """From a row of ten numbers for each list, in this order."""
        places = (table[:, at : at + 2] for at in (0, 2, 4, 6))
        return cls(*places, *table[:, 8:].T)


TIES = ("grouped", "best", "worst")
"""Equals are one group, or two: the relevant ones first, or last."""


def sort_lists(lists: SortedLists, part: range) -> None:
    """Fill in the order of some lists."""
    for place in part:
        own = slice(lists.offsets[place], lists.offsets[place + 1])
        lists.order[own] = np.argsort(-lists.scores[own]) + own.start
        ranked = lists.scores[lists.order[own]]
        lists.last[own] = np.append(ranked[1:] != ranked[:-1], True)[: len(ranked)]


def cuts(
    lists: SortedLists, lengths: Ints, levels: Floats, ties: str, table: Floats, part: range
) -> None:
    for place in part:
        own = slice(lists.offsets[place], lists.offsets[place] + lengths[place])
        ordered = lists.order[own]
        vertices, kinds = _groups(lists.last[own], lists.relevant[ordered], ties)
        if len(kinds) == 0:
            continue
        relevant, irrelevant, low, target, high = levels[place].tolist()
        ends, hits = vertices
        level = hits / relevant + (ends - hits) / irrelevant
        after = min(int(np.searchsorted(level[1:], target)) + 1, len(level) - 1)
        group = vertices[:, after - 1 : after + 1].T
        around = np.stack([np.interp([low, high], level, side) for side in vertices], axis=1)
        if level[after] >= target and level[after] - level[after - 1] > high - target:
            around = group
        threshold = lists.scores[ordered[ends[after - 1]]]
        table[place] = *around[0], *group.ravel(), *around[1], kinds[after - 1], threshold


def _groups(last: Bools, relevant: Bools, ties: str) -> tuple[Ints, Ints]:
    """(2, groups + 1): where groups of equals end, 0 before them, and the relevant cells up to
    there; the kind of each group."""
    edges = np.concatenate(([0], np.flatnonzero(last[:-1]) + 1, [len(last)][: len(last)]))
    found = np.append(0, np.cumsum(relevant))
    vertices = [(0, 0)]
    kinds = []
    for first, end in pairwise(edges.tolist()):
        hits, cells = int(found[end] - found[first]), end - first
        if ties != "grouped" and 0 < hits < cells:
            leading = ties == "best"
            half = hits if leading else cells - hits
            vertices.append((first + half, int(found[first]) + hits * leading))
            kinds += [int(leading), int(not leading)]
        else:
            kinds.append(0 if hits == 0 else 1 if hits == cells else -1)
        vertices.append((end, int(found[end])))
    return np.array(vertices).T, np.array(kinds, dtype=np.int64)


def count_sides(lists: SortedLists, thresholds: Floats, counts: Ints) -> None:
    sides = _sides(lists, thresholds)
    counts += np.bincount(sides, minlength=counts.size).reshape(counts.shape)


def side_sums(
    lists: SortedLists, thresholds: Floats, table: Floats, items: Ints | None, out: Floats
) -> None:
    values = table.ravel()[_sides(lists, thresholds)]
    for first, end in pairwise(lists.offsets.tolist()):
        own = slice(first, end)
        by_item = (
            values[own] if items is None else group_sums(values[own], items[own], out.shape[1])
        )
        add_to(out, by_item)


def _sides(lists: SortedLists, thresholds: Floats) -> Ints:
    """Of each cell 6 · list + 3 · relevant + 0, 1 or 2: above, at or below the threshold."""
    place = np.repeat(np.arange(len(thresholds)), np.diff(lists.offsets))
    below, level = lists.scores < thresholds[place], lists.scores == thresholds[place]
    return np.asarray(6 * place + 3 * lists.relevant + 2 * below + level)
