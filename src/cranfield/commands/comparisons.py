"""Comparisons of runs: what `compare` and `gate` read, and what they write besides."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from cranfield.collections.collection import Collection
from cranfield.commands.report_files import ReportFiles
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import FileError, InputError
from cranfield.measures import Measure
from cranfield.measures.reported import reported_measures
from cranfield.statistics.comparing import Tournament, Tournaments
from cranfield.statistics.gating import Baseline, Gate, Record, gate, record
from cranfield.studies.field import remarks_on

Topics = Annotated[
    Literal["judged", "common", "all"] | None, Option(default="judged", panel="Inputs")
]
_SEARCH_MEASURES = ("concept.AP",)
"""For TREC files, whose units are topics."""
_GATE_MEASURES = ("concept.AP", "example.AP")


# ── compare ───────────────────────────────────────────────────────────────────────────────────


class Scores(NamedTuple):
    """Runs scored by one measure, or by several."""

    result: Evaluation
    measures: Measure | tuple[Measure, ...]


def scores_by_measure(
    truth: Collection,
    runs: list[Run],
    *,
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure", short="-m", metavar="NAME", suggest="measures", default="concept.AP"
        ),
    ] = None,
    topics: Topics = None,
    missing: Any = "error",
    ontology: Any = None,
    costs: Any = None,
    relatedness: Any = None,
    agreement: Any = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Scores:
    """Runs scored by one measure, or by several.

    measures  What runs are compared by; may be repeated: letters for each, corrected over all
    topics    Of TREC files: topics of the judgements (one that a run lacks retrieved nothing), of
              both files, or of either
    """
    result = evaluate(
        truth,
        runs,
        measures or reported_measures(runs) or ["concept.AP"],
        ontology=ontology,
        costs=costs,
        relatedness=relatedness,
        agreement=agreement,
        missing=missing,
        topics=topics,
        progress=progress,
    )
    for remark in remarks_on(runs, result.measures, terms=result.terms):
        notify(remark)
    return Scores(result, result.measures if len(result.measures) > 1 else result.measures[0])


def comparison_report(
    analysis: Tournament | Tournaments,
    truth: Collection,
    result: Evaluation,
    report_files: ReportFiles,
    progress: Progress = silent,
) -> None:
    """Write the page of an evaluation with this comparison in it."""
    report_files.write(
        result, progress, collection=truth, tournament=analysis, alpha=analysis.alpha
    )


# ── gate ──────────────────────────────────────────────────────────────────────────────────────


class GatedRuns(NamedTuple):
    """A run, the run it is held against or the stored scores of that, and the margins."""

    runs: list[Path]
    stored: list[Record] | None
    margins: dict[str, float]


def gated_runs(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    run: Annotated[Path, Argument(metavar="RUN")],
    *,
    baseline: Annotated[Path | None, Option(metavar="FILE")] = None,
    margin: Annotated[list[str] | None, Option(metavar="[MEASURE=]NUMBER")] = None,
    write_baseline: Annotated[Path | None, Option(metavar="FILE", writes="file")] = None,
) -> GatedRuns:
    """A run and its baseline.

    truth           A truth file, or a collection folder.
    run             The run that is to pass.
    baseline        The run to hold it against; or its scores: JSON of gate --write-baseline, or of
                    evaluate --per-unit --json.
    margin          The largest loss that does not matter, for all measures or for one; may be
                    repeated.
    write_baseline  Also write the scores of RUN, as the baseline of later ones.
    """
    from cranfield.commands.run_files import named_runs
    from cranfield.formats.baselines import is_baseline, read_baseline
    from cranfield.formats.scores import is_scores

    margins = _margins(margin or ())
    if baseline is None and write_baseline is None:
        raise InputError(
            "there is nothing to hold this run against",
            mend="give {baseline} a run, or {write_baseline} to store the scores of this one",
            parameter="baseline",
        )
    if baseline is not None and not margins:
        raise InputError(
            "give the largest loss that does not matter, such as 0.01", parameter="margin"
        )
    scored = is_scores(truth)  # whose runs are called by their names
    is_file = baseline is not None and (not scored or baseline.is_file())
    stored = read_baseline(baseline) if baseline and is_file and is_baseline(baseline) else None
    paths = [run, *([baseline] if baseline is not None and stored is None else ())]
    if scored and any(map(is_scores, paths)):
        raise InputError(
            "a run of a file of scores has a name, and this is another file",
            mend="give a folder of all files, and the names of two runs",
            parameter="baseline",
        )
    if not scored and len(named_runs(paths)) != len(paths):
        raise InputError(
            "give one run and one other as its baseline, each a file", parameter="baseline"
        )
    return GatedRuns(paths, stored, margins)


def _margins(texts: list[str] | tuple[str, ...]) -> dict[str, float]:
    """Margins by measure; that for all of them is called ""."""
    margins: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            margin = float(number)
        except ValueError:
            margin = math.nan
        if not (math.isfinite(margin) and margin >= 0.0):
            raise InputError(
                f"{text!r}; give a number from 0 up, or MEASURE=NUMBER", parameter="margin"
            )
        if name in margins:
            raise InputError(f"two margins for {name or 'all'}", parameter="margin")
        margins[name] = margin
    return margins


def gate_run(
    truth: Collection,
    runs: list[Run],
    stored: list[Record] | None,
    margins: dict[str, float],
    *,
    measures: Annotated[
        list[str] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="measures",
            default="concept.AP and example.AP",
        ),
    ] = None,
    level: Annotated[float, Option(metavar="SHARE")] = 0.95,
    resample: Annotated[Literal["auto", "items", "clusters", "concepts"], Option()] = "auto",
    topics: Topics = None,
    baseline: Path | None = None,
    write_baseline: Path | None = None,
    junit: Annotated[Path | None, Option(metavar="FILE", writes="file")] = None,
    markdown: Annotated[Path | None, Option(metavar="FILE", writes="file")] = None,
    missing: Any = "error",
    ontology: Any = None,
    costs: Any = None,
    relatedness: Any = None,
    agreement: Any = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Gate | Baseline:
    """Let a run pass if it is not worse than a baseline by more than a margin.

    Exit codes: 0 pass, 3 fail, 4 undecided; 1 bad input or scores that do not compare, 2 wrong
    usage. With several measures all must pass. Without --baseline scores are only stored.

    measures  Measure; may be repeated
    level     Of the intervals.
    resample  Units to compare on; auto: items, or clusters of them where the truth has such; but
              concepts (topics) of TREC files.
    topics    Of TREC files: topics of the judgements (one that a run lacks retrieved nothing), of
              both files, or of either
    junit     Also write JUnit XML, for build servers.
    markdown  Also write Markdown, for pull requests.
    """
    from cranfield.core.atomic_write import replaced
    from cranfield.formats import baselines
    from cranfield.show import write

    usual = _SEARCH_MEASURES if truth.truth.open else _GATE_MEASURES
    result = evaluate(
        truth,
        runs,
        measures or reported_measures(runs) or usual,
        ontology=ontology,
        costs=costs,
        relatedness=relatedness,
        agreement=agreement,
        missing=missing,
        topics=topics,
        progress=progress,
    )
    for remark in remarks_on(runs, result.measures, terms=result.terms):
        notify(remark)
    name = runs[0].name
    records = [record(result.score(name, by), resample) for by in result.measures]
    scores = Baseline(records, result.terms)
    if write_baseline is not None:
        baselines.write_baseline(list(scores.records), write_baseline)
    if baseline is None:
        return scores
    try:
        analysis = gate(
            result,
            runs[1].name if stored is None else stored,
            run=name,
            margin=margins,
            level=level,
            resample=resample,
        )
    except InputError as error:
        if stored is not None and error.about and error.about[0] == "baseline":
            raise FileError(baseline, error.what, mend=error.mend) from None
        raise
    if junit is not None:
        with replaced(junit) as stream:
            stream.write(analysis.to_junit().encode())
    if markdown is not None:
        write(analysis.result, markdown, "markdown")
    return analysis
