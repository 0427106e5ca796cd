"""`cranfield study progress`: did systems improve from one campaign to the next?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield.cli.choices import probability
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json, csv_option, measure_option, picture_option
from cranfield.cli.reading import Reading, reads
from cranfield.cli.study.inputs import Files, Latex, LatexOutput, Seed
from cranfield.errors import MOST_DRAWS

_USUAL = ("concept.AP", "concept.AUC", "concept.EER", "example.AP", "example.F")


class Judge(StrEnum):
    """Whose truth scores common items."""

    later = "later"
    earlier = "earlier"
    own = "own"


class Resample(StrEnum):
    """What cycles are compared on."""

    auto = "auto"
    items = "items"
    concepts = "concepts"


class Shown(StrEnum):
    """The table of CSV and LaTeX."""

    changes = "changes"
    concepts = "concepts"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study progress 2009/ 2010/",
            "cranfield study progress 2009/ 2010/ -m concept.EER -m OS --picture gains.html",
            "cranfield study progress old.csv new.csv --earlier-run old/ --later-run new/ --latex",
            "cranfield study progress 2009/ 2010/ --table concepts -o concepts.csv",
        ),
    )(reads(progress))


def _cycle(which: str) -> Any:
    return typer.Argument(
        metavar=which.upper(),
        help=f"The {which} truth, or collection folder with its runs.",
        show_default=False,
    )


def _runs(which: str) -> Any:
    return typer.Option(
        metavar="RUN",
        help=f"Runs of the {which} cycle, files or folders; may be repeated; default: those in "
        "its folder.",
        show_default=False,
    )


def progress(
    reading: Reading,
    earlier: Annotated[Path, _cycle("earlier")],
    later: Annotated[Path, _cycle("later")],
    earlier_run: Annotated[list[Path] | None, _runs("earlier")] = None,
    later_run: Annotated[list[Path] | None, _runs("later")] = None,
    measure: Annotated[list[str] | None, measure_option("Measure", (*_USUAL, "OS"))] = None,
    judged_by: Annotated[
        Judge,
        typer.Option(metavar="later|earlier|own", help="Whose truth scores common items."),
    ] = Judge.later,
    resample: Annotated[
        Resample,
        typer.Option(
            metavar="auto|items|concepts",
            help="What cycles are compared on; auto: common items, else concepts.",
        ),
    ] = Resample.auto,
    alpha: Annotated[
        float, typer.Option(metavar="SHARE", callback=probability, help="Level of significance.")
    ] = 0.05,
    samples: Annotated[
        int, typer.Option(metavar="N", min=100, max=MOST_DRAWS, help="Of the randomisation test.")
    ] = 10_000,
    table: Annotated[
        Shown, typer.Option(metavar="changes|concepts", help="What CSV and LaTeX show.")
    ] = Shown.changes,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("row of the table")] = False,
    as_latex: Latex = False,
    output: LatexOutput = None,
    picture: Annotated[Path | None, picture_option("what gained and lost")] = None,
    seed: Seed = 0,
) -> None:
    """Compare two campaigns on their common items and concepts: what improved, significantly?

    The best run, the one in the middle, the mean of all, and the best of each concept or item,
    paired where items are common; which concepts gained and lost. Corrected by Holm.
    """
    rest = (reading, output, picture)
    others = (earlier, *(earlier_run or ()))
    before = Files(earlier, earlier_run, *rest, runs_option="--earlier-run")
    after = Files(later, later_run, *rest, others, runs_option="--later-run")
    form = after.form(as_json=as_json, as_csv=as_csv, as_latex=as_latex)

    from cranfield.cli.evaluate import possible
    from cranfield.cli.screen import progress as progress_bar
    from cranfield.report.cycles import cycle_csv, cycle_latex, cycle_picture, cycle_tables
    from cranfield.studies.cycles import Cycle, compare_cycles

    first, second = before.read(), after.read()
    wanted = second.measures(measure, _USUAL)
    if not measure:
        wanted = possible(wanted, first.runs, first.files)
    names = {**first.files, **second.files}
    with (
        after.naming(names),
        progress_bar("comparing", len(wanted)) as step,
    ):
        found = compare_cycles(
            Cycle(first.collection, first.runs, earlier.stem or "earlier"),
            Cycle(second.collection, second.runs, later.stem or "later"),
            wanted,
            judged_by=judged_by.value,
            resample=resample.value,
            samples=samples,
            seed=seed,
            progress=step,
            **second.options,
        )
    after.show(
        form,
        table=cycle_tables(found, alpha),
        content=found.to_dict(),
        lines=cycle_csv(found, table.value) if form == "csv" else "",
        latex=cycle_latex(found, table.value) if form == "latex" else "",
    )
    if picture is not None:
        after.draw(cycle_picture(found))
