"""Cells that a truth tells of, list after list, and what it tells of them.

A truth of searches tells of a hundred documents out of a million. `TruthLists` has these once for
all runs; `JudgedCells` are those of them that one run lists, so that nothing as long as the run
needs to be made for measures that ask for grades, judgements or strata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Cells, Ints, as_cells, at, stable_order
from cranfield.core.truth import Truth
from cranfield.kernels import Lists

Direction = Literal["concept", "example", "micro", "confusion"]
"""What a measure looks at one by one; the last two see all cells, or all classes, at once."""

Fact = Literal["matrix", "grades", "judged", "pool", "strata"]
"""What a truth may tell of a cell."""

Read = Callable[[NDArray[Any] | Cells], NDArray[Any]]
"""From a matrix of the truth to its values at some cells."""


class Facts:
    """What a truth tells of some cells, each fact read when first asked for.

    Without grades the relevant cells have grade 1; without a mask all cells are judged, or of the
    pool; without strata the pool is one stratum.
    """

    def __init__(self, truth: Truth, read: Read, cells: int) -> None:
        self.read = read
        # Not the truth itself, which may keep these facts.
        self._given = {fact: getattr(truth, fact) for fact in get_args(Fact)}
        self._cells = cells
        self._known: dict[Fact, NDArray[Any]] = {}

    def __getitem__(self, fact: Fact) -> NDArray[Any]:
        if fact not in self._known:
            self._known[fact] = self._read(fact)
        return self._known[fact]

    def _read(self, fact: Fact) -> NDArray[Any]:
        if self._given[fact] is not None:
            return self.read(self._given[fact])
        if fact == "grades":
            return self["matrix"].astype(np.int64)
        return np.full(self._cells, fact != "strata", np.int64 if fact == "strata" else np.bool_)


@dataclass(frozen=True)
class TruthLists:
    """The cells of a truth's pool, or the relevant or graded ones, list after list, whatever runs
    say."""

    lists: Lists
    """The values are the codes of the cells."""
    facts: Facts

    @classmethod
    def of(
        cls, truth: Truth, direction: Direction, about: Literal["matrix", "graded", "pool"]
    ) -> TruthLists:
        stored = as_cells(getattr(truth, about))
        codes = stored.codes[stored.values]
        items, concepts = truth.shape
        owner, places, size = {
            "concept": (codes % concepts, codes // concepts, concepts),
            "example": (codes // concepts, codes % concepts, items),
        }.get(direction, (np.zeros_like(codes), codes, 1))
        order = stable_order(owner, size)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=size))])
        facts = Facts(truth, lambda matrix: at(matrix, codes)[order], len(codes))
        return cls(Lists(offsets, places[order], codes[order]), facts)


@dataclass(frozen=True)
class JudgedCells:
    """Listed cells that are looked at, list after list: list i has offsets[i] … offsets[i + 1]."""

    cells: Ints
    """Which of all listed cells each is."""
    codes: Ints
    """item · C + concept."""
    offsets: Ints
    facts: Facts
    known: Ints
    """Which of the cells of `facts` each is."""

    @classmethod
    def met(cls, lists: TruthLists, found: Ints) -> JudgedCells:
        """The cells of a truth that are listed; `found` is which of all listed cells, or -1."""
        known = np.flatnonzero(found >= 0)
        offsets = np.searchsorted(known, lists.lists.offsets)
        return cls(found[known], lists.lists.values[known], offsets, lists.facts, known)

    def read(self, matrix: NDArray[Any] | Cells, length: int) -> NDArray[Any]:
        """What a matrix of the truth says of all listed cells, if it speaks of these only."""
        values = self.facts.read(matrix)
        out = np.zeros(length, dtype=values.dtype)
        out[self.cells] = values[self.known]
        return out

    def blocks(self, cells: int) -> Iterator[slice]:
        """Neighbouring lists, so many that they have about so many of these cells."""
        first = 0
        while first < len(self.offsets) - 1:
            last = int(np.searchsorted(self.offsets, self.offsets[first] + cells))
            last = max(first + 1, min(last, len(self.offsets) - 1))
            yield slice(first, last)
            first = last

    def part(self, lists: slice) -> slice:
        """Which of these cells some lists have."""
        return slice(*self.offsets[[lists.start, lists.stop]].tolist())
