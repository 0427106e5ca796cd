"""Split: which item belongs to which part of a collection, and how people ask for parts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import as_collection
from cranfield.collections.splits.labels import Labels, Rarest, RarestLabel, RarestPair
from cranfield.collections.splits.report import SplitReport
from cranfield.collections.splits.stratification import Dealer, Units, exchange
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError, first_ten, several

MOST_CONCEPTS = 2000
"""With order=2: counts of pairs grow with the square of the concepts."""
_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}
_TOLERANCE = 1e-9
_ORDERS = {1: "first", 2: "second"}


@dataclass(frozen=True, eq=False, repr=False)
class Split(Analysis):
    """Items dealt out to named parts."""

    title = "Parts of a collection"

    truth: Truth
    shares: dict[str, float]
    """Those requested."""
    assignment: Ints
    """For each item the index of its part in `names`."""
    seed: int
    order: int
    notes: tuple[str, ...] = ()
    """What did not go as requested."""
    listed: bool = True
    """Whether the result lists the items; not where they were written to a file."""

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.shares)

    def items_of(self, name: str) -> Ints:
        """The rows of the items in a part, ascending."""
        return np.flatnonzero(self.assignment == self._index(name))

    def part(self, name: str) -> Truth:
        """The truth of the items in a part."""
        return self.truth.part(self.items_of(name))

    @cached_property
    def by_item(self) -> dict[str, str]:
        """The name of each item's part."""
        names = self.names
        return {
            item: names[index]
            for item, index in zip(self.truth.items, self.assignment.tolist(), strict=True)
        }

    def indices(self) -> Iterator[tuple[Ints, Ints]]:
        """Rows to train on and rows to test on, each part in turn being the test.

        scikit-learn takes them: `cross_val_score(…, cv=list(split.indices()))`.
        """
        for index in range(len(self.shares)):
            tested = self.assignment == index
            yield np.flatnonzero(~tested), np.flatnonzero(tested)

    @cached_property
    def report(self) -> SplitReport:
        """How well each part resembles the whole."""
        return SplitReport(self.truth, self.shares, self.assignment, self.notes)

    @property
    def is_data(self) -> bool:
        return self.listed

    def _facts(self) -> dict[str, Any]:
        items = {"items": self.by_item} if self.listed else {}
        return {"seed": self.seed, "order": self.order, **self.report.result.facts, **items}

    def _tables(self) -> list[Table]:
        rows = [{"item": item, "split": name} for item, name in self.by_item.items()]
        columns = (Column("item"), Column("split"))
        return [Table("items", rows, columns, audience="programs"), *self.report.result.tables]

    def _remarks(self) -> list[str]:
        return [
            *self.report.measured,
            f"{_ORDERS[self.order]}-order iterative stratification, seed {self.seed}",
            *self.report.notes,
        ]

    def _index(self, name: str) -> int:
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
    progress: Progress = silent,
) -> Split:
    """Deal the items of a truth out to parts in which every concept is as frequent as in the whole.

    truth     a Truth, a Collection, or a matrix of labels
    shares    positive numbers that sum to 1, or a mapping of names to them
    seed      same seed, same split, whatever the order of rows and columns with ids
    order     1 keeps the frequencies of concepts; 2 also those of pairs of concepts, at the expense
              of single ones, and takes longer
    groups    the group of each item: a sequence, or a Series or mapping of ids; they stay together

    Only positive cells count: a cell that nobody judged says nothing here. Without groups the parts
    have the sizes requested, up to rounding; with groups as nearly as these allow.
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
    progress: Progress = silent,
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
    progress: Progress,
) -> Split:
    _require_possible(truth, seed, order)
    rng = np.random.default_rng(seed)
    rows, units = _drawn(truth, groups, rng)
    numbers = np.empty(truth.shape[1], dtype=np.int64)
    numbers[canonical_order(truth.concept_axis)] = rng.permutation(truth.shape[1])
    labels = Labels(truth.matrix, rows, numbers)
    rarest: Rarest = RarestLabel(labels) if order == 1 else RarestPair(labels)
    requested: Floats = np.array(list(shares.values()))
    with progress("splitting", truth.shape[0]) as step:
        dealer = Dealer(units, requested, sizes(requested, truth.shape[0]), rng, step)
        dealer.deal(rarest)
    if order == 1 and units.are_items:
        exchange(labels, dealer.part_of, requested)
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
        raise InputError(f"{order!r} is no order; choose 1 or 2", parameter="order")
    if order == 2 and concepts > MOST_CONCEPTS:
        raise InputError(
            f"the second order counts pairs, of which {concepts} concepts have too many",
            mend=f"choose {{order=1}}, or at most {MOST_CONCEPTS} concepts",
            parameter="order",
        )
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"{seed!r} is no seed; give a whole number from 0 up", parameter="seed")


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
    return (f"{groups} found no part with room enough, so sizes differ from those requested",)


# ── shares and groups ─────────────────────────────────────────────────────────────────────────


def as_shares(shares: Any) -> dict[str, float]:
    """Shares by the names of the parts; without names, two are "train" and "test"."""
    if isinstance(shares, Mapping):
        named = [(str(name), share) for name, share in shares.items()]
    else:
        listed = list(shares) if isinstance(shares, Iterable) else [shares]
        numbers = tuple(str(1 + index) for index in range(len(listed)))
        named = list(zip(_NAMES.get(len(listed), numbers), listed, strict=True))
    by_name = {name: _share(name, share) for name, share in named}
    if len(by_name) < len(named) or "" in by_name:
        raise InputError("two parts have the same name, or one has none; name each part")
    if len(by_name) < 2:
        raise InputError("a split needs at least two parts; give two or more shares")
    total = math.fsum(by_name.values())
    if abs(total - 1) > _TOLERANCE:
        raise InputError(f"the shares sum to {total:.10g}; they must sum to 1")
    return by_name


def _share(name: str, share: Any) -> float:
    try:
        number = float(share)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number <= 1:
        raise InputError(f"the share of {name!r} is {share!r}; give a number above 0, up to 1")
    return number


def equal_shares(count: Any, items: int) -> dict[str, float]:
    """Shares of folds, which are named by their numbers."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 2:
        raise InputError(f"{count!r} folds; ask for a whole number from 2 up")
    if count > items:
        raise InputError(
            f"{count} folds of {several(items, 'item')} leave some empty; ask for at most {items}"
        )
    return {str(1 + index): 1 / count for index in range(count)}


def sizes(shares: Floats, items: int) -> Ints:
    """Whole numbers of items that come closest to the shares; among equals the first get more."""
    exact = shares * items
    whole = np.floor(exact).astype(np.int64)
    neediest = np.argsort(whole - exact, kind="stable")
    whole[neediest[: items - int(whole.sum())]] += 1
    return whole


def as_groups(groups: Any, truth: Truth) -> Ints:
    """A number for the group of each item, from whatever has one value for each."""
    values = unit_values("groups", groups, truth.item_axis)
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    numbers: dict[object, int] = {}
    try:
        return np.array([numbers.setdefault(group, len(numbers)) for group in listed])
    except TypeError:
        raise InputError("a group is named by a text or a number; give one for each item") from None
