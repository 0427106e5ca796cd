"""`cranfield study correlate`: which measures put systems, and items, in the same order."""

from __future__ import annotations

from enum import StrEnum
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


class Coefficient(StrEnum):
    """How rankings of systems are compared."""

    tau = "tau"
    tau_b = "tau_b"
    tau_ap = "tau_ap"
    weighted_tau = "weighted_tau"
    spearman = "spearman"
    pearson = "pearson"


class Drawing(StrEnum):
    """What a picture shows."""

    dendrogram = "dendrogram"
    systems = "systems"
    items = "items"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study correlate truth.csv runs/",
            "cranfield study correlate collection/ -m concept.AP -m OS --picture measures.html",
            "cranfield study correlate truth.csv runs/ --show tau_ap -o correlations.csv",
            "cranfield study correlate truth.csv runs/ -m example.RP -m SRP --relatedness r.csv "
            "--picture items.png --draw items",
        ),
    )(reads(correlate))


def correlate(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    measure: StudiedMeasures = None,
    show: Annotated[
        Coefficient,
        typer.Option(
            metavar="tau|tau_b|tau_ap|weighted_tau|spearman|pearson",
            help="What the table of systems shows; JSON and CSV hold all.",
        ),
    ] = Coefficient.tau,
    items: Annotated[
        bool, typer.Option("--items/--no-items", help="Rank the items of each run as well.")
    ] = True,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("pair of measures")] = False,
    output: TableOutput = None,
    picture: Annotated[Path | None, picture_option("how measures agree")] = None,
    draw: Annotated[
        list[Drawing] | None,
        typer.Option(
            metavar="dendrogram|systems|items",
            help="What the picture shows, may be repeated: a tree of measures, runs by pairs of "
            "measures, items by the first two example-based ones; default: the first two.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = 0,
) -> None:
    """Correlate the rankings of systems, and of items, by all pairs of measures.

    Items are ranked by example-based measures, within each run; the mean over runs is shown.
    Intervals of τ are bootstrapped over runs. Random runs and the perfect one are drawn, not
    correlated.
    """
    files = Files(truth, runs, reading, output, picture)
    form = files.form(as_json=as_json, as_csv=as_csv)
    if draw and picture is None:
        raise typer.BadParameter("--draw says what --picture shows; give --picture too")

    from cranfield.cli.screen import progress
    from cranfield.report.measure_correlation_pictures import measure_correlation_picture
    from cranfield.report.measure_correlations import (
        measure_correlation_csv,
        measure_correlation_tables,
    )
    from cranfield.studies.field import count_of_runs
    from cranfield.studies.measure_correlation import correlate as correlated
    from cranfield.studies.reference_runs import RANDOM_PERCENTAGES

    studied = files.read()
    wanted = studied.measures(measure, (*RANKINGS, *DECISIONS))
    steps = count_of_runs(studied.runs, RANDOM_PERCENTAGES) + items * len(studied.runs)
    with (
        files.naming(studied.files),
        progress("correlating", steps) as step,
    ):
        found = correlated(
            studied.collection,
            studied.runs,
            wanted,
            items=items,
            seed=seed,
            progress=step,
            **studied.options,
        )
    files.show(
        form,
        table=measure_correlation_tables(found, show.value),
        content=found.to_dict(),
        lines=measure_correlation_csv(found),
    )
    if picture is not None:
        shown = draw or (Drawing.dendrogram, Drawing.systems)
        files.draw(measure_correlation_picture(found, [one.value for one in shown]))
