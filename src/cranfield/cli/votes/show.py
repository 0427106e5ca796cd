"""`cranfield votes show`: what is in files of votes, and whether they can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_votes, spare
from cranfield.cli.options import Json, output_option
from cranfield.cli.votes.inputs import (
    VoteFiles,
    VoteFormat,
    VoteInput,
    reads_votes,
)


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes show votes.csv",
            "cranfield votes show batch1.csv batch2.csv --keep-going",
            "cranfield votes show project.json --item image -o votes.csv",
            "cranfield votes show votes.csv --as label-studio -o project.json",
        ),
    )(show)


@reads_votes
def show(
    files: VoteFiles,
    how: VoteInput,
    output: Annotated[
        Path | None, output_option("Write all votes here, as item,annotator,concept,value.")
    ] = None,
    written_as: Annotated[
        VoteFormat,
        typer.Option(
            "--as",
            metavar="FORMAT",
            help="Of --output: long, choices (item,annotator,label), label-studio (JSON) or mturk.",
        ),
    ] = VoteFormat.long,
    as_json: Json = False,
) -> None:
    """Show what was asked and answered, of which items, and by whom.

    Every line is checked on the way: what is wrong is an error with file and line, or the number of
    the record.
    """
    given = how.of(*files)
    spare(given.read_files, output)
    if written_as in (VoteFormat.long, VoteFormat.choices):
        require_votes(output)
    if output is None and written_as is not VoteFormat.long:
        raise typer.BadParameter("--as says how to write --output FILE; name a file")

    from cranfield.cli.screen import data, inform
    from cranfield.cli.screen import output as screen
    from cranfield.report.vote_counts import vote_content, vote_tables

    votes = given.read()
    if output is not None:
        votes.write(output, format=written_as.value)
        inform(f"wrote {output}")
    if as_json:
        data(json.dumps(vote_content(votes), indent=2, ensure_ascii=False) + "\n")
    else:
        screen().print(vote_tables(votes))
