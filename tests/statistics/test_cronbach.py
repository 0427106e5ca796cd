"""Cronbach's α against covariances, the analysis of variance, and simulated tests."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.statistics.cronbach import cronbach, without_each

RANDOM = np.random.default_rng(12)


def drawn(subjects: int, parts: int, common: float = 1.0) -> Floats:
    return common * RANDOM.normal(size=(subjects, 1)) + RANDOM.normal(size=(subjects, parts))


def by_covariance(values: Floats) -> float:
    """m/(m − 1) · (1 − trace / sum of the covariance matrix)."""
    table = np.cov(values.T)
    return len(table) / (len(table) - 1) * (1 - np.trace(table) / table.sum())


def test_alpha_follows_from_the_covariances_of_parts() -> None:
    for subjects, parts in ((5, 2), (20, 7), (73, 53)):
        values = drawn(subjects, parts)
        assert cronbach(values).alpha == pytest.approx(by_covariance(values), abs=1e-12)


def test_alpha_is_one_less_the_error_by_the_variance_of_subjects() -> None:
    """Hoyt 1941, by sums of squares of a two-way analysis."""
    values = drawn(9, 4)
    left = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    error = (left**2).sum() / (8 * 3)
    between = 4 * values.mean(axis=1).var(ddof=1)
    found = cronbach(values)
    assert found.alpha == pytest.approx(1 - error / between, abs=1e-12)
    assert (found.subjects, found.parts) == (9, 4)
    bounds = 1 - (1 - found.alpha) * stats.f(8, 24).ppf([0.975, 0.025])
    np.testing.assert_allclose((found.low, found.high), bounds, rtol=1e-10)


def test_intervals_cover_the_alpha_of_simulated_tests() -> None:
    parts, common = 6, 0.7
    whole = parts * common**2 / (parts * common**2 + 1)
    found = [cronbach(drawn(25, parts, common)) for _ in range(800)]
    covered = np.mean([one.low <= whole <= one.high for one in found])
    assert covered == pytest.approx(0.95, abs=0.025)


def test_alpha_without_a_part_is_that_of_the_others() -> None:
    values = drawn(11, 5)
    wanted = [by_covariance(np.delete(values, part, axis=1)) for part in range(5)]
    np.testing.assert_allclose(without_each(values), wanted, atol=1e-12)
    assert np.isnan(without_each(values[:, :2])).all()


def test_parts_that_say_the_same_are_wholly_reliable_and_equal_subjects_tell_nothing() -> None:
    values = np.arange(5.0)[:, None] + np.array([0.0, 1.0, 7.0])
    assert cronbach(values).alpha == pytest.approx(1.0)
    assert np.isnan(cronbach(np.ones((3, 4))).alpha)


@pytest.mark.parametrize("wrong", [np.ones((1, 3)), np.ones((3, 1)), np.ones(4)])
def test_too_few_subjects_or_parts_are_told(wrong: Floats) -> None:
    with pytest.raises(InputError, match="at least two subjects"):
        cronbach(wrong)


def test_undefined_values_and_levels_are_told() -> None:
    with pytest.raises(InputError, match="not finite"):
        cronbach([[1.0, np.nan], [2.0, 3.0]])
    with pytest.raises(InputError, match="level"):
        cronbach([[1.0, 2.0], [2.0, 3.5]], level=95)
