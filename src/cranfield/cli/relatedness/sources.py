"""Sources of relatedness as named on the command line; a name that is none is wrong usage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from cranfield.knowledge.relatedness import Source

KINDS = (
    "PATH, LCH, WUP, RES, LIN, JCN, HSO, LESK or VECTOR (WordNet), wordllama, corpus:FILE, "
    "counts:FILE, truth:FILE, links:FILE, vectors:FILE, web:FILE, ontology:NAME or map:FILE"
)
"""The sources in the words of `--help`, which must not wait for them to be loaded."""


def source_named(spelling: str, *, option: str) -> Source:
    """The source that a spelling names."""
    from cranfield.formats.relatedness.named import SpellingError, source_of

    try:
        return source_of(spelling)
    except SpellingError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
