"""Scores: functions that the commands `evaluate` and `explain` call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from cranfield.collections.collection import Collection
from cranfield.collections.extra_items import left_out_remarks
from cranfield.commands.report_files import NO_REPORT, ReportFiles
from cranfield.commands.score_inputs import Resampling
from cranfield.core.aligned import Topics
from cranfield.core.options import Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.engine.evaluation import Evaluation, UnitScores
from cranfield.engine.explanations import Explanations
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Knowledge
from cranfield.statistics.intervals import IntervalScores
from cranfield.tasks.retrieval.trec_style import TrecEvaluation

_TREC = "TREC files"

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
    from cranfield.measures.reported import reported_measures

    if style == "trec" and reported_measures(runs):
        raise InputError("it does not go with scores from elsewhere", parameter="style")
    if style == "trec" or not isinstance(truth, Collection):
        return _trec_evaluation(
            truth, runs, measures, style, topics, options.get("level"), by_topic=per_unit
        )
    if titles is not None:
        truth = formats.with_topics(truth, titles)
    result = scored(truth, runs, measures, notify, progress, topics=topics, **options)
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
    result = scored(truth, runs, measures, notify, progress, by_item=True, topics=topics, **options)
    return result.explanations(items, truth.descriptions)


# ── steps ─────────────────────────────────────────────────────────────────────────────────────


def scored(
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
    from cranfield.measures.reported import measure_among, reported_measures

    reported = reported_measures(runs)
    requested = [measure_among(spelling, reported) for spelling in measures or ()]
    if not measures:
        usual = usual_measures(truth.truth, knowledge_over(truth, options).ontology)
        requested = [*reported] or usual
        requested = [m for m in requested if not by_item or m.traits.direction == "example"]
    if not (bool(measures) if chosen is None else chosen):
        possible = possible_measures(requested, runs)
        if len(possible) < len(requested):
            without = ", ".join(str(m) for m in requested if m not in possible)
            notify(f"without {without}: {_lack_of_decisions(runs)}")
        requested = possible
    report_doubts(runs, requested, notify)
    return engine.evaluate(truth, runs, requested, progress=progress, **options)


def _lack_of_decisions(runs: list[Run]) -> str:
    """Which run has no decisions, and why."""
    run = next(run for run in runs if not run.decides)
    try:
        run.cut  # noqa: B018 - asked for the error that it raises
    except InputError as error:
        return f"{run.source or run.name}: {error.what}; give --threshold {run.name}=NUMBER"
    return f"{run.source or run.name} has no decisions"


def report_doubts(runs: Iterable[Run], measures: Iterable[Any], notify: Notify) -> None:
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


def knowledge_over(truth: Collection, options: dict[str, Any]) -> Knowledge:
    names = ("ontology", "costs", "relatedness", "agreement")
    return Knowledge.given(**{name: options.get(name) for name in names}).over(truth.knowledge)


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
