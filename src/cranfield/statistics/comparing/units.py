"""What runs are compared by: a number for each unit and run, over the same units for all runs.

Units are items by default, for every measure: scores of single items, or the score plus the
influence of each item. Clusters are units where the truth has such (see `resampling.clusters`).
Concepts (topics) are units where items have no say of their own: in open
truths, and in tests that look at single scores when a measure has none by item.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.progress import Step
from cranfield.core.reference_names import is_system
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.errors import InputError, MeasureError, several
from cranfield.measures import Measure
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.statistics.intervals.limits import concept_values
from cranfield.statistics.resampling.clusters import Pooling, cluster_names, pooled

Resample = Literal["items", "clusters", "concepts"]

_CONCEPTS = "give {resample=concepts}"


@dataclass(frozen=True, eq=False)
class Units:
    """Runs by units."""

    values: Floats
    """(runs, units), units in the order of their ids; the higher the better."""
    resample: Resample
    scored: bool
    """Whether values are scores of single units, not influence on a score of all."""
    counted: Bools
    """Which of all items or concepts, in the order of their ids, these units are."""


def scores_of(
    evaluations: Evaluation | Iterable[Evaluation],
    measure: str | Measure,
    *,
    references: bool = False,
) -> list[Score]:
    """The scores of all systems by a measure, which must be comparable, in the order of names.

    references  whether random runs and the perfect one are taken for systems
    """
    by_run = _by_run(evaluations, measure)
    systems = sorted(run for run in by_run if references or is_system(run))
    if len(systems) < 2:
        raise InputError(
            f"there {'is' if len(systems) == 1 else 'are'} {several(len(systems), 'run')} of "
            "systems; compare at least two, besides random runs and the perfect one"
        )
    scores = [by_run[name] for name in systems]
    _require_comparable(scores)
    return scores


def references_of(
    evaluations: Evaluation | Iterable[Evaluation], measure: str | Measure
) -> list[Score]:
    """The scores of random runs and the perfect one, in the order of names."""
    by_run = _by_run(evaluations, measure)
    return [by_run[run] for run in sorted(by_run) if not is_system(run)]


def _by_run(
    evaluations: Evaluation | Iterable[Evaluation], measure: str | Measure
) -> dict[str, Score]:
    listed = [evaluations] if isinstance(evaluations, Evaluation) else list(evaluations)
    by_run: dict[str, Score] = {}
    for evaluation in listed:
        for run in evaluation.runs:
            if run in by_run:
                raise InputError(f"run {run!r} is there twice; give each run a name of its own")
            by_run[run] = evaluation.score(run, measure)
    return by_run


def units_by(evaluation: Evaluation, measure: str | Measure) -> Units:
    """What systems are compared by; raises where a measure does not compare them."""
    return values_of(scores_of(evaluation, measure), "auto", by_unit=False)


def values_of(
    scores: Sequence[Score],
    resample: Resample | Literal["auto"],
    *,
    by_unit: bool,
    pooling: Pooling = "influence",
    step: Step = lambda _: None,
) -> Units:
    """by_unit  whether the test looks at the scores of single units
    pooling  how clusters are made of their items
    step     called with shares of the work
    """
    measure = scores[0].measure
    direction, chosen = measure.traits.direction, units_of(scores[0], resample, by_unit=by_unit)
    if chosen == "items" and settled(scores[0], resample) == "concepts":
        chosen = "concepts"
    scored = direction == ("concept" if chosen == "concepts" else "example")
    if by_unit and not scored:
        concepts = direction == "concept"
        kind = "score for each item" if concepts else "scores of units"
        raise InputError(
            f"{measure} has no {kind}, which this test compares",
            mend=_CONCEPTS if concepts else "choose another test",
        )
    orders = _orders(scores, chosen)
    by_run: list[Floats] = [np.empty(0)] * len(scores)

    def work(block: range) -> None:
        for index in block:
            values = unit_values(scores[index], chosen, "mean" if by_unit else pooling)
            by_run[index] = values[orders[scores[index].truth]]
            step(1.0 / len(scores))

    kernels.share(len(scores), 1, work)
    values = _over_the_same(scores, by_run)
    counted = ~np.isnan(values[0])
    values = values[:, counted]
    if values.shape[1] < 2:
        raise InputError(
            f"{measure}: {several(values.shape[1], chosen.removesuffix('s'))} with a score; a test "
            "needs at least two"
        )
    sign = 1.0 if measure.traits.better == "higher" else -1.0
    return Units(np.ascontiguousarray(sign * values), chosen, scored, counted)


def units_of(
    score: Score, resample: Resample | Literal["auto"], *, by_unit: bool = False
) -> Resample:
    """What runs are compared on by a measure; refuses what it has not."""
    measure = score.measure
    direction, chosen = measure.traits.direction, resample
    if chosen == "auto":
        needs = score.truth.open or by_unit
        of_items: Resample = "items" if score.truth.clusters is None else "clusters"
        chosen = "concepts" if needs and direction == "concept" else of_items
    if chosen == "clusters" and score.truth.clusters is None:
        raise InputError(
            "the items of the truth come in no clusters",
            mend="give {resample=items}, or a truth with clusters",
            parameter="resample",
        )
    if chosen == "concepts" and direction != "concept":
        raise InputError(
            f"{measure} has no score for each concept",
            mend="give {resample=items}, or choose a measure concept.…",
        )
    return chosen


def unit_values(score: Score, resample: Resample, pooling: Pooling = "influence") -> Floats:
    """A number for each item, cluster or concept, whose mean is the score (but for means of
    clusters of different sizes); NaN = does not count."""
    if resample == "concepts":
        return _by_concept(score)
    values = _by_item(score)
    return pooled(values, score.truth, pooling) if resample == "clusters" else values


def unit_names(score: Score, resample: Resample) -> tuple[str, ...]:
    """What the units are called."""
    if resample == "clusters":
        return cluster_names(score.truth)
    return score.truth.concepts if resample == "concepts" else score.truth.items


def settled(score: Score, resample: Resample | Literal["auto"]) -> Resample | Literal["auto"]:
    """What was requested; concepts where anything will do and no item has a share in a score, as
    in 11-point AP."""
    if resample == "auto" and score.measure.traits.direction == "concept":
        try:
            item_values(score, widened=True)
        except NoItemValuesError:
            return "concepts"
    return resample


def _orders(scores: Sequence[Score], kind: Resample) -> dict[Truth, Ints]:
    """The indices of units in the order of their ids, for each truth."""
    truths = {score.truth for score in scores}
    if kind == "clusters":
        return {truth: np.arange(len(cluster_names(truth))) for truth in truths}
    return {
        truth: canonical_order(truth.concept_axis if kind == "concepts" else truth.item_axis)
        for truth in truths
    }


def _by_concept(score: Score) -> Floats:
    values = np.full(len(score.by_unit), np.nan)
    values[~np.isnan(score.by_unit)] = concept_values(score, 0)[0]
    return values


def _by_item(score: Score) -> Floats:
    try:
        return item_values(score, widened=True)
    except NoItemValuesError:
        if score.measure.traits.direction != "concept":
            raise
        raise InputError(
            f"{score.measure} is settled by a few items of each concept, so that no item has a "
            "share in it",
            mend=_CONCEPTS,
        ) from None


def _over_the_same(scores: Sequence[Score], by_run: list[Floats]) -> Floats:
    """(runs, units); refuses runs that were averaged over different units."""
    for score, values in zip(scores[1:], by_run[1:], strict=True):
        if not np.array_equal(np.isnan(values), np.isnan(by_run[0])):
            raise InputError(
                f"runs {scores[0].run.name!r} and {score.run.name!r} were averaged over different "
                "units, so their scores do not compare",
                mend="score both over the same, such as {topics=all}, or leave one out",
            )
    return np.array(by_run)


def _require_comparable(scores: Sequence[Score]) -> None:
    """Refuse scores by other conventions or truths, scores that are undefined, and measures that
    call nobody better."""
    first = scores[0]
    if first.measure.traits.better == "neither":
        raise MeasureError(f"{first.measure} calls nobody better; compare by another measure")
    expected = _conventions(first)
    for score in scores:
        if not math.isfinite(score.value):
            raise InputError(
                f"run {score.run.name!r} has no score by {score.measure}; leave it out"
            )
        own = _conventions(score)
        if own != expected:
            name = next(key for key in {**expected, **own} if expected.get(key) != own.get(key))
            raise InputError(
                f"runs {first.run.name!r} and {score.run.name!r} were scored by different "
                f"conventions: {name}={expected.get(name)} and {name}={own.get(name)}; score "
                "them alike"
            )


def _conventions(score: Score) -> dict[str, str]:
    """What must agree; how a run came to its decisions is its own affair."""
    chosen = {name: v for name, v in score.conventions.items() if name != "decisions"}
    return chosen | {"truth": score.truth.digest[:8]}
