"""`cranfield pool make`: choose the documents to judge from what runs retrieved."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Concepts, Format, Json
from cranfield.cli.pool.options import Runs, read_runs

if TYPE_CHECKING:
    from cranfield.assessment.pools import Pool
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth


class Method(StrEnum):
    """How documents are chosen."""

    depth = "depth"
    by_yield = "yield"
    mtf = "mtf"
    stratified = "stratified"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield pool make runs/ --depth 100 -o pool",
            "cranfield pool make a.run b.run --budget 2000 -o pool",
            "cranfield pool make runs/ --strata 10:1,100:0.2 --seed 7 -o pool",
            "cranfield pool make runs/ --method mtf --budget 2000 --batch 100 -o pool",
            "cranfield pool make runs/ --method yield --depth 20 --budget 5000 -o pool",
            "cranfield pool make runs/ --method mtf --budget 500 --judge old.qrels -o trial",
        ),
    )(make)


def make(
    runs: Runs,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="Folder to write; must be new."),
    ],
    method: Annotated[
        Method | None,
        typer.Option(
            metavar="depth|yield|mtf|stratified",
            help="depth: the first documents of every run. yield: each topic as deep as it "
            "promises relevant ones. mtf: judgements decide which run goes next (move to front). "
            "stratified: all of the first ranks, a sample of those below. Default: as the other "
            "options say.",
            show_default=False,
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=1,
            help="Documents of each run; yield: where topics begin (default 10); mtf: the last "
            "rank that counts.",
        ),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Documents to pool in all.")
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(
            metavar="DEPTH:SHARE,…",
            help="Where strata end and how much of each is judged: 10:1,100:0.2 is all of ranks "
            "1–10 and a fifth of ranks 11–100.",
        ),
    ] = None,
    judge: Annotated[
        Path | None,
        typer.Option(
            metavar="TRUTH",
            help="yield and mtf: judgements to follow, such as those of an old collection.",
        ),
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="yield and mtf: documents to hand out before judgements are asked for; then "
            "pool next goes on.",
        ),
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(
            metavar="K", min=1, help="yield: how much deeper a topic goes at a time; default 10."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Of samples, and of which run goes first.")
    ] = 0,
    as_json: Json = False,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Pool documents: choose which of those that runs retrieved are to be judged.

    Writes a folder with pool.csv (every pooled document, its best rank, its stratum and whether it
    is to be judged) and pool.json (how it was made). Documents with one score come by id,
    descending, as in trec_eval. Then hand them out with [bold]pool assign[/bold].
    """
    from cranfield import formats
    from cranfield.assessment.pools.files import PoolFolder
    from cranfield.assessment.pools.files.folder import Making

    options = _options(method, depth, budget, strata, judge, batch, step, seed)
    folder = PoolFolder(output)
    folder.require_new()
    truth = formats.read_truth(judge) if judge else None
    read = read_runs(runs, format=format, concepts=concepts)
    pooled = grown(read, options, judge=truth)
    folder.write(pooled, Making(options, {run.name: run.digest for run in read}))
    show(pooled, output, as_json=as_json)


def _options(
    method: Method | None,
    depth: int | None,
    budget: int | None,
    strata: str | None,
    judge: Path | None,
    batch: int | None,
    step: int | None,
    seed: int,
) -> dict[str, Any]:
    """What `cf.pool` is asked for; wrong usage is said before a run is read."""
    from cranfield.assessment.pools.making import require_fitting
    from cranfield.assessment.pools.stratified import as_strata
    from cranfield.errors import InputError

    chosen = method or (Method.depth if strata is None else Method.stratified)
    given = {"depth": depth, "budget": budget, "strata": strata, "batch": batch}
    try:
        require_fitting(chosen.value, judge=judge, **given)
        if strata is not None:
            as_strata(strata)
    except InputError as error:
        raise typer.BadParameter(_as_flags(str(error))) from None
    if step is not None and chosen is not Method.by_yield:
        raise typer.BadParameter("only --method yield goes deeper by steps; leave --step out")
    wanted = {"method": chosen.value, **given, "step": step, "seed": seed}
    return {name: value for name, value in wanted.items() if value is not None}


def _as_flags(message: str) -> str:
    """What the library says about its options, in the words of the command line."""
    named = re.sub(r"\b(depth|budget|strata|batch|judge|method)=(?:'(\w+)')?", r"--\1 \2", message)
    return re.sub(r" +(?=[ ,;:])", "", named)


def grown(
    runs: list[Run],
    options: dict[str, Any],
    *,
    judge: Truth | None,
    so_far: Pool | None = None,
) -> Pool:
    """The pool of these runs, with something to watch while it grows."""
    from cranfield.assessment.pools import pool
    from cranfield.cli.screen import progress, waiting

    if options["method"] in ("depth", "stratified"):
        with waiting("pooling"):
            return pool(runs, **options)
    total = min(options.get("budget", 0) or options["batch"], options.get("batch") or 10**9)
    with progress("pooling", total) as step:
        return pool(runs, **options, judge=judge, so_far=so_far, progress=step)


def show(pooled: Pool, folder: Path, *, as_json: bool) -> None:
    """Say what was pooled."""
    from cranfield.cli.screen import data, inform, output
    from cranfield.report.pools import pool_content, pool_table

    inform(f"wrote {folder}")
    if as_json:
        data(json.dumps(pool_content(pooled), indent=2, ensure_ascii=False) + "\n")
    else:
        output().print(pool_table(pooled))
