"""`cranfield votes hits found`: what screening says about annotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_format, spare
from cranfield.cli.options import Json, output_option
from cranfield.cli.votes.hits.options import JobPath, Results
from cranfield.cli.votes.hits.read import Rejected, read_results
from cranfield.cli.votes.inputs import KeepGoing


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes hits found screening/Sky Batch_7_results.csv",
            "cranfield votes hits found screening/Sky Batch_7_results.csv --truth truth.csv "
            "-o corrected.csv",
        ),
    )(found)


def found(
    job: JobPath,
    results: Results,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The truth that was screened, to correct.")
    ] = None,
    output: Annotated[
        Path | None, output_option("Write the truth without the errors that were found.")
    ] = None,
    level: Annotated[
        float, typer.Option(metavar="SHARE", min=0.5, max=0.999, help="Of the intervals.")
    ] = 0.95,
    keep_going: KeepGoing = False,
    rejected: Rejected = False,
    as_json: Json = False,
) -> None:
    """Tell how far annotations can be trusted, by what people say who were asked again.

    Of items with the concept the share that the majority confirms is the precision. Those without
    it that people see it in, reckoned up to the whole collection, tell how much is missing.
    """
    if (truth is None) != (output is None):
        raise typer.BadParameter("give --truth and --output together, or neither")
    require_format(output)
    spare((*results, truth, job / "job.json"), output)

    from cranfield import formats
    from cranfield.assessment.jobs import read_job, screened
    from cranfield.assessment.jobs.screening import corrected
    from cranfield.cli.screen import data, inform
    from cranfield.cli.screen import output as screen
    from cranfield.errors import FileError
    from cranfield.report.crowd_jobs import screened_content, screened_table

    asked = read_job(job)
    if asked.sample is None:
        raise FileError(job, "this job is no screening; read its answers with votes hits read")
    votes = read_results(asked, results, keep_going=keep_going, rejected=rejected)
    told = screened(asked.sample, votes, level=level)
    if truth is not None and output is not None:
        formats.write_truth(corrected(formats.read_truth(truth), told), output)
        inform(f"wrote {output}")
    if as_json:
        data(json.dumps(screened_content(told), indent=2, ensure_ascii=False) + "\n")
    else:
        screen().print(screened_table(told, level))
