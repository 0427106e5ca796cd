"""What is drawn, and how often: items or clusters of them, all together or stratum by stratum.

Draws depend on the ids of items, strata and clusters and on the seed, never on the order of rows,
and are the same for every run and measure, so that their scores can be compared draw by draw.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.core.axes import Axis
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, Ints
from cranfield.core.truth import Truth
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError

_AT_ONCE = 2_000_000
"""Numbers of a block of draws."""


@dataclass(frozen=True, eq=False)
class Sampling:
    """How items are drawn."""

    size: int
    """Items."""
    cluster: Ints
    """(N,): the cluster of each item, 0, 1, …; every item its own where there are none."""
    stratum: Ints
    """(clusters,): the stratum of each cluster."""
    seed: int = 0
    given: tuple[tuple[str, str], ...] = ()
    """Hashes of strata and clusters, for signatures."""

    @classmethod
    def of(cls, axis: Axis, *, strata: Any = None, clusters: Any = None, seed: int = 0) -> Sampling:
        """The sampling of items; strata and clusters have a label for each item."""
        of_item = labels_of("strata", strata, axis)
        groups = labels_of("clusters", clusters, axis)
        given = tuple(
            (name, _hash(labels, axis))
            for name, labels in (("strata", of_item), ("clusters", groups))
            if labels is not None
        )
        if groups is None:
            cluster = np.empty(axis.size, dtype=np.int64)
            cluster[canonical_order(axis)] = np.arange(axis.size)
        else:
            cluster = _numbered(groups)
        count = int(cluster.max(initial=-1)) + 1
        stratum = np.zeros(count, dtype=np.int64)
        if of_item is not None:
            numbers = _numbered(of_item)
            stratum[cluster] = numbers
            torn = np.flatnonzero(stratum[cluster] != numbers)
            if len(torn):
                assert groups is not None
                raise InputError(
                    f"cluster {groups[torn[0]]!r} lies in several strata, "
                    f"{of_item[torn[0]]!r} among them; whole clusters are drawn within a stratum: "
                    "let strata be made of clusters"
                )
        return cls(axis.size, cluster, stratum, seed, given)

    @classmethod
    def of_truth(
        cls, truth: Truth, *, strata: Any = None, clusters: Any = None, seed: int = 0
    ) -> Sampling:
        """The sampling of the items of a truth, by its own clusters if there are no others."""
        own = truth.clusters if clusters is None else clusters
        return cls.of(truth.item_axis, strata=strata, clusters=own, seed=seed)

    @property
    def clusters(self) -> int:
        return len(self.stratum)

    @cached_property
    def strata(self) -> list[Ints]:
        """The clusters of each stratum."""
        return [np.flatnonzero(self.stratum == s) for s in range(int(self.stratum.max()) + 1)]

    @property
    def plain(self) -> bool:
        """Whether single items are drawn, all from one stratum."""
        return self.clusters == self.size and len(self.strata) == 1

    def draws(self, samples: int) -> Iterator[Floats]:
        """(b, N), block after block: how often each item was drawn."""
        streams = [np.random.default_rng([self.seed, index]) for index in range(len(self.strata))]
        step = max(1, _AT_ONCE // max(1, self.size))
        for first in range(0, samples, step):
            count = min(step, samples - first)
            times = np.empty((count, self.clusters))
            for members, random in zip(self.strata, streams, strict=True):
                drawn = random.integers(0, len(members), size=(count, len(members)))
                drawn += np.arange(count)[:, None] * len(members)
                counts = np.bincount(drawn.ravel(), minlength=count * len(members))
                times[:, members] = counts.reshape(count, len(members))
            yield times[:, self.cluster]

    def spread(self, values: Floats) -> tuple[float, int]:
        """The standard error of the mean of values of items, and its degrees of freedom.

        NaN = the item does not count. Clusters are the units; strata differ for certain, so only
        differences within them count. A stratum of one cluster tells nothing of its own spread.
        """
        defined = ~np.isnan(values)
        if not defined.any():
            return math.nan, 0
        count = np.count_nonzero(defined)
        centred = np.where(defined, values - kernels.total(values[defined]) / count, 0.0) / count
        sums = kernels.group_sums(centred, self.cluster, self.clusters)
        there = np.bincount(self.cluster[defined], minlength=self.clusters) > 0
        variance, degrees = 0.0, 0
        for members in self.strata:
            counted = sums[members[there[members]]]
            if len(counted) > 1:
                apart = counted - kernels.total(counted) / len(counted)
                degrees += len(counted) - 1
                variance += len(counted) * kernels.total(apart, apart) / (len(counted) - 1)
        return (math.sqrt(variance), degrees) if degrees else (math.nan, 0)

    @property
    def lone_strata(self) -> int:
        """Strata of one cluster, which are the same in every draw."""
        return sum(len(members) == 1 for members in self.strata) if len(self.strata) > 1 else 0


def labels_of(what: str, values: Any, axis: Axis) -> list[str] | None:
    """A label for each item, in the order of the axis."""
    if values is None:
        return None
    labels = unit_values(what, values, axis)
    return list(map(str, labels.tolist() if isinstance(labels, np.ndarray) else labels))


def _numbered(labels: list[str]) -> Ints:
    return np.unique(np.array(labels), return_inverse=True)[1].astype(np.int64).ravel()


def _hash(labels: list[str], axis: Axis) -> str:
    ordered = [labels[index] for index in canonical_order(axis).tolist()]
    return hashlib.blake2b(repr(ordered).encode(), digest_size=4).hexdigest()
