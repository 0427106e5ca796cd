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
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from cranfield.assessment.surveys.answers import Answers
from cranfield.assessment.surveys.pairings import MeasureSurvey, digests, item_scores, scoring_items
from cranfield.assessment.votes import Question, Votes
from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.axes import Axis
from cranfield.core.chart import Axis as ChartAxis
from cranfield.core.chart import Chart
from cranfield.core.matrices import Bools, Floats, Ints, ratio
from cranfield.core.options import Option, Seed
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import MOST_DRAWS, InputError, require_draws, several
from cranfield.measures import Measure
from cranfield.statistics.intervals.limits import Limits, percentile
from cranfield.statistics.resampling import Sampling
from cranfield.statistics.significance import even_chance, holm, wilson

if TYPE_CHECKING:
    from cranfield.assessment.agreement import Agreement

PREFERENCE = Question.choice("preference", ("left", "right", "equal"))
COEFFICIENTS = ("fleiss", "krippendorff_nominal", "percent")
"""Of agreement between people."""
_SIDES = ("with the measure", "no difference", "against it")
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
class Preferences(Analysis):
    """What people prefer, beside what measures prefer."""

    title = "Do measures prefer what people prefer?"

    survey: MeasureSurvey
    votes: Votes
    comments: Mapping[str, str]
    level: float = 0.95
    samples: int = 2000
    seed: int = 0
    """Of the intervals in tables and charts."""

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
            raise InputError(
                f"level={level!r}",
                mend="give a share between 0 and 1, such as 0.95",
                parameter="level",
            )
        items = [pair.item for pair in self.survey.pairings]
        sampling = Sampling.of(Axis("item", len(items), items), seed=seed)
        times = np.concatenate(list(sampling.draws(samples)))
        return tuple(self._with_people(name, times, level) for name in self.survey.measures)

    def _with_people(self, measure: str, times: Floats, level: float) -> WithPeople:
        prefers, known, decided = self._prefers(measure)
        product = prefers * self.preferred
        agreeing, opposite = (int(np.count_nonzero(decided & (product == s))) for s in (1, -1))
        total = int(np.count_nonzero(decided))
        score = np.where(decided, product, 0)
        left, right = (np.where(known, side, 0) for side in self.counts.T[:2])
        won = np.where(prefers > 0, left, np.where(prefers < 0, right, (left + right) / 2.0))
        weight = np.ones(len(prefers))
        return WithPeople(
            measure,
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

    def _prefers(self, measure: str) -> tuple[Ints, Bools, Bools]:
        """What a measure prefers, where it has scores, and where people decide besides."""
        gaps = self.survey.differences(measure)
        known = ~np.isnan(gaps)
        prefers = np.sign(np.where(known, gaps, 0.0)).astype(np.int64)
        return prefers, known, known & (self.preferred != 0)

    def comparisons(self) -> tuple[Closer, ...]:
        """All pairs of measures, on the items that both score and people decide."""
        agrees = {name: self._prefers(name) for name in self.survey.measures}
        tests = []
        for measure, other in combinations(self.survey.measures, 2):
            (mine, _, here), (theirs, _, there) = agrees[measure], agrees[other]
            both = here & there
            first, second = (both & (side == self.preferred) for side in (mine, theirs))
            alone, other_alone = (
                int(np.count_nonzero(a & ~b)) for a, b in ((first, second), (second, first))
            )
            p = float(even_chance(alone, other_alone))
            tests.append(Closer(measure, other, alone, other_alone, p))
        corrected = holm([test.p_value for test in tests])
        return tuple(
            replace(test, p_value=float(p)) for test, p in zip(tests, corrected, strict=True)
        )

    def agreement(self, coefficient: str = "fleiss") -> Agreement:
        """How far people agree with each other."""
        return self.votes.agreement(coefficient)

    @property
    def on_the_left(self) -> tuple[int, int, float]:
        """Votes for the left, votes for either side, and p of no habit of choosing a side."""
        left, right, _ = self.counts.sum(axis=0).tolist()
        return left, left + right, float(even_chance(left, right))

    # ── as a result ───────────────────────────────────────────────────────────────────────────

    @cached_property
    def _measures(self) -> tuple[WithPeople, ...]:
        return self.by_measure(level=self.level, samples=self.samples, seed=self.seed)

    def _facts(self) -> dict[str, Any]:
        left, either, p = self.on_the_left
        return {
            "tied": self.survey.tied,
            "split": self.survey.split,
            "items": len(self.survey.pairings),
            "answered": int(np.count_nonzero(self.answered)),
            "undecided": self.undecided,
            "people": len(self.votes.annotators),
            "agreement": {name: float(self.agreement(name)) for name in COEFFICIENTS},
            "left": {"votes": left, "of": either, "p_value": p},
            "level": self.level,
            "measures": list(map(vars, self._measures)),
            "comparisons": list(map(vars, self.comparisons())),
            "questions": self._questions(),
            "comments": dict(self.comments),
        }

    def _questions(self) -> list[dict[str, Any]]:
        """A record for each item: the votes, and by how much each measure prefers the left."""
        survey = self.survey
        gaps = {name: survey.differences(name).tolist() for name in survey.measures}
        sides = {1: "left", -1: "right", 0: "undecided"}
        return [
            {
                "question": pair.id,
                "item": pair.item,
                "left": pair.left,
                "right": pair.right,
                "for_left": votes[0],
                "for_right": votes[1],
                "for_neither": votes[2],
                "people": sides[int(self.preferred[index])] if sum(votes) else None,
                "differences": {name: gap[index] for name, gap in gaps.items()},
            }
            for index, (pair, votes) in enumerate(
                zip(survey.pairings, self.counts.tolist(), strict=True)
            )
        ]

    def _tables(self) -> list[Table]:
        """Each measure beside people, measures beside each other, and the votes on each item."""
        intervals = ("share", "concordance", "of_votes")
        measures = [
            {name: value for name, value in vars(measure).items() if "_interval" not in name}
            | {
                f"{name} {end}": limit
                for name in intervals
                for end, limit in getattr(measure, f"{name}_interval")._asdict().items()
            }
            for measure in self._measures
        ]
        columns = [Column("measure"), Column("agreeing", "agrees"), Column("opposite")]
        columns.append(Column("tied", "ties"))
        columns += [Column(name, interval=(f"{name} low", f"{name} high")) for name in intervals]
        compared = (
            Column("one", "measure", key=True),
            Column("other", "compared with", key=True),
            Column("only_one", "only the first agrees"),
            Column("only_other", "only the second"),
            Column("p_value", "p", digits=4),
        )
        questions = []
        for row in self._questions():
            gaps = row.pop("differences")
            questions.append(row | {f"{name} left − right": gap for name, gap in gaps.items()})
        return [
            Table(
                "measures",
                measures,
                [*columns, Column("p_value", "p", digits=4)],
                audience="people",
            ),
            Table(
                "comparisons",
                list(map(vars, self.comparisons())),
                compared,
                title="Closer to people? (exact McNemar test, Holm-corrected)",
                audience="people",
            ),
            Table("questions", questions, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        survey, total = self.survey, len(self.survey.pairings)
        answered = int(np.count_nonzero(self.answered))
        remarks = [
            f"people decide {answered - self.undecided} of {several(total, 'item')}; "
            f"{self.undecided} undecided, {total - answered} not answered",
            f"items were chosen because {survey.tied} ties both sides, so it cannot agree; compare "
            f"{survey.split} with a half",
        ]
        for measure in self._measures:
            if measure.undefined:
                items = several(measure.undefined, "item")
                remarks.append(f"{measure.measure}: undefined on {items}, left out")
        kappa = self.agreement()
        written = "–" if np.isnan(kappa) else f"{float(kappa):.3f}"
        remarks.append(
            f"people: {len(self.votes.annotators)}; Fleiss' κ of their choices {written} "
            f"({kappa.reading}); {100 * self.level:.4g} % confidence intervals"
        )
        left, either, p = self.on_the_left
        if p < 0.05:
            remarks.append(
                f"people chose the left {left} of {either} times (p = {p:.4f}): a habit of sides"
            )
        if self.comments:
            remarks.append(f"{several(len(self.comments), 'comment')}: see JSON")
        return remarks

    def _charts(self) -> list[Chart]:
        """The share of each measure, and how people voted on each item."""
        shares = [
            {
                "measure": measure.measure,
                "of_votes": measure.of_votes,
                "low": measure.of_votes_interval.low,
                "high": measure.of_votes_interval.high,
                "share": measure.share,
            }
            for measure in self._measures
            if np.isfinite([measure.of_votes, *measure.of_votes_interval]).all()
        ]
        return [
            Chart(
                kind="ranges",
                rows=shares,
                x=ChartAxis(
                    "of_votes", "votes for the side that the measure prefers", domain=(0.0, 1.0)
                ),
                y=ChartAxis("measure", scale="names"),
                ends=("low", "high"),
                rules=(0.5,),
                tooltip=("measure", "of_votes", "low", "high", "share"),
                title=self.title,
                subtitle=f"share of votes for either side, {100 * self.level:.4g} % bootstrap of "
                "items; dashed: no better than chance",
            ),
            self._vote_chart(),
        ]

    def _vote_chart(self) -> Chart:
        """Votes on each item, those that the second measure is surest of on top."""
        survey = self.survey
        gaps = survey.differences(survey.split)
        rows: list[dict[str, Any]] = []
        for index in np.argsort(-np.abs(np.nan_to_num(gaps)), kind="stable").tolist():
            left, right, equal = self.counts[index].tolist()
            votes = (left, equal, right) if gaps[index] > 0 else (right, equal, left)
            rows += [
                {
                    "item": survey.pairings[index].item,
                    "side": side,
                    "votes": count,
                    "share": count / sum(votes),
                    "difference": abs(float(gaps[index])),
                }
                for side, count in zip(_SIDES, votes, strict=True)
                if count and np.isfinite(gaps[index])
            ]
        return Chart(
            kind="bars",
            rows=rows,
            x=ChartAxis("share", "share of votes", domain=(0.0, 1.0), percent=True),
            y=ChartAxis("item", scale="names"),
            series="side",
            order=_SIDES,
            tooltip=("item", "side", "votes", "difference"),
            title="Votes on each item",
            subtitle=f"largest differences by {survey.split} on top",
        )


def preferences(
    survey: MeasureSurvey,
    answers: Answers,
    *,
    level: Annotated[float, Option(metavar="SHARE", minimum=0.5, maximum=0.999)] = 0.95,
    samples: Annotated[int, Option(minimum=10, maximum=MOST_DRAWS)] = 2000,
    seed: Seed = 0,
) -> Preferences:
    """Tell whether measures prefer the label sets that people prefer.

    On the items that people decide: how often a measure agrees, says the opposite or ties; whether
    one measure is closer to people than another; and how far people agree with each other.

    level    Of the intervals.
    samples  Bootstraps of items for the intervals.
    seed     Seed of the bootstraps.
    """
    return Preferences(survey, answers.votes, answers.comments, level, samples, seed)


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
    names = {name for pair in survey.pairings for name in (pair.left, pair.right)}
    needed = [run for run in runs if run.name in names]
    requested = scoring_items(measures)
    scores = evaluate(truth, needed, requested, **options) if needed else None
    present = {} if scores is None else digests(scores.truth, needed)
    for name in ("", *sorted(names)):
        if present.get(name) != survey.digests.get(name):
            what = f"run {name!r}" if name else "the truth"
            how = "is not the one that" if name in present else "is missing, which"
            raise InputError(f"{what} {how} the survey was made of; give the same files")
    assert scores is not None
    return replace(
        survey,
        better={**survey.better, **{str(m): m.traits.better for m in scores.measures}},
        scores={
            **survey.scores,
            **{str(m): item_scores(scores, m, survey.pairings) for m in scores.measures},
        },
    )
