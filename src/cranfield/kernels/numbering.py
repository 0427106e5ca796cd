"""Names as numbers, and lists of cells by such numbers.

The lines of a list repeat their names. As numbers they are found a million at a time, and a text is
made of each name once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels import text
from cranfield.kernels.threads import share, worker_count

_WORTH_A_THREAD = 1 << 17
"""Cells; or four a row, since each thread has to count them."""


class Names:
    """Names numbered from 0 in the order in which they come; without line ends in them.

    The C extension keeps them as bytes: a text is made of each name once, not for each line.
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self.native = None if text.extension is None else text.extension.numbering()

    def __len__(self) -> int:
        if self.native is None:
            return len(self._known)
        return int(text.extension.numbering_size(self.native))

    def of(self, names: list[str]) -> NDArray[np.uint32]:
        """The numbers of names, which may hold bytes that are not UTF-8 ("surrogateescape")."""
        if self.native is None:
            return text.number_names(names, self._known).astype(np.uint32)
        fields = [name.encode("utf-8", errors="surrogateescape") for name in names]
        ends = np.cumsum([len(field) for field in fields], dtype=np.int64)
        spans = np.stack((np.concatenate(([0], ends))[: len(ends)], ends), axis=1)
        numbers = np.empty(len(spans), dtype=np.uint32)
        text.extension.numbered(self.native, b"".join(fields), spans, numbers)
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
        joined: bytes = text.extension.numbered_names(self.native)
        return joined


class Translation:
    """What numbers of one numbering are in another, where the extension keeps both."""

    def __init__(self, names: Names, into: Names) -> None:
        self._names = names
        self._into = into
        self._numbers = np.empty(0, dtype=np.uint32)
        """Of the names that were seen, and room for more."""
        self._seen = 0
        self._byte = 0
        self._same = True

    def apply(self, numbers: NDArray[np.uint32]) -> None:
        """Translate numbers in place; names that are new there get the next ones."""
        seen, self._seen = self._seen, len(self._names)
        if self._seen > len(self._numbers):
            more = np.empty(2 * self._seen, dtype=np.uint32)
            more[:seen] = self._numbers[:seen]
            self._numbers = more
        new = self._numbers[seen : self._seen]
        if len(new):
            self._byte = text.extension.renumbered(
                self._into.native, self._names.native, self._byte, new
            )
            self._same &= bool((new == np.arange(seen, self._seen)).all())
        if not self._same:
            np.take(self._numbers, numbers, out=numbers, mode="clip")


class NumberedRows:
    """Plain lines, names as numbers, in memory that may serve one block after the other.

    Fresh memory is given page by page as it is first touched, which takes as long as parsing.
    """

    def __init__(
        self,
        names: Sequence[Names],
        *,
        separator: bytes,
        width: int,
        after: int = 0,
        loose: Collection[int] = (),
    ) -> None:
        """names  what numbers those of each column, the ones behind the numbers too; the others are
        as `parse_rows` has them."""
        self._names = names
        self._layout = text.layout_of(separator, len(names) - after, width, after, loose)
        # At least a character and a separator for each field, so no line is shorter than this.
        self._shortest = 2 * len(names) + (1 if separator else 2) * width
        self._numbers = np.empty((len(names), 0), dtype=np.uint32)
        self._passed = np.empty(0, dtype=np.uint32)
        self._values = np.empty((width, 0))
        self.clear()

    def __len__(self) -> int:
        return self._filled

    def clear(self) -> None:
        """Put what comes next in the place of what is there."""
        self._filled = 0
        self.lines = 0
        """Lines passed, blank ones included."""

    @property
    def numbers(self) -> NDArray[np.uint32]:
        """(columns, rows)."""
        return self._numbers[:, : self._filled]

    @property
    def values(self) -> NDArray[np.float64]:
        """(rows, width); NaN = an empty field."""
        return self._values[:, : self._filled].T

    @property
    def passed(self) -> NDArray[np.uint32]:
        """The lines before each row."""
        return self._passed[: self._filled]

    def parse(self, block: bytes | bytearray, begin: int, end: int) -> int:
        """Add the plain lines of block[begin:end], which ends with a line end; where it stopped:
        the end, or the line that is not plain, or a few lines before it."""
        if text.extension is None or begin == end:
            return begin
        self._make_room((end - begin) // self._shortest)
        self._filled, self.lines, position = text.extension.parse_numbered(
            block,
            begin,
            end,
            *self._layout,
            tuple(one.native for one in self._names),
            self._values,
            self._numbers,
            self._passed,
            len(self._passed),
            self._filled,
            self.lines,
        )
        return int(position)

    def _make_room(self, rows: int) -> None:
        room = self._filled + rows
        if room > len(self._passed):
            for name in ("_numbers", "_passed", "_values"):
                before = getattr(self, name)
                more = np.empty((*before.shape[:-1], room + room // 2), dtype=before.dtype)
                more[..., : self._filled] = before[..., : self._filled]
                setattr(self, name, more)


def row_major(
    rows: NDArray[np.uint32],
    columns: NDArray[np.uint32],
    shape: tuple[int, int],
    values: NDArray[Any],
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Cells in row-major order, those that stand twice as they were: row · width + column of each,
    and its values, (cells, numbers) of eight bytes."""
    if text.extension is None:
        order = np.lexsort((columns, rows))
        return rows[order].astype(np.int64) * shape[1] + columns[order], values[order]
    order = np.empty(len(columns), dtype=np.uint32)
    if not text.extension.column_order(columns, shape[1], order):
        order = order[:0]
    codes, placed = np.empty(len(rows), dtype=np.int64), np.empty_like(values)
    parts = max(1, min(worker_count(), len(rows) // max(_WORTH_A_THREAD, 4 * shape[0])))
    edges = [place * len(rows) // parts for place in range(parts + 1)]
    starts = np.zeros((parts, shape[0]), dtype=np.uint32)

    def count(some: range) -> None:
        for part in some:
            text.extension.count_rows(rows, order, edges[part], edges[part + 1], starts[part])

    def place(some: range) -> None:
        for part in some:
            text.extension.place_cells(
                rows,
                columns,
                order,
                edges[part],
                edges[part + 1],
                starts[part],
                shape[1],
                values,
                values.shape[1],
                codes,
                placed,
            )

    share(parts, 1, count)
    # A part's cells of a row stand behind those of the rows above and of the parts before it.
    before = np.cumsum(starts, axis=0, dtype=np.uint32)
    starts = before - starts + (np.cumsum(before[-1], dtype=np.uint32) - before[-1])
    share(parts, 1, place)
    return codes, placed
