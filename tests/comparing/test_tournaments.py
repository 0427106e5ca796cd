"""cf.compare: what it compares, what it refuses, and what it does not depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.progress import Step
from cranfield.statistics import holm

RNG = np.random.default_rng(0)
ITEMS, CONCEPTS = 120, 8
LABELS = (RNG.random((ITEMS, CONCEPTS)) < 0.35).astype(int)
SCORES = {
    f"s{k}": np.clip(RNG.normal(0.35 + (0.1 + 0.05 * k) * LABELS, 0.2), 0, 1) for k in range(5)
}
NAMES = [f"i{place:03d}" for place in RNG.permutation(ITEMS)]
MEASURES = ["example.F", "concept.AP", "concept.EER", "micro.F", "concept.P@5"]


def evaluated(names: Any = tuple(SCORES), rows: Any = slice(None), **options: Any) -> cf.Evaluation:
    items = np.array(NAMES)[rows].tolist()
    truth = cf.Truth(LABELS[rows], items=items)
    runs = [cf.Run(scores=SCORES[name][rows], name=name, items=items) for name in names]
    return cf.evaluate(truth, runs, MEASURES, **options)


RESULT = evaluated()


def told(tournament: cf.statistics.Tournament) -> dict[tuple[str, str], tuple[float, float]]:
    return {tuple(sorted((one.a, one.b))): (one.p, one.adjusted) for one in tournament.pairs}  # type: ignore[misc]


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "nemenyi", "sign"])
@pytest.mark.parametrize("measure", ["example.F", "concept.AP"])
def test_neither_the_order_of_runs_nor_of_items_matters(measure: str, test: Any) -> None:
    turned = evaluated(names=("s3", "s0", "s4", "s2", "s1"), rows=RNG.permutation(ITEMS))
    wanted, found = (cf.compare(one, measure, test=test, samples=600) for one in (RESULT, turned))
    assert found.runs == wanted.runs
    assert found.signature == wanted.signature
    for names, numbers in told(wanted).items():
        assert told(found)[names] == pytest.approx(numbers, rel=1e-9)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
def test_p_values_of_a_pair_do_not_depend_on_other_runs(test: Any) -> None:
    few = cf.compare(evaluated(names=("s1", "s3")), "example.F", test=test, samples=700)
    many = cf.compare(RESULT, "example.F", test=test, samples=700)
    assert few["s1", "s3"].p == pytest.approx(many["s1", "s3"].p, rel=1e-12)


def test_seeds_decide_what_is_drawn() -> None:
    one, same, other = (
        cf.compare(RESULT, "example.F", samples=500, seed=seed) for seed in (4, 4, 5)
    )
    assert told(one) == told(same)
    assert told(one) != told(other)


def test_pairs_are_found_by_their_runs_in_either_order() -> None:
    found = cf.compare(RESULT, "example.F", test="t")
    assert found["s1", "s2"] == found["s2", "s1"].turned
    for names in (("s1", "nobody"), ("s1", "s1"), "s1"):
        with pytest.raises(cf.InputError, match="there is no pair"):
            found[names]  # type: ignore[index]


def test_the_better_run_wins_whichever_way_is_better() -> None:
    for measure in ("concept.AP", "concept.EER"):
        found = cf.compare(RESULT, measure)
        assert found.runs[0] == "s4"
        assert found["s4", "s0"].winner == "s4"
        assert found["s4", "s0"].effect > 0 > found["s0", "s4"].effect
        assert "s0" in found.beaten()["s4"]
    assert cf.compare(RESULT, "concept.EER")["s4", "s0"].difference < 0


def test_differences_and_shares_are_those_of_the_scores() -> None:
    pair = cf.compare(RESULT, "example.F")["s4", "s0"]
    a, b = (RESULT.units(run, "example.F") for run in ("s4", "s0"))
    assert pair.difference == pytest.approx((a - b).mean(), rel=1e-12)
    assert pair.effect == pytest.approx((a - b).mean() / (a - b).std(ddof=1), rel=1e-9)
    assert (pair.a_better, pair.b_better) == ((a > b).mean(), (a < b).mean())
    assert np.isnan(cf.compare(RESULT, "concept.AP")["s4", "s0"].a_better)


def test_groups_hold_only_runs_that_do_not_differ_and_all_runs() -> None:
    found = cf.compare(RESULT, "example.F")
    groups = found.groups(0.05)
    assert {run for group in groups for run in group} == set(found.runs)
    apart = {(pair.a, pair.b) for pair in found.significant(0.05)}
    assert apart
    assert not any((a, b) in apart for group in groups for a in group for b in group)
    assert all(group == found.runs[found.runs.index(group[0]) :][: len(group)] for group in groups)


def test_holm_corrects_tests_without_resamples() -> None:
    found = cf.compare(RESULT, "example.F", test="t")
    np.testing.assert_allclose(
        [pair.adjusted for pair in found.pairs], holm([pair.p for pair in found.pairs])
    )


def test_too_few_resamples_for_holm_are_said() -> None:
    short = cf.compare(RESULT, "example.F", correction="holm", samples=100)
    assert "no pair of 10 can reach 0.05 by Holm" in short.remarks()[0]
    assert cf.compare(RESULT, "example.F", correction="holm", samples=1000).remarks() == ()
    assert cf.compare(RESULT, "example.F", samples=100).remarks() == ()


def test_evaluations_that_are_scored_alike_may_be_compared() -> None:
    apart = [
        evaluated(names=("s0", "s1")),
        evaluated(names=("s2", "s3", "s4"), rows=slice(None, None, -1)),
    ]
    joint = cf.compare(apart, "concept.AP", samples=500)
    assert told(joint) == told(cf.compare(RESULT, "concept.AP", samples=500))


def test_scores_by_other_conventions_are_refused() -> None:
    weights = dict(zip(NAMES, RNG.random(ITEMS), strict=True))
    heavy = cf.evaluate(
        RESULT.truth,
        cf.Run(scores=SCORES["s0"], name="heavy", items=NAMES),
        "example.F",
        weights=weights,
    )
    with pytest.raises(cf.InputError, match=r"different conventions: weights=.* and weights=None"):
        cf.compare([RESULT, heavy], "example.F")


def test_other_truths_are_refused() -> None:
    labels = LABELS.copy()
    labels[0, 0] = 1 - labels[0, 0]
    other = cf.evaluate(
        cf.Truth(labels, items=NAMES),
        cf.Run(scores=SCORES["s0"], name="x", items=NAMES),
        "example.F",
    )
    with pytest.raises(cf.InputError, match="different conventions: truth="):
        cf.compare([RESULT, other], "example.F")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "u"}, "test='u'; choose 'randomisation'"),
        ({"correction": "tukey"}, "tukey is not for the test randomisation; choose max_t"),
        ({"test": "t", "correction": "max_t"}, "is not for the test t; choose holm or none"),
        ({"resample": "rows"}, "resample='rows'"),
        ({"resample": "concepts"}, "example.F has no score for each concept"),
        ({"samples": 10}, "from 100 up"),
        ({"seed": -1}, "seeds start at 0"),
    ],
)
def test_what_cannot_be_done_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cf.InputError, match=message):
        cf.compare(RESULT, "example.F", **options)


def test_tests_of_single_scores_refuse_measures_without_such() -> None:
    with pytest.raises(cf.InputError, match="no scores of units, which this test compares"):
        cf.compare(RESULT, "micro.F", test="sign")
    with pytest.raises(cf.InputError, match="settled by a few items"):
        cf.compare(RESULT, "concept.P@5", resample="items")
    for resample in ("auto", "concepts"):
        assert cf.compare(RESULT, "concept.P@5", resample=resample).units == CONCEPTS  # type: ignore[call-overload]


def test_one_run_and_runs_without_a_score_are_refused() -> None:
    with pytest.raises(cf.InputError, match="there is 1 run of systems; compare at least two"):
        cf.compare(evaluated(names=["s0"]), "example.F")
    with pytest.raises(cf.InputError, match="run 's0' is there twice"):
        cf.compare([RESULT, evaluated(names=["s0"])], "example.F")
    empty = cf.evaluate(
        cf.Truth([[0, 0], [0, 0]]),
        [cf.Run(scores=[[0.1, 0.2], [0.3, 0.4]], name=name) for name in "ab"],
        "concept.AP",
    )
    with pytest.raises(cf.InputError, match="run 'a' has no score"):
        cf.compare(empty, "concept.AP")


def test_measures_that_call_nobody_better_are_refused() -> None:
    runs = [cf.Run(scores=SCORES[name], name=name, items=NAMES) for name in ("s0", "s1")]
    result = cf.evaluate(RESULT.truth, runs, "concept.generality")
    with pytest.raises(cf.MeasureError, match="calls nobody better"):
        cf.compare(result, "concept.generality")


def test_json_and_frame_tell_all_pairs() -> None:
    found = cf.compare(RESULT, "example.F", test="nemenyi")
    content = json.loads(found.to_json())
    assert len(content["pairs"]) == found.frame.height == 10
    assert [run["run"] for run in content["runs"]] == list(found.runs)
    assert content["variance"]["friedman"]["degrees"] == 4
    assert sum(run["mean_rank"] for run in content["runs"]) == pytest.approx(15.0)
    assert "compare(test=nemenyi,correction=nemenyi,resample=items)" in found.signature


def test_progress_adds_up_to_one() -> None:
    for test in ("randomisation", "bootstrap", "sign", "nemenyi"):
        done: list[float] = []

        @contextmanager
        def listener(stage: str, total: float, done: list[float] = done) -> Iterator[Step]:
            yield lambda amount: done.append(amount / total)

        cf.compare(RESULT, "example.F", test=test, samples=1500, progress=listener)  # type: ignore[arg-type]
        assert sum(done) == pytest.approx(1.0)
