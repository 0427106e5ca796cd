"""The cheapest one-to-one assignment between two sets, in NumPy.

Shortest augmenting paths (Jonker and Volgenant 1987): sources enter one after the other, each by
the cheapest chain of reassignments that ends at a free target; prices of rows and columns keep all
reduced costs from falling below zero. Where no cost is negative and a concept costs nothing as its
own partner, prices of zero are right from the start and such pairs can stand beforehand, until a
chain runs through them; so the result is exact whether or not costs obey the triangle inequality.

Items whose larger set has the same size take every step together. The C extension takes the same
steps, so that both add up the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.kernels.groups import Bools, Floats, Ints
from cranfield.kernels.label_sets import Words, unpack

_CELLS = 1_000_000
"""Cells of the matrices that are worked on together."""


class Pairing(NamedTuple):
    """What it costs to pair two concepts, or to leave one of the larger set over."""

    between: Floats
    """(C + 1, C + 1), from a source to a target; the last is the partner of what is left over."""
    prepaired: bool
    """Whether concepts in both sets may start as pairs."""


def pairing(between: Floats, unmatched: Floats) -> Pairing:
    """Finite costs, and whether they allow pairs to stand beforehand."""
    concepts = len(between)
    costs = np.zeros((concepts + 1, concepts + 1))
    costs[:-1, :-1] = between
    costs[-1, :-1] = costs[:-1, -1] = unmatched
    least = costs.min()
    assert np.isfinite(least)
    assert np.isfinite(costs.max())
    return Pairing(costs, bool(least >= 0.0 and not costs.diagonal().any()))


def assign(sources: Words, targets: Words, costs: Pairing, out: Floats, rows: range) -> None:
    """The cost of the cheapest assignment in some rows."""
    part = slice(rows.start, rows.stop)
    sides = [unpack(sets[part], len(costs.between) - 1) for sets in (sources, targets)]
    larger = np.maximum(*(np.count_nonzero(side, axis=1) for side in sides))
    total = np.zeros(len(rows))
    for size in np.unique(larger[larger > 0]).tolist():
        same = np.flatnonzero(larger == size)
        chunk = max(1, _CELLS // size**2)
        for first in range(0, len(same), chunk):
            items = same[first : first + chunk]
            given, wanted = (_members(side[items], size) for side in sides)
            total[items] = _cheapest(given, wanted, costs)
    out[part] = total


def _members(marks: Bools, size: int) -> Ints:
    """The members of each set, then -1: (items, size)."""
    out = np.full((len(marks), size), -1)
    item, concept = np.nonzero(marks)
    counts = np.count_nonzero(marks, axis=1)
    out[item, np.arange(len(item)) - np.repeat(np.cumsum(counts) - counts, counts)] = concept
    return out


def partners(sources: Ints, targets: Ints, costs: Pairing) -> list[tuple[int, int]]:
    """Who is assigned to whom in one item, by the same steps; -1 is the partner of a leftover."""
    size = max(len(sources), len(targets))
    given, wanted = (
        np.pad(side, (0, size - len(side)), constant_values=-1) for side in (sources, targets)
    )
    _, columns = _solved(given[None], wanted[None], costs)
    return list(zip(given.tolist(), wanted[columns[0]].tolist(), strict=True))


def _cheapest(given: Ints, wanted: Ints, costs: Pairing) -> Floats:
    """Totals of pairs of sets; -1 fills up the smaller one, as a partner of what is left over."""
    matrix, column_of = _solved(given, wanted, costs)
    total = np.zeros(len(matrix))
    for row in range(given.shape[1]):
        total += matrix[np.arange(len(matrix)), row, column_of[:, row]]
    return total


def _solved(given: Ints, wanted: Ints, costs: Pairing) -> tuple[Floats, Ints]:
    """What each pair costs, and the column of each row in the cheapest assignment."""
    source, target = given[:, :, None], wanted[:, None, :]
    matrix = costs.between[source, target]
    work = _Assignments(matrix)
    if costs.prepaired:
        work.pair(*np.nonzero((source == target) & (source >= 0)))
    for row in range(given.shape[1]):
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

    def __init__(self, cost: Floats) -> None:
        self._cost = cost
        shape = cost.shape[:2]
        self._row_price, self._column_price = np.zeros(shape), np.zeros(shape)
        self.column_of, self._row_of = np.full(shape, -1), np.full(shape, -1)

    def pair(self, items: Ints, rows: Ints, columns: Ints) -> None:
        self.column_of[items, rows] = columns
        self._row_of[items, columns] = rows

    def enter(self, items: Ints, row: int) -> None:
        """Give a row of some items a partner, and others new ones where that is cheaper."""
        chains = _Chains.of(items, self._cost.shape[1])
        going, at = np.arange(len(items)), np.full(len(items), row)
        while len(going):
            self._prolong(chains, going, at)
            at = self._row_of[items[going], chains.end[going]]
            going, at = going[at >= 0], at[at >= 0]
        self._reprice(chains, row)
        self._rejoin(chains, row)

    def _prolong(self, chains: _Chains, going: Ints, at: Ints) -> None:
        """Go on from the rows that some chains have come to, and close the nearest column."""
        item, closed = chains.items[going], chains.closed[going]
        reduced = self._cost[item, at] - self._row_price[item, at][:, None]
        way = chains.reached[going][:, None] + reduced - self._column_price[item]
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

    def _reprice(self, chains: _Chains, row: int) -> None:
        """Prices under which the new pairs, like the old, cost nothing and none costs less."""
        items = chains.items
        early = np.where(chains.closed, chains.reached[:, None] - chains.length, 0.0)
        self._row_price[items, row] += chains.reached
        place, column = np.nonzero(chains.closed & (self._row_of[items] >= 0))
        item = items[place]
        self._row_price[item, self._row_of[item, column]] += early[place, column]
        self._column_price[items] -= early

    def _rejoin(self, chains: _Chains, row: int) -> None:
        """Walk the chains back from their ends, pairing anew on the way."""
        place, column = np.arange(len(chains.items)), chains.end
        while len(place):
            item, partner = chains.items[place], chains.before[place, column]
            following = self.column_of[item, partner]
            self.pair(item, partner, column)
            more = partner != row
            place, column = place[more], following[more]
