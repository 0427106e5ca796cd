"""ARFF, the words of it: attributes and how they are declared, quoting, what a field may be.

`@relation`, `@attribute` and `@data` in any case; `%` begins a comment. Names and values with
blanks, commas or quotes stand in single or double quotes, with backslashes as in C. Numeric, real
and integer attributes are numbers, nominal ones list their values in braces, strings and dates are
text. `?` is missing. `rows` reads files of such words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from cranfield.caching import cached_property
from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.formats.lines import MalformedError, complaint, number
from cranfield.formats.problems import shown

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
    def places(self) -> dict[str, int]:
        return {value: place for place, value in enumerate(self.values)}

    @cached_property
    def numbers(self) -> tuple[float, ...] | None:
        """The values as numbers, if all of them are, and differ."""
        found = [number(value.encode()) for value in self.values]
        known = tuple(value for value in found if value is not None)
        return known if len(set(known)) == len(found) else None

    def cell(self, text: str) -> float:
        """A number, or the place of a nominal value; raises MalformedError."""
        if text in self.places:
            return self.places[text]
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
    found = _NAME.match(text)
    if found is None or found[1].startswith("%"):
        raise MalformedError("the name is missing, or its quote does not close; write 'a name'")
    return unquoted(found[1]), text[found.end() :].rstrip()


def _values(text: str) -> tuple[str, ...]:
    values: list[str] = []
    place, mark = 1, ","
    while mark == ",":
        found = _VALUE.match(text, place)
        if found is None:
            raise MalformedError("the values are not closed by a brace; write {value, value}")
        values.append(found[1] or found[2].strip())
        place, mark = found.end(), found[3]
    rest = text[place:].strip()
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
    found: list[str] = []
    place, mark = 0, ","
    while mark:
        field = _FIELD.match(text, place)
        if field is None:
            raise MalformedError(
                "a quote does not close, or something stands beside it; quote the whole value "
                "'like this', and write \\' for a quote inside it"
            )
        found.append(field[1] or field[2].strip())
        place, mark = field.end(), field[3]
    return found


def entries(text: str) -> list[tuple[int, str]]:
    """What a sparse row mentions: the places of attributes, and fields as above."""
    found: list[tuple[int, str]] = []
    place, mark = 0, "," if text.strip() else ""
    while mark:
        entry = _ENTRY.match(text, place)
        if entry is None:
            raise MalformedError(
                "a sparse row has pairs of a place and a value, {0 1, 7 yes}; correct "
                f"{shown(text[place:].strip())}"
            )
        found.append((int(entry[1]), entry[2] or entry[3].strip()))
        place, mark = entry.end(), entry[4]
    return found


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
