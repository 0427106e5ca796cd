"""What a Parquet file says about itself, and whether all of that can be true.

Parquet is decoded by Polars, which believes what it reads: a few wrong bytes make it ask for
memory that nobody has, and then the process ends. So the structure of a file is looked at first:
flat columns, rows and values that add up, and parts that lie within the file. What the pages hold
is left to Polars.

A file describes itself in Thrift's compact protocol. Of that, only what is needed is read: a struct
becomes a dict by field number, a string bytes. Whatever cannot be such a struct is a `BrokenError`.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from cranfield.errors import InputError, first_ten

MAGIC = b"PAR1"

_INDEX = re.compile(r"__index_level_\d+__")
_TAIL = 8
"""Bytes behind the footer: its size, and the magic."""
_BAD = "the Parquet file is broken: {}; copy or write it again"
_PHYSICAL_TYPES = range(8)
_CODECS = range(8)
_ENCODINGS = {0, *range(2, 10)}
_DATA_PAGE, _DICTIONARY_PAGE, _DATA_PAGE_2 = 0, 2, 3
_FIRST_GLANCE = 1 << 10
_LARGEST_FOOTER = 1 << 28
_LARGEST_PAGE = 1 << 26
_LARGEST_TABLE = 1 << 28
_MOST_GROWTH = 1000
"""Real tables and pages beyond those sizes grow less when they are unpacked; bombs grow more."""


@dataclass(frozen=True)
class Survey:
    """The columns and rows of a file."""

    names: tuple[str, ...]
    groups: tuple[int, ...]
    """Rows of each row group."""
    index: tuple[str, ...]
    """Columns that were the index of a pandas frame."""

    @property
    def rows(self) -> int:
        return sum(self.groups)


def survey(stream: IO[bytes], *, pages: bool) -> Survey:
    """Look at a file; raises InputError.

    pages  look also whether the parts that the footer names are there
    """
    size = stream.seek(0, 2)
    try:
        data, begin = _footer(stream, size)
        footer = read_struct(data)[0]
        columns = _columns(footer)
        groups = tuple(group[3] for group in footer[4])
        if min(groups, default=0) < 0 or sum(groups) != footer[3]:
            raise InputError(_BAD.format("its rows do not add up"))
        if pages:
            _require_size(sum(groups), len(columns), size)
            for group in footer[4]:
                _require_chunks(stream, group, columns, begin)
        names = tuple(column[4].decode() for column in columns)
        return Survey(names, groups, _pandas_index(footer, names))
    except (BrokenError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError(_BAD.format("what it says about its parts makes no sense")) from None
    finally:
        stream.seek(0)


def mentions(stream: IO[bytes], *words: bytes) -> bool:
    """Whether the footer holds these words in any case; far sooner said than a survey is made."""
    data = _footer(stream, stream.seek(0, 2))[0].lower()
    return all(word in data for word in words)


def _footer(stream: IO[bytes], size: int) -> tuple[bytes, int]:
    """The footer, and where it begins."""
    stream.seek(max(0, size - _TAIL))
    tail = stream.read(_TAIL)
    if tail[4:] != MAGIC:
        raise InputError(
            "the Parquet file does not end as one, with PAR1; it was cut, or is encrypted: copy "
            "or write it again"
        )
    length = int.from_bytes(tail[:4], "little")
    begin = size - _TAIL - length
    if begin < len(MAGIC) or length > _LARGEST_FOOTER:
        raise InputError(_BAD.format("its footer is larger than the file"))
    stream.seek(begin)
    return stream.read(length), begin


def _columns(footer: Struct) -> list[Struct]:
    """The elements of the schema that stand for columns, all flat."""
    columns: list[Struct]
    root, *columns = footer[2]
    nested = [column[4].decode(errors="replace") for column in columns if column.get(5)]
    if nested or root.get(5) != len(columns):
        raise InputError(
            f"columns hold lists or structs: {first_ten(nested)}; keep columns of numbers, "
            "and one of item ids"
        )
    repeated = [column[4].decode(errors="replace") for column in columns if column[3] == 2]
    if repeated:
        raise InputError(f"columns hold lists: {first_ten(repeated)}; keep columns of numbers")
    if any(column[1] not in _PHYSICAL_TYPES or column[3] not in (0, 1) for column in columns):
        raise ValueError
    return columns


def _pandas_index(footer: Struct, names: tuple[str, ...]) -> tuple[str, ...]:
    named = list(filter(_INDEX.fullmatch, names))
    for entry in footer.get(5, ()):
        if entry[1] == b"pandas":
            with suppress(ValueError, LookupError, TypeError, RecursionError):
                told = json.loads(entry[2])["index_columns"]
                named += [name for name in told if isinstance(name, str)]
    return tuple(named)


def _require_size(rows: int, columns: int, size: int) -> None:
    most = max(_LARGEST_TABLE, _MOST_GROWTH * size)
    if 8 * rows * columns > most:
        raise InputError(
            f"the file of {size} bytes says that it holds {rows} rows of {columns} columns, more "
            f"than {_MOST_GROWTH} times its size; is this the right file?"
        )


def _require_chunks(stream: IO[bytes], group: Struct, columns: list[Struct], end: int) -> None:
    """Each column must have its chunk of the row group, and the chunk lie before the footer."""
    rows, chunks = group[3], group[1]
    if len(chunks) != len(columns):
        raise ValueError
    for column, chunk in zip(columns, chunks, strict=True):
        told = chunk[3]
        fits = told[1] == column[1] and told[3] == [column[4]] and told[5] == rows
        if not fits or told[4] not in _CODECS or 1 in chunk:
            raise ValueError
        begin = min(offset for offset in (told[9], told.get(11)) if offset)
        if begin < len(MAGIC) or told[7] < 0 or begin + told[7] > end:
            raise InputError(_BAD.format("a column lies outside it"))
        _require_pages(stream, begin, begin + told[7], rows, packed=told[4] != 0)


def _require_pages(stream: IO[bytes], begin: int, end: int, rows: int, *, packed: bool) -> None:
    """The pages of a chunk must fill it and together hold a value for each row."""
    values = 0
    is_first = True
    while begin < end:
        page, begin = _page(stream, begin, end)
        unpacked, stored = page[2], page[3]
        if not 0 <= stored <= end - begin:
            raise InputError(_BAD.format("a page lies outside its column"))
        if not 0 <= unpacked <= max(_LARGEST_PAGE, _MOST_GROWTH * stored) or not (
            packed or unpacked == stored
        ):
            raise InputError(_BAD.format("a page cannot be as large as it says"))
        if page[1] == _DICTIONARY_PAGE and is_first:
            _require_dictionary(page[7], unpacked)
        else:
            values += _values(page, stored)
        is_first = False
        begin += stored
    if values != rows:
        raise InputError(_BAD.format("a column holds more or fewer values than there are rows"))


def _page(stream: IO[bytes], begin: int, end: int) -> tuple[Struct, int]:
    """The header of a page, which is short unless its statistics hold long strings."""
    glance = _FIRST_GLANCE
    while True:
        stream.seek(begin)
        try:
            page, size = read_struct(stream.read(min(glance, end - begin)))
            return page, begin + size
        except EarlyEndError:
            if glance >= end - begin:
                raise
            glance *= 8


def _require_dictionary(told: Struct, unpacked: int) -> None:
    # A value takes a bit or more.
    if not 0 <= told[1] <= 8 * unpacked or told[2] not in _ENCODINGS:
        raise ValueError


def _values(page: Struct, stored: int) -> int:
    """The number of values, null or not, that a page of data says it holds."""
    if page[1] == _DATA_PAGE:
        told = page[5]
        encodings = {told[2], told[3], told[4]}
    elif page[1] == _DATA_PAGE_2:
        told = page[8]
        encodings = {told[4]}
        levels = (told[5], told[6])
        if min(levels) < 0 or sum(levels) > stored or told[1] != told[3]:
            raise ValueError
        if not 0 <= told[2] <= told[1]:
            raise ValueError
    else:
        raise ValueError
    if told[1] < 0 or not encodings <= _ENCODINGS:
        raise ValueError
    return int(told[1])


_TRUE, _FALSE, _BYTE, _SHORT, _INT, _LONG, _DOUBLE, _BINARY, _LIST, _SET = range(1, 11)
_STRUCT = 12
_DEEPEST = 16
_LONGEST_NUMBER = 64

Struct = dict[int, Any]


class BrokenError(Exception):
    """The bytes are no struct."""


class EarlyEndError(BrokenError):
    """The bytes end within the struct."""


def read_struct(data: bytes, begin: int = 0) -> tuple[Struct, int]:
    """The struct that begins there, and where it ends."""
    reader = _Reader(data, begin)
    return reader.struct(0), reader.position


class _Reader:
    def __init__(self, data: bytes, position: int) -> None:
        self.data = data
        self.position = position

    def struct(self, depth: int) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._byte():
            step, kind = divmod(head, 16)
            number = number + step if step else self._whole()
            if number in fields:
                raise BrokenError
            # A field that is true or false says so in place of its kind.
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise BrokenError
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind in (_SHORT, _INT, _LONG):
            return self._whole()
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise BrokenError

    def _list(self, depth: int) -> list[Any]:
        size, kind = divmod(self._byte(), 16)
        if size == 15:
            size = self._unsigned()
        if size > len(self.data) - self.position:
            raise EarlyEndError
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _byte(self) -> int:
        try:
            byte = self.data[self.position]
        except IndexError:
            raise EarlyEndError from None
        self.position += 1
        return byte

    def _bytes(self, size: int) -> bytes:
        begin, self.position = self.position, self.position + size
        if self.position > len(self.data):
            raise EarlyEndError
        return self.data[begin : self.position]

    def _unsigned(self) -> int:
        byte = self._byte()
        if byte < 128:
            return byte
        number, shift = byte & 127, 7
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift >= _LONGEST_NUMBER:
                raise BrokenError

    def _whole(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)
