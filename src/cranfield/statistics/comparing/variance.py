"""Analysis of variance: do runs differ at all, beyond what units do?

One-way, as Nowak 2011 §10.8 compares two campaigns over concepts: each run has a group of scores,
and how units differ among themselves counts as noise. Two-way without repetition: runs and units
both are factors, so that what is hard for all runs is no noise; this is far more sensitive. Nowak
2011 has no two-way analysis; it is that of Tague-Sutcliffe & Blustein 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.statistics.comparing.ranks import Friedman, friedman
from cranfield.statistics.comparing.units import Units


class Factor(NamedTuple):
    """An F test."""

    F: float
    degrees: tuple[int, int]
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
    given = [np.asarray(group, dtype=np.float64).ravel() for group in groups]
    count = sum(map(len, given))
    if len(given) < 2 or min(map(len, given)) < 1 or count <= len(given):
        raise InputError(
            f"{len(given)} groups of {count} numbers; give at least two groups, and more numbers "
            "than groups"
        )
    mean = np.concatenate(given).mean()
    between = sum(len(group) * (group.mean() - mean) ** 2 for group in given)
    within = sum(((group - group.mean()) ** 2).sum() for group in given)
    return _tested(between, len(given) - 1, within, count - len(given))


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
