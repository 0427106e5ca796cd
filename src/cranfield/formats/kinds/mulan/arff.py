"""ARFF, the words of it: attributes and how they are declared, quoting, and a line of data.

`@relation`, `@attribute` and `@data` in any case; `%` begins a comment. Names and values with
blanks, commas or quotes stand in single or double quotes, with backslashes as in C. Numeric, real
and integer attributes are numbers, nominal ones list their values in braces, strings and dates are
text. `?` is missing. A line of data is dense or sparse; this is its grammar, and the C parser takes
the plain ones faster, with the same values. `rows` reads files of such words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.errors import several
from cranfield.formats.lines import MalformedError, complaint, decoded, number, numbers
from cranfield.formats.problems import Problems, shown

MISSING = "?"

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_UNQUOTED = r"(?!\s*['\"])"
_NAME = re.compile(rf"\s*({_QUOTED}|{_UNQUOTED}[^\s{{]+)\s*", re.DOTALL)
_FIELD = re.compile(rf"(?:\s*({_QUOTED})\s*|{_UNQUOTED}([^,]*))(,|$)", re.DOTALL)
_VALUE = re.compile(rf"(?:\s*({_QUOTED})\s*|{_UNQUOTED}([^,}}]*))([,}}])", re.DOTALL)
_ENTRY = re.compile(
    rf"\s*(\d{{1,9}})\s++(?:({_QUOTED})\s*|{_UNQUOTED}([^,]*))(,|$)", re.DOTALL | re.ASCII
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_PLAIN = re.compile(r"[\w.+-]+")
_SPECIAL = re.compile(r"[\x00-\x1f\x7f\\'\"%]")
_ESCAPES = {char: f"\\{letter}" for letter, char in _ESCAPED.items()}


class Kind(Enum):
    """What an attribute holds."""

    NUMBER = "numbers"
    NOMINAL = "nominal values"
    TEXT = "text"


_KINDS = {
    "numeric": Kind.NUMBER,
    "real": Kind.NUMBER,
    "integer": Kind.NUMBER,
    "string": Kind.TEXT,
    "date": Kind.TEXT,
}


@dataclass(frozen=True)
class Attribute:
    """A column of the data."""

    name: str
    kind: Kind
    values: tuple[str, ...] = ()
    """Those of a nominal attribute."""

    @cached_property
    def positions(self) -> dict[str, int]:
        return {value: position for position, value in enumerate(self.values)}

    @cached_property
    def numbers(self) -> tuple[float, ...] | None:
        """The values as numbers, if all of them are, and differ."""
        result = [number(value.encode()) for value in self.values]
        known = tuple(value for value in result if value is not None)
        return known if len(set(known)) == len(result) else None

    def cell(self, text: str) -> float:
        """A number, or the place of a nominal value; raises MalformedError."""
        if text in self.positions:
            return self.positions[text]
        value = number(text.encode())
        if value is not None and self.kind is Kind.NUMBER:
            return value
        if value is not None and value in (self.numbers or ()):
            return (self.numbers or ()).index(value)
        if text and self.kind is Kind.NUMBER:
            raise MalformedError(complaint(text.encode()))
        if not text:
            raise MalformedError(f"the value is missing; write {MISSING} where there is none")
        known = ", ".join(map(shown, self.values[:5])) + (" …" if self.values[5:] else "")
        raise MalformedError(f"{shown(text)} is none of its values {known}; correct or declare it")


def declared(text: str) -> Attribute:
    """An attribute from what stands behind `@attribute`; raises MalformedError."""
    name, rest = named(text)
    if not name:
        raise MalformedError("the name is empty; name the attribute")
    if rest.startswith("{"):
        return Attribute(name, Kind.NOMINAL, _values(rest))
    word = rest.split(None, 1)[0].casefold() if rest else ""
    if word not in _KINDS:
        raise MalformedError(
            f"attribute {shown(name)} is declared as {shown(rest)}; write numeric, string, or its "
            "values in braces"
        )
    return Attribute(name, _KINDS[word])


def named(text: str) -> tuple[str, str]:
    """A name, quoted or not, and what stands behind it."""
    result = _NAME.match(text)
    if result is None or result[1].startswith("%"):
        raise MalformedError("the name is missing, or its quote does not close; write 'a name'")
    return unquoted(result[1]), text[result.end() :].rstrip()


def _values(text: str) -> tuple[str, ...]:
    values: list[str] = []
    position, mark = 1, ","
    while mark == ",":
        result = _VALUE.match(text, position)
        if result is None:
            raise MalformedError("the values are not closed by a brace; write {value, value}")
        values.append(result[1] or result[2].strip())
        position, mark = result.end(), result[3]
    rest = text[position:].strip()
    if rest and not rest.startswith("%"):
        raise MalformedError(f"{shown(rest)} stands behind the values; remove it")
    known = () if values == [""] else tuple(map(unquoted, values))
    if len(set(known)) < len(known):
        raise MalformedError("a value is declared twice; keep one")
    return known


def fields(text: str) -> list[str]:
    """What commas part, outside quotes; quotes stay, blanks around a field go."""
    if "'" not in text and '"' not in text:
        return [field.strip() for field in text.split(",")]
    result: list[str] = []
    position, mark = 0, ","
    while mark:
        field = _FIELD.match(text, position)
        if field is None:
            raise MalformedError(
                "a quote does not close, or something stands beside it; quote the whole value "
                "'like this', and write \\' for a quote inside it"
            )
        result.append(field[1] or field[2].strip())
        position, mark = field.end(), field[3]
    return result


def entries(text: str) -> list[tuple[int, str]]:
    """What a sparse row mentions: the places of attributes, and fields as above."""
    result: list[tuple[int, str]] = []
    position, mark = 0, "," if text.strip() else ""
    while mark:
        entry = _ENTRY.match(text, position)
        if entry is None:
            raise MalformedError(
                "a sparse row has pairs of a place and a value, {0 1, 7 yes}; correct "
                f"{shown(text[position:].strip())}"
            )
        result.append((int(entry[1]), entry[2] or entry[3].strip()))
        position, mark = entry.end(), entry[4]
    return result


def unquoted(field: str) -> str:
    """A field without its quotes."""
    return _ESCAPE.sub(_unescaped, field[1:-1]) if field[:1] in ("'", '"') else field


def _unescaped(escape: re.Match[str]) -> str:
    letter = escape[1]
    if len(letter) == 1:
        return _ESCAPED.get(letter, letter)
    char = chr(int(letter[1:], 16))
    if "\ud800" <= char <= "\udfff":
        raise MalformedError(f"{shown(escape[0])} is no character; write it as UTF-8")
    return char


def is_word_for_items(name: str) -> bool:
    return name.strip().casefold() in WORDS_FOR_ITEMS


def quoted(text: str) -> str:
    """Text as a name or value, in quotes where it needs them."""
    return text if _PLAIN.fullmatch(text) else "'" + _SPECIAL.sub(_escaped, text) + "'"


def _escaped(special: re.Match[str]) -> str:
    char = special[0]
    plain = f"\\u{ord(char):04x}" if char < " " or char == "\x7f" else f"\\{char}"
    return _ESCAPES.get(char, plain)


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
        known = numbers([cells[position].encode() for position in self.numbers])
        for position, value in zip(self.numbers, known or (), strict=False):
            values[position] = value
        for position in self.nominals if known is not None else self.numbers + self.nominals:
            values[position] = self._cell(position, cells[position], line)
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
        for position, cell in entries(text[1:-1]):
            if position >= len(self.attributes):
                raise MalformedError(
                    f"place {position} is beyond the {several(len(self.attributes), 'attribute')}, "
                    "which are counted from 0; correct it"
                )
            if position in seen:
                raise MalformedError(f"place {position} is mentioned twice; keep one of them")
            seen.add(position)
            if self.attributes[position].kind is not Kind.TEXT:
                values[position] = self._cell(position, cell, line)
            elif cell != MISSING:
                texts[position] = unquoted(cell)
        return Row(line, values, texts)

    def _cell(self, position: int, cell: str, line: int) -> float:
        """The number or place that a field stands for, NaN if it is missing or reported."""
        if cell != MISSING:
            attribute = self.attributes[position]
            try:
                return attribute.cell(unquoted(cell))
            except MalformedError as error:
                self.problems.add(f"attribute {shown(attribute.name)}: {error}", line=line)
        return np.nan
