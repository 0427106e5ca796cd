"""Scores: functions that the commands `evaluate`, `explain`, `slices` and `bounds` call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import left_out_remarks
from cranfield.commands.report_files import NO_REPORT, ReportFiles
from cranfield.commands.score_inputs import Resampling, require_share
from cranfield.core.aligned import Topics
from cranfield.core.options import Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.engine.evaluation import Evaluation, UnitScores
from cranfield.engine.explanations import Explanations
from cranfield.errors import MOST_DRAWS, FileError, InputError, first_ten, several
from cranfield.knowledge import Knowledge
from cranfield.measures import measure
from cranfield.measures.reported import measure_among, reported_measures
from cranfield.statistics.incomplete import Bounds, Estimates
from cranfield.statistics.intervals import IntervalScores
from cranfield.statistics.slices import Slices
from cranfield.tasks.retrieval.trec_style import TrecEvaluation

_TREC = "TREC files"
INCOMPLETE_MEASURES = ("example.P", "example.R", "example.F", "example.hamming", "micro.F")
"""What has both bounds and estimates."""
SLICED_MEASURES = ("concept.AP", "concept.AP_at_prevalence", "example.F")
_OF_CONCEPTS = ("frequency", "branches")

Measures = Annotated[
    list[str] | None,
    Option(
        name="measure",
        short="-m",
        metavar="NAME",
        suggest="measures",
        help="Measure; may be repeated.",
    ),
]
_Topics = Annotated[
    Literal["judged", "common", "all"] | None,
    Option(default="judged, with --style trec common", panel=_TREC),
]


def evaluate(
    truth: Collection,
    runs: list[Run],
    measures: list[str] | None = None,
    *,
    per_unit: Annotated[bool, Option()] = False,
    style: Literal["table", "trec"] = "table",
    topics: _Topics = None,
    titles: Annotated[Path | None, Option(panel=_TREC, needs="per_unit")] = None,
    resampling: Resampling | None = None,
    report_files: ReportFiles = NO_REPORT,
    progress: Progress = silent,
    notify: Notify = unheard,
    **options: Any,
) -> Evaluation | UnitScores | IntervalScores | TrecEvaluation:
    """Score runs against a truth.

    Runs are rows, measures columns, the best run by the first measure on top. Options such as
    --ontology override files in the collection folder.

    per_unit  Scores of every single concept or item.
    topics    Of TREC files: topics of the judgements (one that a run lacks retrieved nothing;
              trec_eval -c), of both files, or of either.
    titles    Topics with their titles, for --per-unit: TREC's <top>, XML of INEX or CLEF,
              CSV topic,title, or the queries.csv of query --write.
    """
    from cranfield import formats

    if style == "trec" and reported_measures(runs):
        raise InputError("it does not go with scores from elsewhere", parameter="style")
    if style == "trec" or not isinstance(truth, Collection):
        return _trec_evaluation(
            truth, runs, measures, style, topics, options.get("level"), by_topic=per_unit
        )
    if titles is not None:
        truth = formats.with_topics(truth, titles)
    result = _scored(truth, runs, measures, notify, progress, topics=topics, **options)
    if resampling is not None:
        scores = resampling.intervals_of(result, progress)
        report_files.write(result, progress, collection=truth, intervals=scores.intervals)
        return scores
    report_files.write(result, progress, collection=truth)
    return result.by_unit(truth.descriptions) if per_unit else result


def explain(
    truth: Collection,
    runs: list[Run],
    measures: Measures = None,
    *,
    items: Annotated[list[str], Option(name="item", short="-i", metavar="ITEM")],
    topics: _Topics = None,
    progress: Progress = silent,
    notify: Notify = unheard,
    **options: Any,
) -> Explanations:
    """Explain how runs come to their scores of single items: labels, matches, broken rules.

    items     The id of an item; may be repeated.
    measures  Measure; may be repeated; default: those of `evaluate` that score items.
    topics    Of TREC files: topics of the judgements, of both files, or of either.
    """
    unknown = [item for item in items if item not in truth.truth.item_axis.positions]
    if unknown:
        raise InputError(
            f"the truth has no item {first_ten(unknown)}; it has {first_ten(truth.items)}",
            about=("item", unknown[0]),
        )
    result = _scored(
        truth, runs, measures, notify, progress, by_item=True, topics=topics, **options
    )
    return result.explanations(items, truth.descriptions)


def slices(
    truth: Collection,
    runs: list[Run],
    measures: Measures = None,
    *,
    by: Annotated[list[str], Option(metavar="FILE|frequency|branches")],
    bins: Annotated[int, Option(minimum=2)] = 4,
    confidence: Annotated[float, Option(metavar="SHARE")] = 0.95,
    samples: Annotated[int, Option(minimum=100, maximum=MOST_DRAWS)] = 1000,
    seed: Annotated[int, Option(minimum=0)] = 0,
    report_files: ReportFiles = NO_REPORT,
    progress: Progress = silent,
    notify: Notify = unheard,
    **options: Any,
) -> Slices:
    """Score runs on slices of the collection, and tell which differ from the rest.

    by          Items by a CSV file with the header item,attribute,…, concepts by frequency or by
                branch of the ontology; may be repeated.
    measures    Measure; may be repeated; default: concept.AP, concept.AP_at_prevalence, example.F.
    bins        Parts that an attribute of more than ten different numbers is cut into.
    confidence  Level of the intervals.
    samples     Draws of the test.
    seed        Seed of draws.
    """
    from cranfield.formats.lists import read_attributes
    from cranfield.statistics.slices import slices as sliced

    require_share(confidence)
    listed = list(dict.fromkeys(by))
    read = [name if name in _OF_CONCEPTS else read_attributes(name, truth.items) for name in listed]
    files = {
        attribute: Path(name)
        for name, attributes in zip(listed, read, strict=True)
        if not isinstance(attributes, str)
        for attribute in attributes
    }
    usual = measures or [m.name for m in reported_measures(runs)] or list(SLICED_MEASURES)
    result = _scored(truth, runs, usual, notify, progress, chosen=bool(measures), **options)
    try:
        parts = sliced(
            result,
            read,
            bins=bins,
            level=confidence,
            samples=samples,
            seed=seed,
            progress=progress,
        )
    except InputError as error:
        kind, name = error.about or ("", "")
        if kind == "attribute" and name in files:
            raise FileError(files[name], error.what, mend=error.mend) from None
        raise
    report_files.write(result, progress, collection=truth, slices=parts)
    return parts


def bounds(
    truth: Collection,
    runs: list[Run],
    measures: Measures = None,
    *,
    estimate: Annotated[bool, Option()] = False,
    close: Annotated[bool, Option(excludes=("estimate",))] = False,
    outside: Annotated[Literal["unknown", "negative"], Option(excludes=("estimate",))] = "unknown",
    exact: Annotated[int, Option(minimum=0, maximum=16, excludes=("estimate",))] = 6,
    confidence: Annotated[float, Option(metavar="SHARE", needs="estimate")] = 0.95,
    draws: Annotated[int, Option(minimum=20, maximum=MOST_DRAWS, needs="estimate")] = 200,
    seed: Annotated[int, Option(minimum=0, needs="estimate")] = 0,
    notify: Notify = unheard,
    **options: Any,
) -> Bounds | Estimates:
    """Bound scores for truths with unjudged cells, or estimate them.

    Bounds are the lowest and highest scores that any judgement of the unjudged cells could lead
    to. Estimates take the judged cells for a random sample.

    measures    Measure; may be repeated; default: example.P, example.R, example.F,
                example.hamming, micro.F.
    estimate    Estimate the scores if all cells were judged.
    close       First resolve cells that the ontology implies.
    outside     What cells outside the pool are taken for.
    exact       Unjudged cells of an item up to which all judgements are tried, for measures that
                have no simpler exact bounds.
    confidence  Level of the intervals of estimates.
    draws       Truths drawn for measures by item.
    seed        Seed of draws.
    """
    from cranfield.statistics import incomplete

    require_share(confidence)
    _tell_of(runs, map(measure, measures or INCOMPLETE_MEASURES), notify)
    requested = measures or INCOMPLETE_MEASURES
    level = options.pop("level", None)
    if level is not None:
        truth = replace(truth, truth=truth.truth.at_level(level))
    if estimate:
        return incomplete.estimate(
            truth, runs, requested, level=confidence, draws=draws, seed=seed, **options
        )
    if close:
        truth = _closed(truth, options["ontology"], notify)
    return incomplete.bounds(truth, runs, requested, outside=outside, exact=exact, **options)


# ── steps ─────────────────────────────────────────────────────────────────────────────────────


def _scored(
    truth: Collection,
    runs: list[Run],
    measures: list[str] | None,
    notify: Notify,
    progress: Progress,
    *,
    by_item: bool = False,
    chosen: bool | None = None,
    **options: Any,
) -> Evaluation:
    """All runs by all measures; by the usual ones that every run has decisions for, if nobody
    chose any.

    by_item  whether usual measures are those that score items
    """
    from cranfield import engine
    from cranfield.engine.usual_measures import possible_measures, usual_measures

    reported = reported_measures(runs)
    requested = [measure_among(spelling, reported) for spelling in measures or ()]
    if not measures:
        usual = usual_measures(truth.truth, _knowledge(truth, options).ontology)
        requested = [*reported] or usual
        requested = [m for m in requested if not by_item or m.traits.direction == "example"]
    if not (bool(measures) if chosen is None else chosen):
        possible = possible_measures(requested, runs)
        if len(possible) < len(requested):
            without = ", ".join(str(m) for m in requested if m not in possible)
            notify(f"without {without}: {_lack_of_decisions(runs)}")
        requested = possible
    _tell_of(runs, requested, notify)
    return engine.evaluate(truth, runs, requested, progress=progress, **options)


def _lack_of_decisions(runs: list[Run]) -> str:
    """Which run has no decisions, and why."""
    run = next(run for run in runs if not run.decides)
    try:
        run.cut  # noqa: B018 - asked for the error that it raises
    except InputError as error:
        return f"{run.source or run.name}: {error.what}; give --threshold {run.name}=NUMBER"
    return f"{run.source or run.name} has no decisions"


def _tell_of(runs: Iterable[Run], measures: Iterable[Any], notify: Notify) -> None:
    """Say which items were left out, and which runs decide everything alike."""
    listed = list(runs)
    for remark in left_out_remarks(listed):
        notify(remark)
    if any(m.traits.prediction == "decisions" for m in measures):
        for run in listed:
            if run.decides and run.one_sided is not None:
                notify(
                    f"warning: run {run.name!r}: {run.one_sided}; cut it elsewhere with "
                    f"--threshold {run.name}=NUMBER"
                )


def _knowledge(truth: Collection, options: dict[str, Any]) -> Knowledge:
    names = ("ontology", "costs", "relatedness", "agreement")
    return Knowledge.given(**{name: options.get(name) for name in names}).over(truth.knowledge)


def _closed(truth: Collection, ontology: Any, notify: Notify) -> Collection:
    """A truth whose unjudged cells are resolved where the ontology implies them."""
    ontology = _knowledge(truth, {"ontology": ontology}).ontology
    if ontology is None:
        raise InputError(
            "it needs an ontology", mend="give {ontology=pto2009}, for example", parameter="close"
        )
    closure = ontology.close(truth.truth)
    cells = several(sum(closure.total), "unjudged cell")
    notify(f"{ontology.name} resolved {cells}; {closure.unjudged} are left")
    if closure.contradictions:
        count = several(len(closure.contradictions), "contradiction")
        notify(f"{count} left as they were; `cranfield ontology close` lists them")
    return replace(truth, truth=closure.truth)


def _trec_evaluation(
    truth: Any,
    runs: list[Run],
    measures: list[str] | None,
    style: str,
    topics: Topics | None,
    level: int | None,
    *,
    by_topic: bool,
) -> TrecEvaluation:
    """Scores by the measures of trec_eval, or of runs against preferences."""
    from cranfield.tasks.retrieval.preferences import preference_measures, preference_scores
    from cranfield.tasks.retrieval.trec_eval import trec_measures, trec_scores

    chosen: Topics = topics or "common"
    if isinstance(truth, Collection):
        if topics is not None and not truth.truth.open:
            raise InputError("it is for truths of TREC files; leave it out", parameter="topics")
        listed = trec_measures(measures or ["official"])
        scores = [trec_scores(truth.truth, run, listed, chosen, level=level) for run in runs]
        return TrecEvaluation(scores, listed, by_topic)
    if style != "trec":
        raise InputError(
            "the truth holds preferences (topic judge group document level), not labels or grades",
            mend="add {style=trec}, or {format} if it is something else",
        )
    listed = preference_measures(measures)
    return TrecEvaluation(
        [preference_scores(truth, run, listed, chosen) for run in runs], listed, by_topic
    )
