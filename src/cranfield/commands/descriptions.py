"""`cranfield describe`: what is in a collection, in two, or in scores from elsewhere."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

from cranfield.collections.description.facts import PAIRS
from cranfield.collections.description.overlap import describe as described
from cranfield.commands.collections import Collections, collections_of_files
from cranfield.core.result import Analysis
from cranfield.engine.score_description import ScoreDescription


@wraps(collections_of_files)
def collections_or_scores(file: Path, other: Path | None = None, **options: Any) -> Collections:
    from cranfield.errors import FileError
    from cranfield.formats.scores import is_scores, read_score_table
    from cranfield.formats.source import name_of

    if options.get("format") is not None or not is_scores(file):
        return collections_of_files(file, other, **options)
    if other is not None:
        raise FileError(file, "scores of items are described alone; name one file or folder")
    return Collections(ScoreDescription(read_score_table(file), name_of(file)), None)  # type: ignore[arg-type]


@wraps(described)
def describe(collection: Any, other: Any = None, *, pairs: int = PAIRS) -> Analysis:
    if isinstance(collection, ScoreDescription):
        return collection
    result: Analysis = described(collection, other, pairs=pairs)
    return result
