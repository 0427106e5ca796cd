"""`cranfield study collection`: can it be relied upon, what is hard in it, who is best at what?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TruthPath, csv_option, measure_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import Files, Latex, LatexOutput, Seed, StudiedRuns

_USUAL = ("concept.AP", "concept.AUC", "concept.EER", "example.AP", "example.F")


class Shown(StrEnum):
    """Which table is printed as a whole."""

    measures = "measures"
    groups = "groups"
    concepts = "concepts"
    items = "items"
    confidences = "confidences"
    places = "places"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study collection truth.csv runs/ --groups groups.csv",
            "cranfield study collection collection/ -m concept.iAP -m OS --picture collection.html",
            "cranfield study collection truth.csv runs/ --table concepts --latex",
            "cranfield study collection truth.csv runs/ --table items -o items.csv",
        ),
    )(reads(collection))


def collection(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    measure: Annotated[
        list[str] | None,
        measure_option("Measure by concept or item, the first ranks groups", (*_USUAL, "OS")),
    ] = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Who made which run: CSV run,group; default: what runs say, else each its own.",
        ),
    ] = None,
    table: Annotated[
        Shown | None,
        typer.Option(
            metavar="measures|groups|concepts|items|confidences|places",
            help="One table as a whole; default: the beginnings of all, and concepts in CSV and "
            "LaTeX.",
            show_default=False,
        ),
    ] = None,
    confidences: Annotated[
        bool,
        typer.Option(
            "--confidences/--no-confidences",
            help="Ask whether confidences can be compared across concepts.",
        ),
    ] = True,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("row of the table")] = False,
    as_latex: Latex = False,
    output: LatexOutput = None,
    picture: Annotated[Path | None, picture_option("concepts, items and confidences")] = None,
    seed: Seed = 0,
) -> None:
    """Ask whether a collection can be relied upon, what is hard in it, and who is best at what.

    Cronbach's α with runs as subjects and concepts or items as parts; hardest concepts and items;
    the best run of each concept and of each group; what somebody would reach who picks the best run
    for each; and what measures by item lose since confidences of different concepts cannot be
    compared.
    """
    files = Files(
        *(truth, runs, reading, output, picture),
        others=() if groups is None else (groups,),
    )
    form = files.form(as_json=as_json, as_csv=as_csv, as_latex=as_latex)

    from cranfield.cli.screen import progress
    from cranfield.commands.run_files import groups_of
    from cranfield.report.collection_studies import (
        collection_csv,
        collection_latex,
        collection_tables,
    )
    from cranfield.report.collection_study_pictures import collection_picture
    from cranfield.studies.collection_study import collection_study

    studied = files.read()
    whose = groups_of(studied.files, groups)
    for run in studied.runs:
        run.group = whose.get(run.name, run.group)
    wanted = studied.measures(measure, _USUAL)
    steps = len(studied.runs) * (1 + confidences)
    with (
        files.naming(studied.files),
        progress("studying", steps) as step,
    ):
        found = collection_study(
            studied.collection,
            studied.runs,
            wanted,
            compare_confidences=confidences,
            seed=seed,
            progress=step,
            **studied.options,
        )
    whole = (table or Shown.concepts).value
    files.show(
        form,
        table=collection_tables(found, table and table.value),
        content=found.to_dict(),
        lines=collection_csv(found, whole) if form == "csv" else "",
        latex=collection_latex(found, whole) if form == "latex" else "",
    )
    if picture is not None:
        files.draw(collection_picture(found))
