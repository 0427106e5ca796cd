"""Swaps: how often two runs change places when they are scored on other units.

Two parts of the collection that have no unit in common are drawn again and again. Each pair of runs
has a difference on the first part, and a swap is a difference of the opposite sign on the second
(Voorhees & Buckley 2002). Comparisons are sorted into bins by the size of the first difference, so
that the share of swaps among them says how far a difference of that size can be trusted.

A part is scored by the mean of what its units say: scores of units, or the score plus the influence
of each item. A draw is a permutation of units, of which a part of any size takes the first ones and
its opponent the last, so that one matrix product scores all runs on the parts of all sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import Step
from cranfield.statistics.comparing.pairs import Pairs

BINS = 25
"""And one more for all that is larger."""
_BINS_OF_AN_ERROR = 5
"""How many bins a standard error of a difference is wide."""
_AT_ONCE = 2_000_000
"""Numbers that say who belongs to which part, of a block of draws."""


@dataclass(frozen=True, eq=False)
class Swaps:
    """Comparisons on two parts of one size."""

    size: int
    """Units of each part."""
    width: float
    """Of a bin: bin k holds differences of k to k + 1 times as much; the last all larger ones."""
    comparisons: Ints
    """(bins,)."""
    swapped: Ints
    """(bins,): those of them in which the second part says the opposite."""
    ties: int = 0
    """Comparisons without a difference on the first part: there is no order to be swapped."""

    @property
    def edges(self) -> Floats:
        """(bins,): the smallest difference of each."""
        return np.asarray(self.width * np.arange(len(self.comparisons)))

    @property
    def rates(self) -> Floats:
        """(bins,): shares of swaps; NaN where there was no comparison."""
        empty = np.full(len(self.comparisons), np.nan)
        compared = self.comparisons > 0
        return np.asarray(np.divide(self.swapped, self.comparisons, out=empty, where=compared))

    @cached_property
    def falling(self) -> Floats:
        """(bins,): the rates that fall from bin to bin and are nearest to those observed."""
        compared = self.comparisons > 0
        out = np.full(len(compared), np.nan)
        out[compared] = _falling(self.swapped[compared], self.comparisons[compared])
        return out

    def needed(self, rate: float) -> float:
        """The smallest difference that is swapped no more often than so; NaN if none is."""
        fine = np.flatnonzero(self.falling <= rate)
        return float(self.edges[fine[0]]) if len(fine) else np.nan

    def sensitivity(self, rate: float) -> float:
        """The share of comparisons with a difference that is large enough."""
        fine = np.flatnonzero(self.falling <= rate)
        reached = self.comparisons[fine[0] :].sum() if len(fine) else 0
        return float(reached / (self.comparisons.sum() + self.ties))


def _falling(hits: Ints, counts: Ints) -> Floats:
    """Isotonic regression: neighbours that do not fall share their mean."""
    blocks: list[tuple[int, int, int]] = []
    for hit, count in zip(hits.tolist(), counts.tolist(), strict=True):
        bins = 1
        while blocks and blocks[-1][0] * count <= hit * blocks[-1][1]:
            hit, count, bins = (
                a + b for a, b in zip(blocks.pop(), (hit, count, bins), strict=True)
            )
        blocks.append((hit, count, bins))
    shares = np.array([hit / count for hit, count, _ in blocks])
    return np.repeat(shares, [bins for _, _, bins in blocks])


def swaps(
    pairs: Pairs,
    sizes: Sequence[int],
    draws: int,
    seed: int,
    step: Step = lambda _: None,
) -> tuple[Swaps, ...]:
    """Comparisons of all pairs on parts of these sizes, none larger than half of the units."""
    widths = _widths(pairs, sizes)
    cuts = sorted({cut for size in sizes for cut in (size, pairs.units - size)})
    size_of_block = max(1, _AT_ONCE // (pairs.units * (len(cuts) + 1)))
    binned: list[Ints] = []

    def work(blocks: range) -> None:
        for block in blocks:
            count = min(size_of_block, draws - block * size_of_block)
            sums = _sums(pairs.values, cuts, count, np.random.default_rng([seed, block]))
            binned.append(_binned(pairs, sums, cuts, sizes, widths))
            step(count / draws)

    kernels.share(-(-draws // size_of_block), 1, work)
    every = draws * len(pairs)
    return tuple(
        Swaps(size, float(width), both[0], both[1], every - int(both[0].sum()))
        for size, width, both in zip(sizes, widths, np.sum(binned, axis=0), strict=True)
    )


def _widths(pairs: Pairs, sizes: Sequence[int]) -> Floats:
    """A fraction of the standard error that differences typically have on a part."""
    spread = np.sqrt(pairs.spreads / max(1, pairs.units - 1))
    typical = float(np.median(spread)) or float(spread.max()) or 1.0
    return np.array([typical / np.sqrt(size) / _BINS_OF_AN_ERROR for size in sizes])


def _sums(values: Floats, cuts: Sequence[int], draws: int, random: np.random.Generator) -> Floats:
    """(draws, cuts + 1, runs): sums over the first units of a permutation, up to each cut and
    over all."""
    runs, units = values.shape
    segment = np.searchsorted(cuts, np.arange(units), side="right")
    member = np.zeros((draws, len(cuts) + 1, units))
    for draw in range(draws):
        member[draw, segment, random.permutation(units)] = 1.0
    sums = member.reshape(-1, units) @ values.T
    return np.cumsum(sums.reshape(draws, len(cuts) + 1, runs), axis=1)


def _binned(
    pairs: Pairs, sums: Floats, cuts: Sequence[int], sizes: Sequence[int], widths: Floats
) -> Ints:
    """(sizes, 2, bins): comparisons, and swaps among them."""
    first, second = pairs.indices
    out = np.empty((len(sizes), 2, BINS + 1), dtype=np.int64)
    for index, size in enumerate(sizes):
        head = sums[:, cuts.index(size)]
        tail = sums[:, -1] - sums[:, cuts.index(pairs.units - size)]
        here, there = (part[:, first] - part[:, second] for part in (head, tail))
        apart = np.abs(here)
        bins = np.minimum(apart / (size * widths[index]), BINS).astype(np.int64)
        signed = apart > pairs.rounding  # what is no more than rounding has no sign
        swapped = (here * there < 0) & signed & (np.abs(there) > pairs.rounding)
        out[index, 0] = np.bincount(bins[signed], minlength=BINS + 1)
        out[index, 1] = np.bincount(bins[swapped], minlength=BINS + 1)
    return out
