"""The exact bootstrap of rankings: lists are sorted once, for any number of draws of items.

Copies of an item tie with each other; where ids break ties (ties=trec) they are one group.
"""

from __future__ import annotations

import numpy as np

from cranfield import kernels
from cranfield.comparison import Comparison, Direction
from cranfield.kernels import TIES_OF, OrderedList, Statistic
from cranfield.matrices import Floats
from cranfield.statistics.influence.lists import CellList, WholeList, cell_lists


class WeightedLists:
    """The lists of one comparison, best first."""

    def __init__(self, comparison: Comparison, direction: Direction, statistic: Statistic) -> None:
        self._lists = [_ordered(one) for one in cell_lists(comparison, direction, statistic.ties)]
        if statistic.ties == "trec":
            statistic = statistic._replace(ties=TIES_OF[statistic.name][0])
        self._statistic = statistic

    def __call__(self, times: Floats) -> Floats:
        """(b, lists): the statistic of every list in every draw (b, N); NaN = undefined there."""
        return kernels.rank_draws(self._lists, times.astype(np.uint16), self._statistic)


def _ordered(cells: CellList) -> OrderedList:
    ranked = WholeList.of(cells)
    last = np.zeros(len(ranked.items), dtype=np.bool_)
    last[ranked.ends[1:] - 1] = True
    return OrderedList(ranked.items.astype(np.uint32), ranked.relevant, last, cells.retrieved)
