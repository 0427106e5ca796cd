"""Exchange: items change places in pairs, while that brings frequencies nearer to the whole's.

Dealing out leaves the labels that come last with whatever is left, which shows in small parts.
Two items of two parts that change places keep the sizes. The pair is chosen that lowers most the
sum of squared differences between what parts have of each label and what they should have.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.splits.labels import Labels
from cranfield.core.matrices import Floats

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
