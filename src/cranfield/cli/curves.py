"""`cranfield curves`: precision-recall and ROC curves of runs, averaged over concepts or not."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.evaluate import naming
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_picture, spare
from cranfield.cli.options import (
    Concepts,
    ExtraOption,
    Format,
    Json,
    MissingOption,
    SplitOption,
    TableOutput,
    ThresholdsOption,
    TruthPath,
    csv_option,
    picture_option,
)
from cranfield.cli.reading import read_collection, read_runs
from cranfield.cli.trec_style import TopicsOption
from cranfield.commands.threshold_texts import cut_of, files_in

if TYPE_CHECKING:
    from cranfield.tasks.retrieval.curves import Curves

_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}


class Kind(StrEnum):
    """What is drawn against what."""

    pr = "pr"
    roc = "roc"


class Average(StrEnum):
    """How the curves of concepts become one."""

    none = "none"
    pooled = "pooled"
    ranks = "ranks"
    recall = "recall"


class Ties(StrEnum):
    """What happens to cells of the same score."""

    grouped = "grouped"
    expected = "expected"
    best = "best"
    worst = "worst"
    trec = "trec"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield curves truth.csv run.csv --concept sky --picture sky.html",
            "cranfield curves collection/ --picture curves.svg",
            "cranfield curves qrels.txt run1.txt run2.txt --average ranks --at 5,10,15,20,30",
            "cranfield curves truth.csv runs/ --kind roc --picture roc.svg",
            "cranfield curves truth.csv run.csv --concept sky --csv",
        ),
    )(curves)


def curves(
    truth: TruthPath,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN",
            help="Runs: files or folders of them; default: those in the collection folder.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        Kind, typer.Option(metavar="pr|roc", help="Precision against recall, or ROC curves.")
    ] = Kind.pr,
    concept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONCEPT",
            help="The curve of a concept; may be repeated. Averages are over these concepts only.",
            show_default=False,
        ),
    ] = None,
    average: Annotated[
        Average | None,
        typer.Option(
            metavar="none|pooled|ranks|recall",
            help="A curve for each concept, one of all cells, or the mean over concepts at ranks "
            "or at levels of recall; default: none with --concept, else recall, and pooled for "
            "ROC.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER,…",
            help="Ranks or levels of recall to average at; default: 5,10,15 …, or 0,0.1 … 1.",
            show_default=False,
        ),
    ] = None,
    ties: Annotated[
        Ties | None,
        typer.Option(
            metavar="grouped|expected|best|worst|trec",
            help="How equal scores count; default: grouped, at ranks expected.",
        ),
    ] = None,
    interpolated: Annotated[
        bool, typer.Option("--interpolated", help="Draw staircases of interpolated precision.")
    ] = False,
    picture: Annotated[Path | None, picture_option("the curves of all runs")] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("point")] = False,
    output: TableOutput = None,
    threshold: ThresholdsOption = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    split: SplitOption = None,
    format: Format = None,
    concepts: Concepts = None,
    topics: TopicsOption = None,
) -> None:
    """Follow precision and recall, or fallout and recall, down the rankings of runs.

    Where a run stands with its own decisions is marked in pictures of single and pooled curves.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)
    require_picture(picture)
    way = _way(kind, concept, average)
    options: dict[str, Any] = _places(way, at)

    from cranfield.commands.run_files import files_of, named_runs
    from cranfield.tasks.retrieval.curves import curves as followed

    scored = [file for run in runs or () for file in files_of(run)]
    given = (truth, concepts, *files_in(threshold), *scored)
    spare(given, output)
    spare((*given, output), picture, option="--picture")
    collection = read_collection(truth, concepts, format, split)
    files = named_runs(runs or collection.runs)
    with naming(files):
        cut = cut_of(threshold)
        read = read_runs(collection, files, format=format, threshold=cut, extra=extra)
        found = followed(
            collection,
            read,
            concept,
            average=way.value,
            ties=None if ties is None else ties.value,
            missing=missing.value,
            topics=None if topics is None else topics.value,
            **options,
        )
    _show(found, form, output)
    if picture is not None:
        _draw(found, kind, picture, interpolated=interpolated)


def _way(kind: Kind, concept: list[str] | None, average: Average | None) -> Average:
    """How to average, if nobody says."""
    if average is None:
        usual = Average.pooled if kind is Kind.roc else Average.recall
        return Average.none if concept else usual
    if kind is Kind.roc and average in (Average.ranks, Average.recall):
        raise typer.BadParameter(
            f"--average {average.value} is for precision and recall; ROC curves are of single "
            "concepts (none), or pooled"
        )
    if average is Average.pooled and concept:
        raise typer.BadParameter(
            "--average pooled takes the cells of all concepts; leave --concept out"
        )
    return average


def _places(average: Average, at: str | None) -> dict[str, list[Any]]:
    """The ranks or levels of recall to average at."""
    if at is None:
        return {}
    if average not in (Average.ranks, Average.recall):
        raise typer.BadParameter("--at is for --average ranks and --average recall")
    number, low, high = (int, 1, 10**9) if average is Average.ranks else (float, 0, 1)
    try:
        listed = [number(text) for text in at.split(",")]
    except ValueError:
        listed = []
    if not listed or not all(low <= one <= high for one in listed):
        wanted = "ranks from 1" if average is Average.ranks else "levels of recall from 0 to 1"
        raise typer.BadParameter(f"{at!r}; give {wanted}, with commas", param_hint="--at")
    return {"ranks" if average is Average.ranks else "levels": listed}


def _show(found: Curves, form: str, path: Path | None) -> None:
    from cranfield.cli.screen import output, plain
    from cranfield.report.curves import curve_tables, curves_json

    if form == "json":
        deliver(curves_json(found), path)
    elif form == "csv":
        deliver(found.frame.write_csv(), path)
    elif path is not None:
        deliver(plain(curve_tables(found)), path)
    else:
        output().print(curve_tables(found))


def _draw(found: Curves, kind: Kind, path: Path, *, interpolated: bool) -> None:
    from cranfield.cli.screen import inform
    from cranfield.report.curve_pictures import curve_picture
    from cranfield.report.pictures import write_picture

    write_picture(curve_picture(found, kind=kind.value, interpolated=interpolated), path)
    inform(f"wrote {path}")
