"""Arguments that the commands about ontologies share."""

from __future__ import annotations

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
