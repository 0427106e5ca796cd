"""Arguments and options that several commands take, each worded once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield.cli.choices import FORMATS, Extra, Missing, finite, known_format
from cranfield.cli.completion import measure_names
from cranfield.commands.threshold_texts import require_thresholds
from cranfield.errors import InputError

# ── worded the same everywhere ────────────────────────────────────────────────────────────────

_COLLECTION = "A truth file, or a collection folder."

CollectionPath = Annotated[
    Path,
    typer.Argument(metavar="FILE", help=_COLLECTION, show_default=False),
]
TruthPath = Annotated[
    Path,
    typer.Argument(metavar="TRUTH", help=_COLLECTION, show_default=False),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        callback=known_format,
        help=f"Format of what is read, if not to be recognised: {FORMATS}.",
    ),
]
Concepts = Annotated[
    Path | None,
    typer.Option(
        "--concepts", metavar="FILE", help="Names of the concepts, one a line, if files lack them."
    ),
]
MissingOption = Annotated[
    Missing,
    typer.Option(
        "--missing",
        metavar="error|absent",
        help="An item or concept a run lacks: refuse, or not retrieved.",
    ),
]
ExtraOption = Annotated[
    Extra,
    typer.Option(
        "--extra",
        metavar="error|drop",
        help="Items of a run that the truth lacks: refuse, or leave out.",
    ),
]
SplitOption = Annotated[
    str | None,
    typer.Option(
        "--split",
        metavar="NAME",
        help="Only the items of this split, as splits.csv of the collection folder says.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        metavar="NUMBER",
        callback=finite,
        help="Decisions are confidences at or above this; default 0.5 within \\[0, 1].",
    ),
]


def _thresholds(texts: list[str] | None) -> list[str] | None:
    try:
        return require_thresholds(texts)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


ThresholdsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--threshold",
        metavar="NUMBER|FILE|RUN=NUMBER",
        callback=_thresholds,
        help="Decisions are confidences at or above this, or at or above what a CSV file "
        "(concept,threshold or run,threshold or run,concept,threshold) says; RUN=NUMBER: of a "
        "single run; may be repeated; default 0.5 within \\[0, 1].",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
OntologyOption = Annotated[
    str | None,
    typer.Option(
        "--ontology",
        metavar="NAME|FILE",
        help="Hierarchy and rules: pto2009, pto2010, pto2011, or a file (.owl .ttl .obo .json …).",
    ),
]
CostsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--costs",
        metavar="[NAME=]FILE",
        help="What it costs to take one concept for another, for OS(costs=NAME); may be repeated.",
        show_default=False,
    ),
]
RelatednessOption = Annotated[
    list[str] | None,
    typer.Option(
        "--relatedness",
        metavar="[NAME=]FILE",
        help="How closely concepts are related, for SRP(relatedness=NAME); may be repeated.",
        show_default=False,
    ),
]
AgreementOption = Annotated[
    Path | None,
    typer.Option(
        "--agreement",
        metavar="FILE",
        help="How far annotators agree on each concept: CSV with the header concept,value.",
    ),
]

# ── worded by each command ────────────────────────────────────────────────────────────────────


def csv_option(unit: str) -> Any:
    return typer.Option("--csv", help=f"Print CSV: a line for each {unit}.")


def output_option(help: str) -> Any:
    return typer.Option("--output", "-o", metavar="FILE", help=help)


def picture_option(what: str) -> Any:
    return typer.Option(
        "--picture",
        metavar="FILE",
        help=f"Draw {what}: .html .svg .png .pdf, or .json (Vega-Lite).",
    )


def measure_option(what: str, defaults: tuple[str, ...]) -> Any:
    return typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help=f"{what}, may be repeated; default: {', '.join(defaults)}.",
        autocompletion=measure_names,
        show_default=False,
    )


TableOutput = Annotated[
    Path | None,
    output_option("Write to a file; .json .csv .txt say what, unless a flag does."),
]
