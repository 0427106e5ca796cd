"""`cranfield plan`: how many items it takes to be sure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Missing, positive, probability
from cranfield.cli.evaluate import naming, read_runs, score_runs
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, spare
from cranfield.cli.intervals import clusters_option
from cranfield.cli.options import (
    AgreementOption,
    Concepts,
    CostsOption,
    Format,
    Json,
    MissingOption,
    OntologyOption,
    RelatednessOption,
    TableOutput,
    TruthPath,
    csv_option,
    measure_option,
)
from cranfield.cli.threshold_files import NumberOrFile, cut_of, file_in

if TYPE_CHECKING:
    from cranfield.statistics.intervals import Plan

DEFAULT_MEASURES = ("concept.AP", "example.AP")
_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield plan truth.csv run.csv -m concept.AP --margin 0.01",
            "cranfield plan truth.csv old.csv new.csv -m concept.AP",
            "cranfield plan truth.csv old.csv new.csv -m example.F --difference 0.005 --power 0.9",
        ),
    )(plan)


def plan(
    truth: TruthPath,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN",
            help="Runs: files or folders of them; default: those in the collection folder.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[list[str] | None, measure_option("Measure", DEFAULT_MEASURES)] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            callback=positive,
            help="How many items until a score is known within ± this; without it: until every "
            "other run is told from the first.",
            show_default=False,
        ),
    ] = None,
    difference: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            callback=positive,
            help="The difference between runs that is to be found; default: the one seen here.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        float,
        typer.Option(
            metavar="SHARE", callback=probability, help="Of the interval, or 1 − α of the test."
        ),
    ] = 0.95,
    power: Annotated[
        float,
        typer.Option(
            metavar="SHARE", callback=probability, help="The chance to find the difference."
        ),
    ] = 0.8,
    clusters: Annotated[Path | None, clusters_option()] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("plan")] = False,
    output: TableOutput = None,
    threshold: NumberOrFile = None,
    missing: MissingOption = Missing.error,
    format: Format = None,
    concepts: Concepts = None,
    ontology: OntologyOption = None,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
) -> None:
    """Say how many items it takes to be sure, judging by the items at hand."""
    if margin is not None and difference is not None:
        raise typer.BadParameter("--margin is for one run, --difference for two; leave one out")
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)

    from cranfield import formats
    from cranfield.cli.knowledge_files import KnowledgeFiles
    from cranfield.cli.run_files import files_of, named_runs
    from cranfield.errors import InputError
    from cranfield.measures import measure as named
    from cranfield.statistics import intervals

    about = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    scored = [file for run in runs or () for file in files_of(run)]
    spare((truth, concepts, clusters, file_in(threshold), *about.all, *scored), output)
    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(truth, concepts=names, format=format)
    known = about.read(collection.truth.concept_axis)
    files = named_runs(runs or collection.runs)
    with naming(files, maps=about.called(truth)):
        read = read_runs(collection, files, format=format, threshold=cut_of(threshold))
        wanted = [named(one) for one in measure or DEFAULT_MEASURES]
        result = score_runs(
            collection, read, wanted, known, weights=None, missing=missing, topics=None
        )
    if margin is None and len(result.runs) < 2:
        raise InputError("one run: give --margin, or a second run to be told from it")
    together = None
    if clusters is not None:
        together = formats.splits.read_groups(clusters, collection.truth.items)
    first, *others = result.runs
    pairs = (
        [(run, None) for run in result.runs]
        if margin is not None
        else [(run, first) for run in others]
    )
    plans = [
        intervals.plan(
            result,
            one,
            run=run,
            against=against,
            margin=margin,
            difference=difference,
            level=level,
            power=power,
            clusters=together,
        )
        for one in result.measures
        for run, against in pairs
    ]
    _show(plans, form, output)


def _show(plans: list[Plan], form: str, path: Path | None) -> None:
    import json

    from cranfield.cli.screen import output, plain
    from cranfield.report.plans import plan_csv, plan_table

    if form == "json":
        rows = {"plans": [one.row() for one in plans]}
        deliver(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", path)
    elif form == "csv":
        deliver(plan_csv(plans), path)
    elif path is None:
        output().print(plan_table(plans))
    else:
        deliver(plain(plan_table(plans)), path)
