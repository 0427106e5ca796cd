"""The command `cranfield query`: its options, and what is done one after the other."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.choices import Extra, Missing, known_format
from cranfield.cli.evaluate import naming, possible, warn_of_thresholds
from cranfield.cli.forms import chosen_form, spare
from cranfield.cli.options import (
    Concepts,
    ExtraOption,
    Format,
    Json,
    MissingOption,
    OntologyOption,
    SplitOption,
    TableOutput,
    ThresholdsOption,
    csv_option,
    measure_option,
)
from cranfield.cli.query.sources import QuerySources
from cranfield.commands.threshold_texts import files_in

RANKED = ("concept.AP", "concept.P@10", "concept.RP", "concept.F")
DECIDED = ("concept.P", "concept.R", "concept.F", "micro.F")
_EXTENSIONS = {".json": "json", ".csv": "csv", ".txt": "table"}


class Combine(StrEnum):
    """How the concepts of a query are combined."""

    min = "min"
    product = "product"
    boolean = "boolean"


def query(
    queries: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY",
            help="Concepts with AND, OR, NOT and brackets; quote names with blanks.",
            show_default=False,
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth",
            "-t",
            metavar="TRUTH",
            help="A truth file, or a collection folder; default: the campaign of cranfield demo.",
            show_default=False,
        ),
    ] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            "--run",
            "-r",
            metavar="RUN",
            help="A run or a folder of runs, may be repeated; default: those in the collection "
            "folder.",
            show_default=False,
        ),
    ] = None,
    topics: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Queries from a file: lines such as id: query, the two with a tab between them, "
            "or CSV with the header id,query,title.",
            show_default=False,
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Ask for all pairs of concepts that N items or more have.",
            show_default=False,
        ),
    ] = None,
    random: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Ask for N random combinations of concepts that items have.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        int, typer.Option(metavar="N", min=1, help="Concepts in each of --random.")
    ] = 3,
    negated: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many of them stand behind NOT.")
    ] = 0,
    at_least: Annotated[
        int, typer.Option(metavar="N", min=1, help="Items that each of --random must find.")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of --random.")] = 0,
    combine: Annotated[
        Combine,
        typer.Option(
            metavar="min|product|boolean",
            help="AND, OR and NOT of confidences: min, max and 1 − s, or s·t, s + t − s·t and "
            "1 − s; or of decisions only.",
        ),
    ] = Combine.min,
    measure: Annotated[list[str] | None, measure_option("Measure of searches", RANKED)] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            help="How far these measures of the annotations rank runs as the searches do "
            "(Kendall's τ), such as example.F,example.AP,OS.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="The first N hits of each query by the best run, right or wrong.",
        ),
    ] = 0,
    per_unit: Annotated[
        bool, typer.Option("--per-unit", help="Scores of every single query.")
    ] = False,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("score")] = False,
    output: TableOutput = None,
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the searches as a collection: queries.csv, the truth of the queries, runs.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            callback=known_format,
            help="Format of what --write writes, one of those of --format; trec holds no decisions "
            "beside scores.",
        ),
    ] = "npz",
    threshold: ThresholdsOption = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    split: SplitOption = None,
    format: Format = None,
    concepts: Concepts = None,
    ontology: OntologyOption = None,
) -> None:
    """Search by concepts: how well do annotators serve a search?

    A query over concepts turns the truth into judgements of a search and every run into its
    answers; both are scored by any measure. Unjudged stays unjudged. Runs are rows, the best run by
    the first measure on top.
    """
    form = chosen_form({"json": as_json, "csv": as_csv}, output, _EXTENSIONS)
    if form == "csv" and (compare or show):
        raise typer.BadParameter("CSV holds scores only; leave --compare and --show out, or --json")
    asked = QuerySources(tuple(queries or ()), topics, pairs, random, size, negated, at_least, seed)
    asked.require_any()
    if truth is None and (run or format or concepts or split or threshold):
        raise typer.BadParameter("without a truth, no run can be scored", param_hint="--truth")

    from cranfield.cli.query import outcome, places, writing
    from cranfield.measures import measure as named

    wanted = [named(one) for one in measure or (DECIDED if combine is Combine.boolean else RANKED)]
    beside = [named(one) for one in _split(compare or "")]
    spare((truth, topics, concepts, *files_in(threshold), *(run or ())), output)
    if write is not None:
        writing.require_room(write)
    place = (
        places.demo(ontology)
        if truth is None
        else places.opened(truth, run, format, concepts, threshold, ontology, extra, split)
    )
    found = asked.read(place.collection)
    with naming(place.files):
        searched = places.search(place, found, combine.value, missing.value)
        if not measure:
            wanted = possible(wanted, searched.runs, place.files)
        warn_of_thresholds(place.runs, [*wanted, *beside])
        result = places.score(searched, wanted, missing.value)
        study = places.compare(place, result, beside, missing.value) if beside else None
    if write is not None:
        writing.write(searched, write, to)
    outcome.show(outcome.Outcome(searched, result, study, show), form, output, per_unit=per_unit)


def _split(names: str) -> list[str]:
    """Names between commas, those inside brackets left alone."""
    parts, depth = [""], 0
    for sign in names:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]
