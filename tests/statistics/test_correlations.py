"""Correlation, its intervals, and differences of dependent correlations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cranfield.statistics import bootstrap_interval, holm, pearson, spearman, steiger, williams

RNG = np.random.default_rng(8)
X = RNG.normal(size=(40,))
Y = X + RNG.normal(size=40)
TIED = np.round(Y)


def test_correlations_equal_those_of_scipy_with_and_without_ties() -> None:
    for other in (Y, TIED):
        assert pearson(X, other) == pytest.approx(stats.pearsonr(X, other).statistic, abs=1e-14)
        assert spearman(X, other) == pytest.approx(stats.spearmanr(X, other).statistic, abs=1e-14)


def test_many_samples_are_correlated_at_once() -> None:
    rows = RNG.integers(0, 5, size=(2, 7, 12))
    wanted = [spearman(*pair) for pair in zip(*rows, strict=True)]
    np.testing.assert_allclose(spearman(*rows), wanted, rtol=1e-14)


def test_a_constant_side_has_no_correlation() -> None:
    assert np.isnan(pearson([1, 1, 1], [1, 2, 3]))


def test_a_bootstrap_interval_resembles_that_of_scipy_and_holds_the_value() -> None:
    ours = bootstrap_interval(spearman, X, Y, resamples=5000)
    theirs = stats.bootstrap(
        (X, Y), lambda x, y, axis: spearman(x, y), paired=True, n_resamples=5000,
        method="percentile", rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    assert ours.low < spearman(X, Y) < ours.high
    np.testing.assert_allclose(ours, theirs, atol=0.02)


def test_the_same_seed_gives_the_same_interval_and_two_pairs_give_none() -> None:
    assert bootstrap_interval(pearson, X, Y) == bootstrap_interval(pearson, X, Y)
    assert np.isnan(bootstrap_interval(pearson, X[:2], Y[:2])).all()


def test_williams_and_steiger_agree_closely_on_a_hundred_cases() -> None:
    t = williams(0.5, 0.3, 0.4, 103)
    z = steiger(0.5, 0.3, 0.4, 103)
    assert t.statistic == pytest.approx(z.statistic, rel=0.03)
    assert t.p_value == pytest.approx(z.p_value, abs=0.01)


def test_williams_gives_the_example_of_the_package_psych() -> None:
    # r.test(103, .4, .5, .1) of R's psych prints t = -0.89 with probability 0.37.
    found = williams(0.4, 0.5, 0.1, 103)
    assert (round(found.statistic, 2), round(found.p_value, 2)) == (-0.89, 0.37)


@pytest.mark.parametrize("test", [williams, steiger])
def test_under_equal_correlations_a_test_rejects_about_as_often_as_it_says(test) -> None:
    rng = np.random.default_rng(5)
    third = rng.normal(size=(2000, 30))
    one, other = (0.6 * third + 0.8 * rng.normal(size=third.shape) for _ in range(2))
    sides = zip(pearson(one, third), pearson(other, third), pearson(one, other), strict=True)
    rejected = np.mean([test(a, b, c, 30).p_value < 0.05 for a, b, c in sides])
    assert 0.03 < rejected < 0.07


def test_swapping_the_two_sides_turns_the_sign_and_keeps_the_p_value() -> None:
    for test in (williams, steiger):
        one, other = test(0.7, 0.4, 0.3, 30), test(0.4, 0.7, 0.3, 30)
        assert one.statistic == pytest.approx(-other.statistic)
        assert one.p_value == pytest.approx(other.p_value)


def test_too_few_cases_leave_a_test_undefined() -> None:
    assert np.isnan(williams(0.5, 0.2, 0.1, 3).p_value)
    assert np.isnan(steiger(1.0, 0.2, 0.1, 30).p_value)


def test_holm_multiplies_the_smallest_p_value_by_all_comparisons_and_keeps_the_order() -> None:
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, np.nan]), [0.03, 0.06, 0.06, np.nan])
    np.testing.assert_allclose(holm([0.5, 0.9]), [1.0, 1.0])
