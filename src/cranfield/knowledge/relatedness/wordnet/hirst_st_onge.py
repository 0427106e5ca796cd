"""HSO: relatedness by lexical chains, as WordNet::Similarity defines it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, WordNetSource
from cranfield.knowledge.relatedness.wordnet.chains import Chains, LocalChains
from cranfield.knowledge.relatedness.wordnet.database import Rows

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
        for one, other in _compounds(words):
            if self._linked(words[one], words[other]):
                values[one, other] = values[other, one] = _STRONG
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
