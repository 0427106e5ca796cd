"""All pairs of runs: what their differences add up to, and tests that need no resamples.

t         whether the mean difference is 0, if means are about normal
wilcoxon  whether differences lie symmetrically around 0, by the ranks of their sizes
sign      whether either run is better as often as the other, whatever the sizes

Wilcoxon and sign leave out units on which both are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.statistics.significance import even_chance

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
    def indices(self) -> tuple[Ints, Ints]:
        return np.triu_indices(len(self.values), k=1)

    def __len__(self) -> int:
        return len(self.indices[0])

    def look(self, function: Callable[[Floats], Floats], kinds: int) -> Floats:
        """(kinds, pairs): what a function (b, units) → (kinds, b) says of the differences."""
        out = np.empty((kinds, len(self)))
        runs = len(self.values)
        first = np.cumsum([0, *range(runs - 1, 0, -1)])
        step = max(1, _AT_ONCE // max(1, self.units))

        def work(block: range) -> None:
            for run in block:
                for start in range(run + 1, runs, step):
                    others = self.values[start : start + step]
                    index = int(first[run]) + start - run - 1
                    out[:, index : index + len(others)] = function(self.values[run] - others)

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
        first, second = self.indices
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


# ── tests ─────────────────────────────────────────────────────────────────────────────────────


def t_test(pairs: Pairs) -> Floats:
    """p-values; where all differences are equal, 1 if they are 0, else 0."""
    from scipy.special import stdtr

    mean, degrees = pairs.sums[0] / pairs.units, pairs.units - 1
    error = np.sqrt(pairs.spreads / degrees / pairs.units)
    apart = ~pairs.alike & (error > 0)
    statistic = np.divide(np.abs(mean), error, out=np.full(len(pairs), np.inf), where=apart)
    return np.where(pairs.alike, 1.0, 2.0 * stdtr(degrees, -statistic))


def wilcoxon_test(pairs: Pairs) -> tuple[Floats, Floats]:
    """p-values, exact for up to 50 different sizes, and which run of each pair is ahead."""
    from scipy.stats import rankdata, wilcoxon

    def look(differences: Floats) -> Floats:
        left = np.round(differences, DIGITS)
        out = np.array([np.ones(len(left)), np.zeros(len(left))])
        for pair in np.flatnonzero(left.any(axis=1)).tolist():
            counted = left[pair][left[pair] != 0.0]
            out[0, pair] = wilcoxon(counted).pvalue
            out[1, pair] = np.sign(counted) @ rankdata(np.abs(counted))
        return out

    p, ahead = pairs.look(look, 2)
    return p, np.sign(ahead)


def sign_test(pairs: Pairs) -> tuple[Floats, Floats]:
    """p-values of the binomial distribution, and which run of each pair is ahead."""
    ahead, behind = np.round(pairs.shares * pairs.units).astype(np.int64)
    return even_chance(ahead, behind), np.sign(ahead - behind)
