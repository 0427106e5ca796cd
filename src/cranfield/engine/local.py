"""Evaluation in this process, its work shared between the cores.

Several runs: threads over runs. One run: threads over its columns and rows. The numbers are the
same either way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from cranfield import kernels
from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.extra_items import covering
from cranfield.collections.readings import AnyRuns, AnyTruth, Kind, read_inputs
from cranfield.core.aligned import Topics, position_notes
from cranfield.core.axes import Extra, Missing
from cranfield.core.matrices import Floats
from cranfield.core.progress import Progress, silent
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.engine.evaluation import Evaluation, Score, mean
from cranfield.engine.weights import Weights, as_weights
from cranfield.errors import InputError, several
from cranfield.knowledge import Knowledge, Known
from cranfield.measures import Measure
from cranfield.measures import measure as measure_named
from cranfield.measures.reported import measure_among, reported_measures


def evaluate(
    truth: AnyTruth,
    runs: AnyRuns,
    measures: str | Measure | Iterable[str | Measure],
    *,
    classes: Iterable[object] | None = None,
    items: Iterable[object] | None = None,
    threshold: Any = None,
    ontology: Any = None,
    costs: Any = None,
    relatedness: Any = None,
    agreement: Any = None,
    weights: Any = None,
    missing: Missing = "error",
    extra: Extra = "error",
    topics: Topics | None = None,
    level: int | None = None,
    progress: Progress = silent,
) -> Evaluation:
    """Score runs by measures.

    truth     (N, C) of 0/1: an array, a SciPy matrix, a frame; a vector of 0/1 or of classes; a
              list of labels for each item; {topic: {document: grade}}; a `Truth` or `Collection`
    runs      confidences, or decisions (bool), in the same forms, or as predict_proba returns
              them; {topic: {document: score}}; a `Run`; several: {name: run}, or a list of `Run`
    classes   names of the columns of arrays: concepts, labels or classes
    items     names of their rows
    threshold  from which on confidences are decisions: a number, one for each class, or {run: …}
    weights   of concepts or items: an array, a mapping of ids, or {"concepts": …, "items": …}
    missing   "error", or "absent": what a run does not mention was not retrieved
    extra     items of a run that the truth lacks: "error", or "drop" them; each score says how many
    topics    of an open truth: "judged" (default), "common" to truth and run, or "all" of either
    level     of a truth with grades: the lowest that is relevant; default: the truth's own
    progress  a listener: a step for each run

    Knowledge about concepts; a collection brings its own, and what stands here overrides it:
    ontology     a `cf.Ontology`
    costs        (C, C) array or `cf.CostMap`, or {"FTS": …} for measures such as OS(costs=FTS)
    relatedness  likewise, for SRP(relatedness=FTS)
    agreement    (C,) array, mapping of concepts or `cf.AgreementMap`
    Arrays follow the truth's concepts; maps and frames with ids align by them.
    """
    knowledge = Knowledge.given(
        ontology=ontology, costs=costs, relatedness=relatedness, agreement=agreement
    )
    if missing not in get_args(Missing):
        raise InputError(f"missing={missing!r}; choose 'error' or 'absent'")
    by = _as_measures(measures, reported_measures(runs))
    inputs = read_inputs(
        truth,
        runs,
        kind=_kind(by, level),
        classes=classes,
        items=items,
        threshold=threshold,
    )
    if isinstance(inputs.truth, Collection):
        knowledge = knowledge.over(inputs.truth.knowledge)
    truth = inputs.plain if level is None else inputs.plain.at_level(level)
    listed = covering(inputs.truth, inputs.runs, extra)
    requested = list(dict.fromkeys(measure.on(truth) for measure in by))
    _require_labels(truth, requested)
    heavy = as_weights(weights, truth)
    wide = truth
    if truth.open:
        topics = topics or "judged"
        wide = _joined_by_all(truth, listed, requested, topics)
        heavy = heavy.widened(*wide.shape)
    known = Known(truth.concept_axis, knowledge)
    setting = _Setting(truth, wide, requested, heavy, missing, topics, known)
    done: list[list[Score]] = [[] for _ in listed]

    with progress("scoring", len(listed)) as step:

        def work(indices: range) -> None:
            for index in indices:
                done[index] = _score_run(setting, listed[index])
                step(1)

        if len(listed) >= kernels.worker_count():
            kernels.share(len(listed), 1, work)
        else:
            work(range(len(listed)))
    return Evaluation(wide, [score for scores in done for score in scores])


def score(truth: AnyTruth, scores: AnyRuns, spelling: str | Measure, **options: Any) -> float:
    """Arrays in, float out: the score of one run by one measure.

    Both are taken in all forms that `evaluate` takes: a vector is one concept, or holds classes; a
    boolean second array holds decisions, any other confidences; two frames align by their ids.
    Options are those of `evaluate`, such as threshold=; with level= the first array holds grades.
    """
    names = ("classes", "items", "threshold")
    inputs = read_inputs(
        truth,
        scores,
        kind=_kind([measure_named(spelling)], options.get("level")),
        **{name: options.pop(name, None) for name in names},
        copy=False,
    )
    if len(inputs.runs) != 1:
        raise InputError(f"cf.score takes one run, not {len(inputs.runs)}; call cf.evaluate")
    (run,) = inputs.runs
    return evaluate(inputs.truth, run, spelling, **options)[run.name, spelling]


def _kind(measures: list[Measure], level: int | None) -> Kind:
    """What the numbers of a truth are that comes as an array."""
    if level is not None:
        return "grades"
    numeric = ("numeric", "distribution")
    if measures and all(measure.traits.relevance in numeric for measure in measures):
        return "targets"
    return "labels"


def _as_measures(value: Any, among: Iterable[Measure]) -> list[Measure]:
    """Measures by their names, which may be those of scores from elsewhere."""
    try:
        single = isinstance(value, str | Measure) or callable(value)
        spellings = [value] if single else value
        measures = [measure_among(spelling, among) for spelling in spellings]
    except TypeError:
        raise InputError(
            f"measures are a {type(value).__name__}; give names such as 'concept.AP'"
        ) from None
    names = Counter(map(str, dict.fromkeys(measures)))
    for name, count in names.items():
        if count > 1:
            raise InputError(f"{count} functions are called {name}; give each a name of its own")
    return measures


def _require_labels(truth: Truth, measures: list[Measure]) -> None:
    for measure in measures:
        if not truth.has_labels and measure.traits.relevance not in ("numeric", "distribution"):
            raise InputError(
                f"{measure} looks at labels, and the truth holds targets only; give it labels= "
                "too, or choose a measure of numbers: MSE, RMSE, MAE, R2 or micro.cross_entropy"
            )


def _gap_note(truth: Truth, measure: Measure) -> list[str]:
    """How many cells count as negative only because nobody judged them."""
    if not truth.gaps:
        return []
    numeric = measure.traits.relevance in ("numeric", "distribution")
    return [
        f"{several(truth.gaps, 'unjudged cell')} of the truth counted as "
        f"{'0' if numeric else 'negative'}; unjudged=exclude leaves them out"
    ]


@dataclass(frozen=True)
class _Setting:
    """What all runs of an evaluation have in common."""

    truth: Truth
    wide: Truth
    """The truth joined by everything that any of the runs mentions."""
    measures: list[Measure]
    weights: Weights
    missing: Missing
    topics: Topics | None
    known: Known


def _joined_by_all(truth: Truth, runs: list[Run], measures: list[Measure], topics: Topics) -> Truth:
    """An open truth with every unit that a run of the evaluation may be scored on."""
    items: dict[str, None] = {}
    concepts: dict[str, None] = {}
    for run in runs:
        if any(measure.traits.direction == "example" for measure in measures):
            items |= dict.fromkeys(truth.item_axis.strangers(run.item_axis))
        if topics == "all":
            concepts |= dict.fromkeys(truth.concept_axis.strangers(run.concept_axis))
    return truth.joined(list(items), list(concepts))


def _score_run(setting: _Setting, run: Run) -> list[Score]:
    modes: dict[Unjudged, list[Measure]] = {}
    for measure in setting.measures:
        modes.setdefault(measure.options["unjudged"] or setting.truth.unjudged, []).append(measure)
    scores: dict[Measure, Score] = {}
    for mode, alike in modes.items():
        comparison = Comparison(
            setting.truth,
            run,
            unjudged=mode,
            missing=setting.missing,
            known=setting.known,
            topics=setting.topics,
        )
        _prepare(comparison, alike)
        scores |= {measure: _score(comparison, measure, setting) for measure in alike}
    return [scores[measure] for measure in setting.measures]


def _prepare(comparison: Comparison, measures: list[Measure]) -> None:
    """Everything that rank measures need, with one ordering for each direction."""
    graded = comparison.truth.grades is not None
    for direction in get_args(Direction):
        comparison.prepare(
            direction,
            [
                statistic
                for measure in measures
                if measure.definition.lists == direction
                and not (graded and measure.traits.relevance == "graded")  # looks at grades itself
                for statistic in measure.statistics
            ],
        )


def _score(comparison: Comparison, measure: Measure, setting: _Setting) -> Score:
    direction, weights = measure.traits.direction, setting.weights
    own = measure.units(comparison)
    by_unit = _placed(own, comparison.truth, setting.wide, direction)
    value, units, skipped = mean(by_unit, weights.of(direction), measure.traits.average)
    if direction == "example":  # items that only other runs mention were not skipped
        skipped = len(own) - units
    notes = list(comparison.run.ranking_notes) if measure.traits.prediction == "confidences" else []
    notes += [*measure.notes(comparison), *position_notes(comparison.truth, comparison.run)]
    cut = measure.traits.prediction == "decisions" and direction != "confusion"
    if cut and comparison.run.one_sided is not None:
        notes.append(comparison.run.one_sided)
    if comparison.run.left_out:
        dropped = comparison.truth.terms.several(comparison.run.left_out, "item")
        notes.append(f"without {dropped} of the run that the truth lacks")
    if setting.truth.open and measure.traits.counts_negatives:
        items = comparison.truth.shape[0]
        notes.append(f"among the {items} {comparison.truth.terms.items} that truth or run list")
    if comparison.unjudged == "negative" and not measure.traits.heeds_unjudged:
        notes += _gap_note(comparison.truth, measure)
    if measure.tool == "trec_eval" and setting.truth.open and setting.topics != "common":
        notes += _common_topics(setting, comparison.run, measure, by_unit, value)
    ignored = weights.note(direction, comparison.truth)
    if ignored:
        notes.append(ignored)
    counts = None
    if direction in ("micro", "confusion"):
        by_unit = np.full(comparison.truth.shape[0], np.nan)
    decided = measure.traits.prediction == "decisions" and measure.traits.scoring == "binary"
    if direction == "micro" and decided:
        counts = comparison.counts("example")
    return Score(
        truth=setting.wide,
        run=comparison.run,
        measure=measure,
        value=value,
        by_unit=by_unit,
        units=units,
        skipped=skipped,
        notes=tuple(notes),
        unjudged=comparison.unjudged,
        missing=setting.missing,
        topics=setting.topics,
        weights=weights.of(direction),
        counts=counts,
        known=comparison.known,
    )


def _common_topics(
    setting: _Setting, run: Run, measure: Measure, by_unit: Floats, value: float
) -> list[str]:
    """The mean over the topics that truth and run have, where it is another."""
    both = setting.truth.concept_axis.positions.keys() & run.concept_axis.positions.keys()
    common = np.array([name in both for name in setting.wide.concepts])
    weights = setting.weights.of("concept")
    weights = None if weights is None else weights[common]
    other, topics, _ = mean(by_unit[common], weights, measure.traits.average)
    if other == value:
        return []
    trec = f"{other:.4f} over the {topics} topics of truth and run, as trec_eval takes it"
    return [f"{trec}: topics=common (--topics common)"]


def _placed(values: Floats, own: Truth, common: Truth, direction: Direction) -> Floats:
    """Scores of the units that one run was scored on, among those of all runs; NaN elsewhere."""
    if own is common or direction in ("micro", "confusion"):
        return values
    axes = {"concept": (own.concept_axis, common.concept_axis)}
    here, there = axes.get(direction, (own.item_axis, common.item_axis))
    if here is there:
        return values
    out = np.full(there.size, np.nan)
    out[[there.positions[name] for name in here.names]] = values
    return out
