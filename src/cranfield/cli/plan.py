"""`cranfield plan`: how many items it takes to be sure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import positive, probability
from cranfield.cli.evaluate import naming, score_runs
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, spare
from cranfield.cli.intervals import clusters_option
from cranfield.cli.options import (
    Json,
    TableOutput,
    TruthPath,
    csv_option,
    measure_option,
)
from cranfield.cli.reading import Reading, reads

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
    )(reads(plan))


def plan(
    reading: Reading,
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
) -> None:
    """Say how many items it takes to be sure, judging by the items at hand."""
    if margin is not None and difference is not None:
        raise typer.BadParameter("--margin is for one run, --difference for two; leave one out")
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)

    from cranfield import formats
    from cranfield.commands.run_files import files_of, named_runs
    from cranfield.errors import InputError
    from cranfield.measures import measure as named
    from cranfield.statistics import intervals

    scored = [file for run in runs or () for file in files_of(run)]
    spare((truth, clusters, *reading.files, *scored), output)
    collection = reading.collection(truth)
    known = reading.about.read(collection.truth.concept_axis)
    files = named_runs(runs or collection.runs)
    with naming(files, maps=reading.about.called(truth)):
        read = reading.runs(collection, files)
        wanted = [named(one) for one in measure or DEFAULT_MEASURES]
        result = score_runs(
            collection, read, wanted, known, weights=None, missing=reading.missing, topics=None
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
