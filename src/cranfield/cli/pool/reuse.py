"""`cranfield pool reuse`: how far the judgements of a pool can be trusted, also by other runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import only_one
from cranfield.cli.completion import measure_names
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_picture, spare
from cranfield.cli.options import Concepts, Format, Json, TruthPath, output_option, picture_option
from cranfield.cli.pool.options import Runs, read_runs

if TYPE_CHECKING:
    from cranfield.assessment.pools import LeaveOneOut, MissedRelevant, Uncertainty
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth

_EXTENSIONS = {".json": "json", ".txt": "table"}


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield pool reuse pool runs/",
            "cranfield pool reuse judged.qrels runs/ --groups groups.csv --depth 100",
            "cranfield pool reuse judged.qrels runs/ -m topic.nDCG@10 --picture discovery.html",
        ),
    )(reuse)


def reuse(
    truth: TruthPath,
    runs: Runs,
    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Who made which run: CSV run,group; default: each run is a group of its own.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME",
            help="What to score by; default: topic.AP, and topic.P@10 for what unjudged documents "
            "leave open.",
            autocompletion=measure_names,
            callback=only_one,
            show_default=False,
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=2,
            help="How deep the runs were pooled; default: as the pool's folder says, or down to "
            "where everything is judged.",
        ),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=2,
            help="How deep to look for relevant documents that were missed; default: the longest "
            "list.",
        ),
    ] = None,
    as_json: Json = False,
    output: Annotated[
        Path | None, output_option("Write to a file; .json .txt say what, unless a flag does.")
    ] = None,
    picture: Annotated[
        Path | None, picture_option("how many relevant documents each further depth brought")
    ] = None,
    format: Format = None,
    concepts: Concepts = None,
) -> None:
    """Ask how far judgements can be trusted: by those who were in the pool, and by others.

    Three answers. [bold]Leave one group out[/bold]: how scores and places of its runs change if the
    documents that only this group found had not been judged (Zobel 1998). [bold]Missed[/bold]: how
    many relevant documents deeper pools would have brought, and how many no group found (Chao
    1987). [bold]Unjudged[/bold]: the share of unjudged documents in each run, and which pairs of
    runs could change places if they were judged (Baillie et al. 2008).
    """
    form = chosen_form({"json": as_json}, output, _EXTENSIONS)
    require_picture(picture)
    spare((truth, *runs, groups), output)
    spare((truth, *runs, groups, output), picture, option="--picture")

    from cranfield import formats

    names = formats.read_concepts(concepts) if concepts else None
    judged = formats.read_collection(truth, concepts=names).truth
    # Names that are given say more than a truth that lists its topics in any order.
    expected = judged if concepts is None else None
    read = read_runs(runs, truth=expected, format=format, concepts=concepts, groups=groups)
    wanted = next(iter(measure or ()), None)
    left = _left_out(judged, read, wanted, depth or _depths(truth))
    missed = _missed(judged, read, depth, to)
    unsettled = _unsettled(judged, read, wanted)
    _show(left, missed, unsettled, form, output)
    if picture is not None:
        _draw(missed, picture)


def _depths(truth: Path) -> int | dict[str, int] | None:
    """How deep runs were pooled, if the pool's folder tells: all topics alike, or each."""
    from cranfield.assessment.pools.files import PoolFolder

    folder = PoolFolder(truth)
    if not folder.pool_file.is_file():
        return None
    depths = folder.read().depths
    varies = folder.making().options.get("method") in ("yield", "mtf")
    return depths if varies else max(depths.values())


def _left_out(
    truth: Truth, runs: list[Run], measure: str | None, depth: int | dict[str, int] | None
) -> LeaveOneOut | None:
    from cranfield.assessment.pools import leave_one_out
    from cranfield.assessment.pools.depth import NotPooledError
    from cranfield.cli.outcomes import translated
    from cranfield.cli.screen import inform, progress

    groups = {run.group or run.name for run in runs}
    if len(groups) < 2:
        inform("nothing is left if the only group is left out; give runs of at least two groups")
        return None
    try:
        with progress("leaving out", len(groups)) as step:
            return leave_one_out(truth, runs, measure or "topic.AP", depth=depth, progress=step)
    except NotPooledError as error:
        inform(f"no group is left out: {translated(str(error))}")
        return None


def _missed(
    truth: Truth, runs: list[Run], depth: int | None, to: int | None
) -> MissedRelevant | None:
    from cranfield.assessment.pools import missed_relevant
    from cranfield.cli.outcomes import translated
    from cranfield.cli.screen import inform
    from cranfield.errors import InputError

    try:
        return missed_relevant(truth, runs, depth=depth, to=to)
    except InputError as error:
        if depth is not None:
            raise
        inform(f"no estimate of what was missed: {translated(str(error))}")
        return None


def _unsettled(truth: Truth, runs: list[Run], measure: str | None) -> Uncertainty:
    from cranfield.assessment.pools import unjudged_uncertainty
    from cranfield.cli.screen import progress

    with progress("comparing", len(runs) * (len(runs) - 1) // 2) as step:
        return unjudged_uncertainty(truth, runs, measure or "topic.P@10", progress=step)


def _show(
    left: LeaveOneOut | None,
    missed: MissedRelevant | None,
    unsettled: Uncertainty,
    form: str,
    path: Path | None,
) -> None:
    from cranfield.cli.screen import output, plain
    from cranfield.report.pool_reuse import reuse_content, reuse_tables

    if form == "json":
        said = reuse_content(left, missed, unsettled)
        deliver(json.dumps(said, indent=2, ensure_ascii=False) + "\n", path)
        return
    tables = reuse_tables(left, missed, unsettled)
    if path is None:
        output().print(tables)
    else:
        deliver(plain(tables), path)


def _draw(missed: MissedRelevant | None, path: Path) -> None:
    from cranfield.cli.screen import inform
    from cranfield.errors import InputError
    from cranfield.report.pictures import write_picture
    from cranfield.report.pool_reuse import discovery_picture

    if missed is None:
        raise InputError("there is nothing to draw without an estimate; give --depth")
    write_picture(discovery_picture(missed), path)
    inform(f"wrote {path}")
