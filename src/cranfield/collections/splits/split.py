"""Split: which item belongs to which part of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import as_collection
from cranfield.collections.splits.exchange import exchange
from cranfield.collections.splits.kept import SplitReport
from cranfield.collections.splits.labels import Labels
from cranfield.collections.splits.rarest import Rarest, RarestLabel, RarestPair
from cranfield.collections.splits.shares import as_groups, as_shares, equal_shares, sizes
from cranfield.collections.splits.stratification import Dealer, Progress, Units
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several

MOST_CONCEPTS = 2000
"""With order=2: counts of pairs grow with the square of the concepts."""


@dataclass(frozen=True, eq=False)
class Split:
    """Items dealt out to named parts."""

    truth: Truth
    shares: dict[str, float]
    """What was asked for."""
    assignment: Ints
    """For each item the place of its part in `names`."""
    seed: int
    order: int
    notes: tuple[str, ...] = ()
    """What did not go as it was asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.shares)

    def items_of(self, name: str) -> Ints:
        """The rows of the items in a part, ascending."""
        return np.flatnonzero(self.assignment == self._place(name))

    def part(self, name: str) -> Truth:
        """The truth of the items in a part."""
        return self.truth.part(self.items_of(name))

    @cached_property
    def by_item(self) -> dict[str, str]:
        """The name of each item's part."""
        names = self.names
        return {
            item: names[place]
            for item, place in zip(self.truth.items, self.assignment.tolist(), strict=True)
        }

    def indices(self) -> Iterator[tuple[Ints, Ints]]:
        """Rows to train on and rows to test on, each part in turn being the test.

        scikit-learn takes them: `cross_val_score(…, cv=list(split.indices()))`.
        """
        for place in range(len(self.shares)):
            tested = self.assignment == place
            yield np.flatnonzero(~tested), np.flatnonzero(tested)

    @cached_property
    def report(self) -> SplitReport:
        """How well each part resembles the whole."""
        return SplitReport(self.truth, self.shares, self.assignment, self.notes)

    def __repr__(self) -> str:
        got = np.bincount(self.assignment, minlength=len(self.shares)).tolist()
        parts = ", ".join(f"{name}: {items}" for name, items in zip(self.shares, got, strict=True))
        return f"Split({parts})"

    def _place(self, name: str) -> int:
        if name not in self.shares:
            raise InputError(f"there is no part {name!r}; there are {first_ten(self.names)}")
        return self.names.index(name)


def split(
    truth: Any,
    shares: Any,
    *,
    seed: int = 0,
    order: int = 1,
    groups: Any = None,
    progress: Progress | None = None,
) -> Split:
    """Deal the items of a truth out to parts in which every concept is as frequent as in the whole.

    truth     a Truth, a Collection, or a matrix of labels
    shares    positive numbers that sum to 1, or a mapping of names to them
    seed      same seed, same split, whatever the order of rows and columns with ids
    order     1 keeps the frequencies of concepts; 2 also those of pairs of concepts, at the expense
              of single ones, and takes longer
    groups    the group of each item: a sequence, or a Series or mapping of ids; they stay together
    progress  called with numbers of items that were dealt out

    Only positive cells count: a cell that nobody judged says nothing here. Without groups the parts
    have the sizes asked for, up to rounding; with groups as nearly as these allow.
    """
    truth = as_collection(truth).truth
    return _split(truth, as_shares(shares), seed, order, groups, progress)


def folds(
    truth: Any,
    count: int,
    *,
    seed: int = 0,
    order: int = 1,
    groups: Any = None,
    progress: Progress | None = None,
) -> Split:
    """The same with equal shares: parts "1", "2", … for cross-validation."""
    truth = as_collection(truth).truth
    return _split(truth, equal_shares(count, truth.shape[0]), seed, order, groups, progress)


def _split(
    truth: Truth,
    shares: dict[str, float],
    seed: int,
    order: int,
    groups: Any,
    progress: Progress | None,
) -> Split:
    _require_possible(truth, seed, order)
    rng = np.random.default_rng(seed)
    rows, units = _drawn(truth, groups, rng)
    numbers = np.empty(truth.shape[1], dtype=np.int64)
    numbers[canonical_order(truth.concept_axis)] = rng.permutation(truth.shape[1])
    labels = Labels(truth.matrix, rows, numbers)
    rarest: Rarest = RarestLabel(labels) if order == 1 else RarestPair(labels)
    wanted: Floats = np.array(list(shares.values()))
    dealer = Dealer(units, wanted, sizes(wanted, truth.shape[0]), rng, progress)
    dealer.deal(rarest)
    if order == 1 and units.are_items:
        exchange(labels, dealer.part_of, wanted)
    assignment = np.empty(truth.shape[0], dtype=np.int64)
    assignment[rows] = dealer.part_of
    return Split(truth, shares, assignment, seed, order, _notes(dealer))


def _require_possible(truth: Truth, seed: Any, order: Any) -> None:
    items, concepts = truth.shape
    if items == 0 or concepts == 0:
        raise InputError(
            f"the truth has {several(items, 'item')} and {several(concepts, 'concept')}; "
            "there is nothing to split"
        )
    if order not in (1, 2):
        raise InputError(f"order={order!r}; choose 1 or 2")
    if order == 2 and concepts > MOST_CONCEPTS:
        raise InputError(
            f"order=2 counts pairs, of which {concepts} concepts have too many; choose order=1, "
            f"or at most {MOST_CONCEPTS} concepts"
        )
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed={seed!r}; give a whole number from 0 up")


def _drawn(truth: Truth, groups: Any, rng: np.random.Generator) -> tuple[Ints, Units]:
    """The rows in a random order that depends on ids only, and what is dealt out together."""
    rows = canonical_order(truth.item_axis)
    if groups is None:
        return rows[rng.permutation(len(rows))], Units.of_items(len(rows))
    # Groups are drawn like their first items, whatever they are called.
    _, first, group = np.unique(
        as_groups(groups, truth)[rows], return_index=True, return_inverse=True
    )
    order = np.argsort(first)[rng.permutation(len(first))]
    drawn = np.empty(len(first), dtype=np.int64)
    drawn[order] = np.arange(len(first))
    together = np.argsort(drawn[group], kind="stable")
    return rows[together], Units(drawn[group][together], np.bincount(drawn[group]))


def _notes(dealer: Dealer) -> tuple[str, ...]:
    if not dealer.without_room:
        return ()
    groups = several(dealer.without_room, "group")
    return (f"{groups} found no part with room enough, so sizes differ from what was asked for",)
