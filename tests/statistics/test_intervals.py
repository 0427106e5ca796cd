"""Intervals of scores: SciPy's where it has them, wide where little is known, never silent."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.statistics.influence import item_values

RNG = np.random.default_rng(21)
ITEMS, CONCEPTS = 120, 5
LABELS = (RNG.random((ITEMS, CONCEPTS)) < 0.4).astype(int)
SCORES = np.clip(RNG.normal(0.35 + 0.25 * LABELS, 0.2), 0, 1)
NAMES = [f"i{number:03}" for number in range(ITEMS)]
TRUTH = cf.Truth(LABELS, items=NAMES)
RUNS = [
    cf.Run(scores=SCORES, items=NAMES, name="good"),
    cf.Run(scores=RNG.random(LABELS.shape), items=NAMES, name="chance"),
]


def result_of(*names: str, **options: Any) -> Any:
    return cf.evaluate(TRUTH, RUNS, names, **options)


def test_a_mean_without_upper_bound_has_the_t_interval_of_scipy() -> None:
    result = result_of("example.coverage(offset=zero)")
    got = cf.intervals(result)["good", "example.coverage(offset=zero)"]
    units = result.units("good", "example.coverage(offset=zero)")
    units = units[~np.isnan(units)]
    wanted = stats.t.interval(0.95, len(units) - 1, units.mean(), stats.sem(units))
    assert (got.low, got.high) == pytest.approx(wanted, rel=1e-12)
    assert got.error == pytest.approx(stats.sem(units), rel=1e-12)


@pytest.mark.parametrize(("method", "oracle"), [("percentile", "percentile"), ("bca", "BCa")])
def test_bootstrap_intervals_are_those_of_scipy(method: Any, oracle: str) -> None:
    result = result_of("example.F")
    got = cf.intervals(result, method=method, samples=20_000)["good", "example.F"]
    units = result.units("good", "example.F")
    wanted = stats.bootstrap(
        (units,), np.mean, n_resamples=20_000, method=oracle, rng=np.random.default_rng(1)
    ).confidence_interval
    assert (got.low, got.high) == pytest.approx(tuple(wanted), abs=0.06 * (wanted[1] - wanted[0]))


@pytest.mark.parametrize(
    "name", ["concept.AP", "concept.AUC", "concept.EER", "concept.F", "micro.F", "concept.RP"]
)
def test_influence_and_bootstrap_agree_on_the_standard_error(name: str) -> None:
    result = result_of(name)
    quick = cf.intervals(result, method="analytic")["good", name]
    exact = cf.intervals(result, method="percentile", samples=1000)["good", name]
    assert quick.error == pytest.approx(exact.error, rel=0.2)
    assert (quick.low, quick.high) == pytest.approx((exact.low, exact.high), abs=quick.error)


def test_auto_falls_back_to_the_bootstrap_where_there_is_no_influence_function() -> None:
    found = cf.intervals(result_of("concept.AP", "concept.P@10"), samples=50)
    assert found["good", "concept.AP"].method == "analytic"
    assert found["good", "concept.P@10"].method == "percentile"
    assert "method=percentile,resample=items,samples=50,seed=0" in (
        found["good", "concept.P@10"].signature
    )
    with pytest.raises(cf.MeasureError, match="bootstrap"):
        cf.intervals(result_of("concept.P@10"), method="analytic")


def test_equal_clusters_have_the_error_of_the_means_of_clusters() -> None:
    result = result_of("concept.AP")
    clusters = {name: place // 4 for place, name in enumerate(NAMES)}
    got = cf.intervals(result, clusters=clusters)["good", "concept.AP"]
    means = item_values(result.scores[0], widened=True).reshape(-1, 4).mean(axis=1)
    assert got.error == pytest.approx(stats.sem(means), rel=1e-9)
    assert "clusters=" in got.signature


def test_strata_count_only_differences_within_them() -> None:
    result = result_of("example.F")
    values = result.units("good", "example.F")
    strata = np.where(values > np.median(values), "high", "low")
    got = cf.intervals(result, strata=strata)["good", "example.F"]
    parts = [values[strata == name] for name in ("high", "low")]
    wanted = np.sqrt(sum(len(p) ** 2 * stats.sem(p) ** 2 for p in parts)) / ITEMS
    assert got.error == pytest.approx(wanted, rel=0.02)
    drawn = cf.intervals(result, strata=strata, method="percentile")["good", "example.F"]
    assert drawn.error == pytest.approx(wanted, rel=0.1)
    assert got.error < 0.7 * cf.intervals(result)["good", "example.F"].error


def test_concepts_are_resampled_as_a_mean_of_their_scores() -> None:
    result = result_of("concept.dprime")
    units = result.units("good", "concept.dprime")
    got = cf.intervals(result, resample="concepts")["good", "concept.dprime"]
    wanted = stats.t.interval(0.95, CONCEPTS - 1, units.mean(), stats.sem(units))
    assert (got.low, got.high) == pytest.approx(wanted, rel=1e-9)
    assert "resample=concepts" in got.signature


def test_both_is_wider_than_either() -> None:
    result = result_of("concept.AP")
    errors = {
        how: cf.intervals(result, resample=how, method="percentile", samples=1000)[
            "good", "concept.AP"
        ].error
        for how in ("items", "concepts", "both")
    }
    assert errors["both"] > max(errors["items"], errors["concepts"])


def test_intervals_do_not_depend_on_the_order_of_rows() -> None:
    order = np.random.default_rng(3).permutation(ITEMS)
    names = [NAMES[place] for place in order]
    moved = cf.evaluate(
        cf.Truth(LABELS[order], items=names),
        cf.Run(scores=SCORES[order], items=names, name="good"),
        "concept.AP",
    )
    for method in ("analytic", "percentile", "bca"):
        one, other = (
            cf.intervals(result, method=method, samples=100)["good", "concept.AP"]
            for result in (result_of("concept.AP"), moved)
        )
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


def test_frames_json_and_lookup_in_any_spelling() -> None:
    found = cf.intervals(result_of("concept.AP"), level=0.9)
    assert found["good", "topic.map"].level == 0.9
    assert found.frame.columns[:6] == ["run", "measure", "score", "low", "high", "error"]
    rows = json.loads(found.to_json())["intervals"]
    assert [row["run"] for row in rows] == ["good", "chance"]
    assert rows[0]["low"] < rows[0]["score"] < rows[0]["high"]


@pytest.mark.parametrize("method", ["analytic", "percentile", "bca"])
def test_numbers_of_intervals_are_plain_floats(method: Any) -> None:
    one = cf.intervals(result_of("example.F"), method=method, samples=50).results[0]
    assert {type(number) for number in (one.score, one.low, one.high, one.error)} == {float}


def test_one_item_equal_items_and_undefined_scores_are_said() -> None:
    one = cf.evaluate(cf.Truth([[1, 0]]), cf.Run(scores=[[0.9, 0.6]], name="it"), "example.F")
    got = cf.intervals(one)["it", "example.F"]
    assert (got.method, got.notes) == ("none", ("fewer than two items to tell a spread from",))
    assert np.isnan(got.low)
    same = cf.evaluate(cf.Truth(LABELS), cf.Run(labels=LABELS, name="it"), "example.F")
    got = cf.intervals(same)["it", "example.F"]
    assert (got.low, got.high) == (1.0, 1.0)
    assert "all items have the same value" in got.notes[0]
    nothing = cf.evaluate(
        cf.Truth(np.zeros((3, 2))), cf.Run(scores=np.eye(3)[:, :2], name="it"), "concept.AP"
    )
    got = cf.intervals(nothing)["it", "concept.AP"]
    assert (got.method, got.notes) == ("none", ("the score is undefined",))
    assert json.loads(cf.intervals(nothing).to_json())["intervals"][0]["low"] is None


def test_draws_that_lose_a_concept_are_said() -> None:
    labels = np.zeros((20, 2), dtype=int)
    labels[0, 0] = labels[:10, 1] = 1
    scores = np.random.default_rng(0).random((20, 2))
    result = cf.evaluate(cf.Truth(labels), cf.Run(scores=scores, name="it"), "concept.AP")
    got = cf.intervals(result, method="percentile", samples=100)["it", "concept.AP"]
    assert got.notes == ("1 concept undefined in some draws, and left out of these",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 1.5}, "1.5 is no level"),
        ({"method": "magic"}, "'magic'"),
        ({"resample": "runs"}, "'runs'"),
        ({"samples": 3}, "from 40 up"),
        ({"seed": -1}, "seeds start at 0"),
        ({"resample": "concepts", "clusters": NAMES}, "are of items"),
        ({"resample": "both", "method": "analytic"}, 'method="percentile"'),
    ],
)
def test_bad_wishes_are_refused(options: Any, message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        cf.intervals(result_of("concept.AP"), **options)


def test_concepts_of_an_example_based_measure_cannot_be_resampled() -> None:
    with pytest.raises(cf.InputError, match="no score for each concept"):
        cf.intervals(result_of("example.F"), resample="concepts")


# ── planning ──────────────────────────────────────────────────────────────────────────────────


def test_as_many_items_as_planned_give_the_margin() -> None:
    result = result_of("example.F")
    units = result.units("good", "example.F")
    margin = stats.t.ppf(0.975, ITEMS - 1) * stats.sem(units)
    needed = cf.plan(result, "example.F", run="good", margin=margin)
    assert (needed.items, needed.more) == (ITEMS, 0)
    half = cf.plan(result, "example.F", run="good", margin=margin / 2)
    assert half.items is not None
    half_wide = stats.t.ppf(0.975, half.items - 1) * units.std(ddof=1) / np.sqrt(half.items)
    assert half_wide == pytest.approx(margin / 2, rel=1e-3)


def test_the_planned_items_find_the_difference_as_often_as_wished() -> None:
    """A paired t-test on so many normal differences, simulated."""
    result = result_of("concept.AP")
    wish = cf.plan(result, "concept.AP", run="good", against="chance", difference=0.05)
    assert wish.items is not None
    rng = np.random.default_rng(4)
    drawn = rng.normal(0.05, wish.spread, size=(2000, wish.items))
    found = np.mean(stats.ttest_1samp(drawn, 0.0, axis=1).pvalue < 0.05)
    assert found == pytest.approx(0.8, abs=0.03)


def test_clusters_ask_for_more_items() -> None:
    result = result_of("example.F")
    order = np.argsort(result.units("good", "example.F"))
    alike = {NAMES[item]: place // 10 for place, item in enumerate(order)}
    plain, clustered = (
        cf.plan(result, "example.F", run="good", margin=0.02, clusters=given)
        for given in (None, alike)
    )
    assert clustered.design_effect > 5
    assert clustered.items is not None
    assert plain.items is not None
    assert clustered.items > 5 * plain.items


def test_plans_that_make_no_sense_are_refused() -> None:
    result = result_of("concept.AP")
    with pytest.raises(cf.InputError, match="margin= for the width"):
        cf.plan(result, "concept.AP", run="good")
    with pytest.raises(cf.InputError, match="which run"):
        cf.plan(result, "concept.AP", margin=0.1)
    with pytest.raises(cf.InputError, match="margin=0"):
        cf.plan(result, "concept.AP", run="good", margin=0.0)
    same = cf.plan(result, "concept.AP", run="good", against="good")
    assert same.items is None


def test_no_number_of_items_reaches_a_margin_of_nothing() -> None:
    result = result_of("concept.AP")
    assert cf.plan(result, "concept.AP", run="good", margin=1e-300).items is None
    told = cf.plan(result, "concept.AP", run="good", against="chance", difference=1e-300)
    assert told.items is None
