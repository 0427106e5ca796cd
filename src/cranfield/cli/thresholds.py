"""`cranfield thresholds`: where to cut confidences, tuned on one run and applied to another."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_format, require_picture, spare
from cranfield.cli.options import (
    AgreementOption,
    Concepts,
    CostsOption,
    ExtraOption,
    Format,
    Json,
    MissingOption,
    OntologyOption,
    RelatednessOption,
    SplitOption,
    TruthPath,
    csv_option,
    output_option,
)
from cranfield.cli.reading import read_collection, read_runs
from cranfield.cli.threshold_pictures import DrawOption, PictureFile, draw_thresholds
from cranfield.commands.knowledge_files import KnowledgeFiles

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.knowledge import Knowledge
    from cranfield.statistics.thresholds import RocTable, Thresholds

_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}
_ALL = "all"
"""What to ask for where a table of all cells together is wanted."""


class Per(StrEnum):
    """What shares a threshold."""

    concept = "concept"
    run = "run"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield thresholds dev.csv dev_run.csv -o thresholds.csv",
            "cranfield evaluate test.csv test_run.csv -m concept.F --threshold thresholds.csv",
            "cranfield thresholds dev.csv dev_run.csv --apply test_run.csv -o decided.txt",
            "cranfield thresholds dev.csv dev_run.csv --by 'cost(fp=1,fn=5)' --per run",
            "cranfield thresholds dev.csv dev_run.csv --by OS --per run --ontology pto2009",
            "cranfield thresholds dev.csv dev_run.csv --by accuracy --table sky",
            "cranfield thresholds dev.csv dev_run.csv --table sky --picture sky.svg --draw roc",
        ),
    )(thresholds)


def thresholds(
    truth: TruthPath,
    run: Annotated[
        Path,
        typer.Argument(metavar="RUN", help="The run to tune on.", show_default=False),
    ],
    by: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What is best: F, accuracy, youden, 'cost(fp=1,fn=5)', EER or another measure of "
            "decisions; for --per run also averages such as example.F.",
        ),
    ] = "F",
    per: Annotated[
        Per,
        typer.Option(metavar="concept|run", help="A threshold for each concept, or one for all."),
    ] = Per.concept,
    table: Annotated[
        str | None,
        typer.Option(
            metavar=f"CONCEPT|{_ALL}",
            help=f"Show every threshold of a concept instead; {_ALL}: of all cells together.",
        ),
    ] = None,
    apply: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN", help="Another run to decide by these thresholds; -o says where to."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        output_option("Write to a file: .csv .json .txt; with --apply the run that was decided."),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("concept, as --threshold of evaluate reads them")] = False,
    picture: PictureFile = None,
    draw: DrawOption = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    split: SplitOption = None,
    format: Format = None,
    concepts: Concepts = None,
    ontology: OntologyOption = None,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
) -> None:
    """Find the thresholds that make the decisions of a run best.

    A label is assigned where the confidence reaches the threshold. Thresholds fit the run they
    were tuned on: score them on another.
    """
    flags = {"json": as_json, "csv": as_csv}
    if draw is not None and picture is None:
        raise typer.BadParameter("--draw says what --picture shows; give --picture too")
    require_picture(picture)
    about = KnowledgeFiles.given(ontology, costs, relatedness, agreement)
    if apply is None:
        form = chosen_form(flags, output, _EXTENSIONS)
    else:
        form = _form_beside(flags, output, table)

    from cranfield.cli.evaluate import naming
    from cranfield.commands.run_files import run_name

    given = (truth, run, apply, concepts, *about.all)
    spare(given, output)
    spare((*given, output), picture, option="--picture")
    collection = read_collection(truth, concepts, format, split)
    known = about.read(collection.truth.concept_axis)
    name = run_name(run)
    with naming({name: run}, maps=about.called(truth)):
        (read,) = read_runs(collection, {name: run}, format=format, threshold=None, extra=extra)
        if picture is not None:
            shown = _table(collection, read, table or _ALL, missing)
            draw_thresholds(collection, read, shown, by, picture, draw, missing.value)
        if table is not None:
            _show_table(_table(collection, read, table, missing), by, form, output)
            return
        found = _tuned(collection, read, by, per, missing, known)
    if apply is None:
        _show(found, form, output)
        return
    assert output is not None
    _decide(found, apply, collection, output, format=format)
    _show(found, form, None)


def _form_beside(flags: dict[str, bool], output: Path | None, table: str | None) -> str:
    """How to print the thresholds where the file is for the run that is decided by them."""
    if output is None:
        raise typer.BadParameter("say with -o where to write the run that --apply decides")
    if table is not None:
        raise typer.BadParameter("--table shows one concept, --apply decides all; give one of them")
    require_format(output)
    return chosen_form(flags, None, _EXTENSIONS)


def _tuned(
    collection: Collection, run: Run, by: str, per: Per, missing: Missing, known: Knowledge
) -> Thresholds:
    from cranfield.cli.screen import waiting
    from cranfield.statistics.thresholds import tune

    with waiting("tuning"):
        return tune(
            collection,
            run,
            by,
            per=per.value,
            missing=missing.value,
            ontology=known.ontology,
            costs=known.costs,
            relatedness=known.relatedness,
            agreement=known.agreement,
        )


def _table(collection: Collection, run: Run, wanted: str, missing: Missing) -> RocTable:
    from cranfield.statistics.thresholds import roc_table

    pooled = wanted == _ALL and wanted not in collection.truth.concepts
    return roc_table(collection, run, None if pooled else wanted, missing=missing.value)


def _decide(
    found: Thresholds, path: Path, collection: Collection, output: Path, *, format: str | None
) -> None:
    """Write another run with its decisions; a format that holds either has the decisions alone."""
    from cranfield import formats
    from cranfield.cli.evaluate import naming
    from cranfield.cli.screen import inform
    from cranfield.commands.run_files import run_name
    from cranfield.core.run import Run
    from cranfield.formats.contents import Content
    from cranfield.formats.registry import written_as

    name = run_name(path)
    names = collection.truth.concept_axis.ids
    with naming({name: path}):
        other = formats.read_run(path, name=name, concepts=names, format=format)
        decided = found.apply(other)
    both = Content.THRESHOLD in written_as(output).holds
    if not both:
        decided = Run(
            labels=decided.assigned,
            name=name,
            items=decided.item_axis.ids,
            concepts=decided.concept_axis.ids,
        )
    formats.write_run(decided, output)
    inform(f"wrote {output}" + ("" if both else ": decisions without confidences"))


def _show(found: Thresholds, form: str, path: Path | None) -> None:
    from cranfield.formats.thresholds import as_csv
    from cranfield.report.thresholds import thresholds_table

    if form == "json":
        said = {
            "by": found.by,
            "per": found.per,
            "score": None if found.score != found.score else found.score,
            "thresholds": list(found.rows()),
            "notes": list(found.notes),
        }
        deliver(json.dumps(said, indent=2, ensure_ascii=False) + "\n", path)
    elif form == "csv":
        deliver(as_csv(found).decode(), path)
    else:
        _print(thresholds_table(found), path)


def _show_table(table: RocTable, by: str, form: str, path: Path | None) -> None:
    from cranfield.report.thresholds import roc_csv, roc_json, roc_rows

    if form == "json":
        deliver(roc_json(table, by), path)
    elif form == "csv":
        deliver(roc_csv(table), path)
    else:
        _print(roc_rows(table, by), path)


def _print(table: RenderableType, path: Path | None) -> None:
    from cranfield.cli.screen import output, plain

    if path is None:
        output().print(table)
    else:
        deliver(plain(table), path)
