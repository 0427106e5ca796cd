"""The hypernyms of nouns, or of verbs, under one virtual root, and what two senses have in common.

Instances hang below their class. A node is a synset of the part of speech, numbered from 0; the
virtual root comes last, above all that have no hypernym. What pairs of senses share is computed for
many senses at once, in passes over the links above them.

Several ways may lead from a sense to the root. A first common subsumer of two senses is the first
node that a way from one and a way from the other have in common; it may stand above another one.

How much it says that a word means a synset: −log of how often texts use it or what is below it.

The texts are SemCor's; WordNet counts its senses there (cntlist.rev). A count goes to all hypernyms
of a synset, once for each way up to them, as WordNet::Similarity counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.errors import FileError
from cranfield.knowledge.relatedness.wordnet.database import Database, Rows


class Neighbours:
    """Links as rows of targets, one row for each of `size` nodes."""

    def __init__(self, sources: Rows, targets: Rows, size: int) -> None:
        order = np.argsort(sources, kind="stable")
        self.targets: Rows = targets[order]
        self._starts = np.searchsorted(sources[order], np.arange(size + 1))

    def of(self, nodes: Rows) -> tuple[Rows, Rows]:
        """Which of some nodes each link starts from, by its place in them, and where it ends."""
        starts = self._starts[nodes]
        counts = self._starts[nodes + 1] - starts
        places = np.repeat(np.arange(len(nodes)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return places, self.targets[starts[places] + within]

    def reached(self, nodes: Rows) -> Rows:
        """Where the links of some nodes end, each end once."""
        return np.unique(self.of(nodes)[1])


_DEEPEST = 64
"""More levels than any WordNet has: what seems deeper hangs below a circle of links."""
_FAR = 100
"""A distance that no path has."""
_PLACES = 2**25
"""More than there are nodes: a multiple of this leaves room for the place of a node."""
_LENGTHS = 256
"""More than the length of any path."""
_COLUMNS = 512
"""Senses that all are compared with at once: what limits memory."""


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
        self._place = np.empty(taxonomy.root + 1, dtype=np.int64)
        self._place[self.order] = np.arange(len(self.order))
        self.places: Rows = self._place[nodes]
        children, parents = taxonomy.hypernyms.of(self.order)
        self._links = list(zip(children.tolist(), self._place[parents].tolist(), strict=True))
        self._parents: list[list[int]] = [[] for _ in self.order]
        for child, parent in self._links:
            self._parents[child].append(parent)

    def distances(self, others: Rows) -> Floats:
        """Links on the shortest path over a common subsumer."""
        return self._distances(self.places[others])[self.places].astype(np.float64)

    def deepest(self, others: Rows) -> tuple[Floats, Floats]:
        """The depth of the deepest first common subsumer, and the links between it and both senses.

        Of equally deep ones the nearest counts, upwards; the links are those of the shortest paths,
        even where these leave the ways up to it.
        """
        places = np.arange(len(self.order))
        depths = self.taxonomy.depths[self.order]
        keys = (depths * _LENGTHS * _PLACES + places).astype(np.float64)
        keys = self._first_common(keys, others, step=_PLACES)
        subsumers = keys.astype(np.int64) % _PLACES
        used = np.flatnonzero(np.bincount(subsumers.ravel()))
        column = np.searchsorted(used, places)[subsumers]
        links = self._distances(used)[self.places]
        both = links[np.arange(len(links))[:, None], column] + links[others, column]
        return depths[subsumers].astype(np.float64), both.astype(np.float64)

    def most(self, values: Floats, others: Rows) -> Floats:
        """The largest value of a first common subsumer.

        values  one for each node of the taxonomy
        """
        return self._first_common(values[self.order], others)

    def _first_common(self, values: Floats, others: Rows, *, step: float = 0.0) -> Floats:
        """(senses, others): the largest value, less a step for each link on the ways to it, of the
        first nodes that two ways to the root have in common.

        A node can stand on a way from another only if it is nearer to the root on the longest ways.
        So for two different nodes the first common ones are those of the farther node's hypernyms
        and the nearer node, and all pairs follow from the root down.
        """
        blocks = np.split(others, range(_COLUMNS, len(others), _COLUMNS))
        return np.concatenate([self._first_common_of(values, b, step) for b in blocks], axis=1)

    def _first_common_of(self, values: Floats, others: Rows, step: float) -> Floats:
        targets = self.places[others]
        columns = self._place[self.taxonomy.above(self.order[targets])]
        ends = columns.tolist()
        best = np.empty((len(self.order), len(columns)))
        for place, parents in enumerate(self._parents):
            nearer = bisect_left(ends, place)
            if parents:
                best[place, :nearer] = _largest(best[parent, :nearer] for parent in parents)
                best[place, :nearer] -= step
            if nearer < len(ends) and ends[nearer] == place:
                if parents:
                    above = np.searchsorted(columns, parents)
                    best[:place, nearer] = _largest(best[:place, column] for column in above)
                    best[:place, nearer] -= step
                best[place, nearer] = values[place]
        pairs: Floats = best[np.ix_(self.places, np.searchsorted(columns, targets))]
        return pairs

    def _distances(self, places: Rows) -> NDArray[np.uint8]:
        """(nodes, places): links on the shortest path over a common subsumer."""
        lengths = self._upwards(places)
        for child, parent in self._links:
            np.minimum(lengths[child], lengths[parent] + 1, out=lengths[child])
        return lengths

    def _upwards(self, places: Rows) -> NDArray[np.uint8]:
        """Links from some nodes up to their subsumers; far to all that do not subsume them."""
        up = np.full((len(self.order), len(places)), _FAR, dtype=np.uint8)
        up[places, np.arange(len(places))] = 0
        for child, parent in reversed(self._links):
            np.minimum(up[parent], up[child] + 1, out=up[parent])
        return up


def _largest(rows: Iterable[Floats]) -> Floats:
    return reduce(np.maximum, rows)


_COUNTS = "cntlist.rev"


class InformationContent:
    """Counts of the nodes of one taxonomy, and what they tell."""

    def __init__(self, database: Database, taxonomy: Taxonomy, part: str) -> None:
        self._taxonomy = taxonomy
        self.counts = self._spread(_own_counts(database, taxonomy, part))
        """How often each node, or one below it, was meant; last, the root."""
        if not self.total:
            raise FileError(
                f"{database.folder}/{_COUNTS}", f"counts no sense with part of speech {part!r}"
            )

    @property
    def total(self) -> float:
        return float(self.counts[-1])

    @cached_property
    def values(self) -> Floats:
        """−log(count / total) of each node; 0 where nothing was counted."""
        seen = np.where(self.counts > 0, self.counts, self.total)
        return np.abs(np.log(seen / self.total))

    def _spread(self, own: Floats) -> Floats:
        counts = own.copy()
        links = self._taxonomy.levels[self._taxonomy.children]
        for level in range(int(links.max()), 0, -1):
            here = links == level
            np.add.at(counts, self._taxonomy.parents[here], counts[self._taxonomy.children[here]])
        return counts


def _own_counts(database: Database, taxonomy: Taxonomy, part: str) -> Floats:
    """Counts of the synsets themselves; keys that this WordNet does not have are left out."""
    keys = database.sense_keys(part)
    own = np.zeros(taxonomy.root + 1)
    for line in database.lines(_COUNTS):
        key, _, rest = line.partition(b"::")
        row = keys.get(key)
        if row is not None:
            own[row - taxonomy.first] += _count(database, line, rest)
    return own


def _count(database: Database, line: bytes, rest: bytes) -> int:
    """What a line says after its key: the number of the sense, and how often it was meant."""
    try:
        return int(rest.split()[1])
    except (ValueError, IndexError):
        raise FileError(
            f"{database.folder}/{_COUNTS}", f"broken count: {line[:60]!r}; install WordNet anew"
        ) from None
