"""Evaluation in this process, its work shared between the cores.

Several runs: threads over runs. One run: threads over its columns and rows. The numbers are the
same either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

import numpy as np

from cranfield import kernels
from cranfield.axes import Missing
from cranfield.collection import Collection
from cranfield.comparison import Comparison, Direction
from cranfield.errors import InputError, first_ten
from cranfield.evaluation import Evaluation, Score, mean
from cranfield.measures import Measure, measure
from cranfield.run import Run
from cranfield.truth import Truth, Unjudged
from cranfield.weights import Weights, as_weights


def evaluate(
    truth: Truth | Collection,
    runs: Run | Sequence[Run],
    measures: str | Measure | Iterable[str | Measure],
    *,
    weights: Any = None,
    missing: Missing = "error",
    progress: Callable[[Run], None] | None = None,
) -> Evaluation:
    """Score runs by measures.

    weights   of concepts or items: an array, a mapping of ids, or {"concepts": …, "items": …}
    missing   "error", or "absent": what a run does not mention was not retrieved
    progress  called with each run that is done
    """
    truth = truth.truth if isinstance(truth, Collection) else truth
    if missing not in get_args(Missing):
        raise InputError(f"missing={missing!r}; choose 'error' or 'absent'")
    runs = [runs] if isinstance(runs, Run) else list(runs)
    wanted = list(
        dict.fromkeys(map(measure, [measures] if isinstance(measures, str | Measure) else measures))
    )
    _require_distinct([run.name for run in runs])
    heavy = as_weights(weights, truth)
    done: list[list[Score]] = [[] for _ in runs]

    def work(places: range) -> None:
        for place in places:
            done[place] = _score_run(truth, runs[place], wanted, heavy, missing)
            if progress is not None:
                progress(runs[place])

    if len(runs) >= kernels.worker_count():
        kernels.share(len(runs), 1, work)
    else:
        work(range(len(runs)))
    return Evaluation(truth, [score for scores in done for score in scores])


def score(truth: Any, scores: Any, spelling: str | Measure, **options: Any) -> float:
    """Arrays in, float out: the score of one prediction matrix by one measure.

    One-dimensional arrays are one concept. A boolean second array holds decisions, any other
    confidences; options are those of `evaluate`, and threshold=.
    """
    labels, said = (_as_columns(array) for array in (truth, scores))
    threshold = options.pop("threshold", None)
    decided = getattr(said, "dtype", None) == np.bool_
    run = Run(**{"labels" if decided else "scores": said}, threshold=threshold)
    return evaluate(Truth(labels), run, spelling, **options)[run.name, spelling]


def _as_columns(array: Any) -> Any:
    if hasattr(array, "tocoo"):
        return array
    if hasattr(array, "detach"):
        array = array.detach().cpu().numpy()
    array = np.asarray(array)
    return array[:, None] if array.ndim == 1 else array


def _score_run(
    truth: Truth, run: Run, measures: list[Measure], weights: Weights, missing: Missing
) -> list[Score]:
    modes: dict[Unjudged, list[Measure]] = {}
    for one in measures:
        modes.setdefault(one.options["unjudged"] or truth.unjudged, []).append(one)
    scores: dict[Measure, Score] = {}
    for mode, alike in modes.items():
        comparison = Comparison(truth, run, unjudged=mode, missing=missing)
        _prepare(comparison, alike)
        scores |= {one: _score(comparison, one, weights, missing) for one in alike}
    return [scores[one] for one in measures]


def _prepare(comparison: Comparison, measures: list[Measure]) -> None:
    """Everything that rank measures need, with one ordering for each direction."""
    for direction in get_args(Direction):
        comparison.prepare(
            direction,
            [
                one.statistic
                for one in measures
                if one.statistic is not None and one.definition.lists == direction
            ],
        )


def _score(comparison: Comparison, one: Measure, weights: Weights, missing: Missing) -> Score:
    direction = one.traits.direction
    by_unit = one.units(comparison)
    value, units, skipped = mean(by_unit, weights.of(direction))
    notes = list(comparison.run.ranking_notes) if one.traits.prediction == "confidences" else []
    ignored = weights.note(direction)
    if ignored:
        notes.append(ignored)
    counts = None
    if direction == "micro":
        by_unit = np.full(comparison.truth.shape[0], np.nan)
        if one.traits.prediction == "decisions":
            counts = comparison.counts("example")
    return Score(
        truth=comparison.truth,
        run=comparison.run,
        measure=one,
        value=value,
        by_unit=by_unit,
        units=units,
        skipped=skipped,
        notes=tuple(notes),
        unjudged=comparison.unjudged,
        missing=missing,
        weights=weights.of(direction),
        counts=counts,
    )


def _require_distinct(names: list[str]) -> None:
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(
            f"{len(twice)} run names stand more than once: {first_ten(twice)}; "
            "give each run a name of its own (name=)"
        )
