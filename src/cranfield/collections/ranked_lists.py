"""Ranked lists: the cells of a comparison list after list, and in the order of their scores.

A list holds the items of one concept, the concepts of one item, or all cells. `ListedCells` has
them as they come. `JudgedCells` are those that the truth tells something about, and `Ordered` has
these best first, each with its place in the whole list, so that measures that need more of a cell
than relevant or not (grades, judgements, strata) are a few sums over short arrays, however long the
lists are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.collections.judged_cells import Direction as Direction
from cranfield.collections.judged_cells import Fact, Facts, JudgedCells
from cranfield.core.aligned import Aligned
from cranfield.core.arguments import FormerName
from cranfield.core.matrices import Bools, Cells, Floats, Ints, Scores, at, stable_order
from cranfield.kernels import Lists


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
    def of(cls, aligned: Aligned, direction: Direction) -> ListedCells:
        """The cells that count."""
        scores, shape = aligned.scores, aligned.truth.shape
        if isinstance(scores, Cells):
            if direction == "micro":
                whole = np.array([0, len(scores.codes)])
                return cls(direction, shape, scores.codes, scores.values, whole)
            lists = scores.by_column if direction == "concept" else scores.by_row
            return cls(direction, shape, lists.places, lists.values, lists.offsets)
        if direction == "micro":
            included = None if aligned.included is None else np.flatnonzero(aligned.included)
            codes = np.arange(scores.size) if included is None else included
            return cls(direction, shape, codes, scores.ravel()[codes], np.array([0, len(codes)]))
        turn = direction == "concept"
        matrix = scores.T if turn else scores
        offsets = list_offsets(aligned, direction)
        if aligned.included is None:
            lists, length = matrix.shape
            return cls(direction, shape, np.tile(np.arange(length), lists), matrix.ravel(), offsets)
        owner, places = np.nonzero(aligned.included.T if turn else aligned.included)
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
        truth_lists = matrix.by_column if self.direction == "concept" else matrix.by_row
        index = kernels.locate(truth_lists, Lists(self.offsets, self.places, self.scores))
        met = index >= 0
        out = np.zeros(len(self.places), dtype=truth_lists.values.dtype)
        out[index[met]] = truth_lists.values[met]
        return out


def list_offsets(aligned: Aligned, direction: Direction) -> Ints:
    """Where each list of a run begins, if they stand one after the other, and the last ends."""
    scores = aligned.scores
    if isinstance(scores, Cells):
        if direction == "micro":
            return np.array([0, len(scores.codes)])
        lists = scores.by_column if direction == "concept" else scores.by_row
        return lists.offsets
    if direction == "micro":
        listed = scores.size if aligned.included is None else np.count_nonzero(aligned.included)
        return np.array([0, listed])
    axis = 0 if direction == "concept" else 1
    lengths = np.full(scores.shape[1 - axis], scores.shape[axis])
    if aligned.included is not None:
        lengths = np.count_nonzero(aligned.included, axis=axis)
    return np.concatenate([[0], np.cumsum(lengths)])


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
    facts: Facts
    known: Ints
    """Which of the cells of `facts` stands here."""
    _judgements: dict[Fact, NDArray[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, judged: JudgedCells, lists: slice, bounds: Ints) -> Ordered:
        """The cells of the given lists, by the bounds of their groups."""
        part = judged.part(lists)
        sizes = np.diff(judged.offsets[lists.start : lists.stop + 1])
        owner = np.repeat(np.arange(len(sizes)), sizes)
        start, end = bounds
        deepest = int(start.max(initial=0)) + 1
        order = stable_order(owner * deepest + start, len(sizes) * deepest)
        cells, known = judged.cells[part][order], judged.known[part][order]
        # Lists stay one after the other, and so do their owners.
        return cls(lists, cells, owner, start[order], end[order], judged.facts, known)

    def __len__(self) -> int:
        """How many lists."""
        return int(self.lists.stop) - int(self.lists.start)

    @cached_property
    def _group(self) -> tuple[Ints, Ints]:
        """Where the group of each cell begins and ends."""
        opens = np.ones(len(self.cells), dtype=np.bool_)
        opens[1:] = np.diff(self.start) != 0
        opens[1:] |= np.diff(self.owner) != 0
        first = np.flatnonzero(opens)
        sizes = np.diff(np.append(first, len(opens)))
        return np.repeat(first, sizes), np.repeat(first + sizes, sizes)

    def through(self, marks: Bools, of: Ints) -> Ints:
        """Marked cells of its list in or above the group of each cell asked for."""
        return np.asarray(kernels.running_counts(self.owner, self.start, marks)[of])

    def above(self, marks: Bools, of: Ints) -> Ints:
        """Marked cells of its list above the group of each cell asked for."""
        return np.asarray(kernels.running_counts(self.owner, self.start, marks, above=True)[of])

    def sums_above(self, values: Floats) -> Floats:
        """Σ of a number over the cells of its list above the group of each cell."""
        first = np.searchsorted(self.owner, self.owner)
        parts = [np.zeros(len(values))]
        for part in kernels.slices(values, len(values)):  # of which all sums are exact
            sums = np.append(0.0, np.cumsum(part))
            parts.append(sums[self._group[0]] - sums[first])
        return kernels.rounded(parts)

    def sums(self, values: NDArray[Any], of: Ints | None = None) -> Floats:
        """Σ of a number over the cells of each list, or over some of them."""
        owner = self.owner if of is None else self.owner[of]
        return kernels.list_sums(values, np.searchsorted(owner, np.arange(len(self) + 1)))

    def judgements(self, fact: Fact) -> NDArray[Any]:
        """What the truth says of each cell."""
        if fact not in self._judgements:
            self._judgements[fact] = self.facts[fact][self.known]
        return self._judgements[fact]

    told = FormerName("judgements")

    def only(self, which: Bools) -> Ordered:
        """Without the other cells; they still count in `start` and `end`."""
        remaining = np.flatnonzero(which)
        return Ordered(
            self.lists,
            self.cells[remaining],
            self.owner[remaining],
            self.start[remaining],
            self.end[remaining],
            self.facts,
            self.known[remaining],
        )

    def by(self, second: NDArray[Any], *, first: bool = True) -> Ordered:
        """The same with ties broken by a second number, largest first; no groups are left.

        first  whether the cells here precede the others of their group, or follow them
        """
        order = np.lexsort((-second, self._group[0]))
        begin, end = self._group
        within = np.arange(len(begin)) - begin
        rank = self.start + within if first else self.end - (end - begin) + within
        known = self.known[order]
        return Ordered(self.lists, self.cells[order], self.owner, rank, rank + 1, self.facts, known)


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
        rank = {name: index for index, name in enumerate(sorted(set(ids), reverse=True))}
        by_id = np.array([rank[name] for name in ids])
        group = np.cumsum(~np.insert(same[:-1], 0, False))[tied]
        order[tied] = order[tied][np.lexsort((by_id, group))]
    strict = np.empty(len(order))
    strict[order] = np.arange(len(order), 0, -1)
    return strict
