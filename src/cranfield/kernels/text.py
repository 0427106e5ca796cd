"""Numbers out of text, many lines at a time, where the C extension is there to do it.

`parse_rows` takes plain lines and stops before the first that is not; whoever calls it reads that
line in Python and goes on behind it. Without the extension it takes no line at all, so Python
reads every one: slower, with the same values and the same messages.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.environment import chosen_kernels


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
    if chosen_kernels() == "numpy":
        return None
    try:
        return import_module("cranfield.kernels._native")
    except ImportError:
        return None


extension = _choose()


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
    most = 0 if extension is None else (end - begin) // shortest
    values, spans = (room or Room()).take(most, width, 2 * (names + after) + 1)
    if extension is None or begin == end:
        return Rows(values, spans, 0, begin)
    layout = layout_of(separator, names, width, after, loose)
    rows, passed, position = extension.parse_rows(block, begin, end, *layout, values, spans, most)
    return Rows(values[:rows], spans[:rows], passed, position)


def layout_of(
    separator: bytes, names: int, width: int, after: int, loose: Collection[int]
) -> tuple[int, ...]:
    """How a line is built, as the C parser asks for it."""
    code = separator[0] if separator else 0
    return code, names, width, after, sum(1 << place for place in loose)


def number_names(names: list[str], known: dict[str, int]) -> NDArray[np.int64]:
    """The place of each name among those known; new ones are added at the end."""
    if extension is None:
        return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
    places = np.empty(len(names), dtype=np.int64)
    extension.number_names(names, known, places)
    return places


def cut_names(block: bytes, rows: Rows, place: int) -> list[str] | None:
    """The names of parsed rows at a place on their lines; None if one is not UTF-8."""
    if extension is None:
        return []
    names: list[str] | None = extension.cut_names(
        block, rows.spans, len(rows.spans), rows.spans.shape[1], 2 * place
    )
    return names
