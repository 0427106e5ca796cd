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
