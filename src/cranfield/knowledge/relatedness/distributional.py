"""Relatedness by company: words that stand in the same documents are related."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.counted import Counted, DocumentCounts, nwd
from cranfield.knowledge.relatedness.source import Source


class CountSource(Source):
    """Relatedness that follows from counts of documents.

    A word that is in no document is not covered; words that are never together are not related.

    counts  who counts
    name    what to call it; default: like the documents
    """

    normalisation = "none"
    formula: ClassVar[str]
    """How relatedness follows from the Normalised Web Distance, in words."""

    def __init__(self, counts: DocumentCounts, *, name: str | None = None) -> None:
        self.counts = counts
        self.name = name or counts.name
        self._last: Counted | None = None

    @abstractmethod
    def _related(self, distances: Floats) -> Floats:
        """Relatedness from the Normalised Web Distance."""

    def covers(self, word: str) -> bool:
        counted = self._counted([word])
        return bool(counted.alone[counted.words.index(word)] > 0)

    def relatedness(self, word: str, other: str) -> float:
        return float(self.table([word, other])[0, 1])

    def table(self, words: Sequence[str]) -> Floats:
        return np.clip(self._related(self.distances(words)), 0.0, 1.0)

    def distances(self, words: Sequence[str]) -> Floats:
        """(n, n): the Normalised Web Distance of all pairs; ∞ for words that are never together."""
        counted = self._counted(words)
        place = {word: at for at, word in enumerate(counted.words)}
        places = [place[word] for word in words]
        return nwd(counted)[np.ix_(places, places)]

    @property
    def provenance(self) -> Provenance:
        origin = Provenance(self.counts.name) if self._last is None else self._last.provenance
        return origin.and_then(self.formula)

    @property
    def remarks(self) -> tuple[str, ...]:
        return () if self._last is None else self._last.remarks

    def _counted(self, words: Sequence[str]) -> Counted:
        """Counts of at least these words; what was counted last is not counted again."""
        if self._last is None or not set(words) <= set(self._last.words):
            self._last = self.counts.count(tuple(dict.fromkeys(words)))
        return self._last


class Distributional(CountSource):
    """exp(−2 · NWD): in [0, 1] (Gracia & Mena 2008; Nowak 2011 eq 4.2).

    Over the tags of Flickr this is the Flickr Tag Similarity (FTS), over tags, titles and
    descriptions the Flickr Context Similarity (FCS, Jiang et al. 2009).
    """

    formula = "exp(−2 · NWD)"

    def _related(self, distances: Floats) -> Floats:
        return np.exp(-2.0 * distances)


class MilneWitten(CountSource):
    """1 − NWD over the pages that link to two pages, not below 0 (Milne & Witten 2008).

    relatedness(a, b) = 1 − (log max(|A|, |B|) − log |A ∩ B|) / (log |W| − log min(|A|, |B|))

    A and B are the pages with a link to a and to b, W is all pages.
    """

    formula = "1 − NWD"

    def _related(self, distances: Floats) -> Floats:
        return 1.0 - distances
