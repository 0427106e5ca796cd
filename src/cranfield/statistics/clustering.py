"""Clustering: which of several things are closest, merged pair by pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Floats


class Merge(NamedTuple):
    """Two clusters that became one; what is merged last has the highest number.

    Numbers below the count of things are the things themselves, the next one is the first merge.
    """

    left: int
    right: int
    distance: float
    """The mean distance between members of either side."""
    size: int


def average_linkage(distances: Floats) -> tuple[Merge, ...]:
    """The merges of n things, the closest first, given (n, n) distances without NaN."""
    from scipy.cluster.hierarchy import linkage

    if len(distances) < 2:
        return ()
    steps = linkage(distances[np.triu_indices(len(distances), k=1)], "average")
    return tuple(Merge(int(a), int(b), float(far), int(size)) for a, b, far, size in steps)
