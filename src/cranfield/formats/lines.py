"""One line of a table, read in Python: its fields, its numbers, and what is wrong with them.

This is the grammar of every text format here. The C parser takes the plain lines faster; it never
takes a line that this file would refuse, and gives the same numbers.
"""

from __future__ import annotations

import csv
import math
import re
from typing import Any, NamedTuple

from cranfield.formats.problems import shown

_WORD = re.compile(rb"\S+")
_SHORT = 1 << 16
_NUMBER_CHARACTERS = b"0123456789+-.eE"


_BUILT = ("separator", "width", "after", "loose")


class Layout(NamedTuple):
    """How a line is built."""

    separator: bytes
    """b"" (any run of blanks), b"," or a tab."""
    names: int
    """Fields at the start of a line that are text."""
    width: int
    """Numbers after them."""
    after: int = 0
    """Fields behind the numbers that are text."""
    loose: tuple[int, ...] = ()
    """Numbers, by their place, that may be any text, since nobody needs them; such are NaN."""
    columns: str = ""
    """What to call all the fields, where a line is better described as a whole."""
    remark: bool = False
    """Whether words may follow on the line, as long as they are too few to be another one."""

    @property
    def parsed(self) -> dict[str, Any]:
        """What the C parser asks for."""
        return {"names": self.names, **self.built}

    @property
    def built(self) -> dict[str, Any]:
        """The same without the names at the start."""
        return {name: getattr(self, name) for name in _BUILT}

    @property
    def fields(self) -> int:
        return self.names + self.width + self.after

    def allows(self, count: int) -> bool:
        """Whether a line may have so many fields."""
        return count == self.fields or (self.remark and self.fields < count < 2 * self.fields - 1)


class MalformedError(Exception):
    """A line that cannot be cut into fields; says why and how to mend it."""


def fields(line: bytes, separator: bytes, *, most: int = -1) -> list[bytes]:
    """The fields of a line. Blanks around a field do not count unless they are quoted.

    most  cut off no more fields than this from the rest of the line, which may be long
    """
    if b"\0" in line:
        raise MalformedError(
            "the line holds a NUL byte; this is not plain text, or it is UTF-16: save it as UTF-8"
        )
    if not separator:
        return line.split(None, most)
    if b'"' not in line:
        blanks = b" \t".replace(separator, b"")
        return [field.strip(blanks) for field in line.split(separator, most)]
    try:
        text = line.decode("utf-8", errors="surrogateescape")
        reader = csv.reader(
            [text], delimiter=separator.decode(), skipinitialspace=True, strict=True
        )
        row = next(reader)
    except (csv.Error, StopIteration):
        raise MalformedError(
            'a double quote stands alone or where none may be; quote the whole field "like this", '
            'and double a quote inside it ("")'
        ) from None
    return [field.encode("utf-8", errors="surrogateescape") for field in row]


def field_count(line: bytes, separator: bytes) -> int:
    """How many fields there are, without making them."""
    if not separator:
        return len(line.split()) if len(line) < _SHORT else sum(1 for _ in _WORD.finditer(line))
    return len(fields(line, separator)) if b'"' in line else line.count(separator) + 1


def decoded(field: bytes) -> str:
    """A name as text."""
    try:
        return field.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedError(f"{shown(field)} is not UTF-8; save the file as UTF-8") from None


def numbers(cells: list[bytes]) -> list[float] | None:
    """The cells as numbers, or None where one of them is not a finite number."""
    if b"".join(cells).translate(None, _NUMBER_CHARACTERS):
        return None
    try:
        values = list(map(float, cells))
    except ValueError:
        return None
    return None if math.inf in values or -math.inf in values else values


def number(cell: bytes) -> float | None:
    values = numbers([cell])
    return None if values is None else values[0]


def complaint(cell: bytes, rows: str = "item") -> str:
    """What is wrong with a cell that is not a finite number.

    rows  what its line is about
    """
    text = cell.strip().lower()
    bare = text.lstrip(b"+-")
    if not text:
        return "the value is missing; write a number"
    if bare.startswith(b"nan"):
        return f"{shown(cell)} is not a number; write a finite number or leave the {rows} out"
    if bare in (b"inf", b"infinity"):
        return f"{shown(cell)} is not finite; write a finite number"
    if not text.translate(None, _NUMBER_CHARACTERS) and _is_float(text):
        return f"{shown(cell)} is too large for a number; write one below 1.8e308"
    if not text.translate(None, _NUMBER_CHARACTERS + b",") and _is_float(text.replace(b",", b".")):
        return f"{shown(cell)} has a decimal comma; write a decimal point"
    if bare.startswith(b"0x"):
        return f"{shown(cell)} is hexadecimal; write a decimal number"
    if b"_" in text and _is_float(text):
        return f"{shown(cell)} has underscores; write the digits only"
    return f"{shown(cell)} is not a number; write a decimal number such as 0.25"


def looks_like_numbers(fields: list[bytes]) -> bool:
    """Whether all fields are meant as numbers, be they good ones or not."""
    return all(_is_float(field.replace(b",", b".")) for field in fields)


def _is_float(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
