"""Which pairs of words people are asked about.

Nearly all pairs of many words are unrelated, and a survey of those would say little. Where a map of
relatedness or costs is known, pairs are drawn evenly from all parts of its range. Some pairs are a
word and itself: whoever does not find these as closely related as can be was not careful.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cranfield.core.axes import Axis, require_ordered
from cranfield.core.matrices import Floats, Ints
from cranfield.errors import InputError, require_whole
from cranfield.knowledge import CostMap, RelatednessMap

PARTS = 5
"""Of the range of a map, as many as there are grades."""


@dataclass(frozen=True)
class Pair:
    """Two words that people are asked about."""

    id: str
    word: str
    other: str
    value: float | None = None
    """What the map says that pairs were drawn by."""

    @property
    def control(self) -> bool:
        """Whether there is only one right answer."""
        return self.word == self.other


def choose_pairs(
    concepts: Iterable[object],
    *,
    count: int | None = None,
    map: RelatednessMap | CostMap | None = None,
    controls: int = 1,
    seed: int = 0,
) -> tuple[Pair, ...]:
    """Pairs of different concepts, and some of a concept and itself, in a random order.

    count     how many different ones; default, and where there are no more: all
    map       draw evenly from five parts of its range, the mean of both directions
    controls  how many of a concept and itself

    The same concepts and seed give the same pairs, in whatever order concepts come.
    """
    require_ordered("concepts=", concepts)
    axis = Axis("concept", len(names := [str(one) for one in concepts]), names)
    if axis.size < 2:
        raise InputError(f"pairs need two concepts at least; there are {axis.size}")
    if count is not None:
        require_whole("count", count, least=1)
    require_whole("controls", controls, least=0)
    if controls > axis.size:
        raise InputError(f"controls={controls}; there are only {axis.size} concepts")
    by_name = np.array(sorted(range(axis.size), key=names.__getitem__))
    first, second = (by_name[side] for side in np.triu_indices(axis.size, 1))
    values = None if map is None else _between(map.over(axis), first, second)
    random = np.random.default_rng(seed)
    drawn = _drawn(len(first), values, count, random)
    turned = random.random(len(drawn)) < 0.5
    asked = [
        (names[two], names[one]) if turn else (names[one], names[two])
        for one, two, turn in zip(
            first[drawn].tolist(), second[drawn].tolist(), turned, strict=True
        )
    ]
    said: list[float | None] = [None] * len(asked) if values is None else values[drawn].tolist()
    itself = [names[one] for one in random.permutation(by_name)[:controls].tolist()]
    asked += zip(itself, itself, strict=True)
    said += [None] * controls
    digits = len(str(len(asked)))
    return tuple(
        Pair(f"p{number:0{digits}}", asked[place][0], asked[place][1], said[place])
        for number, place in enumerate(random.permutation(len(asked)).tolist(), start=1)
    )


def _between(values: Floats, first: Ints, second: Ints) -> Floats:
    return np.asarray((values[first, second] + values[second, first]) / 2.0)


def _drawn(
    size: int, values: Floats | None, count: int | None, random: np.random.Generator
) -> Ints:
    """Places of the pairs that are drawn; parts of the range take turns until they are empty."""
    order = random.permutation(size)
    if count is None or count >= size:
        return order
    if values is None:
        return order[:count]
    low, high = float(values.min()), float(values.max())
    part = np.zeros(size, dtype=np.int64)
    if high > low:
        part = np.minimum(((values - low) / (high - low) * PARTS).astype(np.int64), PARTS - 1)
    turn = np.empty(size, dtype=np.int64)
    for one in range(PARTS):
        mine = part[order] == one
        turn[mine] = np.arange(np.count_nonzero(mine))
    # Where the last turn is not for all parts, the random order decides which.
    return order[np.argsort(turn, kind="stable")[:count]]
