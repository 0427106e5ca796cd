"""Arguments and options that several commands take, each worded once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.choices import FORMATS, Missing, known_format

CollectionPath = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A truth file, or a collection folder.", show_default=False
    ),
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
