"""How closely do people find words related? (Nowak 2011 §8.5, Figure 8.3)

Everybody grades all pairs from 0 (not related) to 4 (the same, or nearly). Whoever does not give
the highest grade to a word and itself is left out. The mean grades are judgements as
`cranfield relatedness correlate` holds sources against.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cranfield.assessment.quality.rules import wrong_control
from cranfield.assessment.surveys.answers import Answers
from cranfield.assessment.surveys.pairs import Pair
from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.questions import NOT_ASKED
from cranfield.caching import cached_property
from cranfield.core.matrices import Floats, Ints
from cranfield.errors import InputError
from cranfield.formats.delimited import line_of
from cranfield.formats.source import written
from cranfield.formats.two_columns import JudgedPair
from cranfield.measures.declare import ratio
from cranfield.statistics.intervals.limits import NOWHERE, Limits, analytic

if TYPE_CHECKING:
    from cranfield.assessment.agreement import Agreement

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
    found: dict[str, str] = {}
    for name in controls:
        said = table[votes.items.index(name)]
        for person in np.flatnonzero(said == NOT_ASKED).tolist():
            found.setdefault(votes.annotators[person], f"{name} is not answered")
        if (said != NOT_ASKED).any():
            for sheet, reason in wrong_control(votes, {name: TOP}).items():
                found.setdefault(votes.annotators[votes.sheets.annotator[sheet]], reason)
    return found


@dataclass(frozen=True, eq=False)
class Ratings:
    """What people said of each pair."""

    survey: RelatednessSurvey
    votes: Votes
    """Of those who were careful."""
    rejected: Mapping[str, str]
    """Who was left out, and why."""
    comments: Mapping[str, str]

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
            else analytic(mean, deviation / np.sqrt(people), int(people) - 1, level, (0.0, TOP))
            for mean, deviation, people in zip(
                self.means.tolist(), self.deviations.tolist(), self.counts.sum(axis=1), strict=True
            )
        ]

    @cached_property
    def agreement(self) -> Agreement:
        """Krippendorff's α of the grades, controls left out: everybody agrees on these."""
        asked = [pair.id for pair in self.survey.pairs if not pair.control]
        return self.votes.only(items=asked).agreement("krippendorff_ordinal")

    @property
    def judged(self) -> tuple[JudgedPair, ...]:
        """The mean grade of each pair that was answered, controls left out."""
        return tuple(
            JudgedPair(self.survey.called(pair.word), self.survey.called(pair.other), mean)
            for pair, mean in zip(self.survey.pairs, self.means.tolist(), strict=True)
            if not pair.control and not np.isnan(mean)
        )

    def write_judgements(self, path: str | os.PathLike[str]) -> None:
        """Write word,other,score, which `cranfield relatedness correlate` reads."""
        with written(Path(path)) as target:
            target.stream.write(line_of(JudgedPair._fields, (), ","))
            for word, other, score in self.judged:
                target.stream.write(line_of((word, other), [repr(score)], ","))


def ratings(survey: RelatednessSurvey, answers: Answers) -> Ratings:
    """What the careful people said."""
    controls = [pair.id for pair in survey.pairs if pair.control]
    rejected = careless(answers.votes, controls)
    kept = [name for name in answers.votes.annotators if name not in rejected]
    if not kept:
        raise InputError(
            f"nobody gave the grade {TOP} to a word and itself ({', '.join(controls)}); are these "
            "the answers to this survey?"
        )
    votes = answers.votes.only(annotators=kept)
    return Ratings(survey, votes, rejected, answers.comments)
