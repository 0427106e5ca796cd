"""Does a source of relatedness agree with people?

People judged pairs of words; a source says something about the same pairs. How well the two are
correlated is what makes a source fit, or unfit, to make costs of (Nowak 2011 §8.5). Two sets of
judgements come with the package: the 30 pairs of Gracia & Mena 2008 and the 30 pairs of visual
concepts, both from Nowak 2011 Table 8.3.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats
from cranfield.errors import InputError, require_draws
from cranfield.formats.words import JudgedPair, read_judgements, read_words
from cranfield.knowledge import Ontology
from cranfield.knowledge.relatedness import Distributional, MilneWitten, OntologyPaths, Source
from cranfield.knowledge.relatedness.source import Words
from cranfield.knowledge.relatedness.wordnet import WordNetSource
from cranfield.statistics import (
    Interval,
    bootstrap_interval,
    holm,
    pearson,
    spearman,
    steiger,
    williams,
)

DifferenceTest = Literal["williams", "steiger"]
_TESTS = {"williams": williams, "steiger": steiger}

_VISUAL = "visual-concepts"
BUNDLED = {"gracia-mena": "gracia_mena.csv", _VISUAL: "visual_concepts.csv"}
"""The sets of judgements that come with the package."""
_PHOTOS = "pto2009"
_BY_COUNTS: dict[type[Source], tuple[str, ...]] = {
    Distributional: ("FTS", "FCS"),
    MilneWitten: ("WIKI",),
}
"""What Nowak 2011 calls sources over texts and links."""
_PHOTO_CONCEPTS, _WORDNET_SENSES = "visual_concepts_pto2009.csv", "visual_concepts_wordnet.csv"


@dataclass(frozen=True)
class Judgements:
    """How closely people find pairs of words related."""

    name: str
    pairs: tuple[JudgedPair, ...]
    """Each once."""
    repeated: int = 0
    """Pairs that were judged several times, in either order; their mean counts."""
    bundled: bool = False
    """Whether they come with the package; a file may have the same name."""

    @classmethod
    def load(cls, source: str | Path) -> Judgements:
        """A set that comes with the package, or one from a file of two words and a score a line."""
        if str(source) in BUNDLED:
            with as_file(_data(BUNDLED[str(source)])) as path:
                return cls(str(source), *_means(read_judgements(path)), bundled=True)
        if not Path(source).exists() and not Path(source).suffix:
            raise InputError(
                f"there are no judgements {str(source)!r}; there are {', '.join(BUNDLED)}, "
                "or name a file with two words and a score on each line"
            )
        return cls(Path(source).stem, *_means(read_judgements(source)))

    @property
    def are_visual_concepts(self) -> bool:
        return self.bundled and self.name == _VISUAL

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for pair in self.pairs for word in pair[:2]))

    @cached_property
    def scores(self) -> Floats:
        return np.array([pair.score for pair in self.pairs])

    @cached_property
    def published(self) -> Mapping[str, float]:
        """Spearman's ρ of sources by name, as Nowak 2011 prints it (Tables 8.4 and 8.5)."""
        if not self.bundled:
            return {}
        with _data("published_correlations.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["judgements"] == self.name]
        return {row["source"]: float(row["spearman"]) for row in rows}

    def said_by(self, source: Source, words: Words | None = None) -> Floats:
        """What a source says of each pair; NaN where it does not know."""
        place = {word: i for i, word in enumerate(self.words)}
        known = {word: some for word, some in (words or {}).items() if word in place}
        table = source.values(self.words, known)
        return np.array([table[place[pair.word], place[pair.other]] for pair in self.pairs])


def photo_concepts() -> dict[str, tuple[str, ...]]:
    """The concepts of pto2009 that the words of the visual concepts stand for."""
    return _bundled_words(_PHOTO_CONCEPTS)


def wordnet_senses() -> dict[str, tuple[str, ...]]:
    """Senses in WordNet for those words of the visual concepts that are no noun in it.

    Nowak 2011 replaced such words too but does not say by which; the choice is ours. For "no
    person" WordNet has nothing, so that its pair stays uncovered.
    """
    return _bundled_words(_WORDNET_SENSES)


class Asking(NamedTuple):
    """By which words a source is asked."""

    words: Words
    origin: str
    """Where they come from, to be said beside the numbers."""


def usual_words(judgements: Judgements, source: Source) -> Asking | None:
    """The bundled words for a source that does not know those that people judged; None if it does.

    Only of the visual concepts there are some: for sources over WordNet, and for pto2009.
    """
    if not judgements.are_visual_concepts:
        return None
    if isinstance(source, WordNetSource):
        return Asking(wordnet_senses(), f"the bundled {_WORDNET_SENSES}")
    if _is_photo_ontology(source):
        return Asking(photo_concepts(), f"the bundled {_PHOTO_CONCEPTS}")
    return None


def _is_photo_ontology(source: Source) -> bool:
    return (
        isinstance(source, OntologyPaths)
        and source.ontology.name == _PHOTOS
        and source.ontology.digest == Ontology.load(_PHOTOS).digest
    )


def _published_as(source: Source) -> str | None:
    """What Nowak 2011 calls a source, by what it is; of texts and links only a name can tell."""
    if isinstance(source, WordNetSource):
        return type(source).name
    if _is_photo_ontology(source):
        return _PHOTOS
    return source.name if source.name in _BY_COUNTS.get(type(source), ()) else None


@dataclass(frozen=True)
class Agreement:
    """How far one source agrees with people."""

    source: str
    values: Floats
    """What it says of each pair; NaN where it does not know."""
    spearman: float
    spearman_interval: Interval
    pearson: float
    pearson_interval: Interval
    unknown: tuple[JudgedPair, ...]
    """Pairs that it does not cover, which are left out of its correlations."""
    published: float | None
    """Spearman's ρ as Nowak 2011 prints it for this source, if it is one of those there."""

    @property
    def covered(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.values)))


@dataclass(frozen=True)
class Better:
    """Whether one source agrees with people more closely than another, on the pairs both cover."""

    better: str
    worse: str
    pairs: int
    difference: float
    """Of Spearman's ρ."""
    p_value: float
    """Two-sided, corrected for all comparisons after Holm."""


@dataclass(frozen=True)
class Correlated:
    """Sources held against judgements, those that agree most first."""

    judgements: Judgements
    agreements: tuple[Agreement, ...]
    comparisons: tuple[Better, ...]
    test: DifferenceTest
    """By which sources were compared."""

    @cached_property
    def published(self) -> Mapping[str, float]:
        """What was printed for these sources."""
        found = ((one.source, one.published) for one in self.agreements)
        return {name: value for name, value in found if value is not None}

    def significant(self, level: float = 0.05) -> tuple[Better, ...]:
        return tuple(one for one in self.comparisons if one.p_value < level)


def correlate(
    judgements: Judgements,
    sources: Iterable[tuple[Source, Words | None]],
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    test: DifferenceTest = "williams",
) -> Correlated:
    """Hold sources, each with the words it is to be asked by, against judgements.

    test  of dependent correlations: Williams's t, or Steiger's Z
    """
    require_draws("resamples", resamples)
    found = [
        _agreement(judgements, source, words, resamples, level, seed) for source, words in sources
    ]
    names = [one.source for one in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"several sources are called {', '.join(twice)}; give each another name")
    found.sort(key=lambda one: (np.isnan(one.spearman), -one.spearman, one.source))
    return Correlated(judgements, tuple(found), tuple(_comparisons(judgements, found, test)), test)


def _means(judged: Sequence[JudgedPair]) -> tuple[tuple[JudgedPair, ...], int]:
    """Each pair once, with its mean score; and how many stood there several times."""
    scores: dict[frozenset[str], list[float]] = {}
    for pair in judged:
        scores.setdefault(frozenset(pair[:2]), []).append(pair.score)
    once = {frozenset(pair[:2]): pair for pair in reversed(judged)}
    pairs = tuple(
        once[words]._replace(score=math.fsum(some) / len(some)) for words, some in scores.items()
    )
    return pairs, sum(len(some) > 1 for some in scores.values())


def _agreement(
    judgements: Judgements,
    source: Source,
    words: Words | None,
    resamples: int,
    level: float,
    seed: int,
) -> Agreement:
    values = judgements.said_by(source, words)
    known = ~np.isnan(values)
    ours, people = values[known], judgements.scores[known]
    spearman_interval, pearson_interval = (
        bootstrap_interval(kind, ours, people, resamples=resamples, level=level, seed=seed)
        for kind in (spearman, pearson)
    )
    return Agreement(
        source.name,
        values,
        float(spearman(ours, people)) if len(ours) > 1 else np.nan,
        spearman_interval,
        float(pearson(ours, people)) if len(ours) > 1 else np.nan,
        pearson_interval,
        tuple(pair for pair, covered in zip(judgements.pairs, known, strict=True) if not covered),
        judgements.published.get(_published_as(source) or ""),
    )


def _comparisons(
    judgements: Judgements, found: Sequence[Agreement], test: DifferenceTest
) -> list[Better]:
    pairs = []
    for one, other in combinations(found, 2):
        both: Bools = ~np.isnan(one.values) & ~np.isnan(other.values)
        if np.count_nonzero(both) > 3:
            pairs.append(_compared(one, other, judgements.scores, both, test))
    corrected = holm([one.p_value for one in pairs])
    return [
        Better(one.better, one.worse, one.pairs, one.difference, float(p))
        for one, p in zip(pairs, corrected, strict=True)
    ]


def _compared(
    one: Agreement, other: Agreement, people: Floats, both: Bools, test: DifferenceTest
) -> Better:
    sides = one.values[both], other.values[both]
    first, second = (float(spearman(side, people[both])) for side in sides)
    cases = int(np.count_nonzero(both))
    found = _TESTS[test](first, second, float(spearman(*sides)), cases)
    if second > first:
        one, other = other, one
    return Better(one.source, other.source, cases, abs(first - second), found.p_value)


def _bundled_words(name: str) -> dict[str, tuple[str, ...]]:
    with as_file(_data(name)) as path:
        return read_words(path)


def _data(name: str) -> Traversable:
    return files("cranfield.studies") / "data" / name
