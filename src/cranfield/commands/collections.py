"""Collections that commands look at: one, or two side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cranfield.commands.inputs import (
    ConceptsOption,
    FormatOption,
    TermsOption,
    read_terms,
    require_format,
)
from cranfield.core.options import Argument

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection


class OneCollection(NamedTuple):
    """A collection."""

    collection: Collection


def collection_of_file(
    file: Annotated[Path, Argument(metavar="FILE")],
    *,
    format: FormatOption = None,
    concepts: ConceptsOption = None,
    terms: TermsOption = None,
) -> OneCollection:
    """A collection to look at.

    file  A truth file, or a collection folder.
    """
    read = collections_of_files(file, format=format, concepts=concepts, terms=terms)
    return OneCollection(read.collection)


class Collections(NamedTuple):
    """A collection, and perhaps another one."""

    collection: Collection
    other: Collection | None


def collections_of_files(
    file: Annotated[Path, Argument(metavar="FILE")],
    other: Annotated[Path | None, Argument(metavar="OTHER")] = None,
    *,
    format: FormatOption = None,
    concepts: ConceptsOption = None,
    terms: TermsOption = None,
) -> Collections:
    """Collections to look at side by side.

    file   A truth file, or a collection folder; or scores from elsewhere: a table run,item,score,
           or logs of Inspect, lm-evaluation-harness or promptfoo.
    other  A second one, to see both side by side.
    """
    from cranfield import formats

    require_format(format)
    names = formats.read_concepts(concepts) if concepts else None
    words = read_terms(terms)
    read = [
        formats.read_collection(path, concepts=names, format=format, terms=words)
        for path in (file, other)
        if path is not None
    ]
    return Collections(read[0], read[1] if other is not None else None)
