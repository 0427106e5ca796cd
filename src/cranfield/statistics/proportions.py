"""Proportions: how often something happened, where its chance may lie, and whether it is a half."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.statistics.intervals.limits import NOWHERE, Limits


def wilson(count: float, total: float, level: float = 0.95) -> Limits:
    """The interval of a chance that happened `count` of `total` times (Wilson 1927).

    Both may be fractions, since a sample that is much of the whole counts for more.
    """
    if not total:
        return NOWHERE
    z = NormalDist().inv_cdf((1.0 + level) / 2.0)
    share, wide = count / total, z * z / total
    reach = z * math.sqrt(share * (1.0 - share) / total + wide / total / 4.0)
    ends = [(share + wide / 2.0 + sign * reach) / (1.0 + wide) for sign in (-1.0, 1.0)]
    return Limits(max(0.0, ends[0]), min(1.0, ends[1]))


def even_chance(ahead: Any, behind: Any) -> Floats:
    """Two-sided exact p of the sign test: both happen equally often; 1 where neither happened.

    With the cases that only one of two raters got right on either side, it is McNemar's test.
    """
    from scipy.special import bdtr

    ahead, behind = np.asarray(ahead, dtype=np.int64), np.asarray(behind, dtype=np.int64)
    p = np.minimum(1.0, 2.0 * bdtr(np.minimum(ahead, behind), ahead + behind, 0.5))
    return np.asarray(np.where(ahead + behind > 0, p, 1.0))
