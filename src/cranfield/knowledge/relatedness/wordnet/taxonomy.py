"""The hypernyms of nouns, or of verbs, under one virtual root, and what two senses have in common.

Instances hang below their class. A node is a synset of the part of speech, numbered from 0; the
virtual root comes last, above all that have no hypernym. What pairs of senses share is found in two
passes over the links above them, for many senses at once: up from each sense to its subsumers, then
down from these to all senses below.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.knowledge.relatedness.wordnet.database import Database, Rows
from cranfield.knowledge.relatedness.wordnet.neighbours import Neighbours
from cranfield.matrices import Floats

_DEEPEST = 64
"""More levels than any WordNet has: what seems deeper hangs below a circle of links."""
_FAR = 100
"""A distance that no path has."""
_STEP = 256
"""More than the length of any path: a depth times this leaves room for a length."""


class Taxonomy:
    """All synsets of a part of speech under a virtual root."""

    def __init__(self, database: Database, part: str) -> None:
        rows = database.rows[part]
        children, parents = database.links.between("@", "@i")
        here = (children >= rows.start) & (children < rows.stop)
        self.first = rows.start
        self.root = len(rows)
        self.children: Rows = children[here] - rows.start
        self.parents: Rows = parents[here] - rows.start
        self._hang_tops()
        while self._levels().max() > _DEEPEST:
            self._cut_circle()
        self.levels = self._levels()
        """Links on the longest way from the virtual root."""
        self.depths = self._relaxed(np.minimum, _FAR) + 1
        """Nodes on the shortest way from the virtual root, with both ends."""
        self.hypernyms = Neighbours(self.children, self.parents, self.root + 1)

    @property
    def height(self) -> int:
        """Nodes on the longest way down; the virtual root is one where there are several tops."""
        several = np.count_nonzero(self.parents == self.root) > 1
        return int(self.levels.max()) + int(several)

    def above(self, nodes: Rows) -> Rows:
        """These nodes and all that subsume them, each after what subsumes it."""
        reached = np.zeros(self.root + 1, dtype=np.bool_)
        frontier = nodes
        while len(frontier):
            reached[frontier] = True
            frontier = self.hypernyms.reached(frontier)
            frontier = frontier[~reached[frontier]]
        found = np.flatnonzero(reached)
        return found[np.argsort(self.levels[found], kind="stable")]

    def _hang_tops(self) -> None:
        tops = np.setdiff1d(np.arange(self.root), self.children)
        self.children = np.concatenate([self.children, tops])
        self.parents = np.concatenate([self.parents, np.full(len(tops), self.root)])

    def _levels(self) -> Rows:
        return self._relaxed(np.maximum, 0)

    def _relaxed(self, best: Any, start: int) -> Rows:
        """Links on the best way, longest or shortest, from the root to each node."""
        values = np.full(self.root + 1, start, dtype=np.int64)
        values[self.root] = 0
        for _ in range(_DEEPEST + 1):
            before = values.copy()
            best.at(values, self.children, before[self.parents] + 1)
            if np.array_equal(values, before):
                break
        return values

    def _cut_circle(self) -> None:
        """Drop one link of a circle: WordNet 3.0 first came with restrain above inhibit, and below.

        The link of the synset that comes first in the file goes.
        """
        levels = self._levels()
        way = [int(levels.argmax())]
        while way[-1] not in way[:-1]:
            above = self.parents[self.children == way[-1]]
            way.append(int(above[levels[above].argmax()]))
        circle = way[way.index(way[-1]) :]
        child, parent = min(pairwise(circle))
        kept = (self.children != child) | (self.parents != parent)
        self.children, self.parents = self.children[kept], self.parents[kept]
        self._hang_tops()


class Subsumers:
    """What senses of one taxonomy have in common.

    nodes  senses; each method compares all of them with some, given by their places among them
    """

    def __init__(self, taxonomy: Taxonomy, nodes: Rows) -> None:
        self.taxonomy = taxonomy
        self.order = taxonomy.above(nodes)
        """The senses and what is above them, from the root down."""
        place = np.empty(taxonomy.root + 1, dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        self.places: Rows = place[nodes]
        children, parents = taxonomy.hypernyms.of(self.order)
        self._links = list(zip(children.tolist(), place[parents].tolist(), strict=True))

    def distances(self, others: Rows) -> Floats:
        """Links on the shortest path over a common subsumer."""
        lengths = self._upwards(others)
        for child, parent in self._links:
            np.minimum(lengths[child], lengths[parent] + 1, out=lengths[child])
        return lengths[self.places].astype(np.float64)

    def deepest(self, others: Rows) -> tuple[Floats, Floats]:
        """The depth of the deepest common subsumer, and links on the shortest path over it."""
        up = self._upwards(others)
        depths = self.taxonomy.depths[self.order].astype(np.int16)
        keys = np.where(up < _FAR, depths[:, None] * np.int16(_STEP) - up, np.int16(0))
        for child, parent in self._links:
            np.maximum(keys[child], keys[parent] - 1, out=keys[child])
        found = keys[self.places].astype(np.int64)
        depth = -(-found // _STEP)
        return depth.astype(np.float64), (depth * _STEP - found).astype(np.float64)

    def most(self, values: Floats, others: Rows) -> Floats:
        """The largest value of a common subsumer.

        values  one for each node of the taxonomy
        """
        here = np.where(self._upwards(others) < _FAR, values[self.order][:, None], -np.inf)
        for child, parent in self._links:
            np.maximum(here[child], here[parent], out=here[child])
        found: Floats = here[self.places]
        return found

    def _upwards(self, others: Rows) -> NDArray[np.uint8]:
        """Links from some senses up to their subsumers; far to all that do not subsume them."""
        up = np.full((len(self.order), len(others)), _FAR, dtype=np.uint8)
        up[self.places[others], np.arange(len(others))] = 0
        for child, parent in reversed(self._links):
            np.minimum(up[parent], up[child] + 1, out=up[parent])
        return up
