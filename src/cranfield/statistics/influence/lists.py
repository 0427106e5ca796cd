"""Whole lists, best first: every cell that counts, with the bounds of its group of equals.

Cells that a sparse run does not mention stand at the end, as one group. Here every cell is needed,
relevant or not, since every item has an influence; `ranked_lists.Ordered` keeps only told ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.comparison import Comparison, Direction
from cranfield.matrices import Bools, Ints, Scores, dense
from cranfield.ranked_lists import ListedCells, strict_scores


@dataclass(frozen=True)
class WholeList:
    """The cells of one list that count, best first; all arrays are by cell."""

    place: int
    """Which list it is."""
    items: Ints
    relevant: Bools
    ends: Ints
    """Where groups of equals begin and end: 0, the number of cells, and what lies between."""
    retrieved: int
    """Cells that the run mentions; the others follow."""

    @cached_property
    def start(self) -> Ints:
        """Cells above the group of each cell."""
        return self._spread(self.ends[:-1])

    @cached_property
    def end(self) -> Ints:
        """Cells in or above it."""
        return self._spread(self.ends[1:])

    def _spread(self, by_group: Ints) -> Ints:
        if len(by_group) == len(self.items):  # no two are equal
            return by_group
        return np.repeat(by_group, np.diff(self.ends))

    @cached_property
    def found(self) -> Ints:
        """Relevant cells among the first 0, 1, 2, … cells."""
        return np.concatenate([[0], np.cumsum(self.relevant)])

    @cached_property
    def above(self) -> Ints:
        """Relevant cells above the group of each cell."""
        return self._spread(self.found[self.ends[:-1]])

    @cached_property
    def through(self) -> Ints:
        """Relevant cells in or above it."""
        return self._spread(self.found[self.ends[1:]])

    @cached_property
    def positives(self) -> int:
        return int(np.count_nonzero(self.relevant))

    @property
    def negatives(self) -> int:
        return len(self.relevant) - self.positives


def whole_lists(
    comparison: Comparison, direction: Direction, ties: str, *, refined: bool
) -> Iterator[WholeList]:
    """Every list of a direction; `refined`: relevant cells come first, or last, among equals if
    `ties` is best, or worst."""
    listed, concepts = comparison.listed(direction), comparison.truth.shape[1]
    scores = _strict(comparison, direction, listed) if ties == "trec" else listed.scores
    labels = comparison.told(direction, "matrix")
    positives, negatives = comparison.totals(direction)
    for place, (first, last) in enumerate(
        zip(listed.offsets[:-1].tolist(), listed.offsets[1:].tolist(), strict=True)
    ):
        cells = slice(first, last)
        silent = int(positives[place] + negatives[place]) - (last - first)
        order, opens = _ordered(scores[cells], labels[cells], ties if refined else "")
        places, relevant = listed.places[cells][order], labels[cells][order]
        if silent:
            absent, true = _absent(comparison, direction, place, places)
            bottom = np.argsort(~true if ties == "best" else true) if refined else slice(None)
            places = np.concatenate([places, absent[bottom]])
            relevant = np.concatenate([relevant, true[bottom]])
            split = refined and ties in ("best", "worst")
            edge = np.append(True, np.diff(relevant[last - first :]) if split else [])
            opens = np.concatenate([opens, edge, np.zeros(silent - len(edge), np.bool_)])
        yield WholeList(
            place=place,
            items=places // concepts if direction == "micro" else places,
            relevant=relevant.astype(np.bool_, copy=False),
            ends=np.append(np.flatnonzero(opens), len(places)),
            retrieved=last - first,
        )


def _ordered(scores: Scores, labels: Bools, ties: str) -> tuple[Ints, Bools]:
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


def _strict(comparison: Comparison, direction: Direction, listed: ListedCells) -> Scores:
    axis = comparison.truth.item_axis
    return strict_scores(listed, lambda places: [axis.names[place] for place in places.tolist()])
