"""max-T: errors it lets through, and what it is beside Holm and Tukey."""

from __future__ import annotations

import numpy as np
import scipy.stats

from cranfield.statistics import holm
from cranfield.statistics.comparing.pairs import Pairs
from cranfield.statistics.comparing.resampled import resampled_p


def test_one_false_finding_among_all_pairs_is_as_rare_as_alpha() -> None:
    random, trials, alpha = np.random.default_rng(2), 300, 0.1
    level = np.array([1.0, 1.0, 1.0, 2.0, 3.0, 4.0])
    first, second = np.triu_indices(6, 1)
    null = level[first] == level[second]
    wrong = alone = 0
    for trial in range(trials):
        # Means and spreads grow together, and differences are skewed.
        values = level[:, None] * random.standard_exponential((6, 60)) + random.normal(size=60)
        found = resampled_p(Pairs(values), "randomisation", 300, trial)
        wrong += bool((found.stepped[null] <= alpha).any())
        alone += bool((found.p[null] <= alpha).any())
    # Three true null hypotheses among fifteen pairs; five standard errors above α are 0.187.
    assert wrong / trials < 0.187
    assert alone > wrong


def test_under_the_null_it_uses_what_it_may() -> None:
    random, trials, alpha = np.random.default_rng(3), 300, 0.1
    wrong = 0
    for trial in range(trials):
        values = random.normal(size=(1, 50)) + random.normal(size=(5, 50))
        stepped = resampled_p(Pairs(values), "randomisation", 300, trial).stepped
        wrong += bool((stepped <= alpha).any())
    assert abs(wrong / trials - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / trials)


def test_adjusted_p_values_lie_between_those_of_single_pairs_and_of_bonferroni() -> None:
    random = np.random.default_rng(4)
    values = random.normal(size=(1, 200)) + random.normal(size=(6, 200)) + np.arange(6)[:, None] / 9
    found = resampled_p(Pairs(values), "randomisation", 5000, 0)
    assert (found.stepped >= found.p).all()
    assert (found.stepped <= np.minimum(1.0, 15 * found.p) + 1e-12).all()
    order = np.argsort(found.p)
    assert (found.stepped[order] <= holm(found.p)[order] + 0.01).all()


def test_with_equal_spreads_the_first_step_is_tukeys() -> None:
    random = np.random.default_rng(5)
    values = random.normal(size=(4, 2000))
    values[0] += 0.03
    found = resampled_p(Pairs(values), "randomisation", 20_000, 0)
    most = int(np.argmin(found.p))
    tukey = scipy.stats.tukey_hsd(*values).pvalue[np.triu_indices(4, 1)]
    assert 0.01 < tukey[most] < 0.5
    assert abs(found.stepped[most] - tukey[most]) < 0.02
