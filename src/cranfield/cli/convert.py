"""`cranfield convert`: write a truth or a run in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import FORMATS, Extra, Kind, known_format
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Concepts, ExtraOption

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield convert truth.csv truth.parquet",
            "cranfield convert emotions.arff emotions.csv --lossy",
            "cranfield convert instances_val.json truth.csv --names",
            "cranfield convert run.txt run.csv --against truth.csv",
            "cranfield convert run.csv results --to voc",
        ),
    )(convert)


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="A truth, a run, or a collection folder.", show_default=False
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Where to write; the extension says how unless --to does.",
            show_default=False,
        ),
    ],
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            "--format",
            metavar="FORMAT",
            callback=known_format,
            help=f"Format of IN, if not to be recognised: {FORMATS}.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            callback=known_format,
            help="Format of OUT, one of the same, if its extension does not say.",
        ),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            "--as", metavar="truth|run", help="What IN is; default: a truth if it can be one."
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="TRUTH", help="The truth that a run is for; knows names and sizes."),
    ] = None,
    extra: ExtraOption = Extra.error,
    concepts: Concepts = None,
    names: Annotated[
        bool,
        typer.Option("--names", help="Call concepts by their descriptions instead of their codes."),
    ] = False,
    lossy: Annotated[
        bool,
        typer.Option("--lossy", help="Write even if OUT cannot hold everything; say what is lost."),
    ] = False,
) -> None:
    """Write a truth or a run in another format.

    What OUT cannot hold, such as unjudged cells, a threshold or features, is an error that says
    what would be lost.
    """
    if kind is Kind.truth and against is not None:
        raise typer.BadParameter("a truth is not read against another; leave one of them out")

    from cranfield import formats
    from cranfield.cli.screen import inform
    from cranfield.commands.label_files import about
    from cranfield.core.run import Run
    from cranfield.errors import several
    from cranfield.formats import folder
    from cranfield.formats.registry import written_as

    known = formats.read_concepts(concepts) if concepts else None
    truth = None if against is None else formats.read_collection(against, concepts=known)
    if truth is not None:
        kind = Kind.run
    thing = _read(source, kind, truth, known, from_, extra)
    if isinstance(thing, Run) and (to or written_as(target).name) != "text":
        with about(source):
            formats.require_divided(thing)
    if names:
        thing = _described(thing, truth, source)
    lost = formats.convert(thing, target, to, lossy=lossy)
    was, other = ("run", "truth") if isinstance(thing, Run) else ("truth", "run")
    if folder.is_collection(source):
        inform(f"read {source}: its truth only")
    else:
        inform(f"read {source} as a {was}" + ("" if kind else f" (--as {other} insists)"))
    if isinstance(thing, Run) and thing.left_out:
        inform(f"left out {several(thing.left_out, 'item')} that the truth lacks")
    if lost:
        inform(f"lost {', '.join(lost)}")
    inform(f"wrote {target}")


def _read(
    source: Path,
    kind: Kind | None,
    truth: Collection | None,
    concepts: tuple[str, ...] | None,
    format: str | None,
    extra: Extra,
) -> Collection | Run:
    """A truth where the file can be one, unless it was said what it is, or it lies among runs."""
    from cranfield import formats
    from cranfield.errors import FileError
    from cranfield.formats import folder

    refused = None
    if kind is Kind.truth or (kind is None and not folder.lies_in_runs(source)):
        try:
            return formats.read_collection(source, concepts=concepts, format=format)
        except FileError as error:
            if kind is Kind.truth or source.name.startswith("truth."):
                raise
            refused = error
    try:
        return formats.read_run(source, truth, concepts=concepts, format=format, extra=extra.value)
    except FileError as error:
        # It was meant as what could be read further.
        if refused is not None and (refused.line or 0) >= (error.line or 0):
            raise refused from None
        raise


def _described(thing: Collection | Run, truth: Collection | None, source: Path) -> Collection | Run:
    from cranfield import formats
    from cranfield.core.run import Run
    from cranfield.errors import FileError, InputError

    known = truth if isinstance(thing, Run) else thing
    if known is None or not known.descriptions:
        raise InputError(
            f"{source}: there are no descriptions of concepts to call them by; leave --names out"
            + (", or give --against a truth that has them" if isinstance(thing, Run) else "")
        )
    try:
        return formats.described(thing, known.descriptions)
    except InputError as error:
        raise FileError(source, f"with --names: {error}; leave --names out") from None
