"""`cranfield pool assign`: hand the documents of a pool to people, blind and balanced."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json
from cranfield.cli.pool.options import Folder


class By(StrEnum):
    """What stays together."""

    topic = "topic"
    document = "document"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield pool assign pool --to anna,ben,carla",
            "cranfield pool assign pool --to anna,ben,carla --overlap 2 --topics topics.csv",
            "cranfield pool assign pool --to group1,group2,group3 --by document",
        ),
    )(assign)


def assign(
    folder: Folder,
    to: Annotated[
        str,
        typer.Option(
            metavar="NAME,…", help="Assessors or participants, by name.", show_default=False
        ),
    ],
    overlap: Annotated[
        int, typer.Option(metavar="M", min=1, help="How many people judge each document.")
    ] = 1,
    by: Annotated[
        By,
        typer.Option(
            metavar="topic|document",
            help="Keep the documents of a topic together, or deal them out.",
        ),
    ] = By.topic,
    topics: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Titles to show in the sheets: topics of TREC, INEX or CLEF, which are laid into "
            "the folder for people to read, CSV topic,title, or the queries.csv of query --write.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Of the order of documents and people.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """Write sheets that people fill in: FOLDER/sheets/NAME/TOPIC.csv.

    Sheets are blind: topic, document and an empty column for the judgement, in a random order, no
    runs, no ranks. 0 means not relevant, 1 or more a grade of relevance. Called again, it hands out
    only what is new; people keep their topics, and what they wrote stays.
    """
    from cranfield.assessment import pools
    from cranfield.assessment.pools.files import PoolFolder
    from cranfield.cli.screen import data, inform, output
    from cranfield.errors import FileError, InputError
    from cranfield.formats.two_columns import holds_topics, read_titles
    from cranfield.report.pools import progress_content, progress_tables

    place = PoolFolder(folder)
    pool = place.read()
    titles = read_titles(topics) if topics else {}
    before: dict[pools.Pair, set[str]] = {}
    for one in place.judgements(pool):
        before.setdefault(one.pair, set()).add(one.assessor)
    people = [name.strip() for name in to.split(",")]
    try:
        sheets = pools.assign(pool, people, overlap=overlap, by=by.value, seed=seed, before=before)
    except FileError:
        raise
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--to") from None
    place.write_sheets(sheets, titles)
    if topics is not None and holds_topics(topics):
        place.lay_topics(topics)
    inform(f"wrote {len(sheets)} sheets in {place.sheets}")
    found = pools.progress_of(pool, place.judgements(pool))
    if as_json:
        data(json.dumps(progress_content(found), indent=2, ensure_ascii=False) + "\n")
    else:
        output().print(progress_tables(found))
