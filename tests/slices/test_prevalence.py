"""AP at a prevalence: how many negatives there happen to be makes no difference."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

import cranfield as cf

RNG = np.random.default_rng(3)


def scored(negatives: int, name: str) -> float:
    """400 positives among so many negatives, told apart with d′ = 1.5; the mean of 20 lists."""
    labels = np.repeat([1, 0], [400, negatives])[:, None] * np.ones((1, 20), dtype=int)
    return cf.score(labels, RNG.normal(1.5 * labels), name)


def test_ap_falls_when_negatives_are_added_and_ap_at_a_prevalence_does_not() -> None:
    few, many = (scored(negatives, "concept.AP") for negatives in (1000, 10_000))
    assert few - many > 0.3
    few, many = (scored(n, "concept.AP_at_prevalence(prevalence=0.1)") for n in (1000, 10_000))
    # What is left is that of few negatives: one of them counts nine times.
    assert few == pytest.approx(many, abs=0.015)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_it_is_the_weighted_ap_of_scikit_learn(share: float) -> None:
    labels = (RNG.random(300) < 0.2).astype(int)
    scores = np.round(RNG.normal(labels), 1)
    heavy = np.where(labels == 1, share / labels.sum(), (1 - share) / (300 - labels.sum()))
    wanted = average_precision_score(labels, scores, sample_weight=heavy)
    got = cf.score(labels, scores, f"concept.AP_at_prevalence(prevalence={share})")
    assert got == pytest.approx(wanted, rel=1e-12)


def test_at_the_prevalence_that_there_is_it_is_ap() -> None:
    labels = np.repeat([1, 0], [25, 75])
    scores = RNG.normal(labels)
    there = cf.score(labels, scores, "concept.AP_at_prevalence(prevalence=0.25)")
    assert there == pytest.approx(cf.score(labels, scores, "concept.AP"), rel=1e-12)


def test_a_concept_of_positives_alone_is_skipped() -> None:
    labels = np.array([[1, 1], [1, 0], [1, 0]])
    result = cf.evaluate(
        cf.Truth(labels), cf.Run(scores=labels * 1.0, name="it"), "concept.AP_at_prevalence"
    )
    assert result.scores[0].units == result.scores[0].skipped == 1
