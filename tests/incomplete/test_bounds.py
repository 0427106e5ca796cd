"""Bounds hold whatever the unjudged cells are, and exact ones are reached."""

from __future__ import annotations

import numpy as np
import pytest
from completions import assert_exact, assert_valid, gappy, reached
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import cranfield as cf
from cranfield.errors import InputError, MeasureError
from cranfield.measures import measures
from cranfield.statistics.incomplete.bounds import counts

COUNTS = [d.name for d in measures() if "@" not in d.name and counts(cf.measure(d.name))]
OPTIONS = [
    "example.F(beta=2)",
    "example.P(undefined=skip)",
    "example.R(undefined=1)",
    "example.F(undefined=skip)",
    "example.alpha(alpha=2,beta=0.3,gamma=0.9)",
    "example.alpha(beta=0)",
    "concept.R(undefined=0)",
    "concept.F(beta=0)",
    "micro.F(beta=3)",
    "micro.P(undefined=skip)",
]
RANKS = [
    "example.AP(ties=expected)",
    "example.AP(ties=worst)",
    "example.RP",
    "example.P@2",
    "example.R@2",
    "example.nDCG",
    "example.nDCG@2",
    "example.one_error",
    "example.coverage",
    "example.coverage(offset=zero,ties=expected)",
    "example.ranking_loss",
]


@pytest.mark.parametrize("seed", range(12))
def test_bounds_of_every_count_measure_are_those_of_all_completions(seed: int) -> None:
    truth, run = gappy(seed)
    names = [*COUNTS, *OPTIONS]
    assert len(COUNTS) > 20
    assert_exact(cf.bounds(truth, run, names), reached(truth, run, names))


@pytest.mark.parametrize("seed", range(8))
def test_bounds_of_rank_measures_are_those_of_all_completions(seed: int) -> None:
    truth, run = gappy(seed, items=3, concepts=5, unknown=8, ties=seed % 2 == 0)
    assert_exact(cf.bounds(truth, run, RANKS, exact=0), reached(truth, run, RANKS))


def test_grouped_ap_is_exact_without_ties_and_valid_with_them() -> None:
    for seed in range(12):
        truth, run = gappy(seed, items=3, concepts=6, unknown=8)
        names = ["example.AP"]
        assert_exact(cf.bounds(truth, run, names, exact=0), reached(truth, run, names))
        truth, run = gappy(seed, items=3, concepts=6, unknown=8, ties=True)
        assert_valid(cf.bounds(truth, run, names, exact=0), reached(truth, run, names))
        assert_exact(cf.bounds(truth, run, names, exact=6), reached(truth, run, names))


@pytest.mark.parametrize("seed", range(4))
def test_sparse_runs_have_the_bounds_of_all_completions(seed: int) -> None:
    truth, run = gappy(seed, items=3, concepts=5, unknown=8)
    scores = csr_array(np.where(run.ranking > 0.4, run.ranking, 0.0))
    sparse = cf.Run(scores=scores, threshold=0.5, name="it", concepts=truth.concepts)
    names = [*RANKS, "example.AP", "example.F", "concept.R"]
    assert_exact(cf.bounds(truth, sparse, names, exact=0), reached(truth, sparse, names))


def test_items_that_a_run_lacks_were_not_retrieved() -> None:
    truth, run = gappy(2, items=3, concepts=5, unknown=8)
    named = cf.Truth(
        truth.labels, judged=truth.states >= 0, items=list("xyz"), concepts=truth.concepts
    )
    short = cf.Run(
        scores=run.ranking[:2], threshold=0.5, name="it", items=["x", "y"], concepts=truth.concepts
    )
    names = ["example.F", "micro.P", "example.AP", "example.ranking_loss"]
    asked = {"missing": "absent"}
    bounds = cf.bounds(named, short, names, exact=0, **asked)
    assert_exact(bounds, reached(named, short, names, **asked))


def test_weights_count_in_the_bounds_of_a_mean() -> None:
    truth, run = gappy(3)
    names = ["concept.F", "concept.R", "concept.specificity"]
    weights = {"concepts": [3.0, 0.0, 1.0, 0.5]}
    bounds = cf.bounds(truth, run, names, weights=weights)
    assert_exact(bounds, reached(truth, run, names, weights=weights))


def test_a_complete_truth_has_one_value() -> None:
    truth, run = gappy(1, unknown=0)
    for bound in cf.bounds(truth, run, ["example.F", "micro.P", "example.AP"]):
        assert bound.lower == bound.score == bound.upper
        assert bound.exact
        assert bound.unjudged == 0


def test_zero_has_no_sign() -> None:
    truth, run = cf.Truth([[1, 0], [0, 1]]), cf.Run(labels=[[0, 1], [1, 0]], name="it")
    assert str(cf.bounds(truth, run, "example.F")["it", "example.F"].lower) == "0.0"


def test_cells_outside_the_pool_are_unknown_unless_pooling_is_trusted() -> None:
    pool = np.array([[True, True, False]])
    truth = cf.Truth(np.array([[1, 0, 0]]), pool=pool)
    run = cf.Run(labels=np.array([[1, 0, 0]]), name="it")
    wide = cf.bounds(truth, run, "example.F")["it", "example.F"]
    sure = cf.bounds(truth, run, "example.F", outside="negative")["it", "example.F"]
    assert (wide.lower, wide.upper) == (2 / 3, 1.0)
    assert (sure.lower, sure.upper) == (1.0, 1.0)


def test_measures_without_bounds_are_refused_and_say_which_have_some() -> None:
    truth, run = gappy(0)
    for name in ("concept.AP", "micro.lwlrap", "concept.shenR"):
        with pytest.raises(MeasureError, match="bounds are for"):
            cf.bounds(truth, run, name)


def test_open_truths_and_odd_options_are_refused() -> None:
    truth, run = gappy(0)
    with pytest.raises(InputError, match="choose 'unknown' or 'negative'"):
        cf.bounds(truth, run, "example.F", outside="maybe")
    with pytest.raises(InputError, match="from 0 to 16"):
        cf.bounds(truth, run, "example.F", exact=40)
    with pytest.raises(InputError, match=r"exact=2\.5; give a whole number"):
        cf.bounds(truth, run, "example.F", exact=2.5)  # type: ignore[arg-type]
    names = {"items": ["i", "j"], "concepts": ["a"]}
    pool = cf.Truth([[1], [0]], pool=[[1], [1]], open=True, **names)
    with pytest.raises(InputError, match="does not list all items"):
        cf.bounds(pool, cf.Run(labels=[[1], [0]], name="it", **names), "concept.P")


def test_unjudged_as_negative_lies_within_the_bounds() -> None:
    truth, run = gappy(5, items=30, concepts=8, unknown=60)
    for bound in cf.bounds(truth, run, ["example.F", "micro.F", "example.hamming", "example.AP"]):
        assert bound.lower <= bound.score <= bound.upper


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), unknown=st.integers(0, 40))
def test_a_judgement_more_never_widens_the_bounds(seed: int, unknown: int) -> None:
    truth, run = gappy(seed, items=6, concepts=8, unknown=unknown)
    gaps = np.argwhere(truth.states < 0)
    if not len(gaps):
        return
    row, column = gaps[seed % len(gaps)]
    labels, judged = truth.labels.copy(), truth.states >= 0
    labels[row, column], judged[row, column] = seed % 2, True
    more = cf.Truth(labels, judged=judged, concepts=truth.concepts)
    names = ["example.F", "micro.P", "example.Acc", "concept.Acc", "example.RP"]
    for before, after in zip(
        cf.bounds(truth, run, names), cf.bounds(more, run, names), strict=True
    ):
        if np.isnan(after.lower):
            continue
        assert before.lower <= after.lower + 1e-12
        assert after.upper <= before.upper + 1e-12
