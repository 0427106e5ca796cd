"""Statistics of ranked lists whose cells have whole weights: the exact bootstrap of rankings.

A list is sorted once. What a draw changes is how many cells stand at each place: sums of weights
over the sorted list give the groups of every draw, and the statistics of groups are those that
plain lists have (`kernels.groups`). So a score of a draw is the score of the repeated items, to the
last bit, whatever the statistic. Copies of an item tie with each other; where ids break ties
(ties=trec) they are taken for one group.
"""

from __future__ import annotations

import numpy as np

from cranfield.comparison import Comparison, Direction
from cranfield.kernels import TIES_OF, Statistic
from cranfield.kernels.groups import ORDERED, Groups, RankedLists, by_list, of_list
from cranfield.matrices import Floats, Ints
from cranfield.statistics.influence.lists import WholeList, whole_lists

_AT_ONCE = 4_000_000
"""Weights of sorted cells that are held at a time."""


def weighable(statistic: Statistic) -> bool:
    """Whether draws are best computed from weights; AP in random, best or worst order of many
    equals is not: each group has a sum of its own."""
    return statistic.name != "AP" or statistic.ties in ("grouped", "trec")


class WeightedLists:
    """The lists of one comparison, sorted once for any number of draws."""

    def __init__(self, comparison: Comparison, direction: Direction, statistic: Statistic) -> None:
        self._lists = list(whole_lists(comparison, direction, statistic.ties, refined=False))
        by_id = statistic.ties == "trec"
        self._statistic = (
            statistic._replace(ties=TIES_OF[statistic.name][0]) if by_id else statistic
        )

    def __call__(self, times: Floats) -> Floats:
        """(b, lists): the statistic of every list in every draw (b, N); NaN = undefined there."""
        out = np.empty((len(times), len(self._lists)))
        for ranked in self._lists:
            step = max(1, _AT_ONCE // max(1, len(ranked.items)))
            for first in range(0, len(times), step):
                part = slice(first, first + step)
                out[part, ranked.place] = self._of_list(ranked, times[part])
        return out

    def _of_list(self, ranked: WholeList, times: Floats) -> Floats:
        # Cells are rows, so that a sum over cells adds whole rows.
        weights = np.ascontiguousarray(times.T.astype(np.int64))[ranked.items]
        relevant = ranked.relevant
        positives = weights[relevant].sum(axis=0)
        negatives = weights.sum(axis=0) - positives
        listed = slice(0, ranked.retrieved)
        upto = np.zeros((ranked.retrieved + 1, len(times)), dtype=np.int64)
        np.cumsum(weights[listed], axis=0, out=upto[1:])
        hits = weights[listed][relevant[listed]]
        found = np.zeros((len(hits) + 1, len(times)), dtype=np.int64)
        np.cumsum(hits, axis=0, out=found[1:])
        first, last = _bounds(ranked)
        before, through = (found[ranked.found[edge]] for edge in (first, last))
        lists = _flat(upto[first], upto[last], before, through, positives, negatives, upto[-1])
        if self._statistic.name in ORDERED:
            return self._one_by_one(lists, ranked, weights[listed])
        return by_list(self._statistic, lists)

    def _one_by_one(self, lists: RankedLists, ranked: WholeList, weights: Ints) -> Floats:
        """Statistics that look at the groups of a list in their order."""
        levels = -ranked.start[: ranked.retrieved].astype(np.float64)
        vertices = self._statistic.variant == "vertex"
        return np.array(
            [
                of_list(
                    self._statistic,
                    groups,
                    np.repeat(levels, weights[:, draw]) if vertices else np.empty(length),
                )
                for draw, (groups, length) in enumerate(
                    zip(lists.split(), lists.length.tolist(), strict=True)
                )
            ]
        )


def _bounds(ranked: WholeList) -> tuple[Ints, Ints]:
    """Where the groups with a relevant cell begin and end."""
    hit = np.flatnonzero(ranked.relevant[: ranked.retrieved])
    first = np.unique(ranked.start[hit])
    return first, ranked.end[first]


def _flat(
    start: Ints,
    end: Ints,
    before: Ints,
    through: Ints,
    positives: Ints,
    negatives: Ints,
    length: Ints,
) -> RankedLists:
    """The groups of all draws one after the other; those of which nothing was drawn are none."""
    there = (through > before).T
    owner = np.repeat(np.arange(len(positives)), np.count_nonzero(there, axis=1))
    start, end, before, through = (field.T[there] for field in (start, end, before, through))
    groups = Groups(start, end, before, through, positives[owner], negatives[owner])
    return RankedLists(groups, owner, length, positives, negatives)
