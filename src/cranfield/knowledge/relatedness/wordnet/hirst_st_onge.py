"""HSO: relatedness by lexical chains, as WordNet::Similarity defines it.

Which synsets are joined by a chain of links that turns seldom: Hirst & St-Onge's lexical chains.

Links lead up (to hypernyms, and from a whole to its parts), down (to hyponyms, wholes, causes and
what is entailed) or across, either way (also see, antonyms, attributes, pertainyms, similar
adjectives). A chain may go up, across and down, in this order, or down and then across; each part
may be left out. All chains of one to five links are followed at once: a synset keeps one bit for
each start of a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, WordNetSource
from cranfield.knowledge.relatedness.wordnet.database import Database, Rows
from cranfield.knowledge.relatedness.wordnet.taxonomy import Neighbours

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
