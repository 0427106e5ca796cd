"""Pass, fail or undecided: SciPy's one-sided tests, and what the decisions promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

import cranfield as cf
from cranfield.statistics.gating import decide

RNG = np.random.default_rng(12)


@pytest.mark.parametrize("shift", [-0.3, -0.1, 0.0, 0.2])
def test_p_values_and_intervals_are_those_of_scipy(shift: float) -> None:
    gains = RNG.normal(shift, 1.0, 80)
    one = decide([gains], [0.1], 0.95)[0]
    for p, side in ((one.p_pass, "greater"), (one.p_fail, "less")):
        assert p == pytest.approx(stats.ttest_1samp(gains, -0.1, alternative=side).pvalue)
    wanted = stats.t.interval(0.95, 79, gains.mean(), stats.sem(gains))
    assert (one.low, one.high) == pytest.approx(wanted)


def test_failing_is_corrected_for_the_number_of_measures_and_passing_is_not() -> None:
    gains = [RNG.normal(shift, 1.0, 60) for shift in (-0.6, -0.5, -0.4, 0.5)]
    found = decide(gains, [0.1] * 4, 0.95)
    alone = [stats.ttest_1samp(one, -0.1, alternative="less").pvalue for one in gains]
    wanted = multipletests(alone, method="holm")[1]
    assert [one.p_fail for one in found] == pytest.approx(wanted.tolist())
    assert found[3].p_pass == pytest.approx(decide([gains[3]], [0.1], 0.95)[0].p_pass)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_decision_is_where_the_interval_lies(level: float) -> None:
    for shift in np.linspace(-0.5, 0.5, 21):
        one = decide([RNG.normal(shift, 1.0, 100)], [0.1], level)[0]
        wanted = "pass" if one.low > -0.1 else "fail" if one.high < -0.1 else "undecided"
        assert one.outcome == wanted


def test_of_runs_that_are_worse_by_the_margin_few_pass_and_few_fail() -> None:
    """4,000 gates at the edge: 2.5 % of them each way."""
    outcomes = [decide([g], [0.2], 0.95)[0].outcome for g in RNG.normal(-0.2, 1.0, (4000, 40))]
    for kind in ("pass", "fail"):
        assert outcomes.count(kind) / 4000 == pytest.approx(0.025, abs=0.008)


def test_if_one_of_three_measures_is_worse_by_the_margin_the_gate_rarely_passes() -> None:
    passed = failed = 0
    for _ in range(2000):
        good = [RNG.normal(0.5, 1.0, 40) for _ in range(2)]
        found = decide([*good, RNG.normal(-0.2, 1.0, 40)], [0.2] * 3, 0.95)
        passed += all(one.outcome == "pass" for one in found)
        edge = decide(list(RNG.normal(-0.2, 1.0, (3, 40))), [0.2] * 3, 0.95)
        failed += any(one.outcome == "fail" for one in edge)
    assert passed / 2000 <= 0.035
    assert failed / 2000 <= 0.035  # three at the edge: without a correction 7 % would fail


def test_the_items_that_are_asked_for_decide_four_times_in_five() -> None:
    one = decide([_with_mean(0.05, 60)], [0.1], 0.95)[0]
    assert one.outcome == "undecided"
    assert one.more is not None
    more = RNG.normal(0.05, 1.0, (1000, one.units + one.more))
    decided = [decide([gains], [0.1], 0.95)[0].outcome == "pass" for gains in more]
    assert np.mean(decided) == pytest.approx(0.8, abs=0.04)


def _with_mean(mean: float, size: int) -> np.ndarray:
    gains = RNG.normal(0.0, 1.0, size)
    return mean + (gains - gains.mean()) / gains.std(ddof=1)


def test_a_few_units_ask_for_as_many_as_a_t_test_does() -> None:
    one = decide([_with_mean(0.5, 3)], [0.7], 0.95)[0]
    wanted = TTestPower().solve_power(effect_size=1.2, alpha=0.05, power=0.8)
    assert (one.outcome, one.more) == ("undecided", math.ceil(wanted) - 3)


def test_at_the_margin_itself_no_number_is_enough() -> None:
    gains = _with_mean(0.0, 50)
    assert decide([gains - gains.mean()], [0.0], 0.95)[0].more is None


def test_units_that_all_agree_decide_at_once() -> None:
    same = decide([np.zeros(5), np.full(5, -0.3)], [0.1, 0.1], 0.95)
    assert [one.outcome for one in same] == ["pass", "fail"]


@pytest.mark.parametrize(
    ("gain", "margin", "outcome"),
    [(0.0, 0.0, "pass"), (0.7 - 0.8, 0.1, "pass"), (-0.1, 0.1, "pass"), (-1e-6, 0.0, "fail")],
)
def test_units_that_all_lose_the_margin_do_not_fail(
    gain: float, margin: float, outcome: str
) -> None:
    assert decide([np.full(5, gain)], [margin], 0.95)[0].outcome == outcome


def test_gates_of_runs_that_lose_the_margin_hold_what_they_promise() -> None:
    """Labels flipped with a chance of .2 and .23: by hamming loss, the new run loses .03."""
    passed = 0
    for _ in range(400):
        labels = RNG.random((60, 20)) < 0.3
        runs = [
            cf.Run(labels=labels ^ (RNG.random(labels.shape) < chance), name=name)
            for name, chance in (("old", 0.2), ("new", 0.23))
        ]
        result = cf.evaluate(cf.Truth(labels), runs, "example.hamming")
        passed += cf.gate(result, "old", margin=0.03).outcome == "pass"
    assert passed / 400 <= 0.025 + 3 * math.sqrt(0.025 / 400)
