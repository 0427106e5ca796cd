"""Whole lists: every cell that counts, relevant or not, since every item has an influence.

Lists stand one after the other, so that a table for each is made for all of them at once. Cells
that a sparse run does not mention are one group at the end of their list, below any score;
`ranked_lists.Ordered` keeps only cells that the truth tells of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.ranked_lists import strict_scores
from cranfield.core.matrices import Bools, Floats, Ints, dense
from cranfield.kernels import Kinds, SortedLists, Standings

_CACHED = 2_000_000
"""Cells of lists that are worth their memory."""
_TOGETHER = 1 << 20
"""Cells of lists that are looked at together: enough to be worth the call, and still at hand."""
_SIDE_BY_SIDE = 8
"""Columns that are copied at once: a line of memory holds as many scores."""


@dataclass(frozen=True)
class WholeLists:
    """Some lists one after the other; arrays are by cell or by list."""

    places: slice
    """Which of all lists they are."""
    items: Ints | None
    """None = all items in order, in each list."""
    scores: Floats
    """-inf = the run does not mention the cell."""
    relevant: Bools
    offsets: Ints
    retrieved: Ints
    """The cells of each list that the run mentions; the others follow."""
    positives: Ints
    negatives: Ints

    @cached_property
    def sorted(self) -> SortedLists:
        return kernels.sorted_lists(self.scores, self.relevant, self.offsets)

    @cached_property
    def standings(self) -> Standings:
        return kernels.standings(self.sorted, self.positives)

    @cached_property
    def kinds(self) -> Kinds:
        retrieved_positives = self.positives
        if (self.retrieved < np.diff(self.offsets)).any():
            sums, first = np.append(0, np.cumsum(self.relevant)), self.offsets[:-1]
            retrieved_positives = sums[first + self.retrieved] - sums[first]
        return Kinds(self.positives, self.negatives, retrieved_positives)


def whole_lists(comparison: Comparison, direction: Direction, ties: str) -> Iterable[WholeLists]:
    """All lists of a direction; where ids break ties, scores are others of the same order.

    Small ones are kept for the next measure, with what was found out about them.
    """
    if math.prod(comparison.truth.shape) > _CACHED:
        return _whole_lists(comparison, direction, ties)
    key = ("whole lists", direction, ties == "trec")
    return comparison.once(key, lambda: tuple(_whole_lists(comparison, direction, ties)))


def _whole_lists(comparison: Comparison, direction: Direction, ties: str) -> Iterator[WholeLists]:
    if direction == "concept" and ties != "trec" and not comparison.run.sparse:
        scores_of_run, counted = comparison.values(slice(0, comparison.truth.shape[0]))
        if counted is None:
            return _columns(scores_of_run, comparison)
    return _listed(comparison, direction, ties)


def _columns(scores_of_run: Floats, comparison: Comparison) -> Iterator[WholeLists]:
    """The lists of a matrix of which every cell counts, none of them named one by one."""
    truth = comparison.truth
    items, concepts = scores_of_run.shape
    together = max(1, _TOGETHER // max(1, items) // _SIDE_BY_SIDE) * _SIDE_BY_SIDE
    for first in range(0, concepts, together):
        places = slice(first, min(first + together, concepts))
        relevant = truth.once(("labels", first), partial(_by_column, truth.labels, places))
        count = places.stop - places.start
        yield WholeLists(
            places,
            None,
            _by_column(scores_of_run, places),
            relevant,
            np.arange(count + 1) * items,
            np.full(count, items),
            *(total[places] for total in comparison.totals("concept")),
        )


def _by_column(matrix: NDArray[Any], columns: slice) -> Any:
    """The cells of some columns, column after column."""
    return np.ascontiguousarray(matrix[:, columns].T).ravel()


def _listed(comparison: Comparison, direction: Direction, ties: str) -> Iterator[WholeLists]:
    listed, concepts = comparison.listed(direction), comparison.truth.shape[1]
    scores = listed.scores.astype(np.float64, copy=False)
    if ties == "trec":
        names = comparison.truth.item_axis.names
        scores = strict_scores(listed, lambda places: [names[index] for index in places.tolist()])
    labels = comparison.judgements(direction, "matrix").astype(np.bool_, copy=False)
    totals = comparison.totals(direction)
    sizes = totals.positives + totals.negatives
    retrieved = np.diff(listed.offsets)
    for places in _blocks(np.append(0, np.cumsum(sizes))):
        parts: list[tuple[Ints, Floats, Bools]] = []
        for index in range(places.start, places.stop):
            own = slice(listed.offsets[index], listed.offsets[index + 1])
            parts.append((listed.places[own], scores[own], labels[own]))
            silent = int(sizes[index] - retrieved[index])
            if silent:
                absent, true = _absent(comparison, direction, index, listed.places[own])
                parts.append((absent, np.full(silent, -np.inf), true))
        where, scores_of_run, relevant = map(np.concatenate, zip(*parts, strict=True))
        yield WholeLists(
            places,
            where // concepts if direction == "micro" else where,
            scores_of_run,
            relevant,
            np.append(0, np.cumsum(sizes[places])),
            retrieved[places],
            *(total[places] for total in totals),
        )


def _blocks(offsets: Ints) -> Iterator[slice]:
    """Neighbouring lists that have few enough cells together, or one that has more by itself."""
    first, lists = 0, len(offsets) - 1
    while first < lists:
        last = int(np.searchsorted(offsets, offsets[first] + _TOGETHER, "right")) - 1
        last = max(first + 1, min(last, lists))
        yield slice(first, last)
        first = last


def _absent(
    comparison: Comparison, direction: Direction, index: int, mentioned: Ints
) -> tuple[Ints, Bools]:
    """The cells of a list that count but are not mentioned, and whether they are relevant."""
    judged = comparison.truth.judged if comparison.unjudged == "exclude" else None
    column = slice(None) if direction == "micro" else index
    labels = comparison.truth.labels[:, column].ravel()
    counted = np.ones(len(labels), np.bool_) if judged is None else dense(judged)[:, column].ravel()
    left = counted.copy()
    left[mentioned] = False
    absent = np.flatnonzero(left)
    return absent, labels[absent]
