"""Rank correlation of runs by two measures."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import InputError
from cranfield.statistics import (
    bootstrap_interval,
    concordance,
    critical_shift,
    item_taus,
    rank_shift,
    rbo,
    tau,
    tau_ap,
    tau_ap_symmetric,
    tau_b,
    weighted_tau,
)

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
    for correlation in (tau, tau_b, weighted_tau, tau_ap, tau_ap_symmetric, rank_shift, _rbo):
        wanted = [correlation(*pair) for pair in zip(*rows, strict=True)]
        np.testing.assert_allclose(correlation(*rows), wanted, rtol=1e-14)


def test_the_opposite_order_is_minus_one_and_constants_have_none() -> None:
    assert tau([1, 2, 3], [3, 2, 1]) == tau_b([1, 2, 3], [3, 2, 1]) == -1
    assert np.isnan(tau([1, 1, 1], [1, 2, 3]))
    assert np.isnan(tau_b([1, 1, 1], [1, 2, 3]))
    assert np.isnan(tau([1], [1]))


def test_weighted_tau_is_that_of_scipy_with_and_without_ties() -> None:
    for x, y in ((X, Y), (X, TIED), (np.round(X), TIED)):
        assert weighted_tau(x, y) == pytest.approx(stats.weightedtau(x, y).statistic, abs=1e-14)


def _ap_correlation(ranked: list[int], true: list[int]) -> float:
    """Yilmaz, Aslam and Robertson 2008, equation 1, word for word."""
    shares = [
        sum(true.index(above) < true.index(ranked[i]) for above in ranked[:i]) / i
        for i in range(1, len(ranked))
    ]
    return 2 / (len(ranked) - 1) * sum(shares) - 1


def test_tau_ap_follows_its_definition() -> None:
    ranked, true = ([int(i) for i in np.argsort(-side)] for side in (X, Y))
    assert tau_ap(X, Y) == pytest.approx(_ap_correlation(ranked, true), abs=1e-14)
    assert tau_ap(Y, X) == pytest.approx(_ap_correlation(true, ranked), abs=1e-14)
    assert tau_ap_symmetric(X, Y) == pytest.approx((tau_ap(X, Y) + tau_ap(Y, X)) / 2)


def test_a_swap_at_the_top_costs_more_by_all_that_look_at_the_top() -> None:
    true = np.arange(10.0, 0, -1)
    top, bottom = true.copy(), true.copy()
    top[:2], bottom[-2:] = true[1::-1], true[:-3:-1]
    for correlation in (weighted_tau, tau_ap, tau_ap_symmetric, _rbo):
        assert correlation(top, true) < correlation(bottom, true) < 1
    assert tau(top, true) == tau(bottom, true)


def test_tau_ap_leaves_tied_pairs_out_whatever_the_order_of_rows() -> None:
    assert tau_ap([3, 2, 2, 1], [4, 3, 2, 1]) == 1
    order = RNG.permutation(30)
    assert tau_ap(TIED[order], Y[order]) == pytest.approx(tau_ap(TIED, Y), abs=1e-14)
    assert np.isnan(tau_ap([1, 1], [1, 2]))


def _rbo(one: object, other: object) -> np.ndarray:
    return rbo(one, other, p=0.9)


def test_rbo_follows_its_definition_over_growing_depths() -> None:
    first, second = ([int(i) for i in np.argsort(-side)] for side in (X, Y))
    agreements = [len(set(first[:d]) & set(second[:d])) / d for d in range(1, 31)]
    wanted = sum(0.1 / 0.9 * a * 0.9**d for d, a in enumerate(agreements, 1)) + 0.9**30
    assert _rbo(X, Y) == pytest.approx(wanted, abs=1e-14)


def test_rbo_of_two_swapped_objects_is_p_and_p_must_be_a_probability() -> None:
    assert rbo([2, 1], [1, 2], p=0.7) == pytest.approx(0.7)
    assert rbo([1, 1], [2, 2], p=0.7) == 1
    assert rbo(X, X, p=0.7) == pytest.approx(1.0)
    with pytest.raises(InputError, match="between 0 and 1"):
        rbo(X, Y, p=1.0)


def test_the_largest_shift_decides_about_concordance() -> None:
    ranks = np.arange(100.0)
    moved = np.insert(np.delete(ranks, 99), 85, 99.0)
    assert rank_shift(ranks, moved) == pytest.approx(0.14)
    assert concordance(ranks, moved) == (pytest.approx(0.14), pytest.approx(0.136), False)
    moved = np.insert(np.delete(ranks, 99), 86, 99.0)
    assert concordance(ranks, moved).concordant
    assert concordance(ranks, -ranks).shift == pytest.approx(0.99)
    assert concordance([], []).concordant is None
    assert np.isnan(critical_shift(0))


def test_item_taus_are_those_of_all_pairs_and_leave_unscored_items_out() -> None:
    scores = np.array([X, TIED, np.round(X), np.ones(30)])
    found = item_taus(scores)
    for one, other in combinations(range(4), 2):
        np.testing.assert_allclose(found[one, other], tau(scores[one], scores[other]), atol=1e-14)
    scores[0, :4], scores[1, 2:6] = np.nan, np.nan
    assert item_taus(scores)[0, 1] == pytest.approx(tau(X[6:], TIED[6:]), abs=1e-14)


@pytest.mark.parametrize("correlation", [tau, weighted_tau, tau_ap, _rbo])
def test_an_interval_over_runs_holds_the_value(correlation) -> None:
    interval = bootstrap_interval(correlation, X, Y, resamples=300)
    assert interval.low < correlation(X, Y) < interval.high
