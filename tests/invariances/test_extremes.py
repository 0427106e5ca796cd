"""Scores keep their range, and a perfect prediction is best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import cranfield as cf
from invariances.registered import ALL, CASES, PROBABILITIES, all_scored, close
from problems import EXACT, Problem, problems


@given(case=problems(values=(-1.0, 0.0, 0.5, 1.0, 2.0)))
def test_scores_stay_within_the_declared_range(case: Problem) -> None:
    stay_within_range(case, [name for name in ALL if name not in PROBABILITIES])


@given(case=problems())
def test_scores_of_probabilities_stay_within_the_declared_range(case: Problem) -> None:
    stay_within_range(case, PROBABILITIES)


def stay_within_range(case: Problem, names: list[str]) -> None:
    for score in cf.evaluate(case.truth(), case.run(), names, **case.knowledge):
        low, high = score.measure.traits.range
        values = np.append(score.by_unit, score.value)
        known = values[~np.isnan(values)]
        assert ((low <= known) & (known <= high)).all(), score.measure


NOT_AT_THE_END = ("alpha_nDCG", "dprime", "P@", "R@", "F@", "offset=", "RBP", "ERR", "infAP")
"""Measures whose best value depends on the truth; infAP comes near 1, but for its ε."""


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_perfect_prediction_is_best(case: Problem) -> None:
    rules = [name for name in ALL if name.startswith("OS")]
    perfect_is_best([name for name in ALL if name not in rules], case)
    perfect_is_best(rules, by_the_rules(case))


def by_the_rules(case: Problem) -> Problem:
    """Without the labels that break a rule, which cost OS something also where they are right."""
    ontology, labels = case.knowledge["ontology"], case.labels.copy()
    while broken := ontology.violations(cf.Truth(labels, **case.ids)):
        for one in broken:
            columns = [case.concepts.index(name) for name in one.labels]
            labels[case.items.index(one.item), columns] = False
    assert labels.any()
    return Problem(labels, case.scores)


def perfect_is_best(names: list[str], case: Problem) -> None:
    perfect = all_scored(case.truth(), cf.Run(case.labels.astype(float), **case.ids), names)
    drawn = [np.random.default_rng(seed).random(case.shape) for seed in range(5)]
    others = [all_scored(case.truth(), cf.Run(scores, **case.ids), names) for scores in drawn]
    for name, best in perfect.items():
        traits = best.measure.traits
        if traits.better == "neither":
            continue
        sign = 1 if traits.higher_is_better else -1
        known = ~np.isnan(best.by_unit)
        if not any(part in name for part in NOT_AT_THE_END):
            end = traits.range[1] if sign > 0 else traits.range[0]
            assert close(best.by_unit[known], end), name
        slack = 1e-4 if "infAP" in name else EXACT  # ε smooths the precision of a perfect ranking
        for other in others:
            both = known & ~np.isnan(other[name].by_unit)
            assert (sign * (best.by_unit - other[name].by_unit)[both] >= -slack).all(), name
