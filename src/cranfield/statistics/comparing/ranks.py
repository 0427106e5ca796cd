"""Ranks of runs on each unit: Friedman's test, and which mean ranks differ (Nemenyi).

Source: Demšar 2006, who draws the critical difference.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.statistics.comparing.pairs import DIGITS


def mean_ranks(values: Floats) -> Floats:
    """(runs,): the place of each run on average over units; 1 = best, equals share places."""
    return np.asarray(_ranks(values).mean(axis=1))


class Friedman(NamedTuple):
    """Whether all runs have the same mean rank."""

    statistic: float
    degrees: int
    p: float


def friedman(values: Floats) -> Friedman:
    """χ² with its correction for ties; values (runs, units)."""
    from scipy.special import chdtrc

    runs, units = values.shape
    ranks = _ranks(values)
    apart = float(((ranks.mean(axis=1) - (runs + 1) / 2) ** 2).sum())
    spread = float(((ranks - (runs + 1) / 2) ** 2).sum()) / (units * (runs - 1))
    if spread == 0.0:  # all runs are equal on every unit
        return Friedman(0.0, runs - 1, 1.0)
    statistic = units * apart / spread
    return Friedman(statistic, runs - 1, float(chdtrc(runs - 1, statistic)))


def nemenyi(ranks: Floats, units: int) -> tuple[Floats, Floats]:
    """p-values of all pairs, by themselves and as one family; from mean ranks over units."""
    from scipy.special import ndtr
    from scipy.stats import studentized_range

    first, second = np.triu_indices(len(ranks), k=1)
    apart = np.abs(ranks[first] - ranks[second]) / _error(len(ranks), units)
    family = studentized_range.sf(apart * math.sqrt(2.0), len(ranks), np.inf)
    return np.asarray(2.0 * ndtr(-apart)), np.clip(family, 0.0, 1.0)


def critical_difference(runs: int, units: int, alpha: float) -> float:
    """Mean ranks that are farther apart differ significantly."""
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1.0 - alpha, runs, np.inf)) / math.sqrt(2.0)
    return q * _error(runs, units)


def _error(runs: int, units: int) -> float:
    """Standard error of the difference of two mean ranks."""
    return math.sqrt(runs * (runs + 1) / (6.0 * units))


def _ranks(values: Floats) -> Floats:
    left = np.round(values, DIGITS)
    return np.array(
        [(left > one).sum(axis=0) + ((left == one).sum(axis=0) + 1) / 2 for one in left]
    )
