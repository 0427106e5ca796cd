"""Rank correlation of runs by two measures."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from cranfield.statistics import tau, tau_b

RNG = np.random.default_rng(38)
X = RNG.normal(size=30)
Y = X + RNG.normal(size=30)
TIED = np.round(Y)


def test_without_ties_both_are_the_tau_of_scipy() -> None:
    wanted = stats.kendalltau(X, Y).statistic
    assert tau(X, Y) == pytest.approx(wanted, abs=1e-14)
    assert tau_b(X, Y) == pytest.approx(wanted, abs=1e-14)


def test_with_ties_tau_b_is_that_of_scipy_and_tau_leaves_tied_pairs_out() -> None:
    assert tau_b(X, TIED) == pytest.approx(stats.kendalltau(X, TIED).statistic, abs=1e-14)
    signs = [np.sign((X[i] - X[j]) * (TIED[i] - TIED[j])) for i, j in combinations(range(30), 2)]
    right, wrong = signs.count(1), signs.count(-1)
    assert tau(X, TIED) == pytest.approx((right - wrong) / (right + wrong), abs=1e-14)


def test_many_rankings_are_compared_at_once() -> None:
    rows = RNG.integers(0, 5, size=(2, 7, 12))
    for correlation in (tau, tau_b):
        wanted = [correlation(*pair) for pair in zip(*rows, strict=True)]
        np.testing.assert_array_equal(correlation(*rows), wanted)


def test_the_opposite_order_is_minus_one_and_constants_have_none() -> None:
    assert tau([1, 2, 3], [3, 2, 1]) == tau_b([1, 2, 3], [3, 2, 1]) == -1
    assert np.isnan(tau([1, 1, 1], [1, 2, 3]))
    assert np.isnan(tau_b([1, 1, 1], [1, 2, 3]))
    assert np.isnan(tau([1], [1]))
