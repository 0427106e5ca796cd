"""All pairs of runs: which they are, and what their differences add up to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints

_AT_ONCE = 200_000
"""Differences of a block."""
DIGITS = 12
"""What is left of differences where only their sign or order counts; the rest is rounding."""
_ROUNDING = 1e-15
"""Of sums, for each unit."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """The first and the second run of all pairs, in the order of `itertools.combinations`."""

    values: Floats
    """(runs, units): the higher the better."""

    @property
    def units(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        return np.triu_indices(len(self.values), k=1)

    def __len__(self) -> int:
        return len(self.places[0])

    def look(self, function: Callable[[Floats], Floats], kinds: int) -> Floats:
        """(kinds, pairs): what a function (b, units) → (kinds, b) says of the differences."""
        out = np.empty((kinds, len(self)))
        runs = len(self.values)
        first = np.cumsum([0, *range(runs - 1, 0, -1)])
        step = max(1, _AT_ONCE // max(1, self.units))

        def work(places: range) -> None:
            for run in places:
                for start in range(run + 1, runs, step):
                    others = self.values[start : start + step]
                    place = int(first[run]) + start - run - 1
                    found = function(self.values[run] - others)
                    out[:, place : place + len(others)] = found

        kernels.share(runs - 1, 4, work)
        return out

    @cached_property
    def sums(self) -> Floats:
        """(2, pairs): sums of differences, and of their squares."""
        return self.look(lambda d: np.array([d.sum(axis=1), np.einsum("ij,ij->i", d, d)]), 2)

    @cached_property
    def spreads(self) -> Floats:
        """Squares of what differs from the mean difference, summed up."""
        total, squares = self.sums
        left = squares - total**2 / self.units
        return np.where(left > 1e-12 * squares, left, 0.0)

    @cached_property
    def rounding(self) -> Floats:
        """How far sums of differences may be off."""
        largest = np.abs(self.values).max(axis=1, initial=0.0)
        first, second = self.places
        return np.asarray(_ROUNDING * self.units * (largest[first] + largest[second]))

    @cached_property
    def alike(self) -> Bools:
        """Pairs whose units differ by no more than rounding."""
        return np.asarray(np.sqrt(self.sums[1]) <= 10.0 * self.rounding)

    @cached_property
    def shares(self) -> Floats:
        """(2, pairs): the share of units on which the first run is better, and the second."""

        def better(differences: Floats) -> Floats:
            least = 0.5 * 10.0**-DIGITS
            first, second = differences > least, differences < -least
            return np.array([np.count_nonzero(side, axis=1) for side in (first, second)])

        return self.look(better, 2) / self.units
