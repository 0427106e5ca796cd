"""Ranked lists: the cells of a comparison list after list, and in the order of their scores.

A list holds the items of one concept, the concepts of one item, or all cells. `ListedCells` has
them as they come. `Ordered` has those that the truth tells something about, best first, each with
its place in the whole list, so that measures that need more of a cell than relevant or not (grades,
judgements, strata) are a few sums over short arrays, however long the lists are.
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
from cranfield.kernels import Lists
from cranfield.matrices import Bools, Cells, Floats, Ints, Scores, at, stable_order

Direction = Literal["concept", "example", "micro", "confusion"]
"""What a measure looks at one by one; the last two see all cells, or all classes, at once."""


@dataclass(frozen=True)
class ListedCells:
    """Lists one after the other: list i is the cells offsets[i] … offsets[i + 1]."""

    direction: Direction
    shape: tuple[int, int]
    places: Ints
    """The item of each cell in lists of items, its concept in lists of concepts, else its code."""
    scores: Scores
    offsets: Ints

    @classmethod
    def of(cls, said: Aligned, direction: Direction) -> ListedCells:
        """The cells that count."""
        scores, shape = said.scores, said.truth.shape
        if isinstance(scores, Cells):
            if direction == "micro":
                whole = np.array([0, len(scores.codes)])
                return cls(direction, shape, scores.codes, scores.values, whole)
            lists = scores.by_column if direction == "concept" else scores.by_row
            return cls(direction, shape, lists.places, lists.values, lists.offsets)
        if direction == "micro":
            included = None if said.included is None else np.flatnonzero(said.included)
            codes = np.arange(scores.size) if included is None else included
            return cls(direction, shape, codes, scores.ravel()[codes], np.array([0, len(codes)]))
        turn = direction == "concept"
        matrix = scores.T if turn else scores
        if said.included is None:
            lists, length = matrix.shape
            places = np.tile(np.arange(length), lists)
            return cls(direction, shape, places, matrix.ravel(), np.arange(lists + 1) * length)
        listed = said.included.T if turn else said.included
        owner, places = np.nonzero(listed)
        offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(listed, axis=1))])
        return cls(direction, shape, places, matrix[owner, places], offsets)

    @cached_property
    def owner(self) -> Ints:
        """The list of each cell."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def codes(self) -> Ints:
        """item · C + concept."""
        concepts = self.shape[1]
        match self.direction:
            case "concept":
                return self.places * concepts + self.owner
            case "example":
                return self.owner * concepts + self.places
            case _:
                return self.places

    def at(self, matrix: NDArray[Any] | Cells) -> NDArray[Any]:
        """What a matrix of the truth says of each cell; 0 where it says nothing."""
        if not isinstance(matrix, Cells) or self.direction == "micro":
            return at(matrix, self.codes)
        own = Lists(self.offsets, self.places, self.scores)
        if self.direction == "concept":
            return kernels.gather(own, matrix.by_column, self.shape[0])
        return kernels.gather(own, matrix.by_row, self.shape[1])

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
    """Cells of some lists, best first. Everything is by cell, list after list.

    Cells of one score make a group, in which their order means nothing. A list may have more cells
    than stand here; `start` and `end` count them all.
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

    @classmethod
    def of(cls, listed: ListedCells, told: Ints, bounds: Ints, lists: slice) -> Ordered:
        """Told cells of the given lists, ascending, by the bounds of their groups."""
        owner = np.searchsorted(listed.offsets, told, side="right") - 1 - lists.start
        begin = listed.offsets[lists.start]
        place = listed.offsets[lists.start :][owner] - begin + bounds[0]
        order = stable_order(place, int(listed.offsets[lists.stop] - begin) + 1)
        return cls(lists, told[order], owner[order], bounds[0][order], bounds[1][order])

    def __len__(self) -> int:
        """How many lists."""
        return int(self.lists.stop) - int(self.lists.start)

    @cached_property
    def _first(self) -> Ints:
        """Where the list of each cell begins."""
        lengths = np.bincount(self.owner, minlength=len(self))
        return np.repeat(np.cumsum(lengths) - lengths, lengths)

    @cached_property
    def _group(self) -> tuple[Ints, Ints]:
        """Where the group of each cell begins and ends."""
        opens = np.ones(len(self.cells), dtype=np.bool_)
        opens[1:] = np.diff(self.start) != 0
        opens[1:] |= np.diff(self.owner) != 0
        first = np.flatnonzero(opens)
        sizes = np.diff(np.append(first, len(opens)))
        return np.repeat(first, sizes), np.repeat(first + sizes, sizes)

    def through(self, marks: Bools | Floats) -> NDArray[Any]:
        """Σ of a number of each cell over the cells of its list in or above its group."""
        return self._between(marks, self._first, self._group[1])

    def above(self, marks: Bools | Floats) -> NDArray[Any]:
        """Σ of a number of each cell over the cells of its list above its group."""
        return self._between(marks, self._first, self._group[0])

    def _between(self, marks: NDArray[Any], first: Ints, last: Ints) -> NDArray[Any]:
        sums = np.concatenate([[0], np.cumsum(marks)])
        return np.asarray(sums[last] - sums[first])

    def sums(self, values: NDArray[Any]) -> Floats:
        """Σ of a number over the cells of each list."""
        return np.bincount(self.owner, weights=values, minlength=len(self)).astype(np.float64)

    def only(self, which: Bools) -> Ordered:
        """Without the other cells; they still count in `start` and `end`."""
        return Ordered(
            self.lists, self.cells[which], self.owner[which], self.start[which], self.end[which]
        )

    def by(self, second: NDArray[Any], *, first: bool = True) -> Ordered:
        """The same with ties broken by a second number, largest first; no groups are left.

        first  whether the cells here precede the others of their group, or follow them
        """
        order = np.lexsort((-second, self._group[0]))
        begin, end = self._group
        within = np.arange(len(begin)) - begin
        rank = self.start + within if first else self.end - (end - begin) + within
        return Ordered(self.lists, self.cells[order], self.owner, rank, rank + 1)


def bounds_of(listed: ListedCells, scores: Scores, told: Ints, lists: slice) -> Ints:
    """How many cells of its list are above each told cell of some lists, and at or above it."""
    offsets = listed.offsets[lists.start : lists.stop + 1]
    cells = slice(int(offsets[0]), int(offsets[-1]))
    nothing = np.zeros(len(offsets) - 1, dtype=np.int64)
    labels = np.zeros(cells.stop - cells.start, dtype=np.bool_)
    strand = kernels.Strand(
        scores[cells], labels, offsets - offsets[0], nothing, nothing, (), told - cells.start
    )
    return kernels.rank_lists(strand)[1]


def strict_scores(listed: ListedCells, names: Callable[[Ints], list[str]]) -> Floats:
    """Scores without ties: compared as float32, then by id descending bytewise, as trec_eval does.

    names  the ids to break ties by, of the cells with the given places
    """
    with np.errstate(over="ignore"):
        single = listed.scores.astype(np.float32)
    order = np.lexsort((-single, listed.owner))
    ranked, owner = single[order], listed.owner[order]
    same = np.append((ranked[1:] == ranked[:-1]) & (owner[1:] == owner[:-1]), False)[: len(order)]
    tied = np.flatnonzero(same | np.insert(same[:-1], 0, False)[: len(order)])
    if len(tied):
        ids = [name.encode() for name in names(listed.places[order[tied]])]
        rank = {name: place for place, name in enumerate(sorted(set(ids), reverse=True))}
        by_id = np.array([rank[name] for name in ids])
        group = np.cumsum(~np.insert(same[:-1], 0, False))[tied]
        order[tied] = order[tied][np.lexsort((by_id, group))]
    strict = np.empty(len(order))
    strict[order] = np.arange(len(order), 0, -1)
    return strict
