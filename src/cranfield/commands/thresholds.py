"""Thresholds of a run: what `thresholds` reads, shows and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from cranfield.collections.collection import Collection
from cranfield.core.chart import Picture
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.run import Run
from cranfield.errors import FileError, InputError
from cranfield.measures.calibration import reliability
from cranfield.statistics.thresholds import RocTable, Thresholds, roc_table, tune
from cranfield.studies.field import remarks_on

_ALL = "all"
"""The table of all cells together."""


class TunedRun(NamedTuple):
    """The file of a run to tune on."""

    runs: list[Path]


def tuned_run(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    run: Annotated[Path, Argument(metavar="RUN")],
) -> TunedRun:
    """A truth and one run.

    truth  A truth file, or a collection folder.
    run    The run to tune on.
    """
    from cranfield.commands.run_files import named_runs

    if len(named_runs([run])) != 1:
        raise InputError(f"{run} is a folder of runs; name one of them", parameter="run")
    return TunedRun([run])


def find_thresholds(
    truth: Collection,
    runs: list[Run],
    *,
    by: Annotated[str, Option(metavar="NAME")] = "F",
    per: Annotated[Literal["concept", "run"], Option()] = "concept",
    subject_to: Annotated[list[str] | None, Option(metavar="MEASURE<=NUMBER")] = None,
    folds: Annotated[int, Option(minimum=0, maximum=1000)] = 5,
    seed: Annotated[int, Option(minimum=0)] = 0,
    table: Annotated[
        str | None, Option(metavar=f"CONCEPT|{_ALL}", excludes=("apply", "decisions"))
    ] = None,
    all: Annotated[bool, Option(needs="table")] = False,
    apply: Annotated[Path | None, Option(metavar="RUN", needs="decisions")] = None,
    decisions: Annotated[Path | None, Option(metavar="FILE", writes="truth", needs="apply")] = None,
    draw: Annotated[
        Literal["sweep", "densities", "roc", "pr", "reliability"] | None,
        Option(needs=("picture", "html", "save"), default="sweep"),
    ] = None,
    format: str | None = None,
    missing: Any = "error",
    ontology: Any = None,
    costs: Any = None,
    relatedness: Any = None,
    agreement: Any = None,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> Thresholds | RocTable:
    """Find the thresholds that make the decisions of a run best.

    A label is assigned where the confidence reaches the threshold. Scores before are those of the
    run's own decisions, after those at the thresholds, on the same items, which flatters;
    cross-fitted, each fold of items is decided by thresholds that were tuned on the others.

    by         What is best: F, accuracy, youden, 'cost(fp=1,fn=5)', EER or another measure of
               decisions; for --per run also averages such as example.F.
    per        A threshold for each concept, or one for all.
    subject_to  What decisions must keep to, such as 'fallout<=0.05' or 'P>=0.9'; may be repeated.
    folds      Folds of cross-fitting; 0: none.
    seed       Seed of the folds.
    table      Show thresholds of a concept instead, up to 40 at even steps; all: of all cells
               together. CSV and JSON hold every threshold.
    all        Show every threshold of --table.
    apply      Another run to decide by these thresholds.
    decisions  Where to write that run.
    draw       What charts show, of the concept of --table or of all cells: rates against the
               threshold; densities of the scores of positives and negatives; ROC or
               precision-recall curve, the best threshold marked; how often confidences come true
    """
    (run,) = runs
    limits = tuple(subject_to or ())
    for remark in remarks_on(runs, (), terms=truth.truth.terms):
        notify(remark)

    def rows_of(concept: str) -> RocTable:
        pooled = concept == _ALL and concept not in truth.truth.concepts
        return roc_table(
            truth,
            run,
            None if pooled else concept,
            by=by,
            subject_to=limits,
            whole=all,
            missing=missing,
        )

    def charts() -> Sequence[Picture]:
        shown = rows_of(table or _ALL)
        if draw == "reliability":
            return reliability(truth, run, shown.concept, missing=missing).full_result.charts
        if draw == "densities":
            return [shown.density_chart()]
        if draw == "roc" or draw == "pr":
            return [shown.curve_chart(draw)]
        return [shown.sweep_chart()]

    if table is not None:
        return replace(rows_of(table), pictures=charts)
    with progress("tuning", 0):
        thresholds = tune(
            truth,
            run,
            by,
            per=per,
            subject_to=limits,
            folds=folds,
            seed=seed,
            missing=missing,
            ontology=ontology,
            costs=costs,
            relatedness=relatedness,
            agreement=agreement,
        )
    if apply is not None and decisions is not None:
        _decide(thresholds, apply, truth, decisions, format, notify)
    return replace(thresholds, pictures=charts)


def _decide(
    thresholds: Thresholds,
    path: Path,
    collection: Collection,
    output: Path,
    format: str | None,
    notify: Notify,
) -> None:
    """Write another run with its decisions; a format that holds either has the decisions alone."""
    from cranfield import formats
    from cranfield.commands.run_files import run_name
    from cranfield.formats.contents import Content
    from cranfield.formats.registry import written_as

    name = run_name(path)
    concepts = collection.truth.concept_axis.ids
    try:
        other = formats.read_run(path, name=name, concepts=concepts, format=format)
        decided = thresholds.apply(other)
    except FileError:
        raise
    except InputError as error:
        raise FileError(path, error.what, mend=error.mend) from None
    if Content.THRESHOLD not in written_as(output).holds:
        decided = Run(
            labels=decided.assigned,
            name=name,
            items=decided.item_axis.ids,
            concepts=decided.concept_axis.ids,
        )
        notify(f"{output}: decisions without confidences")
    formats.write_run(decided, output)
