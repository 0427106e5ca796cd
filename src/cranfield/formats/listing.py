"""Cells as files list them: an item, a concept and a value at a time, in any order.

What a list means is for its format to say: whether a cell may stand twice, and what is known of
the cells that are not listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Cells, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.formats.cells import (
    require_known_concepts,
    require_known_items,
    truth_of,
)
from cranfield.formats.gather import Stack
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Options
from cranfield.kernels.text import number_names

Again = Literal["never", "alike", "largest"]
"""Whether a cell may stand again: never, with the same value, or so that the largest counts."""

_ROW = 32
"""A key is a cell's row, shifted so far, and its column."""
_ROOM = 2
"""Cells are gathered up to so many times as there can be before repeated ones are settled."""
_BLOCK = 1 << 20


class Listing:
    """The cells of a file in the order of their lines; items and concepts in order of mention."""

    def __init__(
        self,
        problems: Problems,
        *,
        items: Sequence[str] = (),
        concepts: Sequence[str] | None = None,
        again: Again = "never",
        unit: str = "line",
    ) -> None:
        """
        items, concepts  those known beforehand, which need not be mentioned
        unit             what the file has instead of lines
        """
        self.problems = problems
        self.items = {name: position for position, name in enumerate(items)}
        self._first_lines: list[int | None] = [None] * len(items)
        self.concepts = {name: position for position, name in enumerate(concepts or ())}
        self._in_order = concepts is not None
        self._again = again
        self._unit = unit
        self._gathered = _Gathered()
        self._grouped = True
        self._last = 0

    def add(self, items: list[str], concepts: list[str], values: NDArray[Any], lines: Ints) -> None:
        rows = number_names(items, self.items)
        new = np.flatnonzero(rows >= len(self._first_lines))
        first = np.unique(rows[new], return_index=True)[1]
        self._first_lines += lines[new[first]].tolist()
        if self._grouped and len(rows):
            self._grouped = bool(rows[0] >= self._last and (rows[1:] >= rows[:-1]).all())
            self._last = rows[-1]
        keys = (rows << _ROW) | number_names(concepts, self.concepts)
        self._gathered.add(keys, lines.astype(np.uint32), values)
        if self._gathered.size > _ROOM * len(self.items) * len(self.concepts):
            self._gathered = _Gathered(*self._settled())

    @property
    def item_lines(self) -> dict[str, int | None]:
        """The line that mentions an item first; None for those known beforehand."""
        return dict(zip(self.items, self._first_lines, strict=True))

    def cells(self) -> Cells:
        shape = (len(self.items), len(self.concepts))
        codes, _, values = self._settled()
        columns = codes & ((1 << _ROW) - 1)
        codes >>= _ROW
        codes *= shape[1]
        codes += columns
        return Cells(shape, codes, values)

    def truth(
        self, *, absent: Literal["negative", "unjudged"], unjudged: Unjudged, level: int = 1
    ) -> Truth:
        """What was listed, with what is known of the other cells."""
        cells = self.cells()
        truth = self.problems.build(lambda: self._truth(cells, absent, unjudged, level))
        truth.concept_axis.in_order = self._in_order
        return truth

    def _truth(self, cells: Cells, absent: str, unjudged: Unjudged, level: int) -> Truth:
        if cells.crowded:
            matrix = np.full(cells.shape, 0 if absent == "negative" else -1, cells.values.dtype)
            matrix.ravel()[cells.codes] = cells.values
            return truth_of(
                matrix, list(self.items), list(self.concepts), unjudged=unjudged, level=level
            )
        graded = level > 1 or bool((cells.values > 1).any())
        return Truth(
            None if graded else Cells(cells.shape, cells.codes, cells.values == 1),
            grades=cells if graded else None,
            judged=None
            if absent == "negative"
            else Cells(cells.shape, cells.codes, cells.values >= 0),
            items=list(self.items),
            concepts=list(self.concepts),
            unjudged=unjudged,
            copy=None,
            level=level,
        )

    def run(self, expected: Expected, options: Options) -> Run:
        """What was listed; cells that were not are absent."""
        cells = self.cells()
        require_known_items(self.item_lines, expected, self.problems)
        require_known_concepts(self.concepts, expected.known_concepts, self.problems, line=None)
        return self.problems.build(
            lambda: Run(
                cells.dense() if len(cells.codes) == cells.shape[0] * cells.shape[1] else cells,
                items=list(self.items),
                concepts=list(self.concepts),
                name=options.name,
                threshold=options.threshold,
                copy=None,
            )
        )

    def _settled(self) -> tuple[Ints, NDArray[Any], NDArray[Any]]:
        """Keys in order, lines and values; one of the cells that stand several times."""
        keys, lines, values = self._gathered.finished()
        for part in _blocks(keys) if self._grouped else [slice(None)]:
            order = (
                np.lexsort((lines[part], -values[part], keys[part]))
                if self._again == "largest"
                else np.argsort(keys[part], kind="stable")
            )
            for array in (keys, lines, values):
                array[part] = array[part][order]
        again = np.zeros(len(keys), dtype=np.bool_)
        np.equal(keys[1:], keys[:-1], out=again[1:])
        if again.any():
            if self._again != "largest":
                self._report(again, keys, lines, values)
            return keys[~again], lines[~again], values[~again]
        return keys, lines, values

    def _report(self, again: Bools, keys: Ints, lines: NDArray[Any], values: NDArray[Any]) -> None:
        """Report cells that stand again and may not."""
        repeated = np.flatnonzero(again)
        if self._again == "alike":
            repeated = repeated[values[repeated] != values[repeated - 1]]
        items, concepts = list(self.items), list(self.concepts)
        for position in repeated.tolist():
            line = int(lines[position])
            if not self.problems.wants(line):
                self.problems.count_only(1)
                continue
            row, column = divmod(int(keys[position]), 1 << _ROW)
            told = "" if self._again == "never" else " with another value"
            self.problems.add(
                f"{where_listed([items[row], concepts[column]], 0)} stands on {self._unit} "
                f"{lines[position - 1]} already{told}; keep one of the two {self._unit}s",
                line=line,
            )


class _Gathered:
    """Columns that grow in place, so that nothing is held twice: keys, lines and values."""

    def __init__(self, *columns: NDArray[Any]) -> None:
        self.size = 0
        self._stacks = [Stack(1, kind) for kind in (np.int64, np.uint32, np.int8)]
        if columns:
            self.add(*columns)

    def add(self, *columns: NDArray[Any]) -> None:
        for stack, column in zip(self._stacks, columns, strict=True):
            stack.add(column[:, None])
        self.size += len(columns[0])

    def finished(self) -> Iterator[NDArray[Any]]:
        return (stack.finished()[:, 0] for stack in self._stacks)


def _blocks(keys: Ints) -> Iterator[slice]:
    """Parts of keys whose rows ascend, cut between rows."""
    begin = 0
    while begin < len(keys):
        end = begin + _BLOCK
        if end < len(keys):
            beyond = ((keys[end - 1] >> _ROW) + 1) << _ROW
            # Within a row there is no order, but all of it is below, and all later rows are not.
            end += int(np.searchsorted(keys[end:], beyond))
        yield slice(begin, end)
        begin = end


def where_listed(names: list[str], position: int) -> str:
    """What to call a cell in messages, from its item and concept."""
    return f"item {shown(names[0])}, concept {shown(names[-1])}"
