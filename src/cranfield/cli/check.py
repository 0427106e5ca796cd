"""`cranfield check`: find everything that is wrong with a file before it is scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Kind
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Concepts, Format
from cranfield.cli.outcomes import BAD_INPUT

if TYPE_CHECKING:
    from cranfield.collection import Collection
    from cranfield.formats import Findings

_SHOWN = 20


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield check truth.txt",
            "cranfield check labels.csv --as truth",
            "cranfield check run.txt --against truth.txt",
            "cranfield check runs/ --against truth.csv",
            "cranfield check collection/",
        ),
    )(check)


def check(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A run, a truth (files named truth.* are), a folder of runs, or a collection "
            "folder with its truth, splits and runs.",
            show_default=False,
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(metavar="TRUTH", help="The truth (file or folder) that a run must fit."),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option("--as", metavar="truth|run", help="What the file is meant to be."),
    ] = None,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Check a file: every error with its line, up to 20, then how many there are."""
    if kind is Kind.truth and against is not None:
        raise typer.BadParameter("a truth is not checked against another; leave one of them out")

    from cranfield import formats
    from cranfield.cli.run_files import named_runs
    from cranfield.formats import folder

    names = formats.read_concepts(concepts) if concepts else None
    if folder.is_collection(file) and against is None and kind is not Kind.run:
        found = _check_collection(file, names, format)
    else:
        truth = None if against is None else formats.read_collection(against, concepts=names)
        many = truth is not None or kind is Kind.run
        files = list(named_runs([file]).values()) if many else [file]
        found = [_check_file(each, kind, truth, names, format) for each in files]
    if any(found):
        raise typer.Exit(BAD_INPUT)


def _check_collection(file: Path, names: tuple[str, ...] | None, format: str | None) -> list[int]:
    """How many errors each file of a collection has; runs are checked if the truth is fine."""
    from cranfield import formats
    from cranfield.formats import folder

    listed = folder.concepts_file(file)
    names = formats.read_concepts(listed) if names is None and listed else names
    counts = [_check_file(folder.truth_file(file), Kind.truth, None, names, format)]
    if not any(counts):
        collection = formats.read_collection(file, concepts=names, format=format)
        counts += [_check_file(run, Kind.run, collection, None, format) for run in collection.runs]
    return counts


def _check_file(
    file: Path,
    kind: Kind | None,
    against: Collection | None,
    names: tuple[str, ...] | None,
    format: str | None,
) -> int:
    """Tell what is wrong with a file, or that nothing is; how many errors there are."""
    from cranfield import formats

    if against is not None:
        kind = Kind.run
    elif kind is None and file.name.startswith("truth."):
        kind = Kind.truth
    found = formats.check(
        file,
        kind="truth" if kind is Kind.truth else "run",
        against=against,
        concepts=names,
        format=format,
    )
    if kind is not None:
        verdict = f"as a {kind}"
    else:
        # Nobody said what it is, and a truth with an error is a fine run more often than not.
        other = formats.check(file, kind="truth", concepts=names, format=format)
        if other:
            verdict = f"as a run (as a truth: {_first(other)})"
        elif found:
            found, verdict = other, f"as a truth (as a run: {_first(found)})"
        else:
            verdict = "as a run and as a truth"
    if found:
        _list(found, file)
    else:
        _approve(found, file, verdict)
    return found.total


def _approve(found: Findings, file: Path, verdict: str) -> None:
    from rich.markup import escape

    from cranfield.cli.screen import output
    from cranfield.errors import several

    held = found.run or found.truth
    assert held is not None
    items, concepts = held.shape
    output().print(
        f"[green]fine[/green] {escape(verdict)}  {escape(str(file))}: {several(items, 'item')}, "
        f"{several(concepts, 'concept')}, format {found.format}",
        soft_wrap=True,
    )


def _first(found: Findings) -> str:
    line = found[0].line
    return found[0].what if line is None else f"line {line}, {found[0].what}"


def _list(found: Findings, file: Path) -> None:
    from rich.markup import escape

    from cranfield.cli.outcomes import translated
    from cranfield.cli.screen import errors
    from cranfield.errors import several

    for error in found[:_SHOWN]:
        errors().print(translated(str(error)), markup=False, soft_wrap=True)
    more = f", the first {_SHOWN} of them above" if found.total > _SHOWN else ""
    count = several(found.total, "error")
    errors().print(f"[bold red]{count}[/bold red] in {escape(str(file))}{more}", soft_wrap=True)
