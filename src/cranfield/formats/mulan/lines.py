"""One line of ARFF data, read in Python: dense or sparse, and what is wrong with it.

This is the grammar of rows; the C parser takes the plain ones faster, with the same values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.errors import several
from cranfield.formats.lines import MalformedError, decoded, numbers
from cranfield.formats.mulan.arff import MISSING, Attribute, Kind, entries, fields, unquoted
from cranfield.formats.problems import Problems, shown

_WEIGHT = re.compile(r"\{[^{}]*\}")
_SPARSE_WEIGHT = re.compile(r"\}\s*+,\s*+\{[^{}]*\}$")
_WEIGHTED = "weights of rows are not read; remove the number in braces at the end"


class Row(NamedTuple):
    """What a line holds."""

    line: int
    values: list[float] | dict[int, float]
    """One for each attribute, 0 for text; in a sparse row those mentioned, by place."""
    texts: dict[int, str]
    """What text attributes hold, by place; missing text is not there."""


def text_of(record: bytes) -> str:
    """A line as text; nothing if it is blank or a comment."""
    text = decoded(record).strip()
    if "\0" in text:
        raise MalformedError(
            "the line holds a NUL byte; this is not plain text, or it is UTF-16: save it as UTF-8"
        )
    return "" if text.startswith("%") else text


class LineReader:
    """Reads lines of given attributes; reports those that are wrong."""

    def __init__(self, attributes: Sequence[Attribute], problems: Problems) -> None:
        self.attributes = attributes
        self.problems = problems
        self.numbers = [n for n, each in enumerate(attributes) if each.kind is Kind.NUMBER]
        self.nominals = [n for n, each in enumerate(attributes) if each.kind is Kind.NOMINAL]
        self.texts = [n for n, each in enumerate(attributes) if each.kind is Kind.TEXT]

    def read(self, record: bytes, line: int) -> Row | None:
        """What a line holds; None if that is nothing, or was reported."""
        before = self.problems.total
        try:
            text = text_of(record)
            if not text:
                return None
            row = self._sparse(text, line) if text.startswith("{") else self._dense(text, line)
        except MalformedError as error:
            self.problems.add(str(error), line=line)
        return row if self.problems.total == before else None

    def _dense(self, text: str, line: int) -> Row:
        cells = fields(text)
        width = len(self.attributes)
        if len(cells) == width + 1 and _WEIGHT.fullmatch(cells[-1]):
            raise MalformedError(_WEIGHTED)
        if len(cells) != width:
            mend = "add the missing ones" if len(cells) < width else "remove the extra ones"
            raise MalformedError(
                f"the row has {several(len(cells), 'value')}; expected {width}, one for each "
                f"attribute; {mend}"
            )
        values = [0.0] * width
        known = numbers([cells[place].encode() for place in self.numbers])
        for place, value in zip(self.numbers, known or (), strict=False):
            values[place] = value
        for place in self.nominals if known is not None else self.numbers + self.nominals:
            values[place] = self._cell(place, cells[place], line)
        texts = {n: unquoted(cells[n]) for n in self.texts if cells[n] != MISSING}
        return Row(line, values, texts)

    def _sparse(self, text: str, line: int) -> Row:
        if _SPARSE_WEIGHT.search(text):
            raise MalformedError(_WEIGHTED)
        if not text.endswith("}"):
            raise MalformedError("the sparse row is not closed by a brace; write {0 1, 7 yes}")
        values: dict[int, float] = {}
        texts: dict[int, str] = {}
        seen: set[int] = set()
        for place, cell in entries(text[1:-1]):
            if place >= len(self.attributes):
                raise MalformedError(
                    f"place {place} is beyond the {several(len(self.attributes), 'attribute')}, "
                    "which are counted from 0; correct it"
                )
            if place in seen:
                raise MalformedError(f"place {place} is mentioned twice; keep one of them")
            seen.add(place)
            if self.attributes[place].kind is not Kind.TEXT:
                values[place] = self._cell(place, cell, line)
            elif cell != MISSING:
                texts[place] = unquoted(cell)
        return Row(line, values, texts)

    def _cell(self, place: int, cell: str, line: int) -> float:
        """The number or place that a field stands for, NaN if it is missing or reported."""
        if cell != MISSING:
            attribute = self.attributes[place]
            try:
                return attribute.cell(unquoted(cell))
            except MalformedError as error:
                self.problems.add(f"attribute {shown(attribute.name)}: {error}", line=line)
        return np.nan
