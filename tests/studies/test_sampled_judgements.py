"""Rankings of runs from a part of the judgements."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.studies.sampled_judgements import sampled, sampled_judgements, simulated_searches


def test_inferred_precision_keeps_the_order_of_runs_better_than_average_precision() -> None:
    truth, runs = simulated_searches(topics=25, documents=400, runs=15, seed=3)
    found = sampled_judgements(truth, runs, shares=(0.5, 0.25, 0.1), samples=8, seed=1)
    tau = {(one.share, one.measure): one.tau for one in found}
    error = {(one.share, one.measure): one.error for one in found}
    for share in (0.5, 0.25, 0.1):
        for better in ("concept.infAP", "concept.xinfAP"):
            assert tau[share, better] > tau[share, "concept.AP"]
            assert error[share, better] < error[share, "concept.AP"] / 2


def test_with_all_judgements_nothing_changes() -> None:
    truth, runs = simulated_searches(topics=6, documents=200, runs=5)
    found = sampled_judgements(truth, runs, shares=[1.0], samples=1)
    of = {one.measure: one for one in found}
    assert of["concept.AP"].tau == of["concept.infAP"].tau == of["concept.xinfAP"].tau == 1.0
    assert of["concept.infAP"].error < 1e-3


def test_each_topic_keeps_its_share_and_the_whole_pool() -> None:
    truth, _ = simulated_searches(topics=6, documents=200, runs=5)
    part = sampled(truth, 0.25, np.random.default_rng(0))
    pooled = (truth.states >= -1).sum(axis=0)
    assert ((part.states >= -1).sum(axis=0) == pooled).all()
    assert ((part.states >= 0).sum(axis=0) == np.ceil(0.25 * pooled)).all()


def test_a_closed_truth_has_no_pool_to_sample() -> None:
    with pytest.raises(cf.InputError, match="open truth"):
        sampled(cf.Truth([[1], [0]]), 0.5, np.random.default_rng(0))
