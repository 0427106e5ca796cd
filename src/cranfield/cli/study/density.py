"""`cranfield study density`: which measures reward runs for how many labels they assign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TableOutput, TruthPath, csv_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import DECISIONS, Files, Seed, StudiedDecisions, StudiedRuns


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study density truth.csv runs/",
            "cranfield study density truth.csv runs/ --ontology pto2009 --picture density.svg",
            "cranfield study density collection/ -m concept.R -m concept.P -o density.csv",
        ),
    )(reads(density))


def density(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    measure: StudiedDecisions = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("run")] = False,
    output: TableOutput = None,
    picture: Annotated[Path | None, picture_option("score against density")] = None,
    seed: Seed = 0,
) -> None:
    """Hold scores against label density: does it pay to assign more labels?

    The density of a run is the share of all labels that it assigns. Random runs of all densities,
    which differ in nothing else, show what the measure makes of density alone.
    """
    files = Files(truth, runs, reading, output, picture)
    form = files.form(as_json=as_json, as_csv=as_csv)

    from cranfield.cli.screen import progress
    from cranfield.report.guesses import density_csv, density_picture, density_table
    from cranfield.studies.field import count_of_runs
    from cranfield.studies.label_density import label_density
    from cranfield.studies.reference_runs import RANDOM_PERCENTAGES

    studied = files.read()
    wanted = studied.measures(measure, DECISIONS)
    steps = count_of_runs(studied.runs, RANDOM_PERCENTAGES)
    with (
        files.naming(studied.files),
        progress("scoring", steps) as step,
    ):
        found = label_density(
            studied.collection, studied.runs, wanted, seed=seed, progress=step, **studied.options
        )
    files.show(
        form,
        table=density_table(found),
        content=found.to_dict(),
        lines=density_csv(found),
    )
    if picture is not None:
        files.draw(density_picture(found))
