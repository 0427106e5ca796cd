"""`cranfield votes survey preferences`: whether measures prefer what people prefer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, require_picture, spare
from cranfield.cli.options import Json, TableOutput, csv_option, measure_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import EXTENSIONS, Files, Seed
from cranfield.cli.votes.inputs import KeepGoing
from cranfield.cli.votes.survey.options import AnswerFiles, Level, SurveyFolder, read, show
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.assessment.surveys import MeasureSurvey


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes survey preferences survey answers*.csv",
            "cranfield votes survey preferences survey answers*.csv --picture people.svg",
            "cranfield votes survey preferences survey answers*.csv --truth truth.csv --run a.csv "
            "--run b.csv -m example.Acc",
        ),
    )(reads(preferences))


def preferences(
    reading: Reading,
    folder: SurveyFolder,
    answers: AnswerFiles,
    measure: Annotated[
        list[str] | None,
        measure_option("Measure beside those of the survey; needs --truth", ("none",)),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth",
            metavar="TRUTH",
            help="The truth, or collection folder, that the survey was made of.",
        ),
    ] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="RUN",
            help="The runs that it was made of, files or folders; default: those in the folder of "
            "--truth. May be repeated.",
            show_default=False,
        ),
    ] = None,
    level: Level = 0.95,
    samples: Annotated[
        int,
        typer.Option(
            metavar="N", min=10, max=MOST_DRAWS, help="Bootstraps of items for the intervals."
        ),
    ] = 2000,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("item")] = False,
    output: TableOutput = None,
    picture: Annotated[
        Path | None, picture_option("how far each measure agrees, and the votes on each item")
    ] = None,
    seed: Seed = 0,
    keep_going: KeepGoing = False,
) -> None:
    """Tell whether measures prefer the label sets that people prefer.

    On the items that people decide: how often a measure agrees, says the opposite or ties; whether
    one measure is closer to people than another; and how far people agree with each other.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, EXTENSIONS)
    require_picture(picture)
    if bool(measure) != (truth is not None):
        raise typer.BadParameter("further measures need both --measure and --truth")
    read_files = (*answers, folder, truth, *(run or ()), *reading.about.all)
    spare(read_files, output)
    spare((*read_files, output), picture, option="--picture")

    from cranfield.assessment import surveys
    from cranfield.cli.screen import inform
    from cranfield.report.pictures import write_picture
    from cranfield.report.survey_preferences import (
        preference_content,
        preference_csv,
        preference_picture,
        preference_tables,
    )

    survey = surveys.read_measure_survey(folder)
    if truth is not None:
        files = Files(truth, run, reading, None, None)
        survey = _with_measures(survey, files, measure or [])
    said = read(answers, survey.asked, surveys.PREFERENCE, keep_going=keep_going)
    found = surveys.preferences(survey, said)
    measures = found.by_measure(level=level, samples=samples, seed=seed)
    show(
        form,
        output,
        table=lambda: preference_tables(found, measures, level),
        content=lambda: preference_content(found, measures, level),
        lines=lambda: preference_csv(found),
    )
    if picture is not None:
        write_picture(preference_picture(found, measures, level), picture)
        inform(f"wrote {picture}")


def _with_measures(survey: MeasureSurvey, files: Files, measures: list[str]) -> MeasureSurvey:
    from cranfield.assessment.surveys import with_measures

    studied = files.read()
    with files.naming(studied.files):
        return with_measures(survey, studied.collection, studied.runs, measures, **studied.options)
