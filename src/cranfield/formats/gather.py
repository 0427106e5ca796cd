"""What is gathered while a table is read: the ids of its items, and its rows as a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Ints
from cranfield.formats.problems import Problems, shown
from cranfield.formats.table import Chunk


class Items:
    """Ids of rows in the order of their lines; each may stand once."""

    def __init__(
        self,
        problems: Problems,
        *,
        rows: str = "item",
        known: tuple[str, ...] | None = None,
        repeats: Repeats | None = None,
    ) -> None:
        """rows     what an id names, in messages
        known    ids that may well be just these, in this order: then none need be looked up
        repeats  takes the rows that stand a second time, where that may mean something
        """
        self.problems = problems
        self._repeats = repeats
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
            self._report(self._repeats.given_up() if self._repeats else [])
            known.update(new)
            return chunk
        kept: list[int] = []
        for row, (item, line) in enumerate(zip(ids, lines, strict=True)):
            first = known.setdefault(item, line)
            if first == line:
                kept.append(row)
                self._report(self._repeats.given_up() if self._repeats else [])
            elif self._repeats is None or not self._repeats.take(
                known, item, line, chunk.values[row]
            ):
                self._report([*(self._repeats.given_up() if self._repeats else []), (item, line)])
        return Chunk([[ids[row] for row in kept]], chunk.values[kept], chunk.lines[kept])

    def finish(self) -> NDArray[Any] | None:
        """What the second rows of all ids hold; None if there are none."""
        if not self._repeats:
            return None
        values = self._repeats.values(len(self.lines))
        self._report(self._repeats.given_up() if values is None else ())
        return values

    def _report(self, repeated: Iterable[tuple[str, int]]) -> None:
        for item, line in repeated:
            if self.problems.wants(line):
                self.problems.add(
                    f"{self._rows} {shown(item)} stands on line {self.lines[item]} already; "
                    "keep one of the two lines",
                    line=line,
                )
            else:
                self.problems.count_only(1)


class Repeats:
    """Rows that stand a second time, as long as they are decisions that follow on all confidences.

    ImageCLEF 2010: the confidences of all photos, then their decisions, in the same order.
    """

    def __init__(self) -> None:
        self._order: Iterator[str] | None = None
        """The ids that must come next, once the first came again."""
        self._rows: list[tuple[str, int]] = []
        self._values: list[NDArray[Any]] = []
        self._possible = True

    def take(self, known: Mapping[str, int], item: str, line: int, values: NDArray[Any]) -> bool:
        """Whether this row may be the next one of a second half."""
        if self._order is None:
            self._order = iter(list(known))
        decided = bool(((values == 0) | (values == 1)).all())
        self._possible = self._possible and decided and next(self._order, None) == item
        if self._possible:
            self._rows.append((item, line))
            self._values.append(values.astype(np.bool_))
        return self._possible

    def __len__(self) -> int:
        return len(self._rows)

    def given_up(self) -> list[tuple[str, int]]:
        """The ids and lines that were taken, which are only rows too many."""
        taken, self._rows = self._rows, []
        self._possible = self._possible and not taken
        return taken

    def values(self, count: int) -> NDArray[Any] | None:
        """All decisions, if there are so many."""
        complete = self._possible and count > 0 and len(self._rows) == count
        return np.array(self._values) if complete else None


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
