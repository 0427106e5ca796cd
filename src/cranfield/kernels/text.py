"""Numbers out of text, many lines at a time, where the C extension is there to do it.

`parse_rows` takes plain lines and stops before the first that is not; whoever calls it reads that
line in Python and goes on behind it. Without the extension it takes no line at all, so Python
reads every one: slower, with the same values and the same messages.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Rows(NamedTuple):
    """What was parsed from a block."""

    values: NDArray[np.float64]
    """(rows, width); NaN = an empty field."""
    spans: NDArray[np.int64]
    """(rows, 2 · names + 1): begin and end of each name, those behind the numbers too, and the
    lines before this one."""
    lines: int
    """Lines passed, blank ones included."""
    position: int
    """Where parsing stopped: the end, or the line that is not plain."""


class Room:
    """Memory for parsed rows that serves one block after the other.

    Fresh memory is given page by page as it is first touched, which takes as long as parsing. What
    was parsed into a room is gone when the next block is.
    """

    def __init__(self) -> None:
        self._values = np.empty(0)
        self._spans = np.empty(0, dtype=np.int64)

    def take(
        self, rows: int, width: int, spans: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        if self._values.size < rows * width:
            self._values = np.empty(rows * width)
        if self._spans.size < rows * spans:
            self._spans = np.empty(rows * spans, dtype=np.int64)
        return (
            self._values[: rows * width].reshape(rows, width),
            self._spans[: rows * spans].reshape(rows, spans),
        )


def _choose() -> Any:
    if os.environ.get("CRANFIELD_KERNELS", "") == "numpy":
        return None
    try:
        return import_module("cranfield.kernels._native")
    except ImportError:
        return None


_native = _choose()


def parse_rows(
    block: bytes,
    begin: int,
    end: int,
    *,
    separator: bytes,
    names: int,
    width: int,
    after: int = 0,
    loose: Collection[int] = (),
    room: Room | None = None,
) -> Rows:
    """Plain lines of block[begin:end], which ends with a line end.

    separator  b"" (any run of blanks), b"," or a tab
    names      fields at the start of a line that are text
    width      numbers after them
    after      names behind the numbers
    loose      numbers, by their place, that may be any text; such are NaN
    room       where to put them; default: memory of their own
    """
    # At least a character and a separator for each field, so no line is shorter than this.
    shortest = 2 * (names + after) + (1 if separator else 2) * width
    most = 0 if _native is None else (end - begin) // shortest
    values, spans = (room or Room()).take(most, width, 2 * (names + after) + 1)
    if _native is None or begin == end:
        return Rows(values, spans, 0, begin)
    code = separator[0] if separator else 0
    rows, passed, position = _native.parse_rows(
        block,
        begin,
        end,
        code,
        names,
        values,
        spans,
        most,
        width,
        after,
        sum(1 << place for place in loose),
    )
    return Rows(values[:rows], spans[:rows], passed, position)


def number_names(names: list[str], known: dict[str, int]) -> NDArray[np.int64]:
    """The place of each name among those known; new ones are added at the end."""
    if _native is None:
        return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
    places = np.empty(len(names), dtype=np.int64)
    _native.number_names(names, known, places)
    return places


def cut_names(block: bytes, rows: Rows, place: int) -> list[str] | None:
    """The names of parsed rows at a place on their lines; None if one is not UTF-8."""
    if _native is None:
        return []
    names: list[str] | None = _native.cut_names(
        block, rows.spans, len(rows.spans), rows.spans.shape[1], 2 * place
    )
    return names


class Names:
    """Names numbered from 0 in the order in which they come; without line ends in them.

    The C extension keeps them as bytes: a text is made of each name once, not for each line.
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self.native = None if _native is None else _native.numbering()

    def __len__(self) -> int:
        return len(self._known) if self.native is None else int(_native.numbering_size(self.native))

    def of(self, names: list[str]) -> NDArray[np.uint32]:
        """The numbers of names, which may hold bytes that are not UTF-8 ("surrogateescape")."""
        if self.native is None:
            return number_names(names, self._known).astype(np.uint32)
        fields = [name.encode("utf-8", errors="surrogateescape") for name in names]
        ends = np.cumsum([len(field) for field in fields], dtype=np.int64)
        spans = np.stack((np.concatenate(([0], ends))[: len(ends)], ends), axis=1)
        numbers = np.empty(len(spans), dtype=np.uint32)
        _native.numbered((self.native,), b"".join(fields), spans, *spans.shape, numbers, False)
        return numbers

    @property
    def texts(self) -> list[str]:
        """All names in order."""
        return self.joined.decode("utf-8", errors="surrogateescape").split("\n")[:-1]

    @property
    def joined(self) -> bytes:
        """All names in order, each with a line end behind it."""
        if self.native is None:
            lines = "".join(f"{name}\n" for name in self._known)
            return lines.encode("utf-8", errors="surrogateescape")
        joined: bytes = _native.numbered_names(self.native)
        return joined


def number_columns(names: Sequence[Names], block: bytes, rows: Rows) -> NDArray[np.uint32] | None:
    """(columns, rows): the numbers of the first names of parsed lines, each column by its own;
    None if a new one is not UTF-8."""
    spans = rows.spans
    numbers = np.empty((len(names), len(spans)), dtype=np.uint32)
    native = tuple(one.native for one in names)
    return numbers if _native.numbered(native, block, spans, *spans.shape, numbers, True) else None


def row_major(
    rows: NDArray[np.uint32],
    columns: NDArray[np.uint32],
    shape: tuple[int, int],
    values: NDArray[Any],
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Cells in row-major order, those that stand twice as they were: row · width + column of each,
    and its values, (cells, numbers) of eight bytes."""
    if _native is None:
        order = np.lexsort((columns, rows))
        return rows[order].astype(np.int64) * shape[1] + columns[order], values[order]
    codes, placed = np.empty(len(rows), dtype=np.int64), np.empty_like(values)
    _native.place_cells(rows, columns, *shape, values, values.shape[1], codes, placed)
    return codes, placed
