"""Rules as clauses of few variables: the columns, in the order of their ids, and auxiliary ones.

Long rules are cut into short ones: auxiliary variables count along a disjoint group, and hand on
from one alternative to the next what a concept needs. They cost nothing, so they change no result;
short clauses keep the number of states small that have to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cranfield.core.matrices import Bools, Ints
from cranfield.knowledge.consistency.elimination import Clause, renumbered
from cranfield.knowledge.rules import Constraints

_SHORT = 3
"""Members of a disjoint group that are told pair by pair."""


@dataclass(frozen=True)
class Component:
    """Clauses that hang together, and the columns that they are about."""

    columns: Ints
    """In the order of their ids; they are the variables 0, 1, …"""
    needed: Bools
    """(columns,): whether something cannot do without it, such as a narrower concept."""
    clauses: tuple[Clause, ...]


def components(constraints: Constraints, required: Iterable[Ints] = ()) -> list[Component]:
    """All rules over the columns, in parts that have nothing to do with each other.

    required  groups of columns of which one must be present
    """
    by_id = sorted(range(len(constraints.concepts)), key=constraints.concepts.__getitem__)
    written = _Writing(constraints, by_id, required)
    leader = _leaders(written.clauses)
    parts: dict[int, list[Clause]] = {}
    for clause in written.clauses:
        parts.setdefault(leader(clause.variables[0]), []).append(clause)
    connected = []
    for clauses in parts.values():
        used = sorted({variable for clause in clauses for variable in clause.variables})
        number = {variable: i for i, variable in enumerate(used)}
        columns = [variable for variable in used if variable < len(by_id)]
        connected.append(
            Component(
                np.array([by_id[variable] for variable in columns], dtype=np.int64),
                np.array([variable in written.needed for variable in columns], dtype=np.bool_),
                tuple(dict.fromkeys(renumbered(clauses, number))),
            )
        )
    return connected


def _leaders(clauses: Iterable[Clause]) -> Callable[[int], int]:
    """Which variable stands for all that hang together with a given one."""
    above: dict[int, int] = {}

    def leader(variable: int) -> int:
        above.setdefault(variable, variable)
        while above[variable] != variable:
            above[variable] = above[above[variable]]
            variable = above[variable]
        return variable

    for clause in clauses:
        first, *others = clause.variables
        for other in others:
            above[leader(other)] = leader(first)
    return leader


class _Writing:
    """Writes down clauses, making auxiliary variables as they are needed."""

    def __init__(
        self, constraints: Constraints, by_id: Sequence[int], required: Iterable[Ints]
    ) -> None:
        self.clauses: list[Clause] = []
        self.needed: set[int] = set()
        self._concepts = constraints.concepts
        self._above = constraints.ontology.hierarchy().ancestors
        self._variable = {column: variable for variable, column in enumerate(by_id)}
        self._next = len(by_id)
        self._some: dict[tuple[int, ...], int] = {}
        self._any: dict[tuple[int, ...], int] = {}
        for _, column, enough in constraints.implications:
            if column not in enough:
                self._need((self._variable[column],), self._upmost(enough))
        for enough in required:
            self._need((), self._upmost(enough))
        pairs: set[tuple[int, int]] = set()
        for _, belongs in constraints.disjoint:
            members = [self._upmost(np.flatnonzero(column)) for column in belongs.T]
            group = sorted(self._any_of(one) for one in members if one)
            if len(group) == 2:
                pairs.add((group[0], group[1]))
            else:
                self._at_most_one(group)
        for clique in _cliques(pairs):
            self._at_most_one(clique)

    def _upmost(self, columns: Ints) -> tuple[int, ...]:
        """Variables of the columns without those below another, which bring it along anyway."""
        names = {self._concepts[column] for column in columns}
        kept = [c for c in columns.tolist() if names.isdisjoint(self._above[self._concepts[c]])]
        return tuple(sorted({self._variable[column] for column in kept}))

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _say(self, absent: tuple[int, ...], present: tuple[int, ...]) -> None:
        self.clauses.append(Clause(absent, present))

    def _need(self, whose: tuple[int, ...], enough: tuple[int, ...]) -> None:
        self._say(whose, enough if len(enough) < _SHORT else (self._some_of(enough),))
        if len(enough) == 1:
            self.needed.update(enough)

    def _some_of(self, enough: tuple[int, ...]) -> int:
        """A variable that may be present only if one of these is."""
        if enough not in self._some:
            self._some[enough] = holder = self._new()
            for one in enough[:-2]:
                following = self._new()
                self._say((holder,), (one, following))
                holder = following
            self._say((holder,), enough[-2:])
        return self._some[enough]

    def _any_of(self, members: tuple[int, ...]) -> int:
        """A variable that must be present if one of these is."""
        if len(members) == 1:
            return members[0]
        if members not in self._any:
            self._any[members] = holder = self._new()
            for one in members:
                self._say((one,), (holder,))
        return self._any[members]

    def _at_most_one(self, group: Sequence[int]) -> None:
        if len(group) <= _SHORT:
            for one, two in combinations(group, 2):
                self._say((one, two), ())
            return
        so_far = group[0]
        for one in group[1:-1]:
            self._say((so_far, one), ())
            following = self._new()
            self._say((so_far,), (following,))
            self._say((one,), (following,))
            so_far = following
        self._say((so_far, group[-1]), ())


def _cliques(pairs: Iterable[tuple[int, int]]) -> Iterable[list[int]]:
    """Groups all of whose pairs are among these, large ones first found, until all are covered."""
    links: dict[int, set[int]] = {}
    for one, two in pairs:
        links.setdefault(one, set()).add(two)
        links.setdefault(two, set()).add(one)
    covered: set[tuple[int, int]] = set()
    for one, two in sorted(pairs):
        if (one, two) in covered:
            continue
        clique = [one, two]
        for more in sorted(links[one] & links[two] - {one, two}):
            if links[more].issuperset(clique):
                clique.append(more)
        clique.sort()
        covered.update(combinations(clique, 2))
        yield clique
