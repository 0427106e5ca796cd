"""Which label sets people are to choose between (Nowak 2011 §9.5).

Items on which one measure ties two runs and another does not show what the other measure adds.
Those where it sees the largest difference come first. Pairs of runs, and which of both the measure
likes better, take turns, so that neither run is the better one as a rule; and what the measure
prefers stands on the left as often as on the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.matrices import Bools, Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import InputError, MeasureError, require_whole, several
from cranfield.kernels.label_sets import unpack
from cranfield.measures import Measure, measure

Labels = Literal["decided", "first"]
"""What is shown of a run: the labels it decided for, or its surest ones, as many as are true."""
TIE = 1e-9
"""Differences up to this are rounding."""


@dataclass(frozen=True)
class Pairing:
    """An item and what two runs say about it, as people see it."""

    id: str
    item: str
    left: str
    right: str
    """Runs, which nobody may know."""
    left_labels: tuple[str, ...]
    right_labels: tuple[str, ...]
    true: tuple[str, ...]


@dataclass(frozen=True)
class MeasureSurvey:
    """Label sets to choose between, and what measures say of them."""

    pairings: tuple[Pairing, ...]
    tied: str
    """The measure that ties both."""
    split: str
    """The one that does not."""
    better: Mapping[str, str]
    """For each measure, whether "higher" or "lower" is better."""
    scores: Mapping[str, Floats]
    """(pairings, 2) of each measure: left and right; NaN: undefined."""
    tie: float
    digests: Mapping[str, str]
    """Hashes of the runs, by name, and of the truth, called ""."""
    candidates: int
    """Items, with a pair of runs, that could have been asked."""

    @property
    def asked(self) -> tuple[str, ...]:
        return tuple(pairing.id for pairing in self.pairings)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.scores)

    def differences(self, name: str) -> Floats:
        """(pairings,): by how much the left set is better; 0 where both are as good."""
        sign = -1.0 if self.better[name] == "lower" else 1.0
        gap = sign * (self.scores[name][:, 0] - self.scores[name][:, 1])
        return np.where(np.abs(gap) <= self.tie, 0.0, gap)


def measure_survey(
    truth: Truth | Collection,
    runs: Iterable[Run],
    tied: str | Measure,
    split: str | Measure,
    *,
    further: Iterable[str | Measure] = (),
    count: int = 20,
    tie: float = TIE,
    labels: Labels = "decided",
    missing: Missing = "error",
    extra: Extra = "error",
    seed: int = 0,
    **knowledge: Any,
) -> MeasureSurvey:
    """Choose items that measure `tied` finds equally well annotated by two runs, and `split` not.

    further    measures to report on besides
    count      how many items; each is asked once, for one pair of runs
    tie        differences up to this are none
    labels     what is shown of a run: "decided", or the "first", as many as are true of the item
    missing, extra  as for `evaluate`
    knowledge  ontology=, costs=, relatedness=, agreement= of `evaluate`
    """
    require_whole("count", count, least=1)
    if not tie >= 0:
        raise InputError(f"tie={tie!r}", mend="give a number from 0 up", parameter="tie")
    listed = covering(truth, list(runs), extra)
    if len(listed) < 2:
        raise InputError(f"there are {several(len(listed), 'run')}; a survey compares two at least")
    requested = scoring_items([tied, split, *further])
    if requested[0] == requested[1]:
        raise MeasureError(f"{requested[0]} cannot both tie and tell apart; name two measures")
    evaluation = evaluate(truth, listed, requested, missing=missing, **knowledge)
    if evaluation.truth.open:
        raise InputError("an open truth does not list its items; give a truth that tells them all")
    sets = {run.name: _shown(evaluation.truth, run, labels, missing) for run in listed}
    random = np.random.default_rng(seed)
    first, second = evaluation.measures[:2]
    groups = list(_groups(evaluation, sets, first, second, tie, random))
    chosen = _in_turns(groups, count)
    if not chosen:
        raise InputError(
            f"there is no item of which {first} ties two runs and {second} does not, and which "
            "both gave different labels",
            mend="try other measures, runs or a larger {tie}",
        )
    pairings = _sided(chosen, evaluation.truth, sets, random)
    return MeasureSurvey(
        pairings,
        str(first),
        str(second),
        {str(criterion): criterion.traits.better for criterion in evaluation.measures},
        {
            str(criterion): item_scores(evaluation, criterion, pairings)
            for criterion in evaluation.measures
        },
        tie,
        digests(evaluation.truth, listed),
        sum(len(group) for group in groups),
    )


def digests(truth: Truth, runs: Iterable[Run]) -> dict[str, str]:
    """What tells truth and runs from others."""
    return {"": truth.digest, **{run.name: run.digest for run in runs}}


def item_scores(evaluation: Evaluation, criterion: Measure, pairings: Sequence[Pairing]) -> Floats:
    """(pairings, 2): what a measure says of the left and of the right."""
    index = evaluation.truth.item_axis.positions
    units = {name: evaluation.units(name, criterion) for name in evaluation.runs}
    return np.array(
        [[units[name][index[pair.item]] for name in (pair.left, pair.right)] for pair in pairings]
    )


def scoring_items(measures: Iterable[str | Measure]) -> list[Measure]:
    """Measures by which one run can be better on an item than another."""
    requested = [measure(criterion) for criterion in measures]
    for criterion in requested:
        if criterion.traits.direction != "example":
            raise MeasureError(
                f"{criterion} has no scores of single items; choose one such as example.F"
            )
        if criterion.traits.better == "neither":
            raise MeasureError(
                f"by {criterion} no run is better than another; choose another measure"
            )
    return requested


def _shown(truth: Truth, run: Run, labels: Labels, missing: Missing) -> Bools:
    """(items, concepts): the label sets of a run as they are shown."""
    beside = Comparison(truth, run, missing=missing)
    if labels not in ("decided", "first"):
        raise InputError(
            f"labels={labels!r}", mend='choose "decided" or "first"', parameter="labels"
        )
    words = beside.decided_sets if labels == "decided" else beside.top_sets[0]
    return unpack(words, truth.shape[1])


_Candidate = tuple[int, str, str]
"""An item and two runs, the one first that the second measure prefers."""


def _groups(
    evaluation: Evaluation,
    sets: Mapping[str, Bools],
    tied: Measure,
    split: Measure,
    tie: float,
    random: np.random.Generator,
) -> Iterator[list[_Candidate]]:
    """The candidates of each pair of runs, by the run preferred, largest differences first."""
    sign = -1.0 if split.traits.better == "lower" else 1.0
    lots = np.empty(len(evaluation.truth.items))
    by_name = sorted(range(len(lots)), key=evaluation.truth.items.__getitem__)
    pairs = list(combinations(sorted(evaluation.runs), 2))
    for which in random.permutation(len(pairs)).tolist():
        first, other = pairs[which]
        lots[by_name] = random.random(len(lots))
        even = np.abs(evaluation.units(first, tied) - evaluation.units(other, tied)) <= tie
        gap = sign * (evaluation.units(first, split) - evaluation.units(other, split))
        eligible = even & (np.abs(gap) > tie) & (sets[first] != sets[other]).any(axis=1)
        # Equal differences may differ by a rounding; then the lot decides.
        order = np.lexsort((lots, -np.round(np.abs(gap), 9)))
        for preferred, less, mine in ((first, other, gap > 0), (other, first, gap < 0)):
            yield [(index, preferred, less) for index in order[(eligible & mine)[order]].tolist()]


def _in_turns(groups: Sequence[Sequence[_Candidate]], count: int) -> list[_Candidate]:
    """One of each group in turn, each item once, until there are enough or none is left."""
    chosen: list[_Candidate] = []
    used: set[int] = set()
    left = [iter(group) for group in groups]
    while left and len(chosen) < count:
        for group in list(left):
            new = next((candidate for candidate in group if candidate[0] not in used), None)
            if new is None:
                left.remove(group)
            elif len(chosen) < count:
                chosen.append(new)
                used.add(new[0])
    return chosen


def _sided(
    chosen: Sequence[_Candidate],
    truth: Truth,
    sets: Mapping[str, Bools],
    random: np.random.Generator,
) -> tuple[Pairing, ...]:
    """Questions in a random order, the preferred run of each group on the left every other time."""
    turn: dict[tuple[str, str], bool] = {}
    sided: list[tuple[int, str, str]] = []
    for index, preferred, less in chosen:
        group = (preferred, less)
        # The other run of the pair begins on the other side, so that odd numbers even out.
        before = turn.get(group, turn.get((less, preferred)))
        turn[group] = bool(random.random() < 0.5) if before is None else not before
        sided.append((index, *((preferred, less) if turn[group] else (less, preferred))))

    def named(row: Bools) -> tuple[str, ...]:
        return tuple(truth.concepts[column] for column in np.flatnonzero(row).tolist())

    digits = len(str(len(sided)))
    pairings = []
    for number, which in enumerate(random.permutation(len(sided)).tolist(), start=1):
        index, left, right = sided[which]
        pairings.append(
            Pairing(
                f"q{number:0{digits}}",
                truth.items[index],
                left,
                right,
                named(sets[left][index]),
                named(sets[right][index]),
                named(truth.labels[index]),
            )
        )
    return tuple(pairings)
