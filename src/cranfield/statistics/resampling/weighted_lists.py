"""The exact bootstrap of rankings: lists are sorted once, for any number of draws of items.

Copies of an item tie with each other; where ids break ties (ties=trec) they are one group.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.matrices import Floats
from cranfield.kernels import TIES_OF, OrderedList, Statistic
from cranfield.statistics.influence.lists import WholeLists, whole_lists


class WeightedLists:
    """The lists of one comparison, best first."""

    def __init__(self, comparison: Comparison, direction: Direction, statistic: Statistic) -> None:
        every = whole_lists(comparison, direction, statistic.ties)
        self._lists = [one for lists in every for one in _ordered(lists)]
        if statistic.ties == "trec":
            statistic = statistic._replace(ties=TIES_OF[statistic.name][0])
        self._statistic = statistic

    def __call__(self, times: Floats) -> Floats:
        """(b, lists): the statistic of every list in every draw (b, N); NaN = undefined there."""
        return kernels.rank_draws(self._lists, times.astype(np.uint16), self._statistic)


def _ordered(lists: WholeLists) -> Iterator[OrderedList]:
    for place, (first, end) in enumerate(pairwise(lists.offsets.tolist())):
        own, last = lists.sorted.order[first:end], lists.sorted.last[first:end]
        items = own - first if lists.items is None else lists.items[own]
        retrieved = int(lists.retrieved[place])
        yield OrderedList(items.astype(np.uint32), lists.relevant[own], last, retrieved)
