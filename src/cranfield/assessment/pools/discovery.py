"""Discovery: how many relevant documents each further depth of a pool brings, and would bring.

Zobel 1998 fits C·dˢ − 1 to the number of relevant documents that depth d is the first to bring: a
line through log(number + 1) against log d. What the curve says beyond the depth that was judged is
an estimate of what was missed, and of what is worth judging next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cranfield.core.matrices import Floats, Ints


@dataclass(frozen=True)
class Discovery:
    """New relevant documents by depth, and the curve through them."""

    new: Ints
    """Those that depth 1, 2, … was the first to bring."""
    level: float
    """C."""
    slope: float
    """s."""

    @classmethod
    def of(cls, ranks: Ints, depth: int) -> Discovery:
        """ranks  the best rank of each relevant document; those below the depth do not count"""
        new = np.bincount(ranks[ranks <= depth], minlength=depth + 1)[1:]
        return cls(new, *_fitted(new))

    def expected(self, first: int, last: int) -> float:
        """How many more relevant documents the ranks from first to last would bring."""
        return float(self.curve(np.arange(first, last + 1)).sum())

    def curve(self, depths: Ints) -> Floats:
        """The fitted number at each depth, not below zero."""
        return np.maximum(self.level * depths.astype(np.float64) ** self.slope - 1.0, 0.0)


def _fitted(new: Ints) -> tuple[float, float]:
    y = np.log1p(new)
    if len(y) < 2:
        return math.exp(float(y.sum())), 0.0
    x = np.log(np.arange(1, len(y) + 1))
    spread = x - x.mean()
    slope = float(spread @ y / (spread @ spread))
    return math.exp(float(y.mean() - slope * x.mean())), slope
