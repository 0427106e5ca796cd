"""`cranfield describe`: what is in a collection, or in two of them side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_picture, spare
from cranfield.cli.options import (
    CollectionPath,
    Concepts,
    Format,
    Json,
    TableOutput,
    csv_option,
    picture_option,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cranfield.collections.description import Description, Overlap

_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield describe truth.csv",
            "cranfield describe collection/ --picture collection.html",
            "cranfield describe collection/ --json",
            "cranfield describe train.csv test.csv -o concepts.csv",
        ),
    )(describe)


def describe(
    file: CollectionPath,
    other: Annotated[
        Path | None,
        typer.Argument(
            metavar="OTHER", help="A second one, to see both side by side.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("concept")] = False,
    output: TableOutput = None,
    picture: Annotated[
        Path | None,
        picture_option("frequencies and co-occurrence"),
    ] = None,
    top: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many pairs of concepts to list.")
    ] = 10,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Describe a collection: sizes, frequencies, imbalance, what comes together, what is odd.

    With a second collection: which concepts and items they share, and whether labels agree.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)
    require_picture(picture)
    spare((file, other, concepts), output)
    spare((file, other, concepts, output), picture, option="--picture")

    from cranfield import formats
    from cranfield.collections.description import describe as described
    from cranfield.collections.description import overlap

    names = formats.read_concepts(concepts) if concepts else None
    read = [
        formats.read_collection(path, concepts=names, format=format)
        for path in (file, other)
        if path is not None
    ]
    subject = overlap(*read) if len(read) == 2 else described(*read)
    _show(subject, form, output, pairs=top)
    if picture is not None:
        _draw(subject, picture)


def _show(subject: Description | Overlap, form: str, path: Path | None, *, pairs: int) -> None:
    from cranfield.cli.screen import output, plain

    if form == "json":
        deliver(json.dumps(_content(subject, pairs), indent=2, ensure_ascii=False) + "\n", path)
    elif form == "csv":
        deliver(subject.frame.write_csv(), path)
    elif path is not None:
        deliver(plain(_tables(subject, pairs)), path)
    else:
        output().print(_tables(subject, pairs))


def _content(subject: Description | Overlap, pairs: int) -> dict[str, Any]:
    from cranfield.collections.description import Description

    if isinstance(subject, Description):
        return subject.to_dict(pairs=pairs)
    sides = [side.to_dict(pairs=pairs) for side in (subject.one, subject.other)]
    return {"collections": sides, "overlap": subject.to_dict()}


def _tables(subject: Description | Overlap, pairs: int) -> RenderableType:
    from cranfield.collections.description import Description
    from cranfield.report.descriptions import description_tables, overlap_tables
    from cranfield.report.topics import topic_table

    if not isinstance(subject, Description):
        return overlap_tables(subject)
    tables = description_tables(subject, pairs=pairs)
    if subject.collection.topics:
        tables.renderables.append(topic_table(subject.collection.topics))
    return tables


def _draw(subject: Description | Overlap, path: Path) -> None:
    from cranfield.cli.screen import inform
    from cranfield.collections.description import Description
    from cranfield.report.description_pictures import description_picture, overlap_picture
    from cranfield.report.pictures import write_picture

    if isinstance(subject, Description):
        write_picture(description_picture(subject), path)
    else:
        write_picture(overlap_picture(subject), path)
    inform(f"wrote {path}")
