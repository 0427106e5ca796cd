"""`cranfield votes survey ratings`: how closely people find words related."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, require_picture, spare
from cranfield.cli.options import Json, TableOutput, csv_option, picture_option
from cranfield.cli.study.inputs import EXTENSIONS
from cranfield.cli.votes.inputs import KeepGoing
from cranfield.cli.votes.survey.options import AnswerFiles, Level, SurveyFolder, read, show


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes survey ratings survey answers*.csv",
            "cranfield votes survey ratings survey Batch_results.csv --judgements people.csv",
            "cranfield relatedness correlate people.csv",
        ),
    )(ratings)


def ratings(
    folder: SurveyFolder,
    answers: AnswerFiles,
    judgements: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the mean grades as word,other,score, which relatedness correlate reads.",
        ),
    ] = None,
    level: Level = 0.95,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("pair")] = False,
    output: TableOutput = None,
    picture: Annotated[Path | None, picture_option("the mean grade of each pair")] = None,
    keep_going: KeepGoing = False,
) -> None:
    """Tell how closely people find words related: mean grades, intervals, and how far they agree.

    Whoever did not give 4 to a word and itself is left out, and so are these pairs from what is
    written for correlations.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, EXTENSIONS)
    require_picture(picture)
    read_files: list[Path | None] = [*answers, folder]
    for path, option in (
        (output, "--output"),
        (picture, "--picture"),
        (judgements, "--judgements"),
    ):
        spare(read_files, path, option=option)
        read_files.append(path)

    from cranfield.assessment import surveys
    from cranfield.cli.screen import inform
    from cranfield.report.pictures import write_picture
    from cranfield.report.survey_ratings import (
        ratings_content,
        ratings_csv,
        ratings_picture,
        ratings_table,
    )

    survey = surveys.read_relatedness_survey(folder)
    said = read(answers, survey.asked, surveys.RELATEDNESS, keep_going=keep_going)
    found = surveys.ratings(survey, said)
    if judgements is not None:
        found.write_judgements(judgements)
        inform(f"wrote {judgements}")
    show(
        form,
        output,
        table=lambda: ratings_table(found, level),
        content=lambda: ratings_content(found, level),
        lines=lambda: ratings_csv(found, level),
    )
    if picture is not None:
        write_picture(ratings_picture(found, level), picture)
        inform(f"wrote {picture}")
