"""Which pairs of words people are asked about.

Nearly all pairs of many words are unrelated, and a survey of those would say little. Where a map of
relatedness or costs is known, pairs are drawn evenly from all parts of its range. Some pairs are a
word and itself: whoever does not find these as closely related as can be was not careful.

How closely do people find words related? (Nowak 2011 §8.5, Figure 8.3)

Everybody grades all pairs from 0 (not related) to 4 (the same, or nearly). Whoever does not give
the highest grade to a word and itself is left out. The mean grades are judgements as
`cranfield relatedness correlate` holds sources against.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from cranfield.assessment.quality.rules import wrong_control
from cranfield.assessment.surveys.answers import Answers
from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.questions import NOT_ASKED
from cranfield.caching import cached_property
from cranfield.core.axes import Axis, require_ordered
from cranfield.core.chart import Axis as ChartAxis
from cranfield.core.chart import Chart
from cranfield.core.matrices import Floats, Ints, ratio
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError, require_whole, several
from cranfield.formats.delimited import line_of
from cranfield.formats.source import written
from cranfield.formats.two_columns import JudgedPair
from cranfield.knowledge import CostMap, RelatednessMap
from cranfield.statistics.intervals.limits import NOWHERE, Limits, analytic

if TYPE_CHECKING:
    from cranfield.assessment.agreement import Agreement


PARTS = 5
"""Of the range of a map, as many as there are grades."""


@dataclass(frozen=True)
class Pair:
    """Two words that people are asked about."""

    id: str
    word: str
    other: str
    value: float | None = None
    """What the map says that pairs were drawn by."""

    @property
    def control(self) -> bool:
        """Whether there is only one right answer."""
        return self.word == self.other


def choose_pairs(
    concepts: Iterable[object],
    *,
    count: int | None = None,
    map: RelatednessMap | CostMap | None = None,
    controls: int = 1,
    seed: int = 0,
) -> tuple[Pair, ...]:
    """Pairs of different concepts, and some of a concept and itself, in a random order.

    count     how many different ones; default, and where there are no more: all
    map       draw evenly from five parts of its range, the mean of both directions
    controls  how many of a concept and itself

    The same concepts and seed give the same pairs, in whatever order concepts come.
    """
    require_ordered("concepts=", concepts)
    axis = Axis("concept", len(names := [str(concept) for concept in concepts]), names)
    if axis.size < 2:
        raise InputError(f"pairs need two concepts at least; there are {axis.size}")
    if count is not None:
        require_whole("count", count, least=1)
    require_whole("controls", controls, least=0)
    if controls > axis.size:
        raise InputError(f"controls={controls}; there are only {axis.size} concepts")
    by_name = np.array(sorted(range(axis.size), key=names.__getitem__))
    first, second = (by_name[side] for side in np.triu_indices(axis.size, 1))
    values = None if map is None else _between(map.over(axis), first, second)
    random = np.random.default_rng(seed)
    drawn = _drawn(len(first), values, count, random)
    turned = random.random(len(drawn)) < 0.5
    words = [
        (names[right], names[left]) if turn else (names[left], names[right])
        for left, right, turn in zip(
            first[drawn].tolist(), second[drawn].tolist(), turned, strict=True
        )
    ]
    mapped: list[float | None] = [None] * len(words) if values is None else values[drawn].tolist()
    itself = [names[index] for index in random.permutation(by_name)[:controls].tolist()]
    words += zip(itself, itself, strict=True)
    mapped += [None] * controls
    digits = len(str(len(words)))
    return tuple(
        Pair(f"p{number:0{digits}}", words[position][0], words[position][1], mapped[position])
        for number, position in enumerate(random.permutation(len(words)).tolist(), start=1)
    )


def _between(values: Floats, first: Ints, second: Ints) -> Floats:
    return np.asarray((values[first, second] + values[second, first]) / 2.0)


def _drawn(
    size: int, values: Floats | None, count: int | None, random: np.random.Generator
) -> Ints:
    """Places of the pairs that are drawn; parts of the range take turns until they are empty."""
    order = random.permutation(size)
    if count is None or count >= size:
        return order
    if values is None:
        return order[:count]
    low, high = float(values.min()), float(values.max())
    part = np.zeros(size, dtype=np.int64)
    if high > low:
        part = np.minimum(((values - low) / (high - low) * PARTS).astype(np.int64), PARTS - 1)
    turn = np.empty(size, dtype=np.int64)
    for number in range(PARTS):
        mine = part[order] == number
        turn[mine] = np.arange(np.count_nonzero(mine))
    # Where the last turn is not for all parts, the random order decides which.
    return order[np.argsort(turn, kind="stable")[:count]]


# ── how closely do people find words related? (Nowak 2011 §8 ──────────────────────────────────────


GRADES = {
    0: "not related",
    1: "a little",
    2: "moderately",
    3: "closely",
    4: "very closely, or the same",
}
TOP = max(GRADES)
RELATEDNESS = Question.grades("relatedness", GRADES)


@dataclass(frozen=True)
class RelatednessSurvey:
    """Pairs of words to ask people about."""

    pairs: tuple[Pair, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    """What concepts are called, where their ids are codes."""

    @property
    def asked(self) -> tuple[str, ...]:
        """Ids of the pairs."""
        return tuple(pair.id for pair in self.pairs)

    def called(self, word: str) -> str:
        return self.names.get(word, word)


def careless(votes: Votes, controls: Sequence[str]) -> dict[str, str]:
    """Who did not give the highest grade to each of the controls, and how we know."""
    table = votes.ballot(RELATEDNESS.name).table
    reasons: dict[str, str] = {}
    for name in controls:
        grades = table[votes.items.index(name)]
        for person in np.flatnonzero(grades == NOT_ASKED).tolist():
            reasons.setdefault(votes.annotators[person], f"{name} is not answered")
        if (grades != NOT_ASKED).any():
            for sheet, reason in wrong_control(votes, {name: TOP}).items():
                reasons.setdefault(votes.annotators[votes.sheets.annotator[sheet]], reason)
    return reasons


@dataclass(frozen=True, eq=False)
class Ratings(Analysis):
    """What people answered about each pair."""

    title = "How closely people find words related"

    survey: RelatednessSurvey
    votes: Votes
    """Of those who were careful."""
    rejected: Mapping[str, str]
    """Who was left out, and why."""
    comments: Mapping[str, str]
    level: float = 0.95
    """Of the intervals in tables and charts."""

    @cached_property
    def counts(self) -> Ints:
        """(pairs, grades): how many gave each."""
        return self.votes.ballot(RELATEDNESS.name).counts

    @cached_property
    def means(self) -> Floats:
        """(pairs,); NaN where nobody answered."""
        return ratio(self.counts @ RELATEDNESS.values, self.counts.sum(axis=1))

    @cached_property
    def deviations(self) -> Floats:
        """(pairs,): the standard deviation over people; NaN for fewer than two."""
        gaps = (RELATEDNESS.values[None, :] - np.nan_to_num(self.means)[:, None]) ** 2
        squares, others = (self.counts * gaps).sum(axis=1), self.counts.sum(axis=1) - 1
        return np.where(others > 0, np.sqrt(squares / np.maximum(others, 1)), np.nan)

    def intervals(self, level: float = 0.95) -> list[Limits]:
        """Where the mean of many more people may lie, by Student's t."""
        return [
            NOWHERE
            if np.isnan(deviation)
            else analytic(
                mean, deviation / np.sqrt(people), int(people) - 1, level, (0.0, float(TOP))
            )
            for mean, deviation, people in zip(
                self.means.tolist(), self.deviations.tolist(), self.counts.sum(axis=1), strict=True
            )
        ]

    @cached_property
    def agreement(self) -> Agreement:
        """Krippendorff's α of the grades, controls left out: everybody agrees on these."""
        ids = [pair.id for pair in self.survey.pairs if not pair.control]
        return self.votes.only(items=ids).agreement("krippendorff_ordinal")

    @property
    def judged(self) -> tuple[JudgedPair, ...]:
        """The mean grade of each pair that was answered, controls left out."""
        return tuple(
            JudgedPair(self.survey.called(pair.word), self.survey.called(pair.other), mean)
            for pair, mean in zip(self.survey.pairs, self.means.tolist(), strict=True)
            if not pair.control and not np.isnan(mean)
        )

    # ── as a result ───────────────────────────────────────────────────────────────────────────

    def _facts(self) -> dict[str, Any]:
        return {
            "people": len(self.votes.annotators),
            "rejected": dict(self.rejected),
            "agreement": {
                "coefficient": self.agreement.coefficient,
                "value": float(self.agreement),
                "reading": self.agreement.reading,
            },
            "level": self.level,
            "pairs": self._rows(),
            "comments": dict(self.comments),
        }

    def _rows(self) -> list[dict[str, Any]]:
        people = self.counts.sum(axis=1).tolist()
        return [
            {
                "pair": pair.id,
                "word": self.survey.called(pair.word),
                "other": self.survey.called(pair.other),
                "mean": mean,
                "low": ends.low,
                "high": ends.high,
                "people": count,
                "control": pair.control,
                "map": pair.value,
            }
            for pair, mean, ends, count in zip(
                *(self.survey.pairs, self.means.tolist(), self.intervals(self.level), people),
                strict=True,
            )
        ]

    def _in_order(self) -> list[dict[str, Any]]:
        """The most closely related first; controls and what nobody answered last."""

        def order(row: dict[str, Any]) -> tuple[Any, ...]:
            unknown = np.isnan(row["mean"])
            return row["control"], unknown, 0.0 if unknown else -row["mean"], row["pair"]

        return sorted(self._rows(), key=order)

    def _tables(self) -> list[Table]:
        maps = {True: "control", False: ""}
        shown = [
            row | {"map": maps[row["control"]] if row["map"] is None else row["map"]}
            for row in self._in_order()
        ]
        columns = (
            Column("word", key=True),
            Column("other", key=True),
            Column("mean", digits=2, interval=("low", "high")),
            Column("people"),
            Column("map", align="right"),
        )
        return [
            Table("grades", shown, columns, audience="people"),
            Table("pairs", self._rows(), audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        value = float(self.agreement)
        written = "–" if np.isnan(value) else f"{value:.3f}"
        remarks = [
            f"people: {len(self.votes.annotators)}; Krippendorff's α of their grades {written} "
            f"({self.agreement.reading}); {100 * self.level:.4g} % confidence intervals"
        ]
        if self.rejected:
            reasons = (f"{name} ({why})" for name, why in self.rejected.items())
            remarks.append(f"left out: {'; '.join(reasons)}")
        if not any(pair.control for pair in self.survey.pairs):
            remarks.append("no pair is a word and itself, so careless answers cannot be detected")
        if self.comments:
            remarks.append(f"{several(len(self.comments), 'comment')}: see JSON")
        return remarks

    def _charts(self) -> list[Chart]:
        rows = [
            row | {"words": f"{row['word']} – {row['other']}"}
            for row in self._in_order()
            if not np.isnan(row["mean"])
        ]
        return [
            Chart(
                kind="ranges",
                rows=rows,
                x=ChartAxis("mean", "mean grade", domain=(0, TOP), ticks=tuple(GRADES)),
                y=ChartAxis("words", scale="names"),
                ends=("low", "high"),
                tooltip=("words", "mean", "low", "high", "people", "map"),
                title=self.title,
                subtitle=f"mean grades with {100 * self.level:.4g} % intervals; people: "
                f"{len(self.votes.annotators)}",
            )
        ]

    def write_judgements(self, path: str | os.PathLike[str]) -> None:
        """Write word,other,score, which `cranfield relatedness correlate` reads."""
        with written(Path(path)) as target:
            target.stream.write(line_of(JudgedPair._fields, (), ","))
            for word, other, score in self.judged:
                target.stream.write(line_of((word, other), [repr(score)], ","))


def ratings(
    survey: RelatednessSurvey,
    answers: Answers,
    *,
    level: Annotated[float, Option(metavar="SHARE", minimum=0.5, maximum=0.999)] = 0.95,
) -> Ratings:
    """Tell how closely people find words related: mean grades, intervals, and how far they agree.

    Whoever did not give 4 to a word and itself is left out, and so are these pairs from what is
    written for correlations.

    level  Of the intervals.
    """
    controls = [pair.id for pair in survey.pairs if pair.control]
    rejected = careless(answers.votes, controls)
    careful = [name for name in answers.votes.annotators if name not in rejected]
    if not careful:
        raise InputError(
            f"nobody gave the grade {TOP} to a word and itself ({', '.join(controls)}); are these "
            "the answers to this survey?"
        )
    votes = answers.votes.only(annotators=careful)
    return Ratings(survey, votes, rejected, answers.comments, level)
