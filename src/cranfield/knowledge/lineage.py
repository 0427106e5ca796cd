"""Lineage: who stands above whom among the columns of a truth, and label sets widened along it.

Categories and concepts without a column are stepped over. The root, which stands above everything
and so tells nothing, is never added to a set, nor anything below it for its sake.
"""

from __future__ import annotations

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.knowledge.balanced_distance import balanced_distances
from cranfield.knowledge.hierarchy import Hierarchy


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
