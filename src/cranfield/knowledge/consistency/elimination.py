"""The cheapest choice of variables that satisfies all clauses, exact, for many costs at once.

Variables are eliminated one after another, those with the fewest neighbours first: for every state
of its neighbours the cheaper value of a variable is kept. Only states that break no clause exist,
so a group of which one member may be present has as many states as members, not two to their
number. States depend on the clauses alone; costs of thousands of items then run through them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Ints

_WIDEST = 62
"""Variables of a state: the bits of an integer, less its sign."""
_LANE = 62
"""Variables whose presence one integer ranks."""
_ROOM, _KEPT = 1 << 20, 1 << 23
"""Numbers that a table of costs may hold, and that are kept of all tables, at a time."""


class Clause(NamedTuple):
    """One of the first must be absent, or one of the second present."""

    absent: tuple[int, ...]
    present: tuple[int, ...]

    @property
    def variables(self) -> tuple[int, ...]:
        return (*self.absent, *self.present)


def renumbered(clauses: Iterable[Clause], number: Mapping[int, int]) -> list[Clause]:
    """Clauses whose variables have other numbers."""
    return [
        Clause(tuple(number[v] for v in clause.absent), tuple(number[v] for v in clause.present))
        for clause in clauses
    ]


class EntangledError(Exception):
    """Too many states would have to be looked at."""


class ImpossibleError(Exception):
    """Nothing satisfies all clauses."""


@dataclass
class _Bucket:
    """A variable, and what is known about it when it is eliminated."""

    variable: int
    scope: tuple[int, ...]
    """The variable, and its neighbours in the order in which they will be eliminated."""
    children: list[_Bucket] = field(default_factory=list)
    """Those whose costs come in here."""
    codes: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """States of the scope that break no clause, ascending; bit 0 is the variable."""
    neighbours: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """States of the neighbours alone, ascending."""
    pairs: Ints = field(default_factory=lambda: np.zeros((2, 0), dtype=np.int64))
    """Of each of these the place in `codes` with the variable absent, and present; -1 = never."""
    places: list[Ints] = field(default_factory=list)
    """For each child: which state of its neighbours a state here means."""
    lanes: tuple[int, ...] = ()
    """Which integers rank the variables that are eliminated up to here."""


class Elimination:
    """A plan to choose among variables 0, 1, …; made once, followed for any costs.

    ranked  variables below this number have costs, and where costs are equal the earlier ones of
            them are rather present; the others are free and only help to say what the clauses say
    most    states of one variable and its neighbours; more raise `EntangledError`
    """

    def __init__(self, clauses: Sequence[Clause], *, ranked: int, most: int) -> None:
        self._ranked = ranked
        order = _order(clauses, ranked)
        place = {variable: i for i, (variable, _) in enumerate(order)}
        listed: dict[int, list[Clause]] = {variable: [] for variable in place}
        for clause in clauses:
            if clause.variables:
                listed[min(clause.variables, key=place.__getitem__)].append(clause)
            else:
                raise ImpossibleError
        buckets: dict[int, _Bucket] = {}
        for variable, linked in order:
            scope = (variable, *sorted(linked, key=place.__getitem__))
            buckets[variable] = _Bucket(variable, scope)
        self._buckets = list(buckets.values())
        for bucket in self._buckets:
            _fill(bucket, [one for v in bucket.scope for one in listed[v]], most)
            own = (bucket.variable // _LANE,) if bucket.variable < ranked else ()
            below = (lane for child in bucket.children for lane in child.lanes)
            bucket.lanes = tuple(sorted({*own, *below}))
            if len(bucket.scope) > 1:
                buckets[bucket.scope[1]].children.append(bucket)

    def cheapest(self, absent: Ints, present: Ints) -> Bools:
        """(variables, n): what is present in the cheapest choice for each of n sets of costs.

        absent, present  (kinds of cost, variables, n): what either value costs; a kind counts
                         only where those before it are equal
        """
        tables = [len(one.codes) * (len(absent) + len(one.lanes)) for one in self._buckets]
        picks = [len(one.neighbours) for one in self._buckets]
        step = max(1, min(_ROOM // max(tables, default=1), _KEPT // (1 + sum(picks))))
        chosen = np.zeros((self._ranked, absent.shape[2]), dtype=np.bool_)
        for first in range(0, absent.shape[2], step):
            block = slice(first, first + step)
            self._choose(absent[:, :, block], present[:, :, block], chosen[:, block])
        return chosen

    def _choose(self, absent: Ints, present: Ints, chosen: Bools) -> None:
        costs: dict[int, Ints] = {}
        picks: dict[int, Ints] = {}
        for bucket in self._buckets:
            table = self._table(bucket, costs, absent, present)
            costs[bucket.variable], picks[bucket.variable] = _cheaper(table, bucket.pairs)
        every = np.arange(absent.shape[2])
        states: dict[int, Ints] = {}
        for bucket in reversed(self._buckets):
            of_neighbours = states.get(bucket.variable, np.zeros_like(every))
            state = picks[bucket.variable][of_neighbours, every]
            if bucket.variable < self._ranked:
                chosen[bucket.variable] = bucket.codes[state] & 1
            for child, places in zip(bucket.children, bucket.places, strict=True):
                states[child.variable] = places[state]

    def _table(self, bucket: _Bucket, costs: dict[int, Ints], absent: Ints, present: Ints) -> Ints:
        """(states, kinds and lanes, n): what each state costs with all that was eliminated."""
        kinds, _, items = absent.shape
        table = np.zeros((len(bucket.codes), kinds + len(bucket.lanes), items), dtype=np.int64)
        for child, places in zip(bucket.children, bucket.places, strict=True):
            into = [*range(kinds), *(kinds + bucket.lanes.index(one) for one in child.lanes)]
            table[:, into] += costs.pop(child.variable)[places]
        variable = bucket.variable
        if variable < self._ranked:
            there = (bucket.codes & 1) == 1
            table[there, :kinds] += present[:, variable]
            table[~there, :kinds] += absent[:, variable]
            lane = kinds + bucket.lanes.index(variable // _LANE)
            table[~there, lane] += 1 << (_LANE - 1 - variable % _LANE)
        return table


def _order(clauses: Iterable[Clause], ranked: int) -> list[tuple[int, frozenset[int]]]:
    """Variables as they are eliminated, each with the neighbours that it has by then."""
    links: dict[int, set[int]] = {variable: set() for variable in range(ranked)}
    for clause in clauses:
        for variable in clause.variables:
            links.setdefault(variable, set()).update(clause.variables)
    for variable, linked in links.items():
        linked.discard(variable)
    queue = [(len(linked), variable) for variable, linked in links.items()]
    heapq.heapify(queue)
    order = []
    while queue:
        degree, variable = heapq.heappop(queue)
        if variable not in links or degree != len(links[variable]):
            continue
        linked = links.pop(variable)
        if len(linked) >= _WIDEST:
            raise EntangledError
        order.append((variable, frozenset(linked)))
        for one, two in combinations(linked, 2):
            links[one].add(two)
            links[two].add(one)
        for one in linked:
            links[one].discard(variable)
            heapq.heappush(queue, (len(links[one]), one))
    return order


def _fill(bucket: _Bucket, clauses: Iterable[Clause], most: int) -> None:
    """Find the states that break no clause and that all children know."""
    index = {variable: i for i, variable in enumerate(bucket.scope)}
    due: list[list[tuple[int, int]]] = [[] for _ in index]
    for clause in clauses:
        if all(variable in index for variable in clause.variables):
            masks = [sum(1 << index[v] for v in set(side)) for side in clause]
            due[max(index[v] for v in clause.variables)].append((masks[0], masks[1]))
    codes = np.zeros(1, dtype=np.int64)
    for i, masks_due in enumerate(due):
        codes = np.concatenate([codes, codes | 1 << i])
        for absent, present in masks_due:
            codes = codes[((~codes & absent) | (codes & present)) != 0]
        if len(codes) > most:
            raise EntangledError
    for child in bucket.children:
        _, matched = _look_up(child, codes, index)
        codes = codes[matched]
    if not len(codes):
        raise ImpossibleError
    bucket.codes = np.sort(codes)
    bucket.places = [_look_up(child, bucket.codes, index)[0] for child in bucket.children]
    bucket.neighbours, which = np.unique(bucket.codes >> 1, return_inverse=True)
    bucket.pairs = np.full((2, len(bucket.neighbours)), -1, dtype=np.int64)
    bucket.pairs[bucket.codes & 1, which] = np.arange(len(bucket.codes))


def _look_up(child: _Bucket, codes: Ints, index: dict[int, int]) -> tuple[Ints, Bools]:
    """Which state of a child's neighbours each state here means, and whether it is one."""
    requested = np.zeros_like(codes)
    for i, variable in enumerate(child.scope[1:]):
        requested |= (codes >> index[variable] & 1) << i
    rows = np.searchsorted(child.neighbours, requested)
    rows = np.minimum(rows, len(child.neighbours) - 1)
    return rows, child.neighbours[rows] == requested


def _cheaper(table: Ints, pairs: Ints) -> tuple[Ints, Ints]:
    """The costs of the cheaper of two states, and which one it is, for each pair and item."""
    absent, present = pairs
    picks = np.repeat(np.where(absent < 0, present, absent)[:, None], table.shape[2], axis=1)
    costs = table[picks[:, 0]]
    both = np.flatnonzero((absent >= 0) & (present >= 0))
    one, other = costs[both], table[present[both]]
    better = np.zeros((len(both), table.shape[2]), dtype=np.bool_)
    for kind in range(table.shape[1])[::-1]:
        better &= other[:, kind] == one[:, kind]
        better |= other[:, kind] < one[:, kind]
    costs[both] = np.where(better[:, None], other, one)
    picks[both] = np.where(better, present[both, None], picks[both])
    return costs, picks
