"""Runs that were scored elsewhere: a score of each item by each measure, and no predictions.

Several scores of one item by one measure (epochs, samples of a model) are repeats: the score of the
item is their mean, and how they vary tells how much of a score is chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.axes import Axis
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.run import Run


class ItemScores(NamedTuple):
    """The scores of the items of a run by one measure."""

    values: Floats
    """(N,): the mean over repeats; NaN = the item was not scored."""
    repeats: Ints
    """(N,): how many scores that is the mean of."""
    variances: Floats
    """(N,): of repeats of an item; NaN where there are fewer than two."""
    ends: tuple[float, float]
    """The lowest and the highest score that any repeat of the run has."""

    def part(self, rows: Ints) -> ItemScores:
        """The scores of some items."""
        return ItemScores(self.values[rows], self.repeats[rows], self.variances[rows], self.ends)


class MeasuredRun(Run):
    """What other tools say of the items of a run."""

    def __init__(
        self, scores: Mapping[str, ItemScores], *, items: Iterable[object] | Axis, name: str
    ) -> None:
        listed = items if isinstance(items, Axis) else list(items)
        size = listed.size if isinstance(listed, Axis) else len(listed)
        super().__init__(np.zeros((size, 0)), name=name, items=listed, concepts=(), copy=None)
        self.item_scores = dict(scores)
        """By measure."""

    def part(
        self,
        rows: Ints | None = None,
        columns: Ints | None = None,
        *,
        items: Iterable[object] | None = None,
        concepts: Iterable[object] | None = None,
    ) -> MeasuredRun:
        """The scores of some items, given by their numbers, in that order."""
        if rows is None:
            return self
        part = MeasuredRun(
            {name: scores.part(rows) for name, scores in self.item_scores.items()},
            items=self.item_axis.named(rows) if items is None else items,
            name=self.name,
        )
        part.source, part.left_out = self.source, self.left_out
        return part

    @cached_property
    def digest(self) -> str:
        """Hash of all scores, whatever the order of items and measures."""
        order = canonical_order(self.item_axis)
        content = hashlib.sha256(repr([self.items[row] for row in order.tolist()]).encode())
        for name, scores in sorted(self.item_scores.items()):
            content.update(name.encode())
            for numbers in scores[:3]:
                content.update(np.ascontiguousarray(numbers[order]).view(np.uint8).data)
        return content.hexdigest()[:32]
