"""Whether runs differ at all: analysis of variance, and ranks on each unit.

One-way analysis, as Nowak 2011 §10.8 compares two campaigns over concepts: each run has a group of
scores, and how units differ among themselves counts as noise. Two-way without repetition: runs and
units both are factors, so that what is hard for all runs is no noise; this is far more sensitive.
Nowak 2011 has no two-way analysis; it is that of Tague-Sutcliffe & Blustein 1995.

Friedman's test looks at ranks of runs on each unit, and Nemenyi's says which mean ranks differ
(Demšar 2006, who draws the critical difference).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.statistics.comparing.pairs import DIGITS
from cranfield.statistics.comparing.units import Units


class Factor(NamedTuple):
    """An F test."""

    F: float
    degrees: tuple[int, int]
    p: float


class Friedman(NamedTuple):
    """Whether all runs have the same mean rank."""

    statistic: float
    degrees: int
    p: float


class Variance(NamedTuple):
    """Whether runs differ at all."""

    one_way: Factor
    """Runs as groups of numbers."""
    runs: Factor
    """Runs in a two-way analysis, runs × units."""
    units: Factor
    friedman: Friedman | None
    """Of ranks; None where units have no scores of their own."""


def variance_of(units: Units) -> Variance:
    """All analyses of the same numbers."""
    values = units.values
    by_rank = friedman(values) if units.scored else None
    return Variance(one_way(list(values)), *two_way(values), by_rank)


def one_way(groups: Sequence[Any]) -> Factor:
    """Whether groups of numbers have the same mean; they may differ in size."""
    samples = [np.asarray(group, dtype=np.float64).ravel() for group in groups]
    count = sum(map(len, samples))
    if len(samples) < 2 or min(map(len, samples)) < 1 or count <= len(samples):
        raise InputError(
            f"{len(samples)} groups of {count} numbers; give at least two groups, and more numbers "
            "than groups"
        )
    mean = np.concatenate(samples).mean()
    between = sum(len(group) * (group.mean() - mean) ** 2 for group in samples)
    within = sum(((group - group.mean()) ** 2).sum() for group in samples)
    return _tested(between, len(samples) - 1, within, count - len(samples))


def two_way(values: Floats) -> tuple[Factor, Factor]:
    """Of runs and of units; values (runs, units)."""
    runs, units = values.shape
    mean, by_run, by_unit = values.mean(), values.mean(axis=1), values.mean(axis=0)
    left = ((values - by_run[:, None] - by_unit + mean) ** 2).sum()
    degrees = (runs - 1) * (units - 1)
    return (
        _tested(units * ((by_run - mean) ** 2).sum(), runs - 1, left, degrees),
        _tested(runs * ((by_unit - mean) ** 2).sum(), units - 1, left, degrees),
    )


def _tested(explained: float, of: int, left: float, among: int) -> Factor:
    from scipy.special import fdtrc

    if left <= 1e-24 * max(1.0, explained):
        F = float("inf") if explained > 1e-24 else 0.0
    else:
        F = float(explained / of / (left / among))
    return Factor(F, (of, among), float(fdtrc(of, among, F)))


# ── ranks ─────────────────────────────────────────────────────────────────────────────────────


def mean_ranks(values: Floats) -> Floats:
    """(runs,): the rank of each run on average over units; 1 = best, equals share ranks."""
    return np.asarray(_ranks(values).mean(axis=1))


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
        [(left > run).sum(axis=0) + ((left == run).sum(axis=0) + 1) / 2 for run in left]
    )
