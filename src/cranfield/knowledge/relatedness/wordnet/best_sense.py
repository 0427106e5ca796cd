"""What the sources of WordNet have in common: words stand for senses, and the best pair counts.

A word that WordNet lacks, or that has no sense of a part of speech that a source knows, is related
to nothing: NaN. So are two words all of whose senses differ in part of speech, where a source
compares senses of one part of speech only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ClassVar

import numpy as np

from cranfield.core.matrices import Bools, Floats
from cranfield.knowledge.maps import Provenance
from cranfield.knowledge.relatedness.source import Source
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.taxonomy import Subsumers
from cranfield.knowledge.relatedness.wordnet.wordnet import WordNet, opened

Compare = Callable[[Rows], Floats]
"""Compares all senses (rows) with some of them (columns), which are given by their places; −∞ where
there is nothing to say."""

_SENSES_AT_ONCE = 2048


class WordNetSource(Source):
    """Relatedness by the best pair of senses.

    wordnet  one that is open, or a folder with its files; default: wherever it is found
    """

    parts: ClassVar[tuple[str, ...]] = ("n", "v", "a", "r")
    """Of speech, that it knows."""

    def __init__(self, wordnet: WordNet | Path | Traversable | str | None = None) -> None:
        self.wordnet = wordnet if isinstance(wordnet, WordNet) else opened(wordnet)

    @property
    def provenance(self) -> Provenance:
        database = self.wordnet.database
        return Provenance(
            f"{type(self).name} of WordNet {database.version}", counts={"synsets": len(database)}
        )

    def covers(self, word: str) -> bool:
        return bool(self.wordnet.senses.of(word, self.parts))

    def relatedness(self, word: str, other: str) -> float:
        return float(self.table([word, other])[0, 1])

    def table(self, words: Sequence[str]) -> Floats:
        values = np.full((len(words), len(words)), np.nan)
        senses = [self.wordnet.senses.of(word, self.parts) for word in words]
        covered = np.flatnonzero([len(some) for some in senses])
        if len(covered):
            values[np.ix_(covered, covered)] = self._best([senses[i] for i in covered])
        return values

    def same(self, words: Sequence[str], table: Floats) -> Bools:
        """Words that have a synset in common."""
        same = np.eye(len(words), dtype=np.bool_)
        meant: dict[int, list[int]] = {}
        for index, word in enumerate(words):
            for row in self.wordnet.senses.of(word, self.parts):
                meant.setdefault(row, []).append(index)
        for places in meant.values():
            same[np.ix_(places, places)] = True
        return same

    @abstractmethod
    def _comparison(self, rows: Rows) -> Compare:
        """How to compare these synsets, all of parts of speech that it knows."""

    def _best(self, senses: Sequence[Sequence[int]]) -> Floats:
        """The largest value over all pairs of senses of two words."""
        rows, places = np.unique(np.concatenate(senses), return_inverse=True)
        compare = self._comparison(rows)
        starts = np.cumsum([0, *map(len, senses)])
        best = np.empty((len(senses), len(senses)))
        for words in _blocks(starts):
            columns = places[starts[words.start] : starts[words.stop]]
            by_word = np.maximum.reduceat(compare(columns)[places], starts[:-1], axis=0)
            within = starts[words.start : words.stop] - starts[words.start]
            best[:, words.start : words.stop] = np.maximum.reduceat(by_word, within, axis=1)
        best = np.maximum(best, best.T)
        return np.where(np.isneginf(best), np.nan, best)


class TaxonomySource(WordNetSource):
    """Compares nouns with nouns and verbs with verbs, by what subsumes both."""

    parts = ("n", "v")

    @abstractmethod
    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        """How to compare senses of one part of speech."""

    def _comparison(self, rows: Rows) -> Compare:
        groups: list[tuple[Rows, Compare]] = []
        for part, taxonomy in self.wordnet.taxonomies.items():
            nodes = rows - taxonomy.first
            here = np.flatnonzero((nodes >= 0) & (nodes < taxonomy.root))
            if len(here):
                groups.append((here, self._within(part, Subsumers(taxonomy, nodes[here]))))

        def compare(columns: Rows) -> Floats:
            values = np.full((len(rows), len(columns)), -np.inf)
            for here, within in groups:
                chosen = np.flatnonzero(np.isin(columns, here))
                if len(chosen):
                    others = np.searchsorted(here, columns[chosen])
                    values[np.ix_(here, chosen)] = within(others)
            return values

        return compare


def _blocks(starts: Rows) -> Iterator[range]:
    """Ranges of words whose senses are few enough to be compared with all at once."""
    first = 0
    while first < len(starts) - 1:
        end = int(np.searchsorted(starts, starts[first] + _SENSES_AT_ONCE, side="right")) - 1
        end = max(end, first + 1)
        yield range(first, end)
        first = end
