"""Gaps: does a slice differ from the rest by more than chance, among all slices and measures?

items     a permutation test: the difference between a slice and the rest is held against that
          between random sets of as many items and their rests. Nothing is assumed of the measure,
          and what small sets do to it (AP of few items is too high) is in all of them alike. Two
          slices that complement each other have opposite differences and the same p.
concepts  the same items serve both sides: slice and rest are scored on the same draws of items
          (bootstrap), whose differences spread around their mean as the difference does.

Either way there are a distance from what is expected, in units of the spread, and as many of them
as there are draws. p = (c + 1) / (n + 1), c draws of n being as far; max-T over everything that
was asked of a run (Westfall & Young 1993).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.core.axes import Axis
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints

_AT_ONCE = 2_000_000
"""Numbers of a block of draws."""


@dataclass(frozen=True, eq=False)
class RandomSlices:
    """Random sets of as many items as a slice has; one seed shuffles all slices alike.

    Where two slices complement each other, so do their random sets.
    """

    axis: Axis
    members: Ints
    seed: int

    @property
    def rest(self) -> RandomSlices:
        """The sets of all other items, draw by draw."""
        others = np.setdiff1d(np.arange(self.axis.size), self.members)
        return RandomSlices(self.axis, others, self.seed)

    def draws(self, samples: int) -> Iterator[Floats]:
        """(b, N), block after block: 1 for items of the set."""
        order = canonical_order(self.axis)
        places = np.argsort(order)[self.members]
        step = max(1, _AT_ONCE // max(1, self.axis.size))
        for block, first in enumerate(range(0, samples, step)):
            random = np.random.default_rng([self.seed, block])
            ways = np.tile(order, (min(step, samples - first), 1))
            shuffled = random.permuted(ways, axis=1)[:, places]
            times = np.zeros((len(shuffled), self.axis.size))
            np.put_along_axis(times, shuffled, 1.0, axis=1)
            yield times


class Distance(NamedTuple):
    """How far a slice is from what is expected, and how far draws are; in units of their spread."""

    seen: float
    drawn: Floats


def distance(difference: float, drawn: Floats, *, centred: bool) -> Distance | None:
    """From a number and what draws make of it; `centred`: it is expected at 0, not at their mean.

    None where draws do not differ, or there is nothing to hold against them.
    """
    known = drawn[np.isfinite(drawn)]
    if not np.isfinite(difference) or len(known) < 2:
        return None
    middle, spread = float(known.mean()), float(known.std(ddof=1))
    if spread <= 1e-12 * max(1.0, abs(middle)):
        return None
    # A draw without a score might have been as far as any.
    far = np.where(np.isfinite(drawn), np.abs(drawn - middle) / spread, np.inf)
    return Distance(abs(difference - (0.0 if centred else middle)) / spread, far)
