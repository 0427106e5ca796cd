"""Hierarchy: nodes below one root, a tree or a directed graph without cycles.

The root is the one node without parents, if there is exactly one and it has children; otherwise it
is implied and stands above all nodes without parents. Depth is the length of the shortest way from
the root, which has depth 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.errors import InputError, first_ten, several

Parents = Mapping[str, tuple[str, ...]]

_ROOT = ""
"""Stands for an implied root; no node has an empty name."""

_DEEPEST = 500
"""Levels; beyond some more, halving costs from level to level would end at zero."""


class CircleError(InputError):
    """A hierarchy runs in a circle; knows the nodes along it, the first one again at the end."""

    def __init__(self, ring: Sequence[str]) -> None:
        self.ring = ring
        shown = ring if len(ring) <= 12 else (*ring[:6], "…", *ring[-5:])
        super().__init__(
            f"the hierarchy runs in a circle: {' below '.join(shown)}; remove one of these links"
        )


class Hierarchy:
    """Which node stands below which.

    parents  the broader nodes of each node; none for those at the top
    """

    def __init__(self, parents: Parents) -> None:
        self.parents = parents
        unknown = {above: node for node, broader in parents.items() for above in broader}
        lost = [above for above in unknown if above not in parents]
        if lost:
            axioms = first_ten(f"{unknown[above]} below {above}" for above in lost)
            raise InputError(f"{several(len(lost), 'parent')} that no node is: {axioms}")
        self.order = _downwards(parents)
        """All nodes, every one after its parents."""
        _require_few_levels(parents, self.order)
        tops = [node for node in self.order if not parents[node]]
        alone = len(tops) == 1 and len(parents) > 1
        self.root: str | None = tops[0] if alone else None

    @cached_property
    def children(self) -> dict[str, tuple[str, ...]]:
        below: dict[str, list[str]] = {node: [] for node in self.parents}
        for node, broader in self.parents.items():
            for above in broader:
                below[above].append(node)
        return {node: tuple(nodes) for node, nodes in below.items()}

    @cached_property
    def tops(self) -> tuple[str, ...]:
        """The nodes right below the root."""
        if self.root is not None:
            return self.children[self.root]
        return tuple(node for node in self.parents if not self.parents[node])

    @cached_property
    def ancestors(self) -> dict[str, frozenset[str]]:
        """All nodes above each node, the root among them if it is a node."""
        above: dict[str, frozenset[str]] = {}
        for node in self.order:
            broader = self.parents[node]
            above[node] = frozenset(broader).union(*(above[parent] for parent in broader))
        return above

    @cached_property
    def depths(self) -> dict[str, int]:
        levels: dict[str, int] = {}
        for node in self.order:
            above = [levels[parent] for parent in self.parents[node]]
            levels[node] = 1 + min(above) if above else int(node != self.root)
        return levels

    @property
    def height(self) -> int:
        """Links from the deepest node to the root."""
        return max(self.depths.values(), default=0)

    def without(self, dropped: Iterable[str]) -> Hierarchy:
        """The same with some nodes left out; what stood below them moves up."""
        gone = frozenset(dropped) & self.parents.keys()
        if not gone:
            return self
        up: dict[str, tuple[str, ...]] = {}
        for node in self.order:
            broader = self.parents[node]
            kept = (up[parent] if parent in gone else (parent,) for parent in broader)
            up[node] = tuple(dict.fromkeys(chain.from_iterable(kept)))
        return Hierarchy({node: up[node] for node in self.parents if node not in gone})

    def path_costs(self, nodes: Sequence[str], link: Callable[[int], float]) -> Floats:
        """(n, n): the cheapest path between two nodes that goes up and then down.

        link  the cost of a link, by the depth of its lower end
        """
        costs = np.full((len(nodes), len(nodes)), np.inf)
        for rows, up in self._below(nodes, link):
            block = np.ix_(rows, rows)
            costs[block] = np.minimum(costs[block], up[:, None] + up[None, :])
        return costs

    def _below(
        self, nodes: Sequence[str], link: Callable[[int], float]
    ) -> Iterable[tuple[list[int], Floats]]:
        """For each node: which of the given ones stand at or below it, and the way up to it."""
        climbs: dict[str, dict[str, float]] = {}
        for node in self.order:
            step = link(self.depths[node]) if node != self.root else 0.0
            ways: dict[str, float] = {node: 0.0}
            for one in self.parents[node]:
                for above, cost in climbs[one].items():
                    ways[above] = min(ways.get(above, np.inf), step + cost)
            if self.root is None and not self.parents[node]:
                ways[_ROOT] = step
            climbs[node] = ways
        found: dict[str, tuple[list[int], list[float]]] = {}
        for i, node in enumerate(nodes):
            for above, cost in climbs[node].items():
                rows, up = found.setdefault(above, ([], []))
                rows.append(i)
                up.append(cost)
        return ((rows, np.array(up)) for rows, up in found.values())


def first_met(start: Iterable[str], onwards: Parents, targets: Set[str]) -> list[str]:
    """The wanted nodes that come first on the ways from some nodes onwards."""
    waiting = list(start)
    seen = set(waiting)
    for node in waiting:
        if node not in targets:
            # In a graph of many diamonds, there are too many ways to walk each of them.
            waiting += [neighbour for neighbour in onwards[node] if neighbour not in seen]
            seen.update(onwards[node])
    return list(dict.fromkeys(node for node in waiting if node in targets))


def _downwards(parents: Parents) -> tuple[str, ...]:
    """All nodes, every one after its parents; a cycle is an error that names it."""
    waiting = {node: len(broader) for node, broader in parents.items()}
    below: dict[str, list[str]] = {}
    for node, broader in parents.items():
        for above in broader:
            below.setdefault(above, []).append(node)
    ready = [node for node, count in waiting.items() if not count]
    for node in ready:
        for lower in below.get(node, ()):
            waiting[lower] -= 1
            if not waiting[lower]:
                ready.append(lower)
    if len(ready) < len(parents):
        raise CircleError(_ring(parents, set(parents) - set(ready)))
    return tuple(ready)


def _ring(parents: Parents, stuck: set[str]) -> list[str]:
    node = next(node for node in parents if node in stuck)
    walk: dict[str, int] = {}
    while node not in walk:
        walk[node] = len(walk)
        node = next(above for above in parents[node] if above in stuck)
    return [*list(walk)[walk[node] :], node]


def _require_few_levels(parents: Parents, order: Iterable[str]) -> None:
    levels: dict[str, int] = {}
    for node in order:
        levels[node] = 1 + max((levels[above] for above in parents[node]), default=0)
        if levels[node] > _DEEPEST:
            raise InputError(f"{node} stands {levels[node]} levels deep; {_DEEPEST} is the limit")
