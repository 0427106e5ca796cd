"""`cranfield pool progress`: how far people got."""

from __future__ import annotations

import json

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json
from cranfield.cli.pool.options import Folder


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples("cranfield pool progress pool", "cranfield pool progress pool --json"),
    )(progress)


def progress(folder: Folder, as_json: Json = False) -> None:
    """Count judgements: done and asked for, by assessor and by topic.

    Every sheet is checked on the way: what cannot be a judgement is an error with file and line.
    """
    from cranfield.assessment.pools import progress_of
    from cranfield.assessment.pools.files import PoolFolder
    from cranfield.cli.screen import data, output
    from cranfield.report.pools import progress_content, progress_tables

    place = PoolFolder(folder)
    pool = place.read()
    found = progress_of(pool, place.judgements(pool))
    if as_json:
        data(json.dumps(progress_content(found), indent=2, ensure_ascii=False) + "\n")
    else:
        output().print(progress_tables(found))
