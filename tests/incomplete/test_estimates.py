"""Estimates from samples of cells: unbiased where they say so, with intervals that hold."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import InputError, MeasureError
from cranfield.studies.reference_runs import scattered
from cranfield.studies.simulation import Design, System, simulate_run, simulate_world
from cranfield.studies.vocabulary import draw_vocabulary

LINEAR = ["example.hamming", "concept.Acc", "micro.Acc", "concept.error_rate"]


def test_the_mean_over_all_samples_of_a_linear_measure_is_its_value() -> None:
    """By brute force: every sample of 4 of 9 cells, each equally likely."""
    random = np.random.default_rng(0)
    labels, said = random.random((2, 3, 3)) < 0.5
    run = cf.Run(labels=said, name="it")
    whole = cf.evaluate(cf.Truth(labels), run, LINEAR)
    values: dict[str, list[float]] = {name: [] for name in LINEAR}
    for cells in itertools.combinations(range(9), 4):
        judged = np.zeros(9, dtype=bool)
        judged[list(cells)] = True
        truth = cf.Truth(labels & judged.reshape(3, 3), judged=judged.reshape(3, 3))
        found = cf.estimate(truth, run, LINEAR)
        for name in LINEAR:
            values[name].append(found["it", name].estimate)
    for name in LINEAR:
        assert np.mean(values[name]) == pytest.approx(whole["it", name], abs=1e-12)


def test_strata_judged_at_different_rates_leave_a_linear_measure_unbiased() -> None:
    """Every sample of 2 of 3 cells of one stratum and 2 of 5 of the other; one lies outside."""
    random = np.random.default_rng(4)
    labels, said = random.random((2, 3, 3)) < 0.5
    strata = np.array([0, 0, 0, 7, 7, 7, 7, 7, 9]).reshape(3, 3)
    pool = strata != 9
    labels &= pool
    run = cf.Run(labels=said, name="it")
    weights = {"items": [1.0, 2.0, 5.0]}
    whole = cf.evaluate(cf.Truth(labels), run, "example.hamming", weights=weights)
    values = []
    for one in itertools.combinations(range(3), 2):
        for other in itertools.combinations(range(3, 8), 2):
            judged = np.zeros(9, dtype=bool)
            judged[[*one, *other]] = True
            judged = judged.reshape(3, 3)
            truth = cf.Truth(labels & judged, judged=judged, pool=pool, strata=strata)
            found = cf.estimate(truth, run, "example.hamming", weights=weights)
            found = found["it", "example.hamming"]
            values.append(found.estimate)
            assert "outside the pool" in found.notes[-1]
    assert np.mean(values) == pytest.approx(whole["it", "example.hamming"], abs=1e-12)


def test_the_squared_standard_error_is_unbiased_too() -> None:
    from cranfield.statistics.incomplete.sampling import Sample

    random = np.random.default_rng(5)
    values = random.random((3, 3))
    totals, variances = [], []
    for cells in itertools.combinations(range(9), 4):
        judged = np.zeros(9, dtype=bool)
        judged[list(cells)] = True
        sample = Sample.of(cf.Truth(np.zeros((3, 3)), judged=judged.reshape(3, 3)))
        totals.append(sample.total(values))
        variances.append(sample.deviation(values) ** 2)
    assert np.mean(totals) == pytest.approx(values.sum())
    assert np.mean(variances) == pytest.approx(np.var(totals))


def test_a_complete_truth_is_estimated_by_its_score() -> None:
    random = np.random.default_rng(1)
    labels, said = random.random((2, 20, 6)) < 0.4
    names = [*LINEAR, "micro.F", "micro.P", "concept.R", "concept.MCC", "example.F"]
    for one in cf.estimate(cf.Truth(labels), cf.Run(labels=said, name="it"), names):
        assert one.estimate == pytest.approx(one.score), str(one.measure)
        assert one.interval == pytest.approx((one.score, one.score)), str(one.measure)


def test_the_interval_of_a_complete_truth_holds_its_estimate_to_the_last_digit() -> None:
    for seed in range(30):
        labels, said = np.random.default_rng(seed).random((2, 7, 5)) < 0.4
        names = ["example.F", "example.R", "example.hamming", "micro.F"]
        for one in cf.estimate(cf.Truth(labels), cf.Run(labels=said), names, draws=20):
            assert one.interval.low <= one.estimate <= one.interval.high, str(one.measure)


NAMES = ["example.hamming", "micro.P", "micro.R", "micro.F", "concept.F", "example.R", "example.F"]


def _simulated(rates: tuple[float, ...], samples: int) -> tuple[dict[str, float], dict[str, float]]:
    """Bias and coverage over samples of one collection; cells of high confidence are judged at
    the last rate."""
    world = simulate_world(
        Design(draw_vocabulary(20, cardinality=5, seed=3), items=200, dependence=0.3, seed=8)
    )
    run = simulate_run(world, System("it", quality=1.6, threshold="frequency"))
    whole = cf.evaluate(
        cf.Truth(world.labels, items=world.items, concepts=world.concepts), run, NAMES
    )
    strata = (
        (run.ranking > 0.3).astype(int) if len(rates) > 1 else np.zeros(world.labels.shape, int)
    )
    errors: dict[str, list[float]] = {name: [] for name in NAMES}
    held: dict[str, list[bool]] = {name: [] for name in NAMES}
    for seed in range(samples):
        random = np.random.default_rng([seed, 17])
        judged = np.zeros(world.labels.shape, dtype=bool)
        for stratum, rate in enumerate(rates):
            judged |= (strata == stratum) & scattered(random, judged.shape, rate)
        truth = cf.Truth(
            world.labels & judged,
            judged=judged,
            strata=strata,
            items=world.items,
            concepts=world.concepts,
        )
        found = cf.estimate(truth, run, NAMES, draws=100, seed=seed)
        for name in NAMES:
            one, value = found["it", name], whole["it", name]
            errors[name].append(one.estimate - value)
            held[name].append(one.interval.low <= value <= one.interval.high)
    bias = {name: float(np.mean(errors[name])) for name in NAMES}
    return bias, {name: float(np.mean(held[name])) for name in NAMES}


@pytest.mark.parametrize("rates", [(0.3,), (0.15, 0.6)])
def test_estimates_have_little_bias_and_their_intervals_hold(rates: tuple[float, ...]) -> None:
    bias, coverage = _simulated(rates, 60)
    for name in NAMES:
        assert abs(bias[name]) < 0.012, name
        assert coverage[name] >= 0.85, name


def test_an_estimate_corrects_what_unjudged_as_negative_does_to_precision() -> None:
    random = np.random.default_rng(2)
    labels = random.random((100, 10)) < 0.3
    said = labels ^ (random.random(labels.shape) < 0.1)
    judged = scattered(random, labels.shape, 0.4)
    truth = cf.Truth(labels & judged, judged=judged)
    run = cf.Run(labels=said, name="it")
    for name in ("micro.P", "example.P", "example.F"):
        one = cf.estimate(truth, run, name)["it", name]
        whole = cf.evaluate(cf.Truth(labels), run, name)["it", name]
        assert one.score < whole - 0.2
        assert one.estimate == pytest.approx(whole, abs=0.03)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_estimates_lie_within_the_bounds(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels, said = random.random((2, 12, 6)) < 0.4
    judged = scattered(random, labels.shape, 0.5)
    truth = cf.Truth(labels & judged, judged=judged)
    run = cf.Run(labels=said, name="it")
    names = ["example.F", "example.P", "micro.P", "micro.R"]
    for one, bound in zip(
        cf.estimate(truth, run, names, draws=20), cf.bounds(truth, run, names), strict=True
    ):
        assert bound.lower - 1e-12 <= one.estimate <= bound.upper + 1e-12


def test_the_same_seed_gives_the_same_estimate_whatever_the_order_of_measures() -> None:
    random = np.random.default_rng(3)
    labels, said, judged = random.random((3, 30, 5)) < 0.5
    truth, run = cf.Truth(labels & judged, judged=judged), cf.Run(labels=said, name="it")
    first = cf.estimate(truth, run, ["example.F", "example.R"], seed=4)
    second = cf.estimate(truth, run, ["micro.P", "example.R", "example.F"], seed=4)
    assert first["it", "example.F"].row() == second["it", "example.F"].row()


def test_the_order_of_rows_and_columns_does_not_matter() -> None:
    random = np.random.default_rng(6)
    labels, said, judged = random.random((3, 30, 5)) < 0.5
    names = ["example.F", "micro.F", "example.hamming", "concept.R"]
    items, concepts = [f"i{n}" for n in range(30)], list("abcde")
    found = []
    for rows, columns in ((np.arange(30), np.arange(5)), (random.permutation(30), [3, 1, 4, 0, 2])):
        here = np.ix_(rows, columns)
        ids = {"items": [items[n] for n in rows], "concepts": [concepts[n] for n in columns]}
        truth = cf.Truth((labels & judged)[here], judged=judged[here], **ids)
        run = cf.Run(labels=said, items=items, concepts=concepts, name="it")
        found.append([one.estimate for one in cf.estimate(truth, run, names)])
        found.append([one.lower for one in cf.bounds(truth, run, names)])
    assert found[0] == pytest.approx(found[2], abs=1e-12)
    assert found[1] == pytest.approx(found[3], abs=1e-12)


def test_results_are_a_frame_and_json() -> None:
    random = np.random.default_rng(3)
    labels, said, judged = random.random((3, 30, 5)) < 0.5
    truth, run = cf.Truth(labels & judged, judged=judged), cf.Run(labels=said, name="it")
    found = cf.estimate(truth, run, ["example.F", "micro.P"])
    assert found.frame["method"].to_list() == ["imputed", "ratio"]
    assert json.loads(found.to_json())["estimates"] == found.rows()
    edges = cf.bounds(truth, run, ["example.F", "micro.P"])
    assert edges.frame.columns[:5] == ["run", "measure", "lower", "score", "upper"]
    assert json.loads(edges.to_json())["bounds"][0]["exact"] is True
    with pytest.raises(InputError, match="there are no bounds of run 'other'"):
        edges["other", "example.F"]


def test_what_cannot_be_estimated_is_refused() -> None:
    truth = cf.Truth([[1, 0], [0, 0]], judged=[[1, 0], [1, 0]], strata=[[0, 1], [0, 1]])
    run = cf.Run(labels=[[1, 0], [0, 1]], name="it")
    with pytest.raises(InputError, match="fewer than two judged cells in strata '1'"):
        cf.estimate(truth, run, "micro.P")
    plain = cf.Truth([[1, 0], [0, 0]], judged=[[1, 0], [1, 1]])
    for name in ("example.AP", "concept.shenP", "concept.AUC"):
        with pytest.raises(MeasureError, match="estimates are for"):
            cf.estimate(plain, run, name)
    with pytest.raises(InputError, match="between 0 and 1"):
        cf.estimate(plain, run, "micro.P", level=95)
    with pytest.raises(InputError, match="from 20 up"):
        cf.estimate(plain, run, "micro.P", draws=3)
    with pytest.raises(InputError, match="seed=-1; give a whole number"):
        cf.estimate(plain, run, "micro.P", seed=-1)
