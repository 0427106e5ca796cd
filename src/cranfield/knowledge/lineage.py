"""Lineage: who stands above whom among the columns of a truth, and label sets widened along it.

Categories and concepts without a column are stepped over. The root, which stands above everything
and so tells nothing, is never added to a set, nor anything below it for its sake.

Balanced distance: how near a response is to a key in a hierarchy (Maynard et al. 2006).

    BDM = x / (x + DPK/n2 + DPR/n3), where x = BR·CP/n1

    CP        depth of the most specific node above both
    DPK, DPR  links from there down to the key, to the response
    n1        mean length, in links, of the chains (root to leaf) that hold the key or the response
    n2, n3    the same of the chains that hold the key, of those that hold the response
    BR        mean number of children of that node and the nodes between it and the two, over the
              mean number of children in the hierarchy, leaves left out

A concept is wholly near to itself, and not at all to one that shares the root alone. Where a node
has several parents: of several nodes above both the deepest counts, of several equally deep ones
the one that gives the most; ways are the shortest ones, of equally short ones the most branching.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.knowledge.hierarchy import Hierarchy

_ROOT = ""


class _Tally(NamedTuple):
    """How many ways there are."""

    ways: float
    length: float
    """Links of all of them together."""

    def then(self, further: _Tally) -> _Tally:
        """Each of these continued by each of those."""
        length = self.length * further.ways + self.ways * further.length
        return _Tally(self.ways * further.ways, length)


_STAY = _Tally(1.0, 0.0)
_STEP = _Tally(1.0, 1.0)


class _Ways(NamedTuple):
    """The ways from a node down to another."""

    links: int
    """Of the shortest."""
    branches: int
    """Children of the nodes between, on the shortest."""
    tally: _Tally
    """Of all ways."""


def balanced_distances(hierarchy: Hierarchy, concepts: Sequence[str]) -> Floats:
    """(C, C): the BDM of a key and a response; the same both ways."""
    tree = _rooted(hierarchy)
    children = {node: len(below) for node, below in tree.children.items()}
    usual = np.mean([count for count in children.values() if count])
    climbs = _climbs(tree, children)
    chains = _Chains(tree, climbs, concepts)
    nearness = np.zeros((len(concepts), len(concepts)))
    depth_of = np.full(nearness.shape, -1)
    for node, rows, ways in _meeting_points(tree, climbs, concepts):
        links = np.array([way.links for way in ways])
        branches = np.array([way.branches for way in ways])
        between = np.maximum(links - 1, 0)
        branching = (children[node] + np.add.outer(branches, branches)) / (
            1 + np.add.outer(between, between)
        )
        block, depth = np.ix_(rows, rows), tree.depths[node]
        shared = branching / usual * depth / chains.of_pair[block]
        apart = links / chains.of_one[rows]
        whole = shared + np.add.outer(apart, apart)
        near = np.divide(shared, whole, out=np.zeros_like(whole), where=whole > 0)
        deeper = depth_of[block] < depth
        nearness[block] = np.where(deeper, near, np.maximum(nearness[block], near))
        depth_of[block] = depth
    np.fill_diagonal(nearness, 1.0)
    return nearness


def _rooted(hierarchy: Hierarchy) -> Hierarchy:
    """The same with its root as a node, if it was only implied."""
    if hierarchy.root is not None:
        return hierarchy
    tops = {node: above or (_ROOT,) for node, above in hierarchy.parents.items()}
    return Hierarchy({_ROOT: (), **tops})


def _climbs(tree: Hierarchy, children: dict[str, int]) -> dict[str, dict[str, _Ways]]:
    """For each node: the ways down to it from everything at or above it."""
    climbs: dict[str, dict[str, _Ways]] = {}
    for node in tree.order:
        found = {node: _Ways(0, 0, _STAY)}
        for parent in tree.parents[node]:
            for above, ways in climbs[parent].items():
                inner = ways.branches + (children[parent] if parent != above else 0)
                longer = _Ways(ways.links + 1, inner, ways.tally.then(_STEP))
                found[above] = _joined(found[above], longer) if above in found else longer
        climbs[node] = found
    return climbs


def _joined(first: _Ways, second: _Ways) -> _Ways:
    best = min(first, second, key=lambda ways: (ways.links, -ways.branches))
    return best._replace(tally=_sum([first.tally, second.tally]))


def _sum(tallies: Sequence[_Tally]) -> _Tally:
    return _Tally(sum(tally.ways for tally in tallies), sum(tally.length for tally in tallies))


def _meeting_points(
    tree: Hierarchy, climbs: dict[str, dict[str, _Ways]], concepts: Sequence[str]
) -> list[tuple[str, list[int], list[_Ways]]]:
    """Nodes with the concepts at or below them and the ways there, the deepest last."""
    found: dict[str, tuple[list[int], list[_Ways]]] = {}
    for i, concept in enumerate(concepts):
        for above, ways in climbs[concept].items():
            rows, routes = found.setdefault(above, ([], []))
            rows.append(i)
            routes.append(ways)
    ordered = sorted(found, key=lambda node: tree.depths[node])
    return [(node, *found[node]) for node in ordered]


class _Chains:
    """Mean lengths of the chains that hold one concept, and of those that hold one of two."""

    def __init__(
        self, tree: Hierarchy, climbs: dict[str, dict[str, _Ways]], concepts: Sequence[str]
    ) -> None:
        assert tree.root is not None
        place = {name: i for i, name in enumerate(concepts)}
        count, length = np.zeros((2, len(concepts), len(concepts)))
        to_leaves = _to_leaves(tree)
        for i, concept in enumerate(concepts):
            for above, ways in climbs[concept].items():
                if above in place:
                    from_root = climbs[above][tree.root].tally
                    whole = from_root.then(ways.tally).then(to_leaves[concept])
                    both = [i, place[above]], [place[above], i]
                    count[both], length[both] = whole
        self.of_one = length.diagonal() / count.diagonal()
        self.of_pair = _either(length) / _either(count)


def _to_leaves(tree: Hierarchy) -> dict[str, _Tally]:
    found: dict[str, _Tally] = {}
    for node in reversed(tree.order):
        below = [_STEP.then(found[child]) for child in tree.children[node]]
        found[node] = _sum(below) if below else _STAY
    return found


def _either(both: Floats) -> Floats:
    """Sums over what holds one of two, from sums over what holds both of them."""
    one: Floats = both.diagonal()
    return one[:, None] + one[None, :] - both


class Lineage:
    """The hierarchy of an ontology, seen from some of its concepts.

    Sets are given as the rows of a matrix (n, C) that marks their members.
    """

    def __init__(self, hierarchy: Hierarchy, concepts: tuple[str, ...]) -> None:
        self.hierarchy = hierarchy
        self.concepts = concepts
        self._place = {name: i for i, name in enumerate(concepts)}

    @cached_property
    def depths(self) -> Ints:
        """(C,): links up to the root; categories count as levels."""
        return np.array([self.hierarchy.depths[name] for name in self.concepts], dtype=np.int64)

    @cached_property
    def distances(self) -> Floats:
        """(C, C): links between two concepts."""
        return self.hierarchy.path_costs(self.concepts, lambda depth: 1.0)

    @cached_property
    def nearness(self) -> Floats:
        """(C, C): balanced distance metric, 1 for equal concepts (Maynard et al. 2006)."""
        return balanced_distances(self.hierarchy, self.concepts)

    @cached_property
    def lines(self) -> Bools:
        """(C, C): each concept with its ancestors."""
        return self.with_ancestors(np.eye(len(self.concepts), dtype=np.bool_))

    @cached_property
    def _links(self) -> list[tuple[int, int]]:
        """(lower, upper): nearest columns, every link after those that end at its lower end."""
        above: dict[str, tuple[str, ...]] = {}
        for node in self.hierarchy.order:
            nearest = (
                (one,) if one in self._place else above[one] for one in self.hierarchy.parents[node]
            )
            above[node] = tuple(dict.fromkeys(name for names in nearest for name in names))
        return [
            (self._place[node], self._place[upper])
            for node in reversed(self.hierarchy.order)
            if node in self._place
            for upper in above[node]
        ]

    @cached_property
    def _links_below_root(self) -> list[tuple[int, int]]:
        root = self._place.get(self.hierarchy.root or "")
        return [link for link in self._links if link[1] != root]

    def with_ancestors(self, sets: Bools) -> Bools:
        """Sets and everything above their members."""
        columns = _columns(sets)
        for lower, upper in self._links_below_root:
            columns[upper] |= columns[lower]
        return columns.T

    def with_descendants(self, sets: Bools) -> Bools:
        """Sets and everything below their members."""
        columns = _columns(sets)
        for lower, upper in reversed(self._links_below_root):
            columns[lower] |= columns[upper]
        return columns.T

    def below(self, sets: Bools) -> Bools:
        """What stands below a member, the root among them; members only if below another."""
        columns = _columns(sets)
        under = np.zeros_like(columns)
        for lower, upper in reversed(self._links):
            under[lower] |= columns[upper] | under[upper]
        return under.T

    def with_siblings(self, sets: Bools) -> Bools:
        """Sets and everything that stands right below the same node, if that is not the root."""
        columns = _columns(sets)
        wider = columns.copy()
        for node, children in self.hierarchy.children.items():
            here = [self._place[child] for child in children if child in self._place]
            if node != self.hierarchy.root and len(here) > 1:
                wider[here] |= columns[here].any(axis=0)
        return wider.T


def _columns(sets: Bools) -> Bools:
    """A copy with the sets as columns, so that each concept is one stretch of memory."""
    return np.array(sets.T, dtype=np.bool_, order="C")
