"""Steps: how many cells, and how many right ones, reach each distinct score of ranked lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cranfield.collections.comparison import Comparison, Counts
from cranfield.collections.ranked_lists import Direction
from cranfield.core.matrices import Floats, Ints, Scores, stable_order

_ROUNDING = 1e-12
"""Values that differ by no more are equal: they may be sums of many rounded steps."""


@dataclass(frozen=True)
class Steps:
    """The distinct scores of each list, descending, list after list."""

    unit: Ints
    """The list of each step."""
    score: Scores
    counts: Counts
    """Decisions of the list if every cell that reaches the score is accepted."""
    bounds: Ints
    """List i is the steps bounds[i] … bounds[i + 1]."""
    before: Counts
    """Decisions of each list if nothing is accepted."""

    @classmethod
    def of(cls, comparison: Comparison, direction: Direction) -> Steps:
        """The steps of every concept, every item, or of all cells together."""
        listed = comparison.listed(direction)
        positives, negatives = comparison.totals(direction)
        order = np.argsort(-listed.scores)
        order = order[stable_order(listed.owner[order], len(positives))]
        scores, owner = listed.scores[order], listed.owner  # which every such order leaves alone
        closes = np.ones(len(order), dtype=np.bool_)
        closes[:-1] = (scores[1:] != scores[:-1]) | (owner[1:] != owner[:-1])
        last = np.flatnonzero(closes)
        unit = owner[last]
        found = np.cumsum(np.append(0, comparison.told(direction, "matrix")[order]))
        first = listed.offsets[unit]
        right = found[last + 1] - found[first]
        wrong = last + 1 - first - right
        none = np.zeros_like(positives)
        return cls(
            unit,
            scores[last],
            Counts(tp=right, fp=wrong, fn=positives[unit] - right, tn=negatives[unit] - wrong),
            np.searchsorted(unit, np.arange(len(positives) + 1)),
            Counts(tp=none, fp=none, fn=positives, tn=negatives),
        )

    def lists(self) -> Iterator[slice]:
        """The steps of each list."""
        return (slice(*ends) for ends in pairwise(self.bounds.tolist()))


def above(descending: Scores) -> float:
    """The next number above the highest score, in the precision of the scores."""
    if len(descending) == 0:
        return 1.0
    top = descending[0]
    return float(np.nextafter(top, top.dtype.type(np.inf)))


def first_best(losses: Floats) -> int:
    """The first of the smallest losses, which is that of the highest threshold."""
    least = np.nanmin(losses)
    return int(np.argmax(losses <= least + _ROUNDING * max(1.0, abs(least))))
