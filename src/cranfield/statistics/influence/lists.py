"""Whole lists: every cell that counts, relevant or not, since every item has an influence.

`cell_lists` has them as they come, a `WholeList` best first with the bounds of groups of equals.
Cells that a sparse run does not mention are one group at the end, below any score;
`ranked_lists.Ordered` keeps only cells that the truth tells of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield import kernels
from cranfield.comparison import Comparison, Direction
from cranfield.matrices import Bools, Floats, Ints, dense
from cranfield.ranked_lists import strict_scores

_SIDE_BY_SIDE = 8
"""Columns that are copied at once: a line of memory holds as many scores."""
_KEPT = 2_000_000
"""Cells of lists that are worth their memory."""


@dataclass(frozen=True)
class CellList:
    """The cells of one list that count, in any order; all arrays are by cell."""

    place: int
    """Which list it is."""
    items: Ints | None
    """None = all items, in order."""
    scores: Floats
    """-inf = the run does not mention the cell."""
    relevant: Bools
    retrieved: int
    """Cells that the run mentions; the others follow."""

    @cached_property
    def positives(self) -> int:
        return int(np.count_nonzero(self.relevant))

    @property
    def negatives(self) -> int:
        return len(self.relevant) - self.positives

    @cached_property
    def standings(self) -> tuple[Ints, Ints]:
        """Where each cell stands among the relevant ones, and how many stand in each place."""
        return kernels.standings(self.scores, self.relevant)


def cell_lists(comparison: Comparison, direction: Direction, ties: str) -> Iterable[CellList]:
    """Every list of a direction; where ids break ties, scores are others of the same order.

    Small ones are kept for the next measure, with what was found out about them.
    """
    if math.prod(comparison.truth.shape) > _KEPT:
        return _cell_lists(comparison, direction, ties)
    key = ("cell lists", direction, ties == "trec")
    return comparison.once(key, lambda: tuple(_cell_lists(comparison, direction, ties)))


def _cell_lists(comparison: Comparison, direction: Direction, ties: str) -> Iterator[CellList]:
    if direction == "concept" and ties != "trec" and not comparison.run.sparse:
        said, counted = comparison.values(slice(0, comparison.truth.shape[0]))
        if counted is None:
            return _columns(said, comparison.truth.labels)
    return _listed(comparison, direction, ties)


def _columns(said: Floats, labels: Bools) -> Iterator[CellList]:
    """The lists of a matrix of which every cell counts, none of them named one by one."""
    items, concepts = said.shape
    for first in range(0, concepts, _SIDE_BY_SIDE):
        part = (slice(None), slice(first, first + _SIDE_BY_SIDE))
        scores, relevant = (np.ascontiguousarray(matrix[part].T) for matrix in (said, labels))
        for column in range(len(scores)):
            yield CellList(first + column, None, scores[column], relevant[column], items)


def _listed(comparison: Comparison, direction: Direction, ties: str) -> Iterator[CellList]:
    listed, concepts = comparison.listed(direction), comparison.truth.shape[1]
    scores = listed.scores.astype(np.float64, copy=False)
    if ties == "trec":
        names = comparison.truth.item_axis.names
        scores = strict_scores(listed, lambda places: [names[place] for place in places.tolist()])
    labels = comparison.told(direction, "matrix").astype(np.bool_, copy=False)
    positives, negatives = comparison.totals(direction)
    for place, (first, last) in enumerate(
        zip(listed.offsets[:-1].tolist(), listed.offsets[1:].tolist(), strict=True)
    ):
        cells, retrieved = slice(first, last), last - first
        places, own, relevant = listed.places[cells], scores[cells], labels[cells]
        silent = int(positives[place] + negatives[place]) - retrieved
        if silent:
            absent, true = _absent(comparison, direction, place, places)
            places, relevant = np.append(places, absent), np.append(relevant, true)
            own = np.append(own, np.full(silent, -np.inf))
        items = places // concepts if direction == "micro" else places
        yield CellList(place, items, own, relevant, retrieved)


@dataclass(frozen=True)
class WholeList:
    """The cells of one list that count, best first; all arrays are by cell."""

    cells: CellList
    order: Ints
    """Which of the cells as they come each one is."""
    ends: Ints
    """Where groups of equals begin and end: 0, the number of cells, and what lies between."""

    @classmethod
    def of(cls, cells: CellList, ties: str = "") -> WholeList:
        """`ties`: relevant cells come first, or last, among equals if it is best, or worst."""
        order, opens = _ordered(cells.scores, cells.relevant, ties)
        return cls(cells, order, np.append(np.flatnonzero(opens), len(order)))

    @cached_property
    def items(self) -> Ints:
        return self.order if self.cells.items is None else self.cells.items[self.order]

    @cached_property
    def relevant(self) -> Bools:
        return self.cells.relevant[self.order]

    @cached_property
    def start(self) -> Ints:
        """Cells above the group of each cell."""
        return self._spread(self.ends[:-1])

    @cached_property
    def end(self) -> Ints:
        """Cells in or above it."""
        return self._spread(self.ends[1:])

    def _spread(self, by_group: Ints) -> Ints:
        if len(by_group) == len(self.order):  # no two are equal
            return by_group
        return np.repeat(by_group, np.diff(self.ends))

    @cached_property
    def found(self) -> Ints:
        """Relevant cells among the first 0, 1, 2, … cells."""
        return np.concatenate([[0], np.cumsum(self.relevant)])


def _ordered(scores: Floats, labels: Bools, ties: str) -> tuple[Ints, Bools]:
    """The order of cells, best first, and which of them begin a group."""
    opens: Bools = np.ones(len(scores), dtype=np.bool_)
    if ties not in ("best", "worst"):
        order = np.argsort(-scores)
        ranked = scores[order]
        opens[1:] = ranked[1:] != ranked[:-1]
        return order, opens
    order = np.lexsort((~labels if ties == "best" else labels, -scores))
    ranked, relevant = scores[order], labels[order]
    opens[1:] = (ranked[1:] != ranked[:-1]) | (relevant[1:] != relevant[:-1])
    return order, opens


def _absent(
    comparison: Comparison, direction: Direction, place: int, mentioned: Ints
) -> tuple[Ints, Bools]:
    """The cells of a list that count but are not mentioned, and whether they are relevant."""
    judged = comparison.truth.judged if comparison.unjudged == "exclude" else None
    column = slice(None) if direction == "micro" else place
    labels = comparison.truth.labels[:, column].ravel()
    counted = np.ones(len(labels), np.bool_) if judged is None else dense(judged)[:, column].ravel()
    left = counted.copy()
    left[mentioned] = False
    absent = np.flatnonzero(left)
    return absent, labels[absent]
