"""Co-occurrence: which concepts come together, and how much more often than by chance.

The counts grow with the square of the concepts, so only so many of them take part: the most
frequent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Cells, Floats, Ints, shares
from cranfield.core.pair_counts import pair_counts

if TYPE_CHECKING:
    import polars

MOST = 1000
"""How many concepts take part."""


@dataclass(frozen=True)
class Cooccurrence:
    """How often concepts come together."""

    concepts: tuple[str, ...]
    """The concepts that take part, in the collection's order."""
    left_out: int
    """How many rarer concepts do not."""
    counts: Ints
    """Items that carry both the concept of the row and that of the column."""
    items: int
    """Items in the collection."""

    @property
    def positives(self) -> Ints:
        """Items that carry each concept."""
        return self.counts.diagonal()

    @cached_property
    def conditional(self) -> Floats:
        """Of the items with the row's concept, the share that carries the column's; NaN if none."""
        return shares(self.counts, self.positives[:, None])

    @cached_property
    def jaccard(self) -> Floats:
        """Of the items with either concept, the share that carries both; NaN if none."""
        return shares(self.counts, self.positives[:, None] + self.positives - self.counts)

    @cached_property
    def correlation(self) -> Floats:
        """Of the labels of every two concepts (φ); NaN for a concept that does not vary."""
        carried = self.positives.astype(np.float64)
        spread = np.sqrt(carried * (self.items - carried))
        shared = self.items * self.counts - np.outer(carried, carried)
        return shares(shared, np.outer(spread, spread))

    @cached_property
    def pairs(self) -> polars.DataFrame:
        """Polars: every two concepts that come together, those with the highest φ on top.

        first, the more frequent one; second; together; phi; jaccard; second_given_first;
        first_given_second; lift, which is 1 where they come together as often as by chance.
        """
        import polars

        order = _by_frequency(self.positives, self.concepts)
        one, two = np.triu_indices(len(order), k=1)
        one, two = order[one], order[two]
        together = self.counts[one, two]
        occurring = together > 0
        one, two, together = one[occurring], two[occurring], together[occurring]
        names = polars.Series(self.concepts, dtype=polars.String)
        return polars.DataFrame(
            {
                "first": names.gather(one),
                "second": names.gather(two),
                "together": together,
                "phi": polars.Series(self.correlation[one, two]).fill_nan(None),
                "jaccard": self.jaccard[one, two],
                "second_given_first": self.conditional[one, two],
                "first_given_second": self.conditional[two, one],
                "lift": together * self.items / (self.positives[one] * self.positives[two]),
            }
        ).sort(
            "phi",
            "together",
            "first",
            "second",
            descending=[True, True, False, False],
            nulls_last=True,
        )


def cooccurrence(
    matrix: Bools | Cells, positives: Ints, names: tuple[str, ...], *, most: int = MOST
) -> Cooccurrence:
    """Count pairs of the `most` most frequent concepts; among equals the first by name."""
    remaining = np.sort(_by_frequency(positives, names)[:most])
    return Cooccurrence(
        tuple(names[column] for column in remaining),
        len(names) - len(remaining),
        pair_counts(matrix, remaining),
        matrix.shape[0],
    )


def _by_frequency(positives: Ints, names: tuple[str, ...]) -> Ints:
    order = sorted(range(len(names)), key=lambda column: (-positives[column], names[column]))
    return np.array(order, dtype=np.int64)
