"""Thrift's compact protocol, in which Parquet says what a file holds: structs as plain dicts.

Only what is needed to look at a file before it is trusted: a struct becomes a dict by field
number, a string bytes. Whatever cannot be such a struct is a `BrokenError`.
"""

from __future__ import annotations

from typing import Any

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
    return reader.struct(0), reader.place


class _Reader:
    def __init__(self, data: bytes, place: int) -> None:
        self.data = data
        self.place = place

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
        if size > len(self.data) - self.place:
            raise EarlyEndError
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _byte(self) -> int:
        try:
            byte = self.data[self.place]
        except IndexError:
            raise EarlyEndError from None
        self.place += 1
        return byte

    def _bytes(self, size: int) -> bytes:
        begin, self.place = self.place, self.place + size
        if self.place > len(self.data):
            raise EarlyEndError
        return self.data[begin : self.place]

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
