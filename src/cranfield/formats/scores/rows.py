"""Rows of scores: what every format of scores is read into, and how JSON says a score."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from cranfield.errors import FileError
from cranfield.formats.problems import shown
from cranfield.formats.source import Source


class ScoreRow(NamedTuple):
    """A score of an item of a run; checked when a table is made of all of them."""

    line: int | None
    run: Any
    item: Any
    score: Any
    measure: Any = None
    repeat: Any = None
    cluster: Any = None


@dataclass(frozen=True)
class ScoreFormat:
    """A format of files that hold scores of items."""

    name: str
    recognises: Callable[[Source], bool]
    rows: Callable[[Source], Iterator[ScoreRow]]


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a score: a number, or true or false."""
    return isinstance(value, int | float) and math.isfinite(value)


def record_of(value: Any, source: Source, line: int | None, what: str) -> dict[str, Any]:
    """A value of JSON that should be an object."""
    if not isinstance(value, dict):
        raise FileError(
            source.path, f"{shown(repr(value))} is no {what}; write the log again", line=line
        )
    return value


def required(record: dict[str, Any], name: str, source: Source, line: int | None) -> Any:
    """A field that a record cannot do without."""
    if record.get(name) is None:
        raise FileError(
            source.path, f"a record has no {name!r}; was the log written to its end?", line=line
        )
    return record[name]
