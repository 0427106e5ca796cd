"""Arguments that the commands about ontologies share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.choices import finite

_SOURCE = typer.Argument(
    metavar="ONTOLOGY",
    help="pto2009, pto2010, pto2011, or a file: .owl .ttl .rdf .obo .json .csv",
    show_default=False,
)
OntologySource = Annotated[str, _SOURCE]
PossibleSource = Annotated[str | None, _SOURCE]


class TreeName(StrEnum):
    """Which levels of a hierarchy there are."""

    flat = "flat"
    flattest = "flattest"
    printed = "printed"


TreeOption = Annotated[
    TreeName,
    typer.Option(
        "--tree",
        metavar="flat|flattest|printed",
        help="The whole tree, or one without levels that the ontology names.",
    ),
]

LabelThreshold = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        metavar="NUMBER",
        callback=finite,
        help="Labels of a run are confidences at or above this; default 0.5 within \\[0, 1].",
    ),
]
Lossy = Annotated[
    bool,
    typer.Option("--lossy", help="Write even if FILE cannot hold everything; say what is lost."),
]
