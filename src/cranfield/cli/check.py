"""`cranfield check`: find everything that is wrong with a file before it is scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples

if TYPE_CHECKING:
    from cranfield.collection import Collection

_SHOWN = 20


def register(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "cranfield check truth.txt",
            "cranfield check run.txt --against truth.txt",
            "cranfield check run.csv --against collection/",
        )
    )(check)


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A truth or a run.", show_default=False)
    ],
    against: Annotated[
        Path | None,
        typer.Option(metavar="TRUTH", help="The truth (file or folder) that a run must fit."),
    ] = None,
    format: Annotated[
        str | None, typer.Option(help="Format of the file, if not to be recognised.")
    ] = None,
    concepts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Names of the concepts, one a line.")
    ] = None,
) -> None:
    """Check a file: every error with its line, up to 20, then how many there are."""
    from rich.markup import escape

    from cranfield import formats
    from cranfield.cli.outcomes import BAD_INPUT
    from cranfield.cli.screen import errors, output

    names = formats.read_concepts(concepts) if concepts else None
    collection = None if against is None else formats.read_collection(against, concepts=names)
    found = formats.check(file, against=collection, concepts=names, format=format)
    if not found:
        summary = _summary(file, collection, names, format)
        output().print(f"[green]fine[/green]  {escape(str(file))}: {summary}", soft_wrap=True)
        return
    for error in found[:_SHOWN]:
        errors().print(str(error), markup=False, soft_wrap=True)
    count = f"{found.total} error{'s' if found.total > 1 else ''}"
    more = f", the first {_SHOWN} of them above" if found.total > _SHOWN else ""
    errors().print(f"[bold red]{count}[/bold red] in {escape(str(file))}{more}", soft_wrap=True)
    raise typer.Exit(BAD_INPUT)


def _summary(
    file: Path, collection: Collection | None, names: tuple[str, ...] | None, format: str | None
) -> str:
    from cranfield.formats.problems import Problems
    from cranfield.formats.registry import Expected, Options, named, recognised
    from cranfield.formats.source import opened

    expected = Expected.by(None if collection is None else collection.truth, names)
    with opened(file) as source:
        form = recognised(source) if format is None else named(format)
        read = form.read_run(source, Problems(file), expected, Options(source.name))
    items, concepts = read.shape
    return f"{items} items, {concepts} concepts, format {form.name}"
