"""`cranfield study thresholds`: how much of a run's rank is its threshold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.completion import measure_names
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TableOutput, TruthPath, csv_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import Files, StudiedRuns


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study thresholds truth.csv runs/",
            "cranfield study thresholds truth.csv runs/ --by concept.F --ranking concept.AP",
            "cranfield study thresholds collection/ --picture thresholds.html",
        ),
    )(reads(thresholds))


def thresholds(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The measure of decisions.", autocompletion=measure_names
        ),
    ] = "example.F",
    ranking: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A measure of confidences, which ranks runs without thresholds.",
            autocompletion=measure_names,
        ),
    ] = "example.RP",
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("run")] = False,
    output: TableOutput = None,
    picture: Annotated[Path | None, picture_option("the places of runs")] = None,
) -> None:
    """Ask how much of a run's rank is its threshold.

    Each run as it decides, with the best threshold that it could have, and with the best for each
    concept; beside it the order of runs by a measure that needs no threshold. The best are found on
    the same truth: no tuning on other data reaches more.
    """
    files = Files(truth, runs, reading, output, picture)
    form = files.form(as_json=as_json, as_csv=as_csv)

    from cranfield.cli.screen import progress
    from cranfield.report.threshold_effects import (
        threshold_effect_csv,
        threshold_effect_picture,
        threshold_effect_table,
    )
    from cranfield.studies.field import judging
    from cranfield.studies.threshold_effect import threshold_effect

    judging([by, ranking])
    studied = files.read()
    with (
        files.naming(studied.files),
        progress("tuning", len(studied.runs)) as step,
    ):
        found = threshold_effect(
            studied.collection, studied.runs, by, ranking=ranking, progress=step, **studied.options
        )
    files.show(
        form,
        table=threshold_effect_table(found),
        content=found.to_dict(),
        lines=threshold_effect_csv(found),
    )
    if picture is not None:
        files.draw(threshold_effect_picture(found))
