"""What stands above what in a hierarchy, by the letter: sets that grow until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import product

ROOT = "the root"

Parents = Mapping[str, Iterable[str]]


class Graph:
    """A hierarchy with a root above everything: the one top node, or else an implied one."""

    def __init__(self, parents: Parents, dropped: Collection[str] = ()) -> None:
        self.parents = {node: set(up) for node, up in parents.items()}
        for node in dropped:
            self._remove(node)
        tops = [node for node, up in self.parents.items() if not up]
        self.root = tops[0] if len(tops) == 1 and len(self.parents) > 1 else ROOT
        if self.root == ROOT:
            self.parents |= {top: {ROOT} for top in tops} | {ROOT: set()}
        self.above = self._ancestors()
        self.depth = self._depths()

    def _remove(self, node: str) -> None:
        """What stood below it hangs on to what stood above it."""
        upper = self.parents.pop(node)
        for up in self.parents.values():
            if node in up:
                up.remove(node)
                up |= upper

    def _ancestors(self) -> dict[str, set[str]]:
        above = {node: set(up) for node, up in self.parents.items()}
        while True:
            more = {node: up.union(*(above[one] for one in up)) for node, up in above.items()}
            if more == above:
                return above
            above = more

    def _depths(self) -> dict[str, int]:
        depth = {self.root: 0}
        while len(depth) < len(self.parents):
            level = max(depth.values()) + 1
            depth |= {
                node: level
                for node, up in self.parents.items()
                if node not in depth and up & depth.keys()
            }
        return depth

    def children(self, node: str) -> set[str]:
        return {child for child, up in self.parents.items() if node in up}

    def at_or_below(self, node: str) -> set[str]:
        return {node} | {lower for lower, up in self.above.items() if node in up}

    def nearest_above(self, node: str, among: Collection[str]) -> set[str]:
        """The first of some nodes on every way up."""
        return _first(self.parents[node], self.parents.__getitem__, among)

    def nearest_below(self, node: str, among: Collection[str]) -> set[str]:
        """The first of some nodes on every way down."""
        return _first(self.children(node), self.children, among)

    def climbs(self, link: Mapping[str, int]) -> dict[tuple[str, str], int]:
        """The cheapest way from a node up to itself or an ancestor; links cost by lower end."""
        cost = {(node, node): 0 for node in self.parents}
        changed = True
        while changed:
            changed = False
            for (node, top), so_far in list(cost.items()):
                for one in self.parents[top]:
                    if so_far + link[top] < cost.get((node, one), so_far + link[top] + 1):
                        cost[node, one] = so_far + link[top]
                        changed = True
        return cost

    def costs(self, nodes: Collection[str], link: Mapping[str, int]) -> dict[tuple[str, str], int]:
        """The cheapest way between two nodes, up and then down."""
        up = self.climbs(link)
        lines = {node: self.above[node] | {node} for node in nodes}
        return {
            (a, b): min(up[a, top] + up[b, top] for top in lines[a] & lines[b])
            for a, b in product(nodes, repeat=2)
        }


def _first(start: set[str], onwards: Callable[[str], set[str]], among: Collection[str]) -> set[str]:
    seen: set[str] = set()
    waiting = set(start)
    while waiting:
        node = waiting.pop()
        seen.add(node)
        if node not in among:
            waiting |= onwards(node) - seen
    return seen & set(among)
