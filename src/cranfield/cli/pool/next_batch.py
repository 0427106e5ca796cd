"""`cranfield pool next`: go on with a pool that follows its judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Concepts, Format, Json
from cranfield.cli.pool.make import grown, show
from cranfield.cli.pool.options import Folder, Runs, read_runs

if TYPE_CHECKING:
    from cranfield.assessment.pools import Pool
    from cranfield.core.run import Run


def register(app: typer.Typer) -> None:
    app.command(
        "next",
        cls=Command,
        epilog=examples(
            "cranfield pool next pool runs/",
            "cranfield pool next pool runs/ --batch 50",
            "cranfield pool assign pool --to anna,ben",
        ),
    )(next_batch)


def next_batch(
    folder: Folder,
    runs: Runs,
    batch: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Documents to hand out now; default: as before."),
    ] = None,
    as_json: Json = False,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Pool the next documents of a pool by yield or by moving to front.

    What people wrote into the sheets so far decides which documents come next; what waits for a
    judgement counts as not relevant until it has one. Give the runs that the pool was made from.
    Says how many documents are new, or why none is.
    """
    from cranfield.assessment.pools import merge
    from cranfield.assessment.pools.files import PoolFolder
    from cranfield.cli.screen import inform
    from cranfield.errors import FileError

    place = PoolFolder(folder)
    making = place.making()
    if making.options.get("method") not in ("yield", "mtf"):
        raise FileError(
            place.making_file,
            "this pool follows no judgements, so it is complete; only those made with --method "
            "yield or mtf go on",
        )
    before = place.read()
    grades = merge(place.judgements(before)).grades
    judged = before.truth(grades)
    read = read_runs(runs, format=format, concepts=concepts)
    making.require_same(read, place.making_file)
    options = dict(making.options)
    options["batch"] = batch or options.get("batch") or options["budget"]
    pooled = grown(read, options, judge=judged, so_far=before)
    place.write(pooled, making)
    show(pooled, folder, as_json=as_json)
    inform(_outlook(len(pooled) - len(before), len(pooled) - len(grades), pooled, read, options))


def _outlook(new: int, waiting: int, pooled: Pool, runs: list[Run], options: dict[str, Any]) -> str:
    """What can be done next, or why nothing was done."""
    from cranfield.assessment.pools.rankings import Rankings
    from cranfield.errors import several

    if new:
        return f"{several(new, 'new document')}; hand them out with pool assign"
    depth = options.get("depth") if options["method"] == "mtf" else None
    if len(pooled) == len(Rankings.of(runs, depth=depth).firsts.codes):
        why = "every document that the runs retrieved is pooled"
    elif len(pooled) == options.get("budget"):
        why = f"the budget of {options['budget']} is used up"
    elif waiting:
        return (
            f"nothing new: {several(waiting, 'document')} without a judgement; fill in the sheets, "
            "or raise --batch"
        )
    else:
        why = f"no further step fits into the budget of {options['budget']}"
    left = f"; {several(waiting, 'document')} without a judgement" if waiting else ""
    return f"nothing new: {why}{left}"
