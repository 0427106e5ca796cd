"""The cheapest choice of variables that satisfies all clauses, where elimination alone fails.

For entangled clauses, such as those of a large hierarchy in which everything stands below several
others. Clauses of two variables alone are asked first, by a cut through a network with a node for
each value of each variable: what it costs bounds what any choice costs from below, and what it
decides holds in the cheapest choice if there are no longer clauses (roof duality). What is left
undecided is eliminated; where even that fails, the ways to satisfy a clause are tried in turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Ints
from cranfield.knowledge.consistency.elimination import (
    Clause,
    Elimination,
    EntangledError,
    ImpossibleError,
    renumbered,
)

SOURCE, SINK = -1, -2


class Cut(NamedTuple):
    """What a cut costs, and what stays on the source's side: as few nodes as can be."""

    cost: int
    near: set[int]


class Network:
    """Nodes 0, 1, …, the source and the sink, and links of some capacity."""

    def __init__(self) -> None:
        self._room: dict[int, dict[int, int]] = {SOURCE: {}, SINK: {}}

    def link(self, start: int, end: int, capacity: int) -> None:
        self._room.setdefault(start, {})[end] = capacity
        self._room.setdefault(end, {}).setdefault(start, 0)

    def cheapest_cut(self) -> Cut:
        """Once; the links are used up."""
        flow = 0
        while True:
            levels = self._levels()
            if SINK not in levels:
                return Cut(flow, levels.keys() - {SOURCE})
            flow += self._fill(levels)

    def _levels(self) -> dict[int, int]:
        """How far from the source each node is that can still be reached."""
        levels, waiting = {SOURCE: 0}, deque([SOURCE])
        while waiting:
            node = waiting.popleft()
            for other, room in self._room[node].items():
                if room and other not in levels:
                    levels[other] = levels[node] + 1
                    waiting.append(other)
        return levels

    def _fill(self, levels: dict[int, int]) -> int:
        """Send as much as will go along shortest ways."""
        ahead = {
            node: [other for other in self._room[node] if levels.get(other) == level + 1]
            for node, level in levels.items()
        }
        sent = 0
        way = [SOURCE]
        while way:
            node = way[-1]
            if node == SINK:
                sent += self._send(way)
                way = [SOURCE]
                continue
            while ahead[node] and not self._room[node][ahead[node][-1]]:
                ahead[node].pop()
            if ahead[node]:
                way.append(ahead[node][-1])
            else:
                way.pop()
                if way:
                    ahead[way[-1]].pop()
        return sent

    def _send(self, way: list[int]) -> int:
        links = list(pairwise(way))
        amount = min(self._room[one][other] for one, other in links)
        for one, other in links:
            self._room[one][other] -= amount
            self._room[other][one] += amount
        return amount


_MOST_CUTS = 1000
"""For one set of costs; more raise `EntangledError`."""

Values = dict[int, bool]


class Branching:
    """Chooses among variables as `Elimination` does, one set of costs after the other."""

    def __init__(self, clauses: Sequence[Clause], *, ranked: int, most: int) -> None:
        self._clauses = clauses
        self._ranked = ranked
        self._most = most

    def cheapest(self, absent: Ints, present: Ints) -> Bools:
        """(variables, n): what is present in the cheapest choice; see `Elimination.cheapest`."""
        chosen = np.zeros((self._ranked, absent.shape[2]), dtype=np.bool_)
        for i in range(absent.shape[2]):
            item = slice(i, i + 1)
            search = _Search(self._clauses, absent[:, :, item], present[:, :, item], self._most)
            found = search.cheapest()
            chosen[:, i] = [found[variable] for variable in range(self._ranked)]
        return chosen


class _Search:
    """Looks for the cheapest choice for one set of costs."""

    def __init__(self, clauses: Sequence[Clause], absent: Ints, present: Ints, most: int) -> None:
        self._clauses = clauses
        self._absent, self._present = absent, present
        self._most = most
        self._costs = _in_one(absent[:, :, 0], present[:, :, 0])
        self._best: Values | None = None
        self._price = 0
        self._cuts = 0

    def cheapest(self) -> Values:
        """The values of all variables that have costs."""
        waiting: list[Values] = [{}]
        while waiting:
            known = _followed(self._clauses, waiting.pop())
            if known is not None:
                waiting += self._look(known)
        if self._best is None:
            raise ImpossibleError
        return self._best

    def _look(self, values: Values) -> list[Values]:
        """Look at the choices that agree with what is known; those still to be looked at."""
        left = list(_left(self._clauses, values))
        decided, bound = self._cut(values, left)
        if self._best is not None and bound >= 2 * self._price:
            return []
        longest = max(left, key=lambda clause: len(clause.variables), default=Clause((), ()))
        if len(longest.variables) <= 2:
            values = values | decided
            left = list(_left(self._clauses, values))
        try:
            self._note(values | self._eliminated(values, left))
            return []
        except ImpossibleError:
            return []
        except EntangledError:
            ways = _ways(longest) if len(longest.variables) > 2 else _values(_most_named(left))
            return [values | way for way in ways][::-1]

    def _cut(self, values: Values, left: Iterable[Clause]) -> tuple[Values, int]:
        """What clauses of two decide, and twice the least that any choice costs."""
        self._cuts += 1
        if self._cuts > _MOST_CUTS:
            raise EntangledError
        network = Network()
        endless = 1 + 2 * sum(map(sum, self._costs))
        spent = 0
        for variable, (absent, present) in enumerate(self._costs):
            if variable in values:
                spent += 2 * (present if values[variable] else absent)
                continue
            for node, without, having in (
                (2 * variable, absent, present),
                (2 * variable + 1, present, absent),
            ):
                network.link(SOURCE, node, without)
                network.link(node, SINK, having)
        for clause in left:
            ends = [2 * v + 1 for v in clause.absent] + [2 * v for v in clause.present]
            if len(ends) == 2:
                for first, second in (ends, ends[::-1]):
                    network.link(first ^ 1, second, endless)
        cost, near = network.cheapest_cut()
        return {node >> 1: not node & 1 for node in near}, spent + cost

    def _eliminated(self, values: Values, left: Sequence[Clause]) -> Values:
        """The cheapest values of all variables with costs that are not known yet."""
        open_ = [variable for variable in range(len(self._costs)) if variable not in values]
        others = {v for clause in left for v in clause.variables} - set(open_)
        number = {variable: i for i, variable in enumerate([*open_, *sorted(others)])}
        plan = Elimination(renumbered(left, number), ranked=len(open_), most=self._most)
        chosen = plan.cheapest(self._absent[:, open_], self._present[:, open_])
        return dict(zip(open_, chosen[:, 0].tolist(), strict=True))

    def _note(self, values: Values) -> None:
        price = sum(pair[values[variable]] for variable, pair in enumerate(self._costs))
        if self._best is None or price < self._price:
            self._best, self._price = values, price


def _in_one(absent: Ints, present: Ints) -> list[tuple[int, int]]:
    """All kinds of cost, and which variables are rather present, in one number for each value.

    Sums of one kind never reach the kind before it.
    """
    room = 1 + int(np.maximum(absent, present).sum(axis=1).max())
    count = int(absent.shape[1])

    def one(costs: Ints) -> int:
        total = 0
        for cost in costs:
            total = total * room + int(cost)
        return total << count

    return [(one(absent[:, v]) + (1 << (count - 1 - v)), one(present[:, v])) for v in range(count)]


def _left(clauses: Iterable[Clause], values: Values) -> Iterator[Clause]:
    """Clauses that what is known does not satisfy, without the values that it excludes."""
    for clause in clauses:
        if any(values.get(v) is False for v in clause.absent):
            continue
        if any(values.get(v) is True for v in clause.present):
            continue
        yield Clause(
            tuple(v for v in clause.absent if v not in values),
            tuple(v for v in clause.present if v not in values),
        )


def _followed(clauses: Sequence[Clause], values: Values) -> Values | None:
    """What is known and what follows from it; None if that breaks a clause."""
    values = dict(values)
    left = list(clauses)
    grown = True
    while grown:
        grown = False
        left = list(_left(left, values))
        for clause in left:
            named = set(clause.variables)
            if not named:
                return None
            if len(named) == 1:
                variable = named.pop()
                value = not clause.absent
                if values.setdefault(variable, value) is not value:
                    return None
                grown = True
    return values


def _ways(clause: Clause) -> Iterator[Values]:
    """Ways to satisfy a clause that exclude each other and leave none out."""
    so_far: Values = {}
    for variables, value in ((clause.absent, False), (clause.present, True)):
        for variable in variables:
            yield so_far | {variable: value}
            so_far[variable] = not value


def _values(variable: int) -> Iterator[Values]:
    yield {variable: False}
    yield {variable: True}


def _most_named(clauses: Iterable[Clause]) -> int:
    """The variable in most clauses."""
    counts: dict[int, int] = {}
    for clause in clauses:
        for variable in clause.variables:
            counts[variable] = counts.get(variable, 0) + 1
    return min(counts, key=lambda variable: (-counts[variable], variable))
