"""Relatedness by the links between senses, as WordNet::Similarity defines it.

PATH, LCH and WUP, by paths over hypernyms: a path leads from one sense up to a synset that subsumes
both, and down to the other. All nouns, and all verbs, hang below a virtual root, so there is always
one.

RES, LIN and JCN, by information content: IC(c) = −log p(c), where p is the share of all senses
counted in SemCor that are c or below it. The lcs of two senses is the one that says most among the
first nodes that their ways to the root have in common: the virtual root at worst, whose IC is 0. A
synset that was never counted has no probability: its IC counts as 0.

HSO, by lexical chains (Hirst & St-Onge), which turn seldom: links lead up (to hypernyms, and from a
whole to its parts), down (to hyponyms, wholes, causes and what is entailed) or across, either way
(also see, antonyms, attributes, pertainyms, similar adjectives). A chain may go up, across and
down, in this order, or down and then across; each part may be left out. All chains of one to five
links are followed at once: a synset keeps one bit for each start of a chain.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats
from cranfield.knowledge.relatedness.wordnet.database import Database, Rows
from cranfield.knowledge.relatedness.wordnet.taxonomy import (
    InformationContent,
    Neighbours,
    Subsumers,
)
from cranfield.knowledge.relatedness.wordnet.wordnet import Compare, TaxonomySource, WordNetSource


class ShortestPath(TaxonomySource):
    """1 / (nodes on the shortest path, with both ends); in (0, 1]. Pedersen et al. 2004."""

    name = "PATH"
    normalisation = "none"

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        return lambda others: 1.0 / (1.0 + subsumers.distances(others))


class LeacockChodorow(TaxonomySource):
    """−log(length / 2D), length in nodes of the shortest path. Leacock & Chodorow 1998.

    D is the number of nodes on the longest way down the tree: 20 for nouns in WordNet 3.0, and 14
    for verbs, whose tree begins with the virtual root; so nouns and verbs differ in scale.
    """

    name = "LCH"

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        scale = 2.0 * subsumers.taxonomy.height
        return lambda others: -np.log((1.0 + subsumers.distances(others)) / scale)


class WuPalmer(TaxonomySource):
    """2·depth(lcs) / (depth(a) + depth(b)), in nodes from the virtual root. Wu & Palmer 1994.

    lcs is the deepest of the first nodes that a way from a to the root and one from b have in
    common, of equally deep ones the nearest. Its depth is that of the shortest way to it; those of
    a and b add the links on their shortest paths to it, which may lead over a third synset: from a
    person to an object it is shorter over causal agent. In (0, 1].
    """

    name = "WUP"
    normalisation = "none"

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        def compare(others: Rows) -> Floats:
            depth, links = subsumers.deepest(others)
            return 2.0 * depth / (2.0 * depth + links)

        return compare


class InformationSource(TaxonomySource):
    """Relatedness by the IC of two senses and of their lcs."""

    @abstractmethod
    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        """Relatedness; the arrays broadcast against each other."""

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        information = self.wordnet.information(part)
        own = information.values[subsumers.order[subsumers.places]]

        def compare(others: Rows) -> Floats:
            shared = subsumers.most(information.values, others)
            return self._relate(own[:, None], own[None, others], shared, information)

        return compare


class Resnik(InformationSource):
    """IC(lcs); 0 for senses that have only the root in common. Resnik 1995.

    0 too where the lcs was never counted, as it is for a sense that was not and itself.
    """

    name = "RES"

    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        return shared


class Lin(InformationSource):
    """2·IC(lcs) / (IC(a) + IC(b)); in [0, 1]. Lin 1998.

    0 if a or b was never counted, even for a sense and itself.
    """

    name = "LIN"
    normalisation = "none"

    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        counted = (first > 0) & (second > 0)
        return np.divide(2.0 * shared, first + second, out=np.zeros_like(shared), where=counted)


class JiangConrath(InformationSource):
    """1 / (IC(a) + IC(b) − 2·IC(lcs)). Jiang & Conrath 1997.

    0 if a or b was never counted. Senses at distance 0, such as a sense and itself, get the inverse
    of a distance smaller than all others: −log((n − 0.01) / n), n being the number of senses
    counted. For nouns that is about 1.3·10⁷, which says nothing about how close they are.
    """

    name = "JCN"

    def same(self, words: Sequence[str], table: Floats) -> Bools:
        """Words at distance 0 too: one sense is below the other and all that was counted of it."""
        nearest = [1.0 / _least(self.wordnet.information(part)) for part in self.parts]
        return super().same(words, table) | np.isin(table, nearest)

    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        counted = (first > 0) & (second > 0)
        distance = np.maximum(first + second - 2.0 * shared, _least(information))
        inverse: Floats = np.divide(1.0, distance, out=np.zeros_like(shared), where=counted)
        return inverse


def _least(information: InformationContent) -> float:
    """The distance of senses that are not apart."""
    return float(-np.log1p(-0.01 / information.total))


Bits = NDArray[np.uint8]
Words = NDArray[np.uint64]
"""Bits in machine words: 64 times fewer steps."""

_DIRECTIONS = {
    "up": ("@", "@i", "%m", "%s", "%p"),
    "down": ("~", "~i", "#m", "#s", "#p", "*", ">"),
    "across": ("^", "!", "=", "\\", "&"),
}
_NEXT = {
    "": ("up", "down", "across"),
    "up": ("up", "down", "across"),
    "down": ("down", "across"),
    "across": ("across", "down"),
    "up down": ("down",),
    "up across": ("across", "down"),
    "up across down": ("down",),
    "down across": ("across",),
    "across down": ("down",),
}
"""Where a chain that has gone some ways may go on."""
_LONGEST = 5


class Chains:
    """All links of a WordNet by direction."""

    def __init__(self, database: Database) -> None:
        self.size = len(database)
        ends = {way: database.links.between(*kinds) for way, kinds in _DIRECTIONS.items()}
        sources, targets = ends["across"]
        ends["across"] = np.append(sources, targets), np.append(targets, sources)
        self.steps = {way: Neighbours(*ends[way], self.size) for way in _DIRECTIONS}
        sources, targets = ends["down"]
        self._from_below = Neighbours(targets, sources, self.size)

    def linked(self, some: Rows, others: Rows) -> bool:
        """Whether a link, whatever its direction, leads from one of some synsets to another."""
        return any(bool(np.isin(step.reached(some), others).any()) for step in self.steps.values())

    def around(self, rows: Rows) -> Rows:
        """The synsets over which a chain between some synsets can lead."""
        ways = (self.steps["up"], self._from_below, self.steps["across"])
        reached = rows
        for _ in range(_LONGEST - 1):
            reached = np.unique(np.concatenate([reached, *(way.reached(reached) for way in ways)]))
        return reached


class LocalChains:
    """Chains between some synsets."""

    def __init__(self, chains: Chains, rows: Rows) -> None:
        around = chains.around(rows)
        index = np.full(chains.size, -1, dtype=np.int64)
        index[around] = np.arange(len(around))
        self._places: Rows = index[rows]
        self._size = len(around)
        self._links = {way: _by_end(chains.steps[way], around, index) for way in _DIRECTIONS}

    def starting_from(self, starts: Rows) -> Iterator[tuple[int, str, Bits]]:
        """The length of chains, their directions, and 1 for pairs (rows, starts) that one joins.

        starts  given by their places among the rows
        """
        bits = np.zeros((self._size, -(-len(starts) // 64) * 64), dtype=np.bool_)
        bits[self._places[starts], np.arange(len(starts))] = True
        reached = {"": np.packbits(bits, axis=1).view(np.uint64)}
        for length in range(1, _LONGEST + 1):
            reached = self._one_further(reached)
            for way, nodes in reached.items():
                ends = nodes[self._places].view(np.uint8)
                yield length, way, np.unpackbits(ends, axis=1, count=len(starts))

    def _one_further(self, reached: dict[str, Words]) -> dict[str, Words]:
        further: dict[str, Words] = {}
        for way, nodes in reached.items():
            for step in _NEXT[way]:
                onward = way if way.endswith(step) else f"{way} {step}".strip()
                there = further.setdefault(onward, np.zeros_like(nodes))
                sources, ends, firsts = self._links[step]
                if len(ends):
                    there[ends] |= np.bitwise_or.reduceat(nodes[sources], firsts, axis=0)
        return further


def _by_end(links: Neighbours, around: Rows, index: Rows) -> tuple[Rows, Rows, Rows]:
    """Links by where they end: all starts, the ends, and where the starts of each end begin."""
    sources, targets = links.of(around)
    targets = index[targets]
    sources, targets = sources[targets >= 0], targets[targets >= 0]
    order = np.argsort(targets, kind="stable")
    ends, firsts = np.unique(targets[order], return_index=True)
    return sources[order], ends, firsts


_STRONG = 16
_MEDIUM = 8
"""C of the formula, of which length and turns are taken off."""


class HirstStOnge(WordNetSource):
    """16, or 8 − links − turns of the best chain of 2 to 5 links, or 0. Hirst & St-Onge 1998.

    16 for senses of one synset; for senses joined by a link across; and for words of which one
    contains the other (firewood, wood) if any link joins their senses. A single link up or down is
    no chain: a longer way round counts instead, such as up twice and down again. Of the chains in
    both directions the better one counts.
    """

    name = "HSO"

    def table(self, words: Sequence[str]) -> Floats:
        values = super().table(words)
        for first, second in _compounds(words):
            if self._linked(words[first], words[second]):
                values[first, second] = values[second, first] = _STRONG
        return values

    def _comparison(self, rows: Rows) -> Compare:
        chains = LocalChains(self._chains, rows)

        def compare(columns: Rows) -> Floats:
            same = np.arange(len(rows))[:, None] == columns
            values = same.astype(np.uint8) * np.uint8(_STRONG)
            for length, ways, joined in chains.starting_from(columns):
                worth = _MEDIUM - length - ways.count(" ") if length > 1 else 0
                if length == 1 and ways == "across":
                    worth = _STRONG
                if worth:
                    np.maximum(values, joined * np.uint8(worth), out=values)
            return np.asarray(values, dtype=np.float64)

        return compare

    def _linked(self, one: str, other: str) -> bool:
        """Whether a link joins senses of two words."""
        ends = [np.array(self.wordnet.senses.of(word, self.parts), int) for word in (one, other)]
        return self._chains.linked(*ends) or self._chains.linked(*reversed(ends))

    @cached_property
    def _chains(self) -> Chains:
        return Chains(self.wordnet.database)


def _compounds(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of words of which the first contains the second."""
    written = ["_".join(word.partition("#")[0].lower().split()) for word in words]
    for i, one in enumerate(written):
        for j, other in enumerate(written):
            if other in one and other != one:
                yield i, j
