"""Arguments that the commands about ontologies share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

OntologySource = Annotated[
    str,
    typer.Argument(
        metavar="ONTOLOGY",
        help="pto2009, pto2010, pto2011, or a file: .owl .ttl .rdf .obo .json .csv",
        show_default=False,
    ),
]


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

Lossy = Annotated[
    bool,
    typer.Option("--lossy", help="Write even if FILE cannot hold everything; say what is lost."),
]
