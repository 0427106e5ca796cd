"""Clusters as units: a number for each cluster of items, whose mean is that of the items.

influence  θ + K/N · Σ (xᵢ − θ) over the items of a cluster, with θ the mean of N items in K
           clusters. The variance of these numbers is the cluster-robust one (Liang & Zeger
           1986) with K/(K − 1), whatever the sizes of clusters.
sum        K/N · Σ xᵢ: what a randomisation test flips, since the differences of a cluster
           change their signs together if both runs are equally good.
mean       the mean of a cluster, for tests that look at units one by one.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.core.matrices import Floats
from cranfield.core.truth import Truth

Pooling = Literal["influence", "sum", "mean"]


def cluster_names(truth: Truth) -> tuple[str, ...]:
    """The clusters of a truth, in order."""
    return tuple(sorted(set(truth.clusters or ())))


def pooled(values: Floats, truth: Truth, pooling: Pooling) -> Floats:
    """A number for each cluster from those of items; NaN = no item of it counts."""
    numbers = {name: number for number, name in enumerate(cluster_names(truth))}
    cluster = np.array([numbers[name] for name in truth.clusters or ()], dtype=np.int64)
    defined = ~np.isnan(values)
    counts = np.bincount(cluster[defined], minlength=len(numbers))
    sums = kernels.group_sums(values[defined], cluster[defined], len(numbers))
    there = counts > 0
    out = np.full(len(numbers), np.nan)
    if not there.any():
        return out
    if pooling == "mean":
        return np.asarray(np.divide(sums, counts, out=out, where=there))
    mean = kernels.total(values[defined]) / np.count_nonzero(defined)
    share = np.count_nonzero(there) / np.count_nonzero(defined)
    moved = share * sums if pooling == "sum" else mean + share * (sums - counts * mean)
    return np.where(there, moved, np.nan)
