"""`cf.slices`: every score of an evaluation again on parts of the collection."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.aligned import narrowed
from cranfield.core.axes import Axis
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints, total
from cranfield.core.progress import Progress, silent
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_evaluation
from cranfield.engine.evaluation import Evaluation, Score, mean
from cranfield.engine.weights import Weights
from cranfield.errors import InputError, require_draws, require_whole
from cranfield.statistics.influence import comparison_of
from cranfield.statistics.intervals import Interval, intervals
from cranfield.statistics.resampling import Sampling, average, replicates
from cranfield.statistics.resampling.replicates import Draws
from cranfield.statistics.significance import max_t
from cranfield.statistics.slices.cutting import Slice, cut
from cranfield.statistics.slices.results import Choices, Slices, SliceScore

_NO_WIDTH = 1e-12
"""Of an interval: a few items that happen to agree are not certain of others."""


@of_evaluation
def slices(
    result: Evaluation,
    by: Any,
    *,
    bins: int = 4,
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 0,
    progress: Progress = silent,
) -> Slices:
    """Score runs on slices, and tell which differ from the rest.

    by        {attribute: a value for each item: a sequence, or a Series or mapping of ids}, a frame
              with a column for each attribute, "frequency" (concepts by number of positives) or
              "branches" (concepts by branch of the ontology), or a list of these
    bins      parts that an attribute of more than ten different numbers is cut into
    level     of the intervals, which are over items
    samples   draws of the test
    progress  a listener: a step for each slice
    """
    require_whole("bins", bins, least=2)
    require_draws("samples", samples, least=100)
    require_whole("seed", seed, least=0)
    if not 0.0 < level < 1.0:
        raise InputError(
            f"{level:g} is no level; give a share between 0 and 1, such as 0.95",
            parameter="level",
        )
    if not result.scores:
        raise InputError("there are no scores to slice; evaluate at least one run")
    if result.truth.open:
        raise InputError(
            "an open truth, such as that of TREC files, does not list all of its items, so that "
            "they cannot be sliced"
        )
    parts = cut(by, result.truth, result.scores[0].known, bins)
    choices = Choices(level, samples, seed, bins)
    drawing = _Drawing(result, choices)
    tested: list[_Tested] = []
    with progress("slicing", len(parts)) as step:
        for part in parts:
            tested += _of_slice(result, part, drawing)
            step(1)
    return Slices(_settled(tested, result), result.truth, choices)


@dataclass(frozen=True, eq=False)
class _Tested:
    """A score on a slice, before those of all others are known."""

    score: SliceScore
    distance: Distance | None


def _of_slice(result: Evaluation, part: Slice, drawing: _Drawing) -> list[_Tested]:
    others = np.setdiff1d(np.arange(result.truth.shape[part.kind == "concepts"]), part.members)
    here = _part(result, part, part.members)
    there = _part(result, part, others) if len(others) else None
    sure = intervals(here, level=drawing.choices.level, seed=drawing.choices.seed)
    rest = [None] * len(result) if there is None else there.scores
    return [
        _compared(score, inner, outer, interval, part, drawing)
        for score, inner, outer, interval in zip(result, here, rest, sure, strict=True)
    ]


def _part(result: Evaluation, part: Slice, members: Ints) -> Evaluation:
    """The same runs by the same measures on some items, or some concepts."""
    truth, first = result.truth, result.scores[0]
    of_items = part.kind == "items"
    rows, columns = (members, None) if of_items else (None, members)
    scored = {score.run.name: score.run for score in result}.values()
    runs = [
        narrowed(run, truth, rows=rows, columns=columns, missing=first.missing) for run in scored
    ]
    about = first.known.knowledge
    return evaluate(
        truth.part(rows) if of_items else truth.of_concepts(columns),
        runs,
        result.measures,
        ontology=about.ontology,
        costs=about.costs,
        relatedness=about.relatedness,
        agreement=about.agreement,
        weights=Weights(
            _weights(result, "concept", columns),
            _weights(result, "example", rows),
        ),
        missing=first.missing,
    )


def _weights(result: Evaluation, direction: Direction, members: Ints | None) -> Floats | None:
    weights = next((s.weights for s in result if s.measure.traits.direction == direction), None)
    return weights if weights is None or members is None else weights[members]


def _compared(
    score: Score,
    inner: Score,
    outer: Score | None,
    interval: Interval,
    part: Slice,
    drawing: _Drawing,
) -> _Tested:
    notes = list(dict.fromkeys((*inner.notes, *interval.notes)))
    rest = difference = math.nan
    far = None
    if outer is not None:
        rest, common = outer.value, None
        by_concept = score.measure.traits.direction == "concept"
        if part.kind == "items" and by_concept:
            common = ~(np.isnan(inner.by_unit) | np.isnan(outer.by_unit))
            lacking = int(np.count_nonzero(~np.isnan(score.by_unit) & ~common))
            if lacking:
                concepts = score.truth.terms.several(lacking, "concept")
                notes.append(f"difference without {concepts} one side lacks")
        difference = _mean(inner, common) - _mean(outer, common)
        far = drawing.far(score, inner, outer, difference, part)
    truth, (low, high) = inner.truth, (interval.low, interval.high)
    if high - low <= _NO_WIDTH:
        low = high = math.nan
        if interval.method != "analytic":  # which says as much
            notes.append("all draws give the same score, which says nothing of others")
    slice_score = SliceScore(
        run=score.run.name,
        measure=score.measure,
        attribute=part.attribute,
        slice=part.value,
        kind=part.kind,
        items=truth.shape[0],
        concepts=truth.shape[1],
        positives=int(total(truth.matrix, 0).sum()) if truth.has_labels else 0,
        score=inner.value,
        low=low,
        high=high,
        rest=rest,
        difference=difference,
        p=math.nan,
        adjusted=math.nan,
        worst=False,
        notes=tuple(notes),
        signature=interval.signature,
    )
    return _Tested(slice_score, far)


def _mean(score: Score, common: Any) -> float:
    """The score over concepts that both sides have."""
    if common is None or not common.any():
        return score.value if common is None else math.nan
    heavy = common * (1.0 if score.weights is None else score.weights)
    return mean(score.by_unit, heavy, score.measure.traits.average)[0]


class _Drawing:
    """Draws for the tests of all slices; what several slices ask of a score is kept."""

    def __init__(self, result: Evaluation, choices: Choices) -> None:
        self.choices = choices
        self._sampling = Sampling.of_truth(result.truth, seed=choices.seed)
        self._comparisons: dict[tuple[str, str], Comparison] = {}
        self._by_concept: dict[int, Floats] = {}

    def far(
        self, score: Score, inner: Score, outer: Score, difference: float, part: Slice
    ) -> Distance | None:
        """How far a slice is from the rest, and how far it would be by chance."""
        samples, average_of = self.choices.samples, score.measure.traits.average
        if part.kind == "items" and score.truth.clusters is not None:
            return distance(difference, self._drawn_differences(score, part), centred=True)
        if part.kind == "items":
            return distance(difference, self._random_differences(score, part), centred=False)
        if score.measure.traits.direction == "concept":
            by_concept = self._draws_of_concepts(score)
            if by_concept.shape[1] == len(score.by_unit):
                inside = np.isin(np.arange(len(score.by_unit)), part.members)
                heavy = np.ones(len(inside)) if score.weights is None else score.weights
                sides = (average(by_concept, heavy * s, average_of) for s in (inside, ~inside))
                return distance(difference, np.subtract(*sides), centred=True)
        sides = (
            replicates(side, comparison_of(side), self._sampling, samples)[0]
            for side in (inner, outer)
        )
        return distance(difference, np.subtract(*sides), centred=True)

    def _random_differences(self, score: Score, part: Slice) -> Floats:
        """Random sets of items less their rests."""
        among = RandomSlices(score.truth.item_axis, part.members, self.choices.seed)
        return self._differences(score, among, among.rest)

    def _drawn_differences(self, score: Score, part: Slice) -> Floats:
        """The slice less its rest, both of the same draws of whole clusters."""
        inside = np.isin(np.arange(score.truth.shape[0]), part.members)
        sides = (
            _SharedDraws(self._sampling, side.astype(np.float64)) for side in (inside, ~inside)
        )
        return self._differences(score, *sides)

    def _differences(self, score: Score, here: Draws, there: Draws) -> Floats:
        """Scores of draws less those of others: of concepts, those that both sides have."""
        comparison, samples = self._comparison(score), self.choices.samples
        (inside, of_inside), (outside, of_outside) = (
            replicates(score, comparison, draws, samples) for draws in (here, there)
        )
        by_concept = score.measure.traits.direction == "concept"
        if not by_concept or of_inside.shape[1] != len(score.by_unit):
            return inside - outside
        both = ~(np.isnan(of_inside) | np.isnan(of_outside))
        heavy = both * (np.ones(both.shape[1]) if score.weights is None else score.weights)
        sides = (
            average(side, heavy, score.measure.traits.average) for side in (of_inside, of_outside)
        )
        return np.subtract(*sides)

    def _comparison(self, score: Score) -> Comparison:
        key = (score.run.name, score.unjudged)
        if key not in self._comparisons:
            self._comparisons[key] = comparison_of(score)
        return self._comparisons[key]

    def _draws_of_concepts(self, score: Score) -> Floats:
        if id(score) not in self._by_concept:
            drawn = replicates(score, self._comparison(score), self._sampling, self.choices.samples)
            self._by_concept[id(score)] = drawn[1]
        return self._by_concept[id(score)]


def _settled(tested: Sequence[_Tested], result: Evaluation) -> list[SliceScore]:
    """With p-values, and the worst of each attribute; in the order of runs, measures, slices."""
    settled: list[SliceScore] = []
    for run in result.runs:
        own = [part for part in tested if part.score.run == run]
        far = [part.distance for part in own if part.distance is not None]
        single, stepped = max_t(
            np.array([distance.seen for distance in far]),
            np.array([distance.drawn for distance in far]),
        )
        p = iter(zip(single.tolist(), stepped.tolist(), strict=True))
        scores = []
        for part in own:
            alone, adjusted = (math.nan, math.nan) if part.distance is None else next(p)
            scores.append(replace(part.score, p=alone, adjusted=adjusted))
        for measure in result.measures:
            settled += _with_worst([score for score in scores if score.measure == measure])
    return settled


def _with_worst(scores: list[SliceScore]) -> list[SliceScore]:
    worst: dict[str, SliceScore] = {}
    for attribute in dict.fromkeys(score.attribute for score in scores):
        among = [s for s in scores if s.attribute == attribute and math.isfinite(s.score)]
        if len(among) > 1 and among[0].measure.traits.better != "neither":
            sign = 1.0 if among[0].measure.traits.higher_is_better else -1.0
            worst[attribute] = min(among, key=lambda score: sign * score.score)
    return [replace(score, worst=worst.get(score.attribute) is score) for score in scores]


# Gaps: does a slice differ from the rest by more than chance, among all slices and measures?
#
# items     a permutation test: the difference between a slice and the rest is held against that
#           between random sets of as many items and their rests. Nothing is assumed of the measure,
#           and what small sets do to it (AP of few items is too high) is in all of them alike. Two
#           slices that complement each other have opposite differences and the same p.
# clusters  slice and rest are scored on the same draws of whole clusters of items (bootstrap).
# concepts  the same items serve both sides: slice and rest are scored on the same draws of items
#           (bootstrap), whose differences spread around their mean as the difference does.
#
# Either way there are a distance from what is expected, in units of the spread, and as many of them
# as there are draws. p = (c + 1) / (n + 1), c draws of n being as far; max-T over everything that
# was asked of a run (Westfall & Young 1993).


_AT_ONCE = 2_000_000
"""Numbers of a block of draws."""


@dataclass(frozen=True, eq=False)
class RandomSlices:
    """Random sets of as many items as a slice has; one seed shuffles all slices alike.

    Where two slices complement each other, so do their random sets.
    """

    axis: Axis
    members: Ints
    seed: int

    @property
    def rest(self) -> RandomSlices:
        """The sets of all other items, draw by draw."""
        others = np.setdiff1d(np.arange(self.axis.size), self.members)
        return RandomSlices(self.axis, others, self.seed)

    def draws(self, samples: int) -> Iterator[Floats]:
        """(b, N), block after block: 1 for items of the set."""
        order = canonical_order(self.axis)
        places = np.argsort(order)[self.members]
        step = max(1, _AT_ONCE // max(1, self.axis.size))
        for block, first in enumerate(range(0, samples, step)):
            random = np.random.default_rng([self.seed, block])
            ways = np.tile(order, (min(step, samples - first), 1))
            shuffled = random.permuted(ways, axis=1)[:, places]
            times = np.zeros((len(shuffled), self.axis.size))
            np.put_along_axis(times, shuffled, 1.0, axis=1)
            yield times


@dataclass(frozen=True, eq=False)
class _SharedDraws:
    """Some items of draws that others have their items of too."""

    sampling: Sampling
    marks: Floats
    """1 for items that count."""

    def draws(self, samples: int) -> Iterator[Floats]:
        """(b, N), block after block: how often each item was drawn; 0 for others."""
        return (times * self.marks for times in self.sampling.draws(samples))


class Distance(NamedTuple):
    """How far a slice is from what is expected, and how far draws are; in units of their spread."""

    seen: float
    drawn: Floats


def distance(difference: float, drawn: Floats, *, centred: bool) -> Distance | None:
    """From a number and what draws make of it; `centred`: it is expected at 0, not at their mean.

    None where draws do not differ, or there is nothing to hold against them.
    """
    defined = drawn[np.isfinite(drawn)]
    if not np.isfinite(difference) or len(defined) < 2:
        return None
    middle, spread = float(defined.mean()), float(defined.std(ddof=1))
    if spread <= 1e-12 * max(1.0, abs(middle)):
        return None
    # A draw without a score might have been as far as any.
    far = np.where(np.isfinite(drawn), np.abs(drawn - middle) / spread, np.inf)
    return Distance(abs(difference - (0.0 if centred else middle)) / spread, far)
