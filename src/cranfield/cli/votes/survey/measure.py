"""`cranfield votes survey measure`: a questionnaire about label sets that a measure cannot tell
apart and another can."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, TruthPath, measure_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import Files, Seed, StudiedRuns
from cranfield.cli.votes.survey.options import Instructions, NewFolder, Title, require_new

if TYPE_CHECKING:
    from collections.abc import Iterable

_TIE = 1e-9


class Shown(StrEnum):
    """What is shown of a run."""

    decided = "decided"
    first = "first"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes survey measure truth.csv a.csv b.csv --tied example.F --split OS "
            "--ontology pto2009 -o survey",
            "cranfield votes survey measure collection/ --tied example.RP --split SRP "
            "--labels first --show-truth --images images.csv -o survey",
            "cranfield votes survey preferences survey answers*.csv",
        ),
    )(reads(measure))


def measure(
    reading: Reading,
    truth: TruthPath,
    output: NewFolder,
    tied: Annotated[
        str, typer.Option(metavar="NAME", help="The measure that ties two runs on an item.")
    ],
    split: Annotated[
        str, typer.Option(metavar="NAME", help="The measure that tells them apart there.")
    ],
    runs: StudiedRuns = None,
    further: Annotated[
        list[str] | None, measure_option("Further measure to report on", ("none",))
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Items to ask about.")] = 20,
    tie: Annotated[
        float, typer.Option(metavar="NUMBER", min=0.0, help="Differences up to this are none.")
    ] = _TIE,
    labels: Annotated[
        Shown,
        typer.Option(
            metavar="decided|first",
            help="What is shown of a run: the labels it decided for, or its surest ones, as many "
            "as are true of the item.",
        ),
    ] = Shown.decided,
    show_truth: Annotated[
        bool, typer.Option("--show-truth", help="Show people which labels are right.")
    ] = False,
    images: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where items can be seen: CSV with the header item,image_url."
        ),
    ] = None,
    title: Title = "",
    instructions: Instructions = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Make a questionnaire: which of two label sets describes an item better?

    Items are those on which one measure ties two runs and another does not; runs that know nothing,
    such as Random50, are not asked about. Nobody sees which run is which. The folder holds
    questionnaire.html, which works alone and at Mechanical Turk, sheet.csv, the same as a table to
    fill in, and key.json, which stays with you. What comes back goes to
    [bold]votes survey preferences[/bold].
    """
    require_new(output)
    given = Files(truth, runs, reading, None, None)

    from cranfield.assessment import surveys
    from cranfield.assessment.jobs.images import read_images
    from cranfield.cli.screen import data, inform, waiting
    from cranfield.studies.field import systems_of

    seen = None if images is None else read_images(images)
    studied = given.read()
    with given.naming(studied.files), waiting("scoring"):
        survey = surveys.measure_survey(
            studied.collection,
            systems_of(studied.runs),
            tied,
            split,
            further=further or (),
            count=count,
            tie=tie,
            labels=labels.value,
            seed=seed,
            **studied.options,
        )
    _require_images(images, seen, (pair.item for pair in survey.pairings))
    names = studied.collection.descriptions
    surveys.write_survey(
        survey,
        output,
        page=surveys.measure_page(
            survey,
            title=title,
            instructions=instructions or (),
            images=seen,
            names=names,
            show_truth=show_truth,
        ),
        sheet=surveys.measure_sheet(survey, images=seen, names=names, show_truth=show_truth),
    )
    asked = len(survey.pairings)
    inform(f"wrote {output}: {asked} of {survey.candidates} items that could be asked about")
    if asked < count:
        inform(f"there are fewer than {count}; more runs, or a larger --tie, would give more")
    if as_json:
        told = {"folder": str(output), "items": asked, "candidates": survey.candidates}
        data(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def _require_images(path: Path | None, images: dict[str, str] | None, items: Iterable[str]) -> None:
    from cranfield.errors import FileError, first_ten

    lacking = [] if images is None else sorted(item for item in items if item not in images)
    if lacking and path is not None:
        raise FileError(path, f"there is no image of {first_ten(lacking)}; write a line for each")
