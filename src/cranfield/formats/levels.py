"""What the name of a column of items tells of the others: `item level=6` says that grades of 6 and
more are relevant, `item targets` that the numbers are those which a run should hit.

Tables have no other place for this that every reader of CSV or Parquet leaves alone. A level of 1,
which is usual, is not written.
"""

from __future__ import annotations

import re

_NAMED = re.compile(r"(?P<word>.*\S)\s+level=(?P<level>[1-9]\d{0,17})", re.IGNORECASE | re.DOTALL)


def with_level(word: str, level: int) -> str:
    """The name of a column that tells the level."""
    return word if level == 1 else f"{word} level={level}"


def split_level(name: str) -> tuple[str, int]:
    """The name of a column without its level, and the level."""
    match = _NAMED.fullmatch(name.strip())
    return (name, 1) if match is None else (match["word"], int(match["level"]))


def with_targets(word: str) -> str:
    """The name of a column that says that the others hold targets."""
    return f"{word} targets"


def split_targets(name: str) -> tuple[str, bool]:
    """The name of a column without that, and whether it says so."""
    word, _, last = name.strip().rpartition(" ")
    marked = last.casefold() == "targets" and bool(word.strip())
    return (word.strip(), True) if marked else (name, False)
