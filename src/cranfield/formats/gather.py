"""What is gathered while a table is read: the ids of its items, and its rows as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.formats.problems import Problems, shown
from cranfield.formats.table import Chunk
from cranfield.matrices import Ints


class Items:
    """Ids of rows in the order of their lines; each may stand once."""

    def __init__(
        self, problems: Problems, *, rows: str = "item", known: tuple[str, ...] | None = None
    ) -> None:
        """rows   what an id names, in messages
        known  ids that may well be just these, in this order: then none need be looked up
        """
        self.problems = problems
        self._rows = rows
        self._known = known or ()
        self._met = 0
        """How many rows there are, as long as their ids are the known ones in order."""
        self._lines_met: list[Ints] = []
        self._lines: dict[str, int] = {}

    @property
    def lines(self) -> dict[str, int]:
        """The line of each id."""
        if self._met:
            lines = np.concatenate(self._lines_met).tolist()
            self._lines = dict(zip(self._known[: self._met], lines, strict=True))
            self._met, self._known = 0, ()
        return self._lines

    @property
    def all_known(self) -> bool:
        """Whether the ids are the known ones in their order, all of them and no others."""
        return self._met > 0 and self._met == len(self._known)

    @property
    def ids(self) -> Sequence[str]:
        return self._known if self.all_known else list(self.lines)

    def add(self, chunk: Chunk) -> Chunk:
        """Note the items of a chunk; what comes back lacks the rows that stand a second time."""
        ids = chunk.names[0]
        after = self._met + len(ids)
        if self._known and ids == list(self._known[self._met : after]):
            self._lines_met.append(chunk.lines)
            self._met = after
            return chunk
        known, lines = self.lines, chunk.lines.tolist()
        self._known = ()
        new = dict(zip(ids, lines, strict=True))
        if len(new) == len(ids) and known.keys().isdisjoint(new):
            known.update(new)
            return chunk
        kept: list[int] = []
        for row, (item, line) in enumerate(zip(ids, lines, strict=True)):
            first = known.setdefault(item, line)
            if first == line:
                kept.append(row)
            elif self.problems.wants(line):
                self.problems.add(
                    f"{self._rows} {shown(item)} stands on line {first} already; "
                    "keep one of the two lines",
                    line=line,
                )
            else:
                self.problems.count_only(1)
        return Chunk([[ids[row] for row in kept]], chunk.values[kept], chunk.lines[kept])


class Stack:
    """Rows put one below the other; grows in place, so that nothing is held twice."""

    def __init__(self, width: int, dtype: type[np.generic], *, likely: int = 0) -> None:
        """likely  how many rows there will be, if that can be guessed: then none need move."""
        self._rows = np.empty((likely, width), dtype=dtype)
        self._filled = 0

    def add(self, rows: NDArray[Any]) -> None:
        needed = self._filled + len(rows)
        wider = np.promote_types(self._rows.dtype, rows.dtype)
        if wider != self._rows.dtype:
            self._rows = self._rows.astype(wider)
        if needed > len(self._rows):
            self._resize(max(needed, len(self._rows) + len(self._rows) // 2))
        self._rows[self._filled : needed] = rows
        self._filled = needed

    def finished(self) -> NDArray[Any]:
        self._resize(self._filled)
        return self._rows

    def _resize(self, rows: int) -> None:
        # Nothing else refers to the rows yet, so their memory may move.
        self._rows.resize((rows, self._rows.shape[1]), refcheck=False)
