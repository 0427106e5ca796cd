"""Iterative stratification: deal items out, those with the rarest labels first.

First order (Sechidis et al. 2011): take the label that the fewest of the items left carry, and give
each of these items to the part that wants this label most, among equals the part with most room,
then by lot. Second order (Szymański & Kajdanowicz 2017): pairs of labels compete as well. Items
without labels come last.

While one label is dealt out, every item given to a part lowers its wish for this label and its room
by one, whatever else the item carries. So the parts take turns in an order that is known in
advance, by sorting their wishes, and all items of the label are dealt out at once.

Two rules keep sizes exact, which the papers leave to chance. A full part gets no more. And a part
may run ahead of its share of the items dealt out so far only by the square root of its size, which
is what chance would do: otherwise small parts, or large ones, would be full of items with rare
labels before the frequent ones are dealt out.

Dealing out leaves the labels that come last with whatever is left, which shows in small parts. So
at last items change parts in pairs, which keeps the sizes: the pair that lowers most the sum of
squared differences between what parts have of each label and what they should have.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.splits.labels import Labels, Rarest, ranges
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import Step

_MOST_PAIRS = 500
_CANDIDATES = 64
"""Items of each part that are looked at for one exchange."""
_AMONG = 1 << 12
"""Items that are searched for them; they stand in random order, so the first will do."""
_LABELS = 8
"""How many of the most uneven labels are tried before nothing more is to be gained."""
_NEAR = 0.001
"""Differences of frequencies below this need no exchange."""
_LARGEST = 1 << 22
_MANY = 4096
"""Turns that are sorted without asking whether fewer would do."""


class Units(NamedTuple):
    """What is dealt out as a whole: items or groups of them; items of a group stand together."""

    of: Ints
    """The unit of each item, ascending."""
    sizes: Ints

    @classmethod
    def of_items(cls, count: int) -> Units:
        """Every item for itself."""
        return cls(np.arange(count), np.ones(count, dtype=np.int64))

    @property
    def are_items(self) -> bool:
        return len(self.sizes) == len(self.of)


class Wishes(NamedTuple):
    """What each part wants of the items that are dealt out together."""

    quota: Floats
    """Its share of the label."""
    taken: Ints
    """How many items with the label it has."""
    room: Ints
    """How many items it lacks to be full."""
    limit: Ints
    """How many it may take of these."""
    lot: Ints
    """Among equals the lower one is served first."""


class Dealer:
    """Deals items out to parts of certain sizes."""

    def __init__(
        self,
        units: Units,
        shares: Floats,
        sizes: Ints,
        rng: np.random.Generator,
        step: Step,
    ) -> None:
        self.part_of = np.full(len(units.of), -1, dtype=np.int32)
        """The part of each item; -1 = not dealt out."""
        self.without_room = 0
        """Units that were larger than the room of every part."""
        self._units = units
        self._first = np.cumsum(units.sizes) - units.sizes
        self._shares = shares
        self._sizes = sizes
        self._room = sizes.copy()
        self._rng = rng
        self._step = step

    def deal(self, rarest: Rarest) -> None:
        """Deal out all items."""
        while (carriers := rarest.next()) is not None:
            rarest.remove(self._deal(carriers))
        self._deal(np.arange(len(self.part_of)))

    def _deal(self, carriers: NDArray[Any]) -> NDArray[Any]:
        """Deal out those carriers of a label that are left; returns them, with their groups."""
        parts = self.part_of[carriers]
        left = carriers[parts < 0]
        units, amounts = left, np.ones(len(left), dtype=np.int64)
        if not self._units.are_items:
            units, amounts = np.unique(self._units.of[left], return_counts=True)
        sizes = self._units.sizes[units]
        wishes = Wishes(
            self._shares * len(carriers),
            np.bincount(parts[parts >= 0], minlength=len(self._sizes)),
            self._room,
            self._limit(int(sizes.sum())),
            self._rng.permutation(len(self._sizes)),
        )
        if (sizes == 1).all():
            chosen = in_turns(len(units), wishes)
        else:
            chosen, without_room = one_by_one(sizes, amounts, wishes)
            self.without_room += without_room
        items = left if self._units.are_items else ranges(self._first[units], sizes)
        self.part_of[items] = np.repeat(chosen, sizes)
        self._room = self._room - np.bincount(np.repeat(chosen, sizes), minlength=len(self._sizes))
        if len(items):
            self._step(len(items))
        return items

    def _limit(self, items: int) -> Ints:
        """How many of so many items each part may take; together enough for all of them."""
        whole = len(self.part_of)
        dealt = whole - int(self._room.sum()) + items
        ahead = dealt * self._sizes / whole - (self._sizes - self._room)
        limit = np.floor(ahead + np.sqrt(self._sizes)).astype(np.int64)
        return np.asarray(np.clip(limit, 0, np.maximum(self._room, 0)))


def in_turns(count: int, wishes: Wishes) -> Ints:
    """The part of each of so many single items, in the order of their turns."""
    most = np.minimum(wishes.limit, count)
    if most.sum() > _MANY:
        most = _enough(count, most, wishes.quota - wishes.taken)
    part = np.repeat(np.arange(len(most)), most)
    turn = np.arange(len(part)) - np.repeat(np.cumsum(most) - most, most)
    order = np.lexsort(
        (
            wishes.lot[part],
            turn - wishes.room[part],
            (wishes.taken[part] + turn) - wishes.quota[part],
        )
    )
    return part[order[:count]]


def _enough(count: int, most: Ints, wish: Floats) -> Ints:
    """Turns of each part among which the first `count` surely are, and few more."""

    def above(level: float) -> Floats:
        return np.minimum(most, np.ceil(np.maximum(wish - level, 0)))

    low, high = float((wish - most).min()), float(wish.max())
    while high - low > 1:
        level = (low + high) / 2
        low, high = (level, high) if above(level).sum() >= count else (low, level)
    # One more, lest a wish that was rounded is missed.
    return np.minimum(most, above(low).astype(np.int64) + 1)


def one_by_one(sizes: Ints, amounts: Ints, wishes: Wishes) -> tuple[Ints, int]:
    """The part of each group, and how many were larger than the room of every part.

    amounts  how many items of each group carry the label; groups with many come first

    A group goes where it fits, or else where least of it is too much.
    """
    quota = wishes.quota.tolist()
    taken, room, limit, lot = (list(each.tolist()) for each in wishes[1:])
    parts = range(len(quota))
    chosen = np.empty(len(sizes), dtype=np.int64)
    without_room = 0
    order = np.argsort(-amounts, kind="stable")
    for unit, size, amount in zip(
        order.tolist(), sizes[order].tolist(), amounts[order].tolist(), strict=True
    ):
        least = min(size, max(limit))
        fitting = [part for part in parts if limit[part] >= least]
        part = max(fitting, key=lambda k: (quota[k] - taken[k], room[k], -lot[k]))
        without_room += size > max(room)
        taken[part] += amount
        room[part] -= size
        limit[part] -= size
        chosen[unit] = part
    return chosen, without_room


# ── exchange ──────────────────────────────────────────────────────────────────────────────────


def exchange(labels: Labels, part_of: NDArray[np.int32], shares: Floats) -> None:
    """Change the parts of items; labels with the largest differences come first."""
    exchanger = _Exchanger(labels, part_of, shares)
    for _ in range(_MOST_PAIRS):
        if not any(map(exchanger.exchange_for, exchanger.uneven())):
            return


class _Exchanger:
    def __init__(self, labels: Labels, part_of: NDArray[np.int32], shares: Floats) -> None:
        self._labels = labels
        self._part_of = part_of
        self._candidates = min(_CANDIDATES, _LARGEST // labels.shape[1] + 1)
        concepts = range(labels.shape[1])
        counts = [np.bincount(part_of[labels.carriers(c)], minlength=len(shares)) for c in concepts]
        self._excess = np.array(counts).T - np.outer(shares, labels.totals)
        """What each part has too much of each label."""
        self._near = max(1.0, _NEAR * float(shares.min()) * labels.shape[0])

    def uneven(self) -> list[int]:
        """The labels with the largest differences between parts."""
        spread = self._excess.max(axis=0) - self._excess.min(axis=0)
        order = np.argsort(-spread, kind="stable")[:_LABELS]
        return [int(label) for label in order if spread[label] > self._near]

    def exchange_for(self, label: int) -> bool:
        """Exchange the best pair of an item with the label and one without, if it helps."""
        rich, poor = int(self._excess[:, label].argmax()), int(self._excess[:, label].argmin())
        carriers = self._labels.carriers(label)
        givers = carriers[:_AMONG][self._part_of[carriers[:_AMONG]] == rich][: self._candidates]
        others = np.flatnonzero(self._part_of[:_AMONG] == poor)
        first = carriers[: np.searchsorted(carriers, _AMONG)]
        takers = others[~np.isin(others, first, assume_unique=True)][: self._candidates]
        if not len(givers) or not len(takers):
            return False
        given, taken = self._rows(givers), self._rows(takers)
        slope = self._excess[rich] - self._excess[poor]
        change = (taken @ slope + taken.sum(axis=1))[None, :]
        change = change - (given @ slope - given.sum(axis=1))[:, None] - 2 * given @ taken.T
        one, other = np.unravel_index(int(change.argmin()), change.shape)
        if change[one, other] > -1e-9:
            return False
        self._part_of[[givers[one], takers[other]]] = poor, rich
        self._excess[rich] += taken[other] - given[one]
        self._excess[poor] -= taken[other] - given[one]
        return True

    def _rows(self, items: NDArray[Any]) -> Floats:
        counts, carried = self._labels.carried_by(items)
        rows = np.zeros((len(items), self._labels.shape[1]))
        rows[np.repeat(np.arange(len(items)), counts), carried] = 1
        return rows
