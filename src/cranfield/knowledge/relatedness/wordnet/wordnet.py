"""One WordNet, opened once: its database, and all that sources compute from it when first used.

A word has senses: dog, Dogs, dog#n, dog#n#1, still life. Case does not matter, blanks and
underscores are the same, a hyphen may stand for them, and inflected words count as their base
forms. Without a part of speech a word stands for its nouns; if it has none, for its verbs, then
adjectives, then adverbs.

What sources over WordNet have in common: words stand for senses, and the best pair counts. A word
that WordNet lacks, or that has no sense of a part of speech that a source knows, is related to
nothing: NaN. So are two words all of whose senses differ in part of speech, where a source compares
senses of one part of speech only.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ClassVar

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats
from cranfield.knowledge.maps import Provenance
from cranfield.knowledge.relatedness.source import Source
from cranfield.knowledge.relatedness.wordnet.database import Database, Rows, WordForms
from cranfield.knowledge.relatedness.wordnet.glosses import Glosses, GlossVectors
from cranfield.knowledge.relatedness.wordnet.installation import located
from cranfield.knowledge.relatedness.wordnet.taxonomy import InformationContent, Subsumers, Taxonomy

_SENSE = re.compile(r"(?P<word>[^#]+)#(?P<part>[nvars])(?:#(?P<number>[0-9]{1,3}))?")


class Senses:
    """Looks words up."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._forms = WordForms(database)

    def of(self, word: str, parts: Sequence[str]) -> list[int]:
        """The synsets that a word, or a sense such as dog#n#1, can mean; none if it is unknown.

        parts  of speech that count, in the order in which they are tried
        """
        named = _SENSE.fullmatch(word.strip())
        if named is None:
            found = (self._of_word(word, part) for part in parts)
            return next((rows for rows in found if rows), [])
        part = named["part"].replace("s", "a")
        rows = self._of_word(named["word"], part) if part in parts else []
        if named["number"] is None:
            return rows
        place = int(named["number"])
        return rows[place - 1 : place] if place else []

    def _of_word(self, word: str, part: str) -> list[int]:
        lemma = "_".join(word.lower().split())
        for spelled in dict.fromkeys((lemma, lemma.replace("-", "_"), lemma.replace("_", "-"))):
            forms = self._forms.base(spelled, part)
            if forms:
                found = (row for form in forms for row in self._database.senses(form, part))
                return list(dict.fromkeys(found))
        return []


_OPEN: dict[str, WordNet] = {}


class WordNet:
    """What the nine sources share."""

    def __init__(self, folder: Path | Traversable) -> None:
        self.database = Database(folder)
        self.senses = Senses(self.database)
        self._information: dict[str, InformationContent] = {}
        self._glosses: dict[str, Glosses] = {}

    @cached_property
    def taxonomies(self) -> dict[str, Taxonomy]:
        """Of nouns and of verbs."""
        return {part: Taxonomy(self.database, part) for part in "nv"}

    def information(self, part: str) -> InformationContent:
        """Of nouns or of verbs."""
        if part not in self._information:
            taxonomy = self.taxonomies[part]
            self._information[part] = InformationContent(self.database, taxonomy, part)
        return self._information[part]

    def glosses(self, stop: str) -> Glosses:
        """Without the words of a stop list."""
        if stop not in self._glosses:
            self._glosses[stop] = Glosses(self.database, stop)
        return self._glosses[stop]

    @cached_property
    def gloss_vectors(self) -> GlossVectors:
        return GlossVectors(self.database)


def opened(folder: Path | Traversable | str | None = None) -> WordNet:
    """The WordNet of a folder, or the one that is found; the same one each time."""
    location = located(folder)
    if str(location) not in _OPEN:
        _OPEN[str(location)] = WordNet(location)
    return _OPEN[str(location)]


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
