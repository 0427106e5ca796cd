"""Samples of cells: what was judged, drawn at random from the pool, and how far it speaks for it.

Within a stratum every cell is equally likely to be judged; a truth without strata is one. How many
cells of a stratum were judged is counted, not asked: given their number, cells drawn one by one
with a known rate are a simple random sample without replacement. Cells outside the pool could not
be drawn and are negative, as pooling takes them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints, dense
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError, first_ten
from cranfield.statistics.incomplete.gaps import unknown_cells


@dataclass(frozen=True, eq=False)
class Sample:
    """The judged cells of a truth as a sample of its pool."""

    truth: Truth
    strata: Ints
    """(N, C): the stratum of each cell, counted from 0; −1 outside the pool."""
    judged: Bools
    sizes: Ints
    """Cells of each stratum."""
    drawn: Ints
    """Those that were judged."""

    @classmethod
    def of(cls, truth: Truth) -> Sample:
        unknown = unknown_cells(truth, "negative")
        pool = truth.states != State.OUTSIDE
        given = np.zeros(truth.shape, np.int64) if truth.strata is None else dense(truth.strata)
        names, numbers = np.unique(given[pool], return_inverse=True)
        strata = np.full(truth.shape, -1, dtype=np.int64)
        strata[pool] = numbers
        judged = pool & ~unknown
        sizes = np.bincount(strata[pool], minlength=len(names))
        drawn = np.bincount(strata[judged], minlength=len(names))
        lacking = names[drawn < np.minimum(sizes, 2)]
        if len(lacking):
            listed = first_ten(map(str, lacking.tolist()))
            raise InputError(
                f"fewer than two judged cells in strata {listed}: so few tell nothing of their "
                "spread; judge more of them or merge strata"
            )
        return cls(truth, strata, judged, sizes, drawn)

    @cached_property
    def weights(self) -> Floats:
        """(N, C): how many cells of its stratum each judged cell stands for; 0 for the others."""
        rates = np.append(self.sizes / np.maximum(self.drawn, 1), 0.0)
        return np.where(self.judged, rates[self.strata], 0.0)

    def total(self, values: Floats) -> float:
        """The total over the pool that judged cells stand for (Horvitz & Thompson)."""
        return float((self.weights * values).sum())

    def deviation(self, values: Floats) -> float:
        """The standard error of that total: strata drawn without replacement."""
        here = self.strata[self.judged]
        each = values[self.judged]
        means = np.bincount(here, weights=each, minlength=len(self.sizes)) / np.maximum(
            self.drawn, 1
        )
        squares = np.bincount(here, weights=(each - means[here]) ** 2, minlength=len(self.sizes))
        spread = squares / np.maximum(self.drawn - 1, 1)
        left = self.sizes - self.drawn
        return float(np.sqrt((self.sizes * left * spread / np.maximum(self.drawn, 1)).sum()))
