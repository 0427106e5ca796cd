"""How many units are enough: statsmodels' power of t-tests, and SciPy's intervals."""

from __future__ import annotations

import math

import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from cranfield.statistics.intervals import units_for_difference, units_for_margin


@pytest.mark.parametrize("power", [0.5, 0.8, 0.9, 0.99])
@pytest.mark.parametrize("effect", [2.5, 1.0, 0.3, 0.05])
def test_units_to_find_a_difference_are_those_of_statsmodels(effect: float, power: float) -> None:
    wanted = TTestPower().solve_power(effect_size=effect, alpha=0.05, power=power)
    assert units_for_difference(effect, 1.0, 0.95, power) == math.ceil(wanted)


@pytest.mark.parametrize("margin", [3.0, 1.0, 0.2, 0.01])
def test_as_many_units_as_are_asked_for_and_no_fewer_reach_the_margin(margin: float) -> None:
    units = units_for_margin(margin, 1.0, 0.9)
    assert units is not None

    def reach(count: int) -> float:
        return float(stats.t.ppf(0.95, count - 1)) / math.sqrt(count)

    assert reach(units) <= margin < reach(units - 1)


def test_more_power_never_takes_fewer_units() -> None:
    powers = (1e-300, 0.01, 0.3, 0.5, 0.7, 0.9, 0.999)
    needed = [units_for_difference(0.4, 1.0, 0.95, power) or 0 for power in powers]
    assert needed == sorted(needed)
    assert needed[0] == 2


@pytest.mark.parametrize("target", [1e-300, 5e-324, 1e-6])
def test_what_nobody_could_gather_is_no_number(target: float) -> None:
    assert units_for_margin(target, 1.0, 0.95) is None
    assert units_for_difference(target, 1.0, 0.95, 0.8) is None


@pytest.mark.parametrize("spread", [0.0, 1e-300])
def test_two_units_that_do_not_differ_are_enough(spread: float) -> None:
    assert units_for_margin(0.1, spread, 0.95) == 2
    assert units_for_difference(0.1, spread, 0.95, 0.8) == 2


def test_no_number_finds_a_difference_that_is_not_there() -> None:
    assert units_for_difference(0.0, 1.0, 0.95, 0.8) is None
