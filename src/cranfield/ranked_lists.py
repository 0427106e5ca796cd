"""Ranked lists: the cells of a comparison list after list, and in the order of their scores.

A list holds the items of one concept, the concepts of one item, or all cells. `ListedCells` has
them as they come; `Ordered` has them best first, with the bounds of every tie, so that measures
that need more of a cell than relevant or not (grades, judgements) are a few sums over arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.aligned import Aligned
from cranfield.matrices import Bools, Cells, Floats, Ints, Scores, at

Direction = Literal["concept", "example", "micro", "confusion"]
"""What a measure looks at one by one; the last two see all cells, or all classes, at once."""


@dataclass(frozen=True)
class ListedCells:
    """Lists one after the other: list i is the cells offsets[i] … offsets[i + 1]."""

    codes: Ints
    """item · C + concept."""
    scores: Scores
    offsets: Ints
    order: Ints | None = None
    """Where each cell stands among all by code; None = no order is known."""

    @classmethod
    def of(cls, said: Aligned, direction: Direction) -> ListedCells:
        """The cells that count."""
        items, concepts = said.truth.shape
        order = None
        if isinstance(said.scores, Cells):
            codes, values = said.scores.codes, said.scores.values
            order = np.arange(len(codes))
            if direction == "concept":
                order = said.scores.by_column
                codes, values = codes[order], values[order]
        else:
            codes = np.arange(items * concepts)
            if direction == "concept":
                codes = codes.reshape(items, concepts).T.ravel()
            if said.included is not None:
                codes = codes[said.included.ravel()[codes]]
            values = said.scores.ravel()[codes]
        match direction:
            case "concept":
                lengths = np.bincount(codes % concepts, minlength=concepts)
            case "example":
                lengths = np.bincount(codes // concepts, minlength=items)
            case "micro":
                lengths = np.array([len(codes)])
        return cls(codes, values, np.concatenate([[0], np.cumsum(lengths)]), order)

    def at(self, matrix: NDArray[Any] | Cells) -> NDArray[Any]:
        """What a matrix of the truth says of each cell; 0 where it says nothing."""
        if self.order is None or not isinstance(matrix, Cells):
            return at(matrix, self.codes)
        values = np.zeros(len(self.codes), dtype=matrix.values.dtype)
        if len(values):
            ascending = np.empty_like(self.codes)
            ascending[self.order] = self.codes
            place = np.minimum(np.searchsorted(ascending, matrix.codes), len(ascending) - 1)
            found = ascending[place] == matrix.codes
            values[place[found]] = matrix.values[found]
        return values[self.order]

    def blocks(self, cells: int) -> Iterator[slice]:
        """Neighbouring lists, so many that they have about so many cells."""
        first = 0
        while first < len(self.offsets) - 1:
            last = int(np.searchsorted(self.offsets, self.offsets[first] + cells))
            last = max(first + 1, min(last, len(self.offsets) - 1))
            yield slice(first, last)
            first = last


@dataclass(frozen=True)
class Ordered:
    """Some lists, each in descending order of scores.

    Everything is by cell, list after list. Cells of one score make a group; nothing may depend on
    their order within it, which is arbitrary.
    """

    lists: slice
    """Which of all lists these are."""
    cells: Ints
    """Which of all listed cells stands here."""
    owner: Ints
    """The list of each cell, counted from the first of these."""
    start: Ints
    """Cells of the list above the group."""
    end: Ints
    """Cells of the list in or above the group."""
    first: Ints
    """The place, among all cells here, where the list of each cell begins."""

    @classmethod
    def of(cls, listed: ListedCells, scores: Scores, lists: slice) -> Ordered:
        bounds = listed.offsets[lists.start : lists.stop + 1]
        inside = slice(int(bounds[0]), int(bounds[-1]))
        cells = inside.start + kernels.descending(scores[inside], bounds - bounds[0])
        ranked = scores[cells]
        lengths = np.diff(bounds)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        first = (bounds[:-1] - bounds[0])[owner]
        opens = np.ones(len(cells), dtype=np.bool_)
        opens[1:] = (ranked[1:] != ranked[:-1]) | (owner[1:] != owner[:-1])
        starts = np.flatnonzero(opens)
        sizes = np.diff(np.append(starts, len(cells)))
        start = np.repeat(starts, sizes)
        return cls(
            lists, cells, owner, start - first, start + np.repeat(sizes, sizes) - first, first
        )

    def __len__(self) -> int:
        """How many lists."""
        return int(self.lists.stop) - int(self.lists.start)

    @cached_property
    def rank(self) -> Ints:
        """The place of each cell in its list, from 1; arbitrary among equals."""
        return np.arange(len(self.cells)) - self.first + 1

    def through(self, marks: Bools | Floats) -> NDArray[Any]:
        """Σ of a number of each cell over the cells of its list in or above its group."""
        return self._upto(marks, self.end)

    def above(self, marks: Bools | Floats) -> NDArray[Any]:
        """Σ of a number of each cell over the cells of its list above its group."""
        return self._upto(marks, self.start)

    def _upto(self, marks: NDArray[Any], place: Ints) -> NDArray[Any]:
        sums = np.concatenate([[0], np.cumsum(marks)])
        return np.asarray(sums[self.first + place] - sums[self.first])

    def sums(self, values: NDArray[Any], where: Bools | None = None) -> Floats:
        """Σ of a number over the cells of each list, or over some of them."""
        owner = self.owner
        if where is not None:
            owner, values = owner[where], values[where]
        return np.bincount(owner, weights=values, minlength=len(self)).astype(np.float64)

    def by(self, second: NDArray[Any]) -> Ordered:
        """The same lists with ties broken by a second number of each cell, largest first."""
        order = self.cells
        tied = np.flatnonzero(self.end - self.start > 1)
        if len(tied):
            order = order.copy()
            group = self.first[tied] + self.start[tied]
            order[tied] = order[tied][np.lexsort((-second[tied], group))]
        rank = self.rank
        return Ordered(self.lists, order, self.owner, rank - 1, rank, self.first)


def strict_scores(listed: ListedCells, names: Callable[[Ints], list[str]]) -> Floats:
    """Scores without ties: compared as float32, then by id descending bytewise, as trec_eval does.

    names  the ids to break ties by, of the cells with the given codes
    """
    with np.errstate(over="ignore"):
        single = listed.scores.astype(np.float32)
    everything = slice(0, len(listed.offsets) - 1)
    ranked = Ordered.of(listed, single, everything)
    order = ranked.cells
    tied = np.flatnonzero(ranked.end - ranked.start > 1)
    if len(tied):
        ids = [name.encode() for name in names(listed.codes[order[tied]])]
        places = {name: place for place, name in enumerate(sorted(set(ids), reverse=True))}
        by_id = np.array([places[name] for name in ids])
        group = ranked.first[tied] + ranked.start[tied]
        order = order.copy()
        order[tied] = order[tied][np.lexsort((by_id, group))]
    strict = np.empty(len(order))
    strict[order] = np.arange(len(order), 0, -1)
    return strict
