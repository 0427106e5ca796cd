"""`cranfield study power`: which measures tell runs apart, and which differences can be trusted."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.choices import probability
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TruthPath, csv_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import (
    DECISIONS,
    RANKINGS,
    Files,
    Latex,
    LatexOutput,
    Seed,
    StudiedMeasures,
    StudiedRuns,
)
from cranfield.errors import MOST_DRAWS


class Test(StrEnum):
    """How two runs are compared."""

    randomisation = "randomisation"
    bootstrap = "bootstrap"


class Resample(StrEnum):
    """What they are compared on."""

    auto = "auto"
    items = "items"
    concepts = "concepts"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study power truth.csv runs/",
            "cranfield study power collection/ -m concept.AP -m OS --picture power.html",
            "cranfield study power topics.qrels runs/ -m concept.AP -m 'concept.P@10' --latex",
        ),
    )(reads(power))


def power(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    measure: StudiedMeasures = None,
    alpha: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            callback=probability,
            help="Level of significance, and of swaps put up with.",
        ),
    ] = 0.05,
    test: Annotated[
        Test, typer.Option(metavar="randomisation|bootstrap", help="The test of two runs.")
    ] = Test.randomisation,
    resample: Annotated[
        Resample,
        typer.Option(
            metavar="auto|items|concepts",
            help="What runs are compared on; auto: items, but concepts (topics) of TREC files, "
            "and where no item has a share in a score.",
        ),
    ] = Resample.auto,
    samples: Annotated[
        int, typer.Option(metavar="N", min=100, max=MOST_DRAWS, help="Of the test.")
    ] = 2_000,
    draws: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=MOST_DRAWS, help="Of two parts of the collection."),
    ] = 500,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("measure")] = False,
    as_latex: Latex = False,
    output: LatexOutput = None,
    picture: Annotated[Path | None, picture_option("p-values and swap rates")] = None,
    seed: Seed = 0,
) -> None:
    """Tell which measures tell runs apart, and which differences can be trusted.

    Discriminative power: the share of all pairs of runs that differ significantly. Swap rate: two
    parts of the collection are drawn again and again, and it is counted how often they disagree on
    which of two runs is better, by the size of the difference.
    """
    files = Files(truth, runs, reading, output, picture)
    form = files.form(as_json=as_json, as_csv=as_csv, as_latex=as_latex)

    from cranfield.cli.screen import progress
    from cranfield.report.powers import power_csv, power_latex, power_picture, power_table
    from cranfield.studies.power import power as studied_power

    studied = files.read()
    wanted = studied.measures(measure, (*RANKINGS, *DECISIONS))
    steps = len(studied.runs) + len(wanted)
    with (
        files.naming(studied.files),
        progress("comparing", steps) as step,
    ):
        found = studied_power(
            studied.collection,
            studied.runs,
            wanted,
            alpha=alpha,
            test=test.value,
            resample=resample.value,
            samples=samples,
            draws=draws,
            seed=seed,
            progress=step,
            **studied.options,
        )
    files.show(
        form,
        table=power_table(found),
        content=found.to_dict(),
        lines=power_csv(found),
        latex=power_latex(found),
    )
    if picture is not None:
        files.draw(power_picture(found))
