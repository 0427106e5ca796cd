"""Does a source of relatedness agree with people?

People judged pairs of words; a source says something about the same pairs. How well the two are
correlated is what makes a source fit, or unfit, to make costs of (Nowak 2011 §8.5). Two sets of
judgements come with the package: the 30 pairs of Gracia & Mena 2008 and the 30 pairs of visual
concepts, both from Nowak 2011 Table 8.3.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart, Scale
from cranfield.core.matrices import Bools, Floats
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError, require_draws, several
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

if TYPE_CHECKING:
    from cranfield.formats.two_columns import JudgedPair

DifferenceTest = Literal["williams", "steiger"]
_TESTS = {"williams": williams, "steiger": steiger}

_LISTED = 5
"""Uncovered pairs that people see."""
_SKEWED = 20
"""Times the median that the largest value must be for another scale."""
_PUBLISHED = "Nowak 2011"
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
        from cranfield.formats.two_columns import read_judgements

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

    def values_of(self, source: Source, words: Words | None = None) -> Floats:
        """What a source says of each pair; NaN where it does not know."""
        index = {word: i for i, word in enumerate(self.words)}
        lookup = {word: some for word, some in (words or {}).items() if word in index}
        table = source.values(self.words, lookup)
        return np.array([table[index[pair.word], index[pair.other]] for pair in self.pairs])


def photo_concepts() -> dict[str, tuple[str, ...]]:
    """The concepts of pto2009 that the words of the visual concepts stand for."""
    return _bundled_words(_PHOTO_CONCEPTS)


def wordnet_senses() -> dict[str, tuple[str, ...]]:
    """Senses in WordNet for those words of the visual concepts that are no noun in it.

    Nowak 2011 replaced such words too but does not say by which; the choice is ours. For "no
    person" WordNet has nothing, so that its pair stays uncovered.
    """
    return _bundled_words(_WORDNET_SENSES)


class LookupWords(NamedTuple):
    """The words by which a source is asked."""

    words: Words
    origin: str
    """Where they come from; stands beside the numbers."""


def usual_words(judgements: Judgements, source: Source) -> LookupWords | None:
    """The bundled words for a source that does not know those that people judged; None if it does.

    Only of the visual concepts there are some: for sources over WordNet, and for pto2009.
    """
    if not judgements.are_visual_concepts:
        return None
    if isinstance(source, WordNetSource):
        return LookupWords(wordnet_senses(), f"the bundled {_WORDNET_SENSES}")
    if _is_photo_ontology(source):
        return LookupWords(photo_concepts(), f"the bundled {_PHOTO_CONCEPTS}")
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


@dataclass(frozen=True, eq=False)
class Correlated(Analysis):
    """Sources compared with judgements, those that agree most first."""

    title = "Sources of relatedness and people"

    judgements: Judgements
    agreements: tuple[Agreement, ...]
    comparisons: tuple[Better, ...]
    test: DifferenceTest
    """By which sources were compared."""
    words: Mapping[str, LookupWords] = field(default_factory=dict)
    """By which words sources were asked, where not by those that people judged."""

    @cached_property
    def published(self) -> Mapping[str, float]:
        """What was printed for these sources."""
        printed = ((agreement.source, agreement.published) for agreement in self.agreements)
        return {name: value for name, value in printed if value is not None}

    def significant(self, level: float = 0.05) -> tuple[Better, ...]:
        return tuple(pair for pair in self.comparisons if pair.p_value < level)

    def _facts(self) -> dict[str, Any]:
        return {
            "judgements": self.judgements.name,
            "pairs": len(self.judgements.pairs),
            "repeated": self.judgements.repeated,
            "sources": [
                {
                    "source": agreement.source,
                    "spearman": agreement.spearman,
                    "spearman_interval": list(agreement.spearman_interval[:2]),
                    "pearson": agreement.pearson,
                    "pearson_interval": list(agreement.pearson_interval[:2]),
                    "covered": agreement.covered,
                    "uncovered": [[pair.word, pair.other] for pair in agreement.unknown],
                    "published_spearman": self.published.get(agreement.source),
                }
                for agreement in self.agreements
            ],
            "test": self.test,
            "comparisons": [
                {
                    "better": pair.better,
                    "worse": pair.worse,
                    "pairs": pair.pairs,
                    "difference": pair.difference,
                    "p_value": pair.p_value,
                }
                for pair in self.comparisons
            ],
            "words": {source: lookup.origin for source, lookup in self.words.items()},
        }

    def _tables(self) -> list[Table]:
        pairs = len(self.judgements.pairs)
        rows = [
            {
                "source": agreement.source,
                "spearman": agreement.spearman,
                "spearman_low": agreement.spearman_interval.low,
                "spearman_high": agreement.spearman_interval.high,
                "pearson": agreement.pearson,
                "pearson_low": agreement.pearson_interval.low,
                "pearson_high": agreement.pearson_interval.high,
                "covered": agreement.covered,
                "pairs": pairs,
                "_covered": f" of {pairs}",
                "_published": self.published.get(agreement.source),
            }
            for agreement in self.agreements
        ]
        columns = [
            Column("source", key=True),
            Column("spearman", "Spearman", interval=("spearman_low", "spearman_high")),
            Column("pearson", "Pearson", interval=("pearson_low", "pearson_high")),
            Column("covered", "pairs", mark="_covered"),
        ]
        remarks = []
        if self.published:
            columns.append(Column("_published", _PUBLISHED))
            remarks.append(f"{_PUBLISHED}: Spearman as printed there")
        tables = [Table("sources", rows, columns, remarks=remarks)]
        if self.significant():
            tables.append(self._better())
        return tables

    def _better(self) -> Table:
        rows = [
            {
                "better": pair.better,
                "worse": pair.worse,
                "difference": pair.difference,
                "p": pair.p_value,
                "pairs": pair.pairs,
            }
            for pair in self.significant()
        ]
        columns = (
            Column("better", "significantly better", key=True),
            Column("worse", "than", key=True),
            Column("difference", "ρ by"),
            Column("p", kind="p", digits=4),
            Column("pairs"),
        )
        test = f"{self.test.capitalize()}'s test of dependent correlations, Holm-corrected"
        return Table("better", rows, columns, remarks=[test])

    def _remarks(self) -> list[str]:
        remarks = []
        if len(self.agreements) > 1 and not self.significant():
            test = self.test.capitalize()
            remarks.append(f"no source is significantly better than another ({test}, Holm, 5 %)")
        repeated = self.judgements.repeated
        if repeated:
            remarks.append(f"{several(repeated, 'pair')} judged more than once: the mean counts")
        origins: dict[str, list[str]] = {}
        for source, lookup in self.words.items():
            origins.setdefault(lookup.origin, []).append(source)
        return [
            *remarks,
            *self._uncovered(),
            *(f"words for concepts from {o}: {', '.join(of)}" for o, of in origins.items()),
        ]

    def _uncovered(self) -> Iterator[str]:
        """The pairs that sources do not cover; sources that lack the same ones together."""
        lacking: dict[tuple[JudgedPair, ...], list[str]] = {}
        for agreement in self.agreements:
            if agreement.unknown:
                lacking.setdefault(agreement.unknown, []).append(agreement.source)
        for pairs, sources in lacking.items():
            names = ", ".join(f"{pair.word}–{pair.other}" for pair in pairs[:_LISTED])
            more = f" and {len(pairs) - _LISTED} more" if len(pairs) > _LISTED else ""
            count = several(len(pairs), "pair")
            yield f"{count} not covered by {', '.join(sources)}: {names}{more}"

    def _charts(self) -> list[Chart]:
        """What people say against what sources say; on another scale where few values would press
        all others against the axis."""
        shown = [agreement for agreement in self.agreements if agreement.covered]
        if not shown:
            raise InputError(
                "no source covers any pair, so there is nothing to draw; ask by other words"
            )
        scales: dict[Scale, list[Agreement]] = {"linear": [], "sqrt": []}
        for agreement in shown:
            scales["sqrt" if _is_skewed(agreement.values) else "linear"].append(agreement)
        return [
            Chart(
                kind="dots",
                rows=[row for a in members for row in self._points(a)],
                x=Axis("people"),
                y=Axis("value", "source", scale=scale),
                panels="source",
                free_y=True,
                tooltip=("pair", "people", "value"),
                title=self.title,
            )
            for scale, members in scales.items()
            if members
        ]

    def _points(self, agreement: Agreement) -> list[dict[str, Any]]:
        pairs = self.judgements.pairs
        panel = (
            f"{agreement.source}: ρ {agreement.spearman:.3f}, r {agreement.pearson:.3f}, "
            f"{agreement.covered} of {several(len(pairs), 'pair')}"
        )
        return [
            {
                "source": panel,
                "people": pair.score,
                "value": float(value),
                "pair": f"{pair.word} – {pair.other}",
            }
            for pair, value in zip(pairs, agreement.values, strict=True)
            if not math.isnan(value)
        ]


def _is_skewed(values: Floats) -> bool:
    known = values[~np.isnan(values)]
    typical = float(np.sort(np.abs(known))[len(known) // 2])
    return bool(known.min() >= 0 and typical > 0 and known.max() >= _SKEWED * typical)


def correlate(
    judgements: Judgements,
    sources: Iterable[Source],
    *,
    words: Mapping[str, LookupWords] | None = None,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    test: DifferenceTest = "williams",
    progress: Progress = silent,
) -> Correlated:
    """Compare sources with judgements.

    words  by name of a source: the words that it is asked by; default: those that people judged
    test   of dependent correlations: Williams's t, or Steiger's Z
    """
    require_draws("resamples", resamples)
    lookup, chosen = words or {}, list(sources)
    agreements = []
    with progress("asking", len(chosen)) as step:
        for source in chosen:
            by = lookup[source.name].words if source.name in lookup else None
            agreements.append(_agreement(judgements, source, by, resamples, level, seed))
            step(1)
    names = [agreement.source for agreement in agreements]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"several sources are called {', '.join(twice)}; give each another name")
    agreements.sort(key=lambda a: (np.isnan(a.spearman), -a.spearman, a.source))
    comparisons = tuple(_comparisons(judgements, agreements, test))
    return Correlated(judgements, tuple(agreements), comparisons, test, lookup)


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
    values = judgements.values_of(source, words)
    covered = ~np.isnan(values)
    ours, people = values[covered], judgements.scores[covered]
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
        tuple(pair for pair, there in zip(judgements.pairs, covered, strict=True) if not there),
        judgements.published.get(_published_as(source) or ""),
    )


def _comparisons(
    judgements: Judgements, agreements: Sequence[Agreement], test: DifferenceTest
) -> list[Better]:
    pairs = []
    for first, second in combinations(agreements, 2):
        both: Bools = ~np.isnan(first.values) & ~np.isnan(second.values)
        if np.count_nonzero(both) > 3:
            pairs.append(_compared(first, second, judgements.scores, both, test))
    corrected = holm([pair.p_value for pair in pairs])
    return [replace(pair, p_value=float(p)) for pair, p in zip(pairs, corrected, strict=True)]


def _compared(
    better: Agreement, worse: Agreement, people: Floats, both: Bools, test: DifferenceTest
) -> Better:
    sides = better.values[both], worse.values[both]
    first, second = (float(spearman(side, people[both])) for side in sides)
    cases = int(np.count_nonzero(both))
    p_value = _TESTS[test](first, second, float(spearman(*sides)), cases).p_value
    if second > first:
        better, worse = worse, better
    return Better(better.source, worse.source, cases, abs(first - second), p_value)


def _bundled_words(name: str) -> dict[str, tuple[str, ...]]:
    from cranfield.formats.two_columns import read_words

    with as_file(_data(name)) as path:
        return read_words(path)


def _data(name: str) -> Traversable:
    return files("cranfield.studies") / "data" / name
