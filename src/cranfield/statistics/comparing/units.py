"""What runs are compared by: a number for each unit and run, over the same units for all runs.

Units are items by default, for every measure: scores of single items, or the score plus the
influence of each item. Concepts (topics) are units where items have no say of their own: in open
truths, and in tests that look at single scores when a measure has none by item.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.reference_names import is_system
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Evaluation, Score
from cranfield.errors import InputError, MeasureError, several
from cranfield.measures import Measure
from cranfield.statistics.influence import NoItemValuesError, item_values
from cranfield.statistics.intervals.limits import concept_values

Resample = Literal["items", "concepts"]

_CONCEPTS = "give resample='concepts' (on the command line --resample concepts)"


@dataclass(frozen=True, eq=False)
class Units:
    """Runs by units."""

    values: Floats
    """(runs, units), units in the order of their ids; the higher the better."""
    resample: Resample
    scored: bool
    """Whether values are scores of single units, not influence on a score of all."""


def scores_of(given: Evaluation | Iterable[Evaluation], measure: str | Measure) -> list[Score]:
    """The scores of all systems by a measure, which must be comparable, in the order of names."""
    results = [given] if isinstance(given, Evaluation) else list(given)
    found: dict[str, Score] = {}
    for result in results:
        for run in result.runs:
            if run in found:
                raise InputError(f"run {run!r} is there twice; give each run a name of its own")
            found[run] = result.score(run, measure)
    systems = sorted(filter(is_system, found))
    if len(systems) < 2:
        raise InputError(
            f"there {'is' if len(systems) == 1 else 'are'} {several(len(systems), 'run')} of "
            "systems; compare at least two, besides random runs and the perfect one"
        )
    scores = [found[name] for name in systems]
    _require_comparable(scores)
    return scores


def values_of(
    scores: Sequence[Score],
    resample: Resample | Literal["auto"],
    *,
    by_unit: bool,
    advance: Callable[[float], None] = lambda _: None,
) -> Units:
    """by_unit  whether the test looks at the scores of single units"""
    one = scores[0].measure
    direction, chosen = one.traits.direction, units_of(scores[0], resample, by_unit=by_unit)
    scored = direction == ("concept" if chosen == "concepts" else "example")
    if by_unit and not scored:
        raise InputError(
            f"{one} has no score for each item, which this test compares; {_CONCEPTS}"
            if direction == "concept"
            else f"{one} has no scores of units, which this test compares; choose another test"
        )
    orders = _orders(scores, chosen)
    by_run: list[Floats] = [np.empty(0)] * len(scores)

    def work(places: range) -> None:
        for place in places:
            by_run[place] = unit_values(scores[place], chosen)[orders[scores[place].truth]]
            advance(1.0 / len(scores))

    kernels.share(len(scores), 1, work)
    values = _over_the_same(scores, by_run)
    values = values[:, ~np.isnan(values[0])]
    if values.shape[1] < 2:
        raise InputError(
            f"{one}: {several(values.shape[1], chosen.removesuffix('s'))} with a score; a test "
            "needs at least two"
        )
    sign = 1.0 if one.traits.better == "higher" else -1.0
    return Units(np.ascontiguousarray(sign * values), chosen, scored)


def units_of(
    score: Score, resample: Resample | Literal["auto"], *, by_unit: bool = False
) -> Resample:
    """What runs are compared on by a measure; refuses what it has not."""
    one = score.measure
    direction, chosen = one.traits.direction, resample
    if chosen == "auto":
        needs = score.truth.open or by_unit
        chosen = "concepts" if needs and direction == "concept" else "items"
    if chosen == "concepts" and direction != "concept":
        raise InputError(
            f"{one} has no score for each concept; give resample='items' (on the command line "
            "--resample items), or choose a measure concept.…"
        )
    return chosen


def unit_values(score: Score, resample: Resample) -> Floats:
    """A number for each item or concept, whose mean is the score; NaN = does not count."""
    return _by_concept(score) if resample == "concepts" else _by_item(score)


def settled(score: Score, resample: Resample | Literal["auto"]) -> Resample | Literal["auto"]:
    """What was asked for; concepts where anything will do and no item has a share in a score, as
    in 11-point AP."""
    if resample == "auto" and score.measure.traits.direction == "concept":
        try:
            item_values(score)
        except NoItemValuesError:
            return "concepts"
    return resample


def _orders(scores: Sequence[Score], kind: Resample) -> dict[Truth, Ints]:
    """The places of units in the order of their ids, for each truth."""
    return {
        truth: canonical_order(truth.concept_axis if kind == "concepts" else truth.item_axis)
        for truth in {score.truth for score in scores}
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
            f"share in it; {_CONCEPTS}"
        ) from None


def _over_the_same(scores: Sequence[Score], by_run: list[Floats]) -> Floats:
    """(runs, units); refuses runs that were averaged over different units."""
    for score, values in zip(scores[1:], by_run[1:], strict=True):
        if not np.array_equal(np.isnan(values), np.isnan(by_run[0])):
            raise InputError(
                f"runs {scores[0].run.name!r} and {score.run.name!r} were averaged over different "
                "units, so their scores do not compare; score both over the same (such as "
                "topics='all'), or leave one out"
            )
    return np.array(by_run)


def _require_comparable(scores: Sequence[Score]) -> None:
    """Refuse scores by other conventions or truths, scores that are undefined, and measures that
    call nobody better."""
    first = scores[0]
    if first.measure.traits.better == "neither":
        raise MeasureError(f"{first.measure} calls nobody better; compare by another measure")
    wanted = _conventions(first)
    for score in scores:
        if not math.isfinite(score.value):
            raise InputError(
                f"run {score.run.name!r} has no score by {score.measure}; leave it out"
            )
        found = _conventions(score)
        if found != wanted:
            name = next(one for one in {**wanted, **found} if wanted.get(one) != found.get(one))
            raise InputError(
                f"runs {first.run.name!r} and {score.run.name!r} were scored by different "
                f"conventions: {name}={wanted.get(name)} and {name}={found.get(name)}; score them "
                "alike"
            )


def _conventions(score: Score) -> dict[str, str]:
    """What must agree; how a run came to its decisions is its own affair."""
    chosen = {name: v for name, v in score.conventions.items() if name != "decisions"}
    return chosen | {"truth": score.truth.digest[:8]}
