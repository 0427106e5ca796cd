"""`cranfield votes hits read`: the answers to a crowd job as votes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_votes, spare
from cranfield.cli.options import Json, output_option
from cranfield.cli.votes.hits.options import JobPath, Results
from cranfield.cli.votes.inputs import KeepGoing, tell

if TYPE_CHECKING:
    from cranfield.assessment.jobs.folder import Asked
    from cranfield.assessment.votes import Votes

Rejected = Annotated[
    bool, typer.Option("--rejected", help="Count assignments that were rejected, too.")
]


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes hits read job Batch_1_results.csv -o votes.csv",
            "cranfield votes hits read job Batch_*_results.csv --keep-going -o votes.csv",
        ),
    )(read)


def read(
    job: JobPath,
    results: Results,
    output: Annotated[
        Path | None, output_option("Write the votes here, as item,annotator,concept,value.")
    ] = None,
    keep_going: KeepGoing = False,
    rejected: Rejected = False,
    as_json: Json = False,
) -> None:
    """Read what people answered, by the form that they saw.

    The form knows what results do not tell: boxes that nobody ticked, and answers that nobody gave.
    Who handed in a page and left a box empty said no.
    """
    spare((*results, job / "job.json"), output)
    require_votes(output)

    from cranfield.assessment.jobs import read_job
    from cranfield.cli.screen import data, inform
    from cranfield.cli.screen import output as screen
    from cranfield.report.vote_counts import vote_content, vote_tables

    votes = read_results(read_job(job), results, keep_going=keep_going, rejected=rejected)
    if output is not None:
        votes.write(output)
        inform(f"wrote {output}")
    if as_json:
        data(json.dumps(vote_content(votes), indent=2, ensure_ascii=False) + "\n")
    else:
        screen().print(vote_tables(votes))


def read_results(
    asked: Asked, results: Sequence[Path], *, keep_going: bool, rejected: bool
) -> Votes:
    """Answers to a job; what is wrong or left out is told on standard error."""
    from cranfield.assessment.jobs import read_answers
    from cranfield.cli.screen import inform, waiting

    with waiting("reading answers"):
        votes = read_answers(asked, *results, keep_going=keep_going, rejected=rejected)
    tell(map(str, votes.problems), len(votes.problems))
    for note in votes.notes:
        inform(note)
    return votes
