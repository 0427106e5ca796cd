"""`cranfield study stability`: which measures keep the order of runs when the truth is altered."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.collection import Collection
    from cranfield.truth import Truth


class Change(StrEnum):
    """What is altered."""

    flip = "flip"
    items = "items"
    concepts = "concepts"
    annotators = "annotators"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study stability truth.csv runs/",
            "cranfield study stability collection/ -m OS -m example.RP --levels 0.05,0.1,0.2",
            "cranfield study stability truth.csv runs/ --change items --picture stability.html",
            "cranfield study stability merged.csv runs/ --change annotators --annotator a.csv "
            "--annotator b.csv --annotator c.csv --levels 0.34",
        ),
    )(reads(stability))


def stability(
    reading: Reading,
    truth: TruthPath,
    runs: StudiedRuns = None,
    measure: StudiedMeasures = None,
    change: Annotated[
        Change,
        typer.Option(
            metavar="flip|items|concepts|annotators",
            help="Flip labels, or leave out items, concepts or annotators.",
        ),
    ] = Change.flip,
    levels: Annotated[
        str, typer.Option(metavar="SHARES", help="How much is altered at each stage.")
    ] = "0.01,0.02,0.05,0.1",
    repeats: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_DRAWS, help="How often to draw.")
    ] = 10,
    annotator: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The truth of one annotator, for --change annotators; to be repeated. Those who "
            "are left vote by majority.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("measure and level")] = False,
    output: TableOutput = None,
    picture: Annotated[Path | None, picture_option("τ over levels")] = None,
    seed: Seed = 0,
) -> None:
    """Alter the truth stage by stage, and see which measures keep the order of runs.

    τ to the ranking by the truth as it was and to that of the stage before, mean over repeats. The
    number of labels that are flipped is exact, and what is altered at one stage stays so.
    """
    files = Files(
        *(truth, runs, reading, output, picture),
        others=tuple(annotator or ()),
    )
    form = files.form(as_json=as_json, as_csv=as_csv)
    shares = _shares(levels)
    if (change is Change.annotators) != bool(annotator):
        raise typer.BadParameter("--change annotators and --annotator FILE belong together")

    from cranfield.cli.screen import progress
    from cranfield.report.stabilities import stability_csv, stability_picture, stability_tables
    from cranfield.studies.stability import stability as studied_stability

    studied = files.read()
    wanted = studied.measures(measure, (*RANKINGS, *DECISIONS))
    everyone = _annotators(annotator or (), studied.collection, reading.format)
    steps = 1 + repeats * len(shares)
    with (
        files.naming(studied.files),
        progress("altering", steps) as step,
    ):
        found = studied_stability(
            studied.collection,
            studied.runs,
            wanted,
            change=change.value,
            levels=shares,
            repeats=repeats,
            annotators=everyone,
            seed=seed,
            progress=step,
            **studied.options,
        )
    files.show(
        form,
        table=stability_tables(found),
        content=found.to_dict(),
        lines=stability_csv(found),
    )
    if picture is not None:
        files.draw(stability_picture(found))


def _shares(text: str) -> list[float]:
    try:
        shares = [float(part) for part in text.split(",")]
    except ValueError:
        shares = []
    grow = all(one < other for one, other in pairwise(shares))
    if not (shares and grow and all(0.0 < share < 1.0 for share in shares)):
        raise typer.BadParameter(
            f"{text!r}; give shares between 0 and 1 that grow, with commas between, such as "
            "0.01,0.02,0.05",
            param_hint="--levels",
        )
    return shares


def _annotators(
    files: tuple[Path, ...] | list[Path], collection: Collection, format: str | None
) -> list[Truth]:
    from cranfield import formats

    names = collection.truth.concept_axis.ids
    return [formats.read_truth(path, concepts=names, format=format) for path in files]
