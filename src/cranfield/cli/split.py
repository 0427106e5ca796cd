"""`cranfield split`: deal the items of a collection out to parts that resemble the whole."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import spare
from cranfield.cli.options import CollectionPath, Concepts, Format, output_option

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.collections.splits import Split


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield split truth.csv --shares 0.8,0.2 -o splits.csv",
            "cranfield split truth.csv --shares train=0.7,dev=0.1,test=0.2 --into parts/",
            "cranfield split collection/ --folds 5 --seed 7 -o collection/splits.csv",
            "cranfield split truth.csv --folds 10 --order 2 --groups photographers.csv --json",
        ),
    )(split)


def split(
    file: CollectionPath,
    shares: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Shares that sum to 1, such as 0.8,0.2 or train=0.8,test=0.2.",
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(metavar="K", min=2, help="Equal shares instead, for cross-validation."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Same seed, same split.")] = 0,
    order: Annotated[
        int,
        typer.Option(
            metavar="1|2",
            min=1,
            max=2,
            help="1 keeps frequencies of concepts; 2 those of pairs of concepts as well.",
        ),
    ] = 1,
    groups: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV item,group: items of a group stay together."),
    ] = None,
    output: Annotated[
        Path | None,
        output_option("Write the CSV item,split to a file."),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write a truth file for each part into a folder."),
    ] = None,
    ending: Annotated[
        str | None,
        typer.Option(
            metavar="ENDING",
            help="Ending of these files, which says their format: csv, npz, …; default: as FILE.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that --into finds in its folder.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON and nothing else.")
    ] = False,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Split a collection so that every concept is as frequent in each part as in the whole.

    Prints which item belongs to which part, as CSV, and on standard error how well frequencies
    were kept; with -o or --into, this report is what is printed.
    """
    wanted = _wanted(shares, folds)
    spare((file, concepts, groups), output)

    from cranfield import formats
    from cranfield.cli.part_files import PartFiles
    from cranfield.cli.screen import inform
    from cranfield.errors import FileError
    from cranfield.formats.splits import read_groups, write_splits

    files = PartFiles.planned(file, into, tuple(wanted), format=format, ending=ending, force=force)
    for part in files.all if files is not None else ():
        spare((file, concepts, groups, output), part, option="--into")
    names = formats.read_concepts(concepts) if concepts else None
    collection = formats.read_collection(file, concepts=names, format=format)
    together = read_groups(groups, collection.items) if groups else None
    done = _split(collection, folds or wanted, seed=seed, order=order, groups=together)
    if files is not None:
        if done.report.lack:
            raise FileError(file, done.report.lack)
        files.write(replace(collection, splits=done.by_item))
    if output is not None:
        write_splits(done.by_item, output)
    for path in (into, output):
        if path is not None:
            inform(f"wrote {path}")
    _show(done, as_json=as_json, elsewhere=output is not None or into is not None)


def _wanted(shares: str | None, folds: int | None) -> dict[str, float]:
    """The share of each part, by its name."""
    from cranfield.collections.splits.shares import as_shares, equal_shares
    from cranfield.errors import InputError

    if (shares is None) == (folds is None):
        raise typer.BadParameter("give either --shares, such as 0.8,0.2, or --folds")
    if folds is not None:
        return equal_shares(folds, items=folds)
    assert shares is not None
    fields = [field.rpartition("=") for field in shares.split(",")]
    names = [name.strip() for name, sign, _ in fields if sign]
    values = [value for *_, value in fields]
    try:
        if names and len(set(names)) < len(fields):
            raise InputError("name all parts, each differently, or none of them")
        return as_shares(dict(zip(names, values, strict=True)) if names else values)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--shares") from None


def _split(
    collection: Collection,
    wanted: dict[str, float] | int,
    *,
    seed: int,
    order: int,
    groups: dict[str, str] | None,
) -> Split:
    from cranfield.cli.screen import progress_over
    from cranfield.collections import splits

    with progress_over("splitting", len(collection.items)) as tell:
        deal: Any = splits.folds if isinstance(wanted, int) else splits.split
        done: Split = deal(collection, wanted, seed=seed, order=order, groups=groups, progress=tell)
        return done


def _show(done: Split, *, as_json: bool, elsewhere: bool) -> None:
    """Print the report, and the parts of the items unless they were written elsewhere."""
    from cranfield.cli.screen import data, errors, output
    from cranfield.formats.splits import as_csv
    from cranfield.report.splits import split_tables

    if as_json:
        said = {"seed": done.seed, "order": done.order, **done.report.to_dict()}
        items = {} if elsewhere else {"items": done.by_item}
        data(json.dumps(said | items, indent=2, ensure_ascii=False) + "\n")
    elif elsewhere:
        output().print(split_tables(done))
    else:
        data(as_csv(done.by_item).decode())
        errors().print(split_tables(done))
