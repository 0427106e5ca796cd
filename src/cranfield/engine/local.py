"""Evaluation in this process, its work shared between the cores.

Several runs: threads over runs. One run: threads over its columns and rows. The numbers are the
same either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

import numpy as np

from cranfield import kernels
from cranfield.axes import Missing
from cranfield.collection import Collection
from cranfield.comparison import Comparison, Direction
from cranfield.errors import InputError, first_ten, several
from cranfield.evaluation import Evaluation, Score, mean
from cranfield.frames import Frame, read_frame
from cranfield.knowledge import Knowledge, Known
from cranfield.matrices import as_array
from cranfield.measures import Measure, measure
from cranfield.run import Run
from cranfield.truth import Truth, Unjudged
from cranfield.weights import Weights, as_weights


def evaluate(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: str | Measure | Iterable[str | Measure],
    *,
    ontology: Any = None,
    costs: Any = None,
    relatedness: Any = None,
    agreement: Any = None,
    weights: Any = None,
    missing: Missing = "error",
    progress: Callable[[Run], None] | None = None,
) -> Evaluation:
    """Score runs by measures.

    weights   of concepts or items: an array, a mapping of ids, or {"concepts": …, "items": …}
    missing   "error", or "absent": what a run does not mention was not retrieved
    progress  called with each run that is done

    Knowledge about concepts; a collection brings its own, and what is given here goes before it:
    ontology     a `cf.Ontology`
    costs        (C, C) array or `cf.CostMap`, or {"FTS": …} for measures such as OS(costs=FTS)
    relatedness  likewise, for SRP(relatedness=FTS)
    agreement    (C,) array, mapping of concepts or `cf.AgreementMap`
    Arrays follow the truth's concepts; maps and frames with ids align by them.
    """
    given = Knowledge.given(
        ontology=ontology, costs=costs, relatedness=relatedness, agreement=agreement
    )
    if isinstance(truth, Collection):
        given = given.over(truth.knowledge)
    truth = _as_truth(truth)
    known = Known(truth.concept_axis, given)
    if missing not in get_args(Missing):
        raise InputError(f"missing={missing!r}; choose 'error' or 'absent'")
    listed = _as_runs(runs)
    wanted = list(dict.fromkeys(one.where(truth.unjudged) for one in _as_measures(measures)))
    heavy = as_weights(weights, truth)
    done: list[list[Score]] = [[] for _ in listed]

    def work(places: range) -> None:
        for place in places:
            done[place] = _score_run(truth, listed[place], wanted, heavy, missing, known)
            if progress is not None:
                progress(listed[place])

    if len(listed) >= kernels.worker_count():
        kernels.share(len(listed), 1, work)
    else:
        work(range(len(listed)))
    return Evaluation(truth, [score for scores in done for score in scores])


def score(truth: Any, scores: Any, spelling: str | Measure, **options: Any) -> float:
    """Arrays in, float out: the score of one prediction matrix by one measure.

    One-dimensional arrays are one concept. A boolean second array holds decisions, any other
    confidences; two frames align by their ids. Options are those of `evaluate`, and threshold=.
    """
    if isinstance(truth, Truth | Collection) or isinstance(scores, Run):
        raise InputError("cf.score takes arrays; with a Truth and a Run, call cf.evaluate")
    labels, said = _as_columns("labels", truth), _as_columns("scores", scores)
    threshold = options.pop("threshold", None)
    decided = (said.values if isinstance(said, Frame) else said).dtype == np.bool_
    run = Run(**{"labels" if decided else "scores": said}, threshold=threshold)
    return evaluate(Truth(labels), run, spelling, **options)[run.name, spelling]


def _as_columns(what: str, given: Any) -> Any:
    frame = read_frame(what, given)
    if frame is not None:
        return frame
    if hasattr(given, "tocoo"):
        return given
    array = as_array(what, given)
    return array[:, None] if array.ndim == 1 else array


def _as_truth(given: Any) -> Truth:
    if isinstance(given, Collection):
        return given.truth
    if not isinstance(given, Truth):
        raise InputError(
            f"the truth is a {type(given).__name__}; make it cf.Truth(labels), or call "
            "cf.score(labels, scores, measure)"
        )
    return given


def _as_runs(given: Any) -> list[Run]:
    try:
        runs = [given] if isinstance(given, Run) else list(given)
    except TypeError:
        raise InputError(f"runs are a {type(given).__name__}; give a list of cf.Run") from None
    for run in runs:
        if not isinstance(run, Run):
            raise InputError(f"a run is a {type(run).__name__}; make it cf.Run(scores=…, name=…)")
    names = [run.name for run in runs]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(
            f"{several(len(twice), 'run name')} more than once: {first_ten(twice)}; "
            "give each run a name of its own (name=)"
        )
    return runs


def _as_measures(given: Any) -> list[Measure]:
    try:
        return [measure(one) for one in ([given] if isinstance(given, str | Measure) else given)]
    except TypeError:
        raise InputError(
            f"measures are a {type(given).__name__}; give names such as 'concept.AP'"
        ) from None


def _score_run(
    truth: Truth,
    run: Run,
    measures: list[Measure],
    weights: Weights,
    missing: Missing,
    known: Known,
) -> list[Score]:
    modes: dict[Unjudged, list[Measure]] = {}
    for one in measures:
        modes.setdefault(one.options["unjudged"] or truth.unjudged, []).append(one)
    scores: dict[Measure, Score] = {}
    for mode, alike in modes.items():
        comparison = Comparison(truth, run, unjudged=mode, missing=missing, known=known)
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
    notes += one.notes(comparison)
    ignored = weights.note(direction)
    if ignored:
        notes.append(ignored)
    counts = None
    if direction == "micro":
        by_unit = np.full(comparison.truth.shape[0], np.nan)
        if one.traits.prediction == "decisions" and one.traits.scoring == "binary":
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
        known=comparison.known,
    )
