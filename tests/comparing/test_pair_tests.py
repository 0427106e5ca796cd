"""Tests of pairs of runs against scipy, and against all flips written out."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import scipy.stats

from cranfield.statistics.comparing import pairs as paired
from cranfield.statistics.comparing import variance as ranks
from cranfield.statistics.comparing.pairs import Pairs
from cranfield.statistics.comparing.resampled import resampled_p
from cranfield.statistics.comparing.variance import one_way, two_way

RNG = np.random.default_rng(11)
RUNS, UNITS = 4, 40
VALUES = np.round(RNG.normal(size=(1, UNITS)) + RNG.normal(size=(RUNS, UNITS)), 3)
VALUES[1] += 0.4
COARSE = RNG.integers(0, 3, size=(RUNS, UNITS)) / 3.0
"""Few values, many of them equal."""


def every_flip(values: Any) -> dict[str, list[float]]:
    """p and step-down max-T of all pairs over all 2ⁿ flips, written out."""
    pairs = list(combinations(range(len(values)), 2))
    differences = np.array([values[a] - values[b] for a, b in pairs])
    spread = np.sqrt((differences**2).sum(axis=1))
    flips = np.array(list(product((1.0, -1.0), repeat=values.shape[1])))
    far = np.abs(flips @ differences.T) / spread
    seen = np.abs(differences.sum(axis=1)) / spread
    p = [(far[:, place] >= seen[place] - 1e-9).mean() for place in range(len(pairs))]
    order = np.argsort(-seen)
    stepped, last = [0.0] * len(pairs), 0.0
    for step, place in enumerate(order):
        largest = far[:, order[step:]].max(axis=1)
        last = max(last, float((largest >= seen[place] - 1e-9).mean()))
        stepped[place] = last
    return {"p": p, "stepped": stepped}


@pytest.mark.parametrize("values", [VALUES[:, :11], COARSE[:, :11]], ids=["fine", "coarse"])
def test_few_units_are_flipped_in_every_way(values: Any) -> None:
    found, wanted = resampled_p(Pairs(values), "randomisation", 2000, 0), every_flip(values)
    assert found.samples == 2**10  # flipping all signs changes no distance
    np.testing.assert_allclose(found.p, wanted["p"], rtol=1e-12)
    np.testing.assert_allclose(found.stepped, wanted["stepped"], rtol=1e-12)


def test_all_flips_agree_with_scipy() -> None:
    found = resampled_p(Pairs(VALUES[:, :9]), "randomisation", 10_000, 0)
    for place, (a, b) in enumerate(combinations(range(RUNS), 2)):
        one = scipy.stats.permutation_test(
            (VALUES[a, :9], VALUES[b, :9]),
            lambda x, y: np.mean(x - y),
            permutation_type="samples",
            n_resamples=np.inf,
        )
        assert found.p[place] == pytest.approx(one.pvalue, abs=1e-12)


def test_random_flips_come_near_to_all_flips() -> None:
    values = VALUES[:, :16]
    exact = resampled_p(Pairs(values), "randomisation", 2**15, 0)
    drawn = resampled_p(Pairs(values), "randomisation", 2**15 - 1, 3)
    error = np.sqrt(exact.p * (1 - exact.p) / 2**15)
    assert (np.abs(drawn.p - exact.p) < 5 * error + 1e-4).all()
    assert not np.array_equal(drawn.p, exact.p)


def test_p_values_of_resamples_are_never_zero() -> None:
    apart = np.array([RNG.normal(size=100), RNG.normal(size=100) + 50.0])
    assert resampled_p(Pairs(apart), "randomisation", 999, 0).p.tolist() == [1 / 1000]
    assert resampled_p(Pairs(apart), "bootstrap", 999, 0).p.tolist() == [1 / 1000]


def test_many_units_agree_with_the_t_test() -> None:
    values = RNG.normal(size=(5, 3000)) + 0.03 * np.arange(5)[:, None]
    pairs = Pairs(values)
    wanted = paired.t_test(pairs)
    for kind in ("randomisation", "bootstrap"):
        found = resampled_p(pairs, kind, 4000, 1).p  # type: ignore[arg-type]
        np.testing.assert_allclose(found, wanted, atol=0.03)


def test_t_agrees_with_scipy() -> None:
    found = paired.t_test(Pairs(VALUES))
    wanted = [scipy.stats.ttest_rel(x, y).pvalue for x, y in combinations(VALUES, 2)]
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.parametrize("values", [VALUES, COARSE], ids=["fine", "coarse"])
def test_wilcoxon_agrees_with_scipy(values: Any) -> None:
    found, ahead = paired.wilcoxon_test(Pairs(values))
    for place, (x, y) in enumerate(combinations(values, 2)):
        wanted = scipy.stats.wilcoxon(np.round(x - y, 9)).pvalue  # equal sizes must be equal
        assert found[place] == pytest.approx(wanted, rel=1e-9)
    mean = [np.sign((x - y).mean()) for x, y in combinations(values, 2)]
    assert ahead[found < 0.05].tolist() == np.array(mean)[found < 0.05].tolist()


@pytest.mark.parametrize("values", [VALUES, COARSE], ids=["fine", "coarse"])
def test_signs_agree_with_the_binomial_test(values: Any) -> None:
    found, _ = paired.sign_test(Pairs(values))
    for place, (x, y) in enumerate(combinations(values, 2)):
        ahead, behind = int((x > y).sum()), int((x < y).sum())
        wanted = scipy.stats.binomtest(ahead, ahead + behind).pvalue
        assert found[place] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("values", [VALUES, COARSE], ids=["fine", "coarse"])
def test_friedman_agrees_with_scipy(values: Any) -> None:
    found, wanted = ranks.friedman(values), scipy.stats.friedmanchisquare(*values)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-9)
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)


def test_one_way_variance_agrees_with_scipy() -> None:
    groups = [RNG.normal(size=7), RNG.normal(size=12) + 1.0, RNG.normal(size=5)]
    found, wanted = one_way(groups), scipy.stats.f_oneway(*groups)
    assert pytest.approx(wanted.statistic, rel=1e-9) == found.F
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)
    assert found.degrees == (2, 21)


def test_two_way_variance_of_two_runs_is_the_paired_t_test() -> None:
    runs, _ = two_way(VALUES[:2])
    t = scipy.stats.ttest_rel(VALUES[0], VALUES[1])
    assert pytest.approx(t.statistic**2, rel=1e-9) == runs.F
    assert runs.p == pytest.approx(t.pvalue, rel=1e-9)


def test_two_way_variance_is_one_way_variance_of_what_units_leave() -> None:
    runs, _ = two_way(VALUES)
    left = scipy.stats.f_oneway(*(VALUES - VALUES.mean(axis=0)))
    degrees = RUNS * (UNITS - 1) / ((RUNS - 1) * (UNITS - 1))
    assert pytest.approx(left.statistic / degrees, rel=1e-9) == runs.F


def test_critical_differences_are_those_of_demsar() -> None:
    # Demšar 2006 §3.2.4: 4 classifiers, 14 data sets, q = 2.569, CD = 1.25.
    assert ranks.critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert ranks.critical_difference(10, 30, 0.05) == pytest.approx(
        3.164 * np.sqrt(110 / 180), rel=1e-3
    )


def test_mean_ranks_at_the_critical_difference_have_p_alpha() -> None:
    apart = ranks.critical_difference(4, 14, 0.05)
    _, family = ranks.nemenyi(np.array([1.0, 1.0 + apart, 2.5, 2.5]), 14)
    assert family[0] == pytest.approx(0.05, rel=1e-6)


def test_runs_that_are_the_same_never_differ() -> None:
    same = np.array([VALUES[0], VALUES[0], VALUES[0] + 1e-17, VALUES[1]])
    pairs = Pairs(same)
    for p in (
        resampled_p(pairs, "randomisation", 500, 0).p,
        resampled_p(pairs, "bootstrap", 500, 0).p,
        paired.t_test(pairs),
        paired.sign_test(pairs)[0],
        paired.wilcoxon_test(pairs)[0],
    ):
        assert p[[0, 1, 3]].tolist() == [1.0, 1.0, 1.0]


def test_a_run_that_is_better_by_the_same_everywhere_surely_is() -> None:
    pairs = Pairs(np.array([np.zeros(30), np.full(30, 0.25)]))
    assert paired.t_test(pairs).tolist() == [0.0]
    assert resampled_p(pairs, "bootstrap", 999, 0).p.tolist() == [1 / 1000]
    assert resampled_p(pairs, "randomisation", 999, 0).p.tolist() == [1 / 1000]
