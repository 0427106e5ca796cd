"""`cranfield pool merge`: make judgements of several people one truth."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import require_format, spare
from cranfield.cli.options import Json, output_option
from cranfield.cli.pool.options import Folder


class Rule(StrEnum):
    """What to make of different judgements."""

    majority = "majority"
    max = "max"
    mean = "mean"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield pool merge pool",
            "cranfield pool merge pool --rule max -o judged.qrels",
            "cranfield evaluate pool runs/",
        ),
    )(merge)


def merge(
    folder: Folder,
    rule: Annotated[
        Rule,
        typer.Option(
            metavar="majority|max|mean",
            help="Several judgements of a document: the most frequent grade, the highest, or the "
            "nearest to their mean. Where that could go either way: the lower one.",
        ),
    ] = Rule.majority,
    output: Annotated[
        Path | None,
        output_option(
            "Write the truth here; default: truth.qrels in the folder, which then is a collection."
        ),
    ] = None,
    lossy: Annotated[
        bool,
        typer.Option(
            "--lossy", help="Write even if FILE cannot hold everything; say what is lost."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Merge what is in the sheets to a truth: TREC qrels, or any format that holds it.

    Pooled documents that nobody judged stay known as such (−1); a sample keeps its strata, as
    infAP and xinfAP need them. Tells where people disagree.
    """
    require_format(output)

    from cranfield import formats
    from cranfield.assessment import pools
    from cranfield.assessment.pools.files import PoolFolder
    from cranfield.cli.screen import data, inform
    from cranfield.cli.screen import output as screen
    from cranfield.collections.collection import Collection
    from cranfield.report.pools import merged_content, merged_tables

    place = PoolFolder(folder)
    spare((place.pool_file, place.making_file, *place.sheets.glob("*/*")), output)
    pool = place.read()
    merged = pools.merge(place.judgements(pool), rule.value)
    goal = folder / "truth.qrels" if output is None else output
    truth = pool.truth(merged.grades)
    if lossy:
        lost = formats.convert(Collection(truth), goal, lossy=True)
        if lost:
            inform(f"lost {', '.join(lost)}")
    else:
        formats.write_truth(truth, goal)
    inform(f"wrote {goal}")
    if as_json:
        said = merged_content(pool, merged)
        data(json.dumps(said, indent=2, ensure_ascii=False) + "\n")
    else:
        screen().print(merged_tables(pool, merged))
