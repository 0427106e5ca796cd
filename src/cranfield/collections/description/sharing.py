"""Sharing: which concept of one collection is which of another, and the cells that both have.

Concepts are the same if their ids are equal. They nearly match if ids, or else readable names, are
equal once case, surrounding white space, Unicode form and the choice between space, hyphen and
underscore are levelled. A match must be the only one on both sides, so every concept has at most
one partner, whatever the order of concepts.

Dense matrices are compared in blocks of rows; where one is sparse, only its stored cells are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.description.oddities import folded, grouped
from cranfield.core.matrices import Bools, Cells, Ints, at, row_blocks

Match = Literal["exact", "near"]


class Partners(NamedTuple):
    """A concept of the one collection and its match in the other."""

    one: str
    other: str
    match: Match


def partners(one: Collection, other: Collection) -> tuple[Partners, ...]:
    """The concepts that both have, in the order of the first."""
    rounds: tuple[tuple[Match, Callable[[Collection, str], str]], ...] = (
        ("exact", lambda side, concept: concept),
        ("near", lambda side, concept: _levelled(concept)),
        ("near", lambda side, concept: _levelled(side.descriptions.get(concept, concept))),
    )
    pairs: dict[str, Partners] = {}
    for match, form in rounds:
        taken = {pair.other for pair in pairs.values()}
        for mine, theirs in _alike(_by_form(one, pairs.keys(), form), _by_form(other, taken, form)):
            pairs[mine] = Partners(mine, theirs, match)
    return tuple(pairs[concept] for concept in one.concepts if concept in pairs)


def _by_form(
    side: Collection, taken: Set[str], form: Callable[[Collection, str], str]
) -> dict[str, list[str]]:
    free = (concept for concept in side.concepts if concept not in taken)
    return grouped(free, lambda concept: form(side, concept))


def _alike(one: dict[str, list[str]], other: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    for form in one.keys() & other.keys():
        if len(one[form]) == len(other[form]) == 1:
            yield one[form][0], other[form][0]


def _levelled(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", folded(name))


# ── cells ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Part:
    """Rows and columns of a matrix, in an order of their own; no matrix is true everywhere."""

    matrix: Bools | Cells | None
    rows: Ints
    columns: Ints
    width: int
    """Columns of the whole matrix."""

    def true_with(self, other: Part) -> Ints:
        """How many cells are true here and in a part of the same shape, by column."""
        for here, there in ((self, other), (other, self)):
            if isinstance(here.matrix, Cells):
                rows, columns = here._listed(here.matrix)
                true = columns[there._at(rows, columns)]
                return np.bincount(true, minlength=len(self.columns))
        counts = np.zeros(len(self.columns), dtype=np.int64)
        for block in row_blocks((len(self.rows), len(self.columns))):
            counts += np.count_nonzero(self._dense(block) & other._dense(block), axis=0)
        return counts

    def _listed(self, cells: Cells) -> tuple[Ints, Ints]:
        """Rows and columns, in this part's order, of the true cells."""
        rows = _back(self.rows, cells.shape[0])[cells.rows[cells.values]]
        columns = _back(self.columns, cells.shape[1])[cells.columns[cells.values]]
        inside = (rows >= 0) & (columns >= 0)
        return rows[inside], columns[inside]

    def _at(self, rows: Ints, columns: Ints) -> Bools:
        if self.matrix is None:
            return np.ones(len(rows), dtype=np.bool_)
        return at(self.matrix, self.rows[rows] * self.width + self.columns[columns])

    def _dense(self, block: slice) -> Bools:
        if self.matrix is None:
            return np.ones((block.stop - block.start, len(self.columns)), dtype=np.bool_)
        assert not isinstance(self.matrix, Cells)
        return self.matrix[np.ix_(self.rows[block], self.columns)]


def _back(places: Ints, size: int) -> Ints:
    """Where each of `size` positions stands among the places; -1 = nowhere."""
    out = np.full(size, -1, dtype=np.int64)
    out[places] = np.arange(len(places))
    return out
