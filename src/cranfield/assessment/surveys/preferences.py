"""Do measures prefer what people prefer? King's fifth requirement (Nowak 2011 §4.5 and §9.5).

People prefer the side that got more votes. They are undecided where both got as many, or where most
see no difference. On items that people decide, a measure agrees, says the opposite, or ties both.

    share        items on which the measure agrees / items that people decide
    concordance  (agreeing − opposite) / items that people decide: 1 always, 0 no better than chance
    of votes     votes for the side that the measure prefers / votes for either side; what a measure
                 ties counts for half
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.assessment.surveys.answers import Answers
from cranfield.assessment.surveys.pairings import MeasureSurvey, digests, item_scores, scoring_items
from cranfield.assessment.votes import Question, Votes
from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import InputError, require_draws
from cranfield.measures import Measure
from cranfield.measures.declare import ratio
from cranfield.statistics.intervals.limits import Limits, percentile
from cranfield.statistics.resampling import Sampling
from cranfield.statistics.significance import even_chance, holm, wilson

if TYPE_CHECKING:
    from cranfield.assessment.agreement import Agreement

PREFERENCE = Question.choice("preference", ("left", "right", "equal"))
_LEFT, _RIGHT, _EQUAL = map(PREFERENCE.answers.index, ("left", "right", "equal"))


@dataclass(frozen=True)
class WithPeople:
    """How far a measure prefers what people prefer."""

    measure: str
    agreeing: int
    opposite: int
    tied: int
    """Items that people decide and the measure does not."""
    undefined: int
    """Items that people decide and that have no score; they are left out."""
    share: float
    share_interval: Limits
    """Wilson's."""
    concordance: float
    concordance_interval: Limits
    """From a bootstrap of items."""
    of_votes: float
    of_votes_interval: Limits
    p_value: float
    """Of the sign test: it agrees as often as it says the opposite."""

    @property
    def decided(self) -> int:
        """Items that people decide, and that have a score."""
        return self.agreeing + self.opposite + self.tied


@dataclass(frozen=True)
class Closer:
    """Whether one measure is closer to people than another (McNemar's test, exact)."""

    one: str
    other: str
    only_one: int
    """Items on which only the first agrees with people."""
    only_other: int
    p_value: float
    """Corrected for all comparisons after Holm."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """What people prefer, beside what measures prefer."""

    survey: MeasureSurvey
    votes: Votes
    comments: Mapping[str, str]

    @cached_property
    def counts(self) -> Ints:
        """(pairings, 3): votes for left, for right, and for neither."""
        counts = self.votes.ballot(PREFERENCE.name).counts
        return counts[:, [_LEFT, _RIGHT, _EQUAL]]

    @cached_property
    def preferred(self) -> Ints:
        """(pairings,): 1 left, −1 right, 0 undecided or never answered."""
        left, right, equal = self.counts.T
        return np.where(equal > np.maximum(left, right), 0, np.sign(left - right))

    @property
    def undecided(self) -> int:
        """Pairings that were answered, and no side was preferred."""
        return int(np.count_nonzero((self.preferred == 0) & self.answered))

    @property
    def answered(self) -> Bools:
        return np.asarray(self.counts.sum(axis=1) > 0)

    def by_measure(
        self, *, level: float = 0.95, samples: int = 2000, seed: int = 0
    ) -> tuple[WithPeople, ...]:
        """Each measure beside people, in the order of the survey."""
        require_draws("samples", samples)
        if not 0.0 < level < 1.0:
            raise InputError(f"level={level!r}; give a share between 0 and 1, such as 0.95")
        items = [pair.item for pair in self.survey.pairings]
        sampling = Sampling.of(Axis("item", len(items), items), seed=seed)
        times = np.concatenate(list(sampling.draws(samples)))
        return tuple(self._with_people(one, times, level) for one in self.survey.measures)

    def _with_people(self, one: str, times: Floats, level: float) -> WithPeople:
        said, known, decided = self._said(one)
        product = said * self.preferred
        agreeing, opposite = (int(np.count_nonzero(decided & (product == s))) for s in (1, -1))
        total = int(np.count_nonzero(decided))
        score = np.where(decided, product, 0)
        left, right = (np.where(known, side, 0) for side in self.counts.T[:2])
        won = np.where(said > 0, left, np.where(said < 0, right, (left + right) / 2.0))
        weight = np.ones(len(said))
        return WithPeople(
            one,
            agreeing,
            opposite,
            total - agreeing - opposite,
            int(np.count_nonzero((self.preferred != 0) & ~known)),
            agreeing / total if total else np.nan,
            wilson(agreeing, total, level),
            float(ratio(weight @ score, weight @ decided)),
            percentile(ratio(times @ score, times @ decided), level),
            float(ratio(weight @ won, weight @ (left + right))),
            percentile(ratio(times @ won, times @ (left + right)), level),
            float(even_chance(agreeing, opposite)),
        )

    def _said(self, one: str) -> tuple[Ints, Bools, Bools]:
        """What a measure prefers, where it says anything, and where people decide besides."""
        gaps = self.survey.differences(one)
        known = ~np.isnan(gaps)
        said = np.sign(np.where(known, gaps, 0.0)).astype(np.int64)
        return said, known, known & (self.preferred != 0)

    def comparisons(self) -> tuple[Closer, ...]:
        """All pairs of measures, on the items that both score and people decide."""
        agrees = {one: self._said(one) for one in self.survey.measures}
        found = []
        for one, other in combinations(self.survey.measures, 2):
            (mine, _, here), (theirs, _, there) = agrees[one], agrees[other]
            both = here & there
            first, second = (both & (side == self.preferred) for side in (mine, theirs))
            alone, other_alone = (
                int(np.count_nonzero(a & ~b)) for a, b in ((first, second), (second, first))
            )
            p = float(even_chance(alone, other_alone))
            found.append(Closer(one, other, alone, other_alone, p))
        corrected = holm([one.p_value for one in found])
        return tuple(
            replace(one, p_value=float(p)) for one, p in zip(found, corrected, strict=True)
        )

    def agreement(self, coefficient: str = "fleiss") -> Agreement:
        """How far people agree with each other."""
        return self.votes.agreement(coefficient)

    @property
    def on_the_left(self) -> tuple[int, int, float]:
        """Votes for the left, votes for either side, and p of no habit of choosing a side."""
        left, right, _ = self.counts.sum(axis=0).tolist()
        return left, left + right, float(even_chance(left, right))


def preferences(survey: MeasureSurvey, answers: Answers) -> Preferences:
    """What people prefer, beside what the measures of a survey prefer."""
    return Preferences(survey, answers.votes, answers.comments)


def with_measures(
    survey: MeasureSurvey,
    truth: Truth | Collection,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    **options: Any,
) -> MeasureSurvey:
    """A survey with what further measures say of its label sets.

    truth, runs  those that the survey was made of; others are refused
    options      of `evaluate`
    """
    asked = {name for pair in survey.pairings for name in (pair.left, pair.right)}
    needed = [run for run in runs if run.name in asked]
    wanted = scoring_items(measures)
    found = evaluate(truth, needed, wanted, **options) if needed else None
    given = {} if found is None else digests(found.truth, needed)
    for name in ("", *sorted(asked)):
        if given.get(name) != survey.digests.get(name):
            what = f"run {name!r}" if name else "the truth"
            how = "is not the one that" if name in given else "is missing, which"
            raise InputError(f"{what} {how} the survey was made of; give the same files")
    assert found is not None
    return replace(
        survey,
        better={**survey.better, **{str(one): one.traits.better for one in found.measures}},
        scores={
            **survey.scores,
            **{str(one): item_scores(found, one, survey.pairings) for one in found.measures},
        },
    )
