"""Cells as files list them: an item, a concept and a value at a time, in any order.

What a list means is for its format to say: whether a cell may stand twice, and what is known of
the cells that are not listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.formats.cells import (
    require_known_concepts,
    require_known_items,
    truth_of,
)
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Options
from cranfield.matrices import Cells, Ints
from cranfield.run import Run
from cranfield.truth import Truth, Unjudged

Again = Literal["never", "alike", "largest"]
"""Whether a cell may stand again: never, with the same value, or so that the largest counts."""


class Listing:
    """The cells of a file in the order of their lines; items and concepts in order of mention."""

    def __init__(
        self,
        problems: Problems,
        *,
        items: Sequence[str] = (),
        concepts: Sequence[str] | None = None,
        again: Again = "never",
    ) -> None:
        """items, concepts  those known beforehand, which need not be mentioned."""
        self.problems = problems
        self.items = {name: place for place, name in enumerate(items)}
        self.item_lines: dict[str, int | None] = dict.fromkeys(items)
        self.concepts = {name: place for place, name in enumerate(concepts or ())}
        self._again = again
        self._parts: list[tuple[Ints, Ints, Ints, NDArray[Any]]] = []
        self._size = 0

    def add(self, items: list[str], concepts: list[str], values: NDArray[Any], lines: Ints) -> None:
        rows = _places(items, self.items)
        columns = _places(concepts, self.concepts)
        if len(self.item_lines) < len(self.items):
            for name, line in zip(items, lines.tolist(), strict=True):
                self.item_lines.setdefault(name, line)
        self._parts.append((rows, columns, lines, values))
        self._size += len(rows)
        if self._size > len(self.items) * len(self.concepts):
            self._settle_repeated()

    def cells(self) -> Cells:
        shape = (len(self.items), len(self.concepts))
        if not self._parts:
            return Cells(shape, np.empty(0, np.int64), np.empty(0))
        self._settle_repeated()
        rows, columns, _, values = self._parts[0]
        return Cells.of(shape, rows, columns, values)

    def truth(self, *, absent: Literal["negative", "unjudged"], unjudged: Unjudged) -> Truth:
        """What was listed, with what is known of the other cells."""
        cells = self.cells()
        return self.problems.build(lambda: self._truth(cells, absent, unjudged))

    def _truth(self, cells: Cells, absent: str, unjudged: Unjudged) -> Truth:
        if cells.crowded:
            matrix = np.full(cells.shape, 0 if absent == "negative" else -1, cells.values.dtype)
            matrix.ravel()[cells.codes] = cells.values
            return truth_of(matrix, self.items, self.concepts, unjudged=unjudged)
        graded = bool((cells.values > 1).any())
        return Truth(
            None if graded else Cells(cells.shape, cells.codes, cells.values == 1),
            grades=cells if graded else None,
            judged=None
            if absent == "negative"
            else Cells(cells.shape, cells.codes, cells.values >= 0),
            items=self.items,
            concepts=self.concepts,
            unjudged=unjudged,
        )

    def run(self, expected: Expected, options: Options) -> Run:
        """What was listed; cells that were not are absent."""
        cells = self.cells()
        require_known_items(self.item_lines, expected, self.problems)
        require_known_concepts(self.concepts, expected.concepts, self.problems, line=None)
        return self.problems.build(
            lambda: Run(
                cells.dense() if len(cells.codes) == cells.shape[0] * cells.shape[1] else cells,
                items=self.items,
                concepts=self.concepts,
                name=options.name,
                threshold=options.threshold,
            )
        )

    def _settle_repeated(self) -> None:
        """Keep one of the cells that stand several times; report those that may not."""
        rows, columns, lines, values = map(np.concatenate, zip(*self._parts, strict=True))
        keys = (rows.astype(np.int64) << 32) | columns
        order = (
            np.lexsort((lines, -values, keys))
            if self._again == "largest"
            else np.argsort(keys, kind="stable")
        )
        again = np.concatenate(([False], keys[order][1:] == keys[order][:-1]))
        if self._again != "largest":
            self._report(again, order, rows, columns, lines, values)
        kept = np.sort(order[~again])
        self._parts = [(rows[kept], columns[kept], lines[kept], values[kept])]
        self._size = len(kept)

    def _report(
        self, again: Any, order: Ints, rows: Ints, columns: Ints, lines: Ints, values: Any
    ) -> None:
        repeated = np.flatnonzero(again)
        if self._again == "alike":
            repeated = repeated[values[order[repeated]] != values[order[repeated - 1]]]
        names = (list(self.items), list(self.concepts)) if len(repeated) else ([], [])
        for place in repeated.tolist():
            this, before = order[place], order[place - 1]
            if not self.problems.wants(int(lines[this])):
                self.problems.count_only(1)
                continue
            cell = where_listed([names[0][rows[this]], names[1][columns[this]]], 0)
            told = "" if self._again == "never" else " with another value"
            self.problems.add(
                f"{cell} stands on line {lines[before]} already{told}; keep one of the two lines",
                line=int(lines[this]),
            )


def where_listed(names: list[str], place: int) -> str:
    """What to call a cell in messages, from its item and concept."""
    return f"item {shown(names[0])}, concept {shown(names[-1])}"


def _places(names: list[str], known: dict[str, int]) -> Ints:
    """The place of each name, new ones at the end."""
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
