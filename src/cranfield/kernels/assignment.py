"""The cheapest one-to-one assignment between two sets, in NumPy.

Shortest augmenting paths (Jonker and Volgenant 1987). Rows are sources, columns are targets. Each
column starts at the price of its smallest cost, so that no cost less the price is negative, and is
paired with its own concept if that is the smallest, else with the first row of this cost that has
no partner. The other rows enter one after the other, each by the shortest chain of reassignments
that ends at a free column; then the columns on the way become cheaper by what they were reached
sooner. This is exact for costs of any sign, with the triangle inequality or without.

Items whose larger set has the same size take every step together. The C extension takes the same
steps, so that both add up the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.kernels.groups import Bools, Floats, Ints
from cranfield.kernels.label_sets import Words, unpack
from cranfield.kernels.sums import in_lists

_CELLS = 1_000_000
"""Cells of the matrices that are worked on together."""


def pairing(between: Floats, unmatched: Floats) -> Floats:
    """Costs (C, C) from sources to targets, all finite, with a last concept: the partner of what is
    left over."""
    concepts = len(between)
    costs = np.zeros((concepts + 1, concepts + 1))
    costs[:-1, :-1] = between
    costs[-1, :-1] = costs[:-1, -1] = unmatched
    assert max(-costs.min(), costs.max()) < 1e100  # their sums must stay finite
    return costs


def assign(sources: Words, targets: Words, costs: Floats, out: Floats, rows: range) -> None:
    """The cost of the cheapest assignment in some rows."""
    part = slice(rows.start, rows.stop)
    sides = [unpack(sets[part], len(costs) - 1) for sets in (sources, targets)]
    larger = np.maximum(*(np.count_nonzero(side, axis=1) for side in sides))
    total = np.zeros(len(rows))
    for size in np.unique(larger[larger > 0]).tolist():
        same = np.flatnonzero(larger == size)
        chunk = max(1, _CELLS // size**2)
        for first in range(0, len(same), chunk):
            items = same[first : first + chunk]
            from_ids, to_ids = (_members(side[items], size) for side in sides)
            total[items] = _cheapest(from_ids, to_ids, costs)
    out[part] = total


def _members(marks: Bools, size: int) -> Ints:
    """The members of each set, then -1: (items, size)."""
    out = np.full((len(marks), size), -1)
    item, concept = np.nonzero(marks)
    counts = np.count_nonzero(marks, axis=1)
    out[item, np.arange(len(item)) - np.repeat(np.cumsum(counts) - counts, counts)] = concept
    return out


def partners(sources: Ints, targets: Ints, costs: Floats) -> list[tuple[int, int]]:
    """Who is assigned to whom in one item, by the same steps; -1 is the partner of a leftover."""
    size = max(len(sources), len(targets))
    if not size:
        return []
    padded_sources, padded_targets = (
        np.pad(side, (0, size - len(side)), constant_values=-1) for side in (sources, targets)
    )
    _, columns = _solved(padded_sources[None], padded_targets[None], costs)
    return list(zip(padded_sources.tolist(), padded_targets[columns[0]].tolist(), strict=True))


def _cheapest(sources: Ints, targets: Ints, costs: Floats) -> Floats:
    """Totals of pairs of sets; -1 fills up the smaller one, as a partner of what is left over."""
    matrix, column_of = _solved(sources, targets, costs)
    items, size = sources.shape
    costs = np.take_along_axis(matrix, column_of[:, :, None], axis=2)
    return in_lists(costs.ravel(), np.arange(items + 1) * size)


def _solved(sources: Ints, targets: Ints, costs: Floats) -> tuple[Floats, Ints]:
    """What each pair costs, and the column of each row in the cheapest assignment."""
    source, target = sources[:, :, None], targets[:, None, :]
    matrix = costs[source, target]
    work = _Assignments(matrix, own=(source == target) & (source >= 0))
    for row in range(sources.shape[1]):
        work.enter(np.flatnonzero(work.column_of[:, row] < 0), row)
    return matrix, work.column_of


@dataclass
class _Chains:
    """Chains of reassignments from one row of each item, shortest first."""

    items: Ints
    length: Floats
    """(items, size), to each column."""
    before: Ints
    """The row before each column."""
    closed: Bools
    """Columns that no chain will reach sooner."""
    reached: Floats
    """(items,): the length of the longest chain closed so far."""
    end: Ints
    """The column where it ends."""

    @classmethod
    def of(cls, items: Ints, size: int) -> _Chains:
        shape, count = (len(items), size), len(items)
        return cls(
            items=items,
            length=np.full(shape, np.inf),
            before=np.full(shape, -1),
            closed=np.zeros(shape, dtype=np.bool_),
            reached=np.zeros(count),
            end=np.full(count, -1),
        )


class _Assignments:
    """Square problems of one size on the way to their solution."""

    def __init__(self, cost: Floats, own: Bools) -> None:
        """`own` says which pairs are a concept and itself."""
        self._cost, self._price = cost, cost.min(axis=1)
        self.column_of = np.full(cost.shape[:2], -1)
        self._row_of = self.column_of.copy()
        self._pair(*np.nonzero(own & (cost == self._price[:, None, :])))
        every = np.arange(len(cost))
        for column, first in enumerate(cost.argmin(axis=1).T):
            alone = (self._row_of[:, column] < 0) & (self.column_of[every, first] < 0)
            self._pair(every[alone], first[alone], column)

    def _pair(self, items: Ints, rows: Ints, columns: Ints | int) -> None:
        self.column_of[items, rows] = columns
        self._row_of[items, columns] = rows

    def enter(self, items: Ints, row: int) -> None:
        """Give a row of some items a partner, and others new ones where that is cheaper."""
        chains = _Chains.of(items, self._cost.shape[1])
        going, at = np.arange(len(items)), np.full(len(items), row)
        start = np.zeros(len(items))
        while len(going):
            self._prolong(chains, going, at, start)
            at = self._row_of[items[going], chains.end[going]]
            going, at = going[at >= 0], at[at >= 0]
            item, end = items[going], chains.end[going]
            start = chains.reached[going] - (self._cost[item, at, end] - self._price[item, end])
        sooner = np.where(chains.closed, chains.reached[:, None] - chains.length, 0.0)
        self._price[items] -= sooner
        self._rejoin(chains, row)

    def _prolong(self, chains: _Chains, going: Ints, at: Ints, start: Floats) -> None:
        """Go on from the rows that some chains have come to, and close the nearest column.

        start  the length of the chain to the row, less the price of the row
        """
        item, closed = chains.items[going], chains.closed[going]
        way = start[:, None] + self._cost[item, at] - self._price[item]
        shorter = (way < chains.length[going]) & ~closed
        length = np.where(shorter, way, chains.length[going])
        ahead = np.where(closed, np.inf, length)
        least = ahead.min(axis=1)
        # Among equals a free column, since it ends the chain; then the first.
        merit = (ahead == least[:, None]) * (1 + (self._row_of[item] < 0))
        chains.length[going] = length
        chains.before[going] = np.where(shorter, at[:, None], chains.before[going])
        chains.reached[going] = least
        chains.end[going] = merit.argmax(axis=1)
        chains.closed[going, chains.end[going]] = True

    def _rejoin(self, chains: _Chains, row: int) -> None:
        """Walk the chains back from their ends, pairing anew on the way."""
        chain, column = np.arange(len(chains.items)), chains.end
        while len(chain):
            item, partner = chains.items[chain], chains.before[chain, column]
            following = self.column_of[item, partner]
            self._pair(item, partner, column)
            more = partner != row
            chain, column = chain[more], following[more]
