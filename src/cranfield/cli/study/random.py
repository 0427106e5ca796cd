"""`cranfield study random`: which measures can be gamed by runs that know nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TableOutput, TruthPath, csv_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import (
    DECISIONS,
    RANKINGS,
    Files,
    Seed,
    StudiedMeasures,
    StudiedRuns,
)


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study random truth.csv runs/",
            "cranfield study random truth.csv runs/ --ontology pto2009 --picture random.html",
            "cranfield study random collection/ -m concept.F -m example.F --json",
        ),
    )(reads(random))


def random(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    measure: StudiedMeasures = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("measure")] = False,
    output: TableOutput = None,
    picture: Annotated[Path | None, picture_option("all runs by all measures")] = None,
    seed: Seed = 0,
) -> None:
    """Hold systems against random runs: which measures can be gamed?

    Random0 guesses confidences, Random10 to Random90 assign that share of all labels, AllOnes every
    label. A measure is gamed if the best of them scores at least as well as systems do on average.
    Runs that carry such a name are taken for them.
    """
    files = Files(truth, runs, reading, output, picture)
    form = files.form(as_json=as_json, as_csv=as_csv)

    from cranfield.cli.screen import progress
    from cranfield.report.guesses import guessing_csv, guessing_picture, guessing_table
    from cranfield.studies.field import count_of_runs
    from cranfield.studies.random_guessing import random_guessing
    from cranfield.studies.reference_runs import RANDOM_PERCENTAGES

    studied = files.read()
    wanted = studied.measures(measure, (*RANKINGS, *DECISIONS))
    steps = count_of_runs(studied.runs, RANDOM_PERCENTAGES)
    with (
        files.naming(studied.files),
        progress("scoring", steps) as step,
    ):
        found = random_guessing(
            studied.collection, studied.runs, wanted, seed=seed, progress=step, **studied.options
        )
    files.show(
        form,
        table=guessing_table(found),
        content=found.to_dict(),
        lines=guessing_csv(found),
    )
    if picture is not None:
        files.draw(guessing_picture(found))
