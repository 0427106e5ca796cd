"""The header of a matrix in a text file: which columns are which concepts."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.levels import split_level, split_targets
from cranfield.formats.lines import number
from cranfield.formats.problems import Problems, shown
from cranfield.formats.table import SEMICOLONS, Table


def concept_columns(table: Table, problems: Problems, *, rows: str = "item") -> tuple[str, ...]:
    """The concepts that a header names behind its first field."""
    return heading(table, problems, rows=rows).concepts


class Heading(NamedTuple):
    concepts: tuple[str, ...]
    level: int
    """The lowest grade that counts as relevant."""
    targets: bool
    """Whether the numbers are targets."""


def heading(table: Table, problems: Problems, *, rows: str = "item") -> Heading:
    """The concepts that a header names behind its first field, and what that field tells of them.

    rows  what the lines below are about: the first field of a header that is written well
    """
    first, *concepts = table.header()
    first, targets = split_targets(first)
    first, level = split_level(first)
    line = table.header_line
    if not concepts:
        raise FileError(
            table.path,
            f"the header {shown(first)} names no concepts; "
            + (SEMICOLONS if ";" in first else f"write {rows},<concept>,…"),
            line=line,
        )
    if first.casefold() not in (*WORDS_FOR_ITEMS, rows) and all(
        number(name.encode()) is not None for name in concepts
    ):
        raise FileError(
            table.path,
            f"the first line looks like data; put a header before it: {rows},<concept>,…",
            line=line,
        )
    if "" in concepts:
        problems.add(
            f"column {concepts.index('') + 2} of the header has no name; name its concept",
            line=line,
        )
    twice = [name for name, count in Counter(concepts).items() if count > 1 and name]
    if twice:
        problems.add(
            f"{several(len(twice), 'concept')} more than once in the header: {first_ten(twice)}; "
            "keep one column of each",
            line=line,
        )
    return Heading(tuple(concepts), level, targets)
