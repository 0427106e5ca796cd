"""Confusion matrices as Weka prints them, alone or at the end of its whole output.

 a   b   c   <-- classified as
13   2   5 |   a = woman
 4  15   1 |   b = man
 2   1  57 |   c = child
"""

from __future__ import annotations

import re

import numpy as np

from cranfield.errors import FileError, first_ten
from cranfield.formats.lines import numbers
from cranfield.formats.problems import shown
from cranfield.formats.source import Source
from cranfield.tasks.classes.layout import TitledMatrix

_HEADING = re.compile(rb"^\s*(?:\S+\s+)+<--\s+classified as\s*$")
_ROW = re.compile(rb"^(?P<cells>[^|]*)\|\s*\S+\s*=\s*(?P<name>.*\S)\s*$")


def is_weka(source: Source) -> bool:
    """Whether the head of the file holds the heading of such a matrix."""
    return any(_HEADING.match(line) for line in source.head_lines())


def read_weka(source: Source) -> TitledMatrix:
    """The last matrix in the file, which is that of the test."""
    rows: dict[str, list[float]] = {}
    expected = 0
    inside = False
    for place, line in enumerate(source.lines(), start=1):
        if _HEADING.match(line):
            rows, expected, inside = {}, len(line.split(b"<--")[0].split()), True
        elif inside and line.strip():
            found = _ROW.match(line)
            cells = None if found is None else numbers(found["cells"].split())
            if found is None or cells is None or len(cells) != expected or min(cells) < 0:
                raise FileError(
                    source.path,
                    f"{shown(line)} is no row of Weka's matrix; write {expected} counts, |, and "
                    "what the letter means",
                    line=place,
                )
            name = found["name"].decode("utf-8", errors="backslashreplace")
            if name in rows:
                raise FileError(
                    source.path, f"class {shown(name)} has a row already; keep one", line=place
                )
            rows[name] = cells
        elif inside and rows:
            inside = False
    if len(rows) != expected:
        raise FileError(
            source.path,
            f"Weka's matrix has {expected} columns, but rows for {first_ten(rows) or 'none'}; it "
            "needs a row for each class",
        )
    return TitledMatrix(
        np.array(list(rows.values())), tuple(rows), tuple(rows), column_title="classified as"
    )
