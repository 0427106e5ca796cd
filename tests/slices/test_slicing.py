"""Slices are scored as if they stood alone, and held against random sets beside their rests."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import permutation_test
from sklearn.metrics import average_precision_score

import cranfield as cf
from cranfield.statistics.significance import max_t

RNG = np.random.default_rng(5)
ITEMS, CONCEPTS = 240, 5
LABELS = (RNG.random((ITEMS, CONCEPTS)) < [0.5, 0.4, 0.3, 0.2, 0.1]).astype(int)
SITE = np.array(["Oslo", "Rome", "Lima"])[RNG.integers(0, 3, ITEMS)]
SHARP = np.where(SITE == "Lima", 0.4, 1.6)[:, None]
SCORES = RNG.normal(SHARP * LABELS)
NAMES = [f"i{place}" for place in range(ITEMS)]
ASKED = ["concept.AP", "concept.EER", "example.F", "micro.F", "concept.P@3"]


def evaluated(order: Any = slice(None), measures: Any = ASKED, **options: Any) -> cf.Evaluation:
    truth = cf.Truth(LABELS[order], items=np.array(NAMES)[order].tolist(), **options)
    run = cf.Run(scores=SCORES, items=NAMES, name="it", threshold=0.7)
    return cf.evaluate(truth, run, measures)


@pytest.fixture(scope="module")
def found() -> cf.statistics.Slices:
    return cf.slices(evaluated(), {"site": SITE}, samples=400)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("site", ["Oslo", "Lima"])
def test_a_slice_has_the_score_of_its_items_alone(
    found: cf.statistics.Slices, name: str, site: str
) -> None:
    inside = site == SITE
    one = found["it", name, "site", site]
    assert one.score == pytest.approx(
        cf.score(LABELS[inside], SCORES[inside], name, threshold=0.7), rel=1e-12
    )
    rest = cf.score(LABELS[~inside], SCORES[~inside], name, threshold=0.7)
    assert (one.rest, one.difference) == pytest.approx((rest, one.score - rest), rel=1e-12)
    assert (one.items, one.positives) == (inside.sum(), LABELS[inside].sum())
    assert one.low <= one.score <= one.high


def test_ap_of_a_slice_is_that_of_scikit_learn(found: cf.statistics.Slices) -> None:
    inside = SITE == "Rome"
    wanted = average_precision_score(LABELS[inside], SCORES[inside], average="macro")
    assert found["it", "concept.AP", "site", "Rome"].score == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("site", ["Oslo", "Rome"])
def test_p_is_that_of_a_permutation_test(found: cf.statistics.Slices, site: str) -> None:
    by_item, inside = evaluated().units("it", "example.F"), site == SITE
    wanted = permutation_test(
        (by_item[inside], by_item[~inside]),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    one = found["it", "example.F", "site", site]
    assert one.p == pytest.approx(wanted.pvalue, abs=0.06)
    assert one.difference == pytest.approx(wanted.statistic, rel=1e-12)


@pytest.mark.parametrize("weights", [None, {"concepts": [1, 2, 3, 4, 5]}])
def test_two_slices_that_make_up_the_whole_have_opposite_differences_and_one_p(
    weights: Any,
) -> None:
    truth = cf.Truth(LABELS, items=NAMES)
    run = cf.Run(scores=SCORES, items=NAMES, name="it", threshold=0.7)
    result = cf.evaluate(truth, run, [*ASKED, "concept.F", "concept.AUC"], weights=weights)
    few, most = np.arange(ITEMS) < 40, np.arange(ITEMS) < 170
    pairs = cf.slices(result, ["frequency", {"few": few, "most": most}], bins=2, samples=100)
    for name in result.measures:
        for attribute in ("frequency", "few", "most"):
            one, other = pairs.of("it", name, attribute)
            assert one.difference == -other.difference
            assert (one.p, one.adjusted) == (other.p, other.adjusted)


def test_p_of_ap_is_that_of_all_ways_to_choose_as_many_items() -> None:
    """Every subset, scored by scikit-learn; concepts count where both sides have positives."""
    random = np.random.default_rng(12)
    labels = (random.random((11, 3)) < 0.45).astype(int)
    scores = random.normal(labels)
    labels[:, 2] = 0
    labels[[1, 8], 2] = 1

    def gap(inside: Any) -> float:
        sides = [np.isin(np.arange(11), inside), ~np.isin(np.arange(11), inside)]
        both = [c for c in range(3) if all(labels[side, c].any() for side in sides)]
        first, second = (
            np.mean([average_precision_score(labels[side, c], scores[side, c]) for c in both])
            for side in sides
        )
        return float(first - second)

    chosen = (0, 1, 4, 6)
    gaps = np.array([gap(subset) for subset in combinations(range(11), 4)])
    far = np.abs(gaps - np.nanmean(gaps)) >= abs(gap(chosen) - np.nanmean(gaps)) - 1e-9
    result = cf.evaluate(cf.Truth(labels), cf.Run(scores, name="it"), "concept.AP")
    by = {"part": np.isin(np.arange(11), chosen)}
    one = cf.slices(result, by, samples=4000)["it", "concept.AP", "part", "True"]
    assert one.difference == pytest.approx(gap(chosen), rel=1e-12)
    assert one.p == pytest.approx(far.mean(), abs=0.03)


def test_the_slice_that_was_made_worse_is_found_by_every_measure(
    found: cf.statistics.Slices,
) -> None:
    for measure in ("concept.AP", "concept.EER", "example.F", "micro.F"):
        worst = found.worst("it", measure, "site")
        assert worst is not None
        assert (worst.slice, worst.adjusted <= 0.05) == ("Lima", True)
    assert found["it", "concept.EER", "site", "Lima"].difference > 0  # errors: more is worse


def test_what_small_slices_do_to_a_measure_is_no_finding() -> None:
    """P@3 of a few items is lower than that of many, and AP higher: so it is for random ones."""
    random = np.random.default_rng(9)
    labels = (random.random((400, 4)) < 0.05).astype(int)
    run = cf.Run(scores=random.normal(1.5 * labels), name="it")
    result = cf.evaluate(cf.Truth(labels), run, ["concept.P@3", "concept.AP"])
    small = cf.slices(result, {"part": np.arange(400) < 60}, samples=200)
    one = small["it", "concept.P@3", "part", "True"]
    assert one.difference < -0.1
    assert one.p > 0.05


def test_chance_alone_rarely_finds_a_slice() -> None:
    random, findings = np.random.default_rng(3), 0
    for _ in range(40):
        labels = (random.random((80, 3)) < 0.3).astype(int)
        run = cf.Run(scores=random.normal(labels), name="it", threshold=0.5)
        result = cf.evaluate(cf.Truth(labels), run, ["concept.AP", "example.F"])
        by = {"a": random.integers(0, 3, 80), "b": random.integers(0, 2, 80)}
        findings += bool(cf.slices(result, by, samples=100).significant())
    assert findings <= 6  # 2 are expected; more than 6 of 40 have a chance below 1 %


def test_neither_the_order_of_items_nor_of_runs_matters() -> None:
    plain = cf.slices(evaluated(), {"site": dict(zip(NAMES, SITE, strict=True))}, samples=100)
    order = np.random.default_rng(2).permutation(ITEMS)
    turned = cf.slices(evaluated(order), {"site": SITE[order]}, samples=100)
    for one, other in zip(plain.rows(), turned.rows(), strict=True):
        numbers = [name for name, value in one.items() if isinstance(value, float)]
        for name in numbers:
            assert one.pop(name) == pytest.approx(other.pop(name), rel=1e-9)
        assert one == other


def test_concepts_that_a_slice_lacks_are_left_out_of_the_difference() -> None:
    labels = LABELS.copy()
    labels[SITE == "Oslo", 0] = 0
    run = cf.Run(scores=SCORES, name="it")
    result = cf.evaluate(cf.Truth(labels), run, "concept.AP")
    one = cf.slices(result, {"site": SITE}, samples=100)["it", "concept.AP", "site", "Oslo"]
    inside = SITE == "Oslo"
    rest = cf.score(labels[~inside][:, 1:], SCORES[~inside][:, 1:], "concept.AP")
    assert one.difference == pytest.approx(one.score - rest, rel=1e-12)
    assert "difference without 1 concept one side lacks" in one.notes


def test_weights_and_unjudged_cells_are_kept() -> None:
    judged = RNG.random(LABELS.shape) < 0.8
    truth = cf.Truth(LABELS & judged, judged=judged, unjudged="exclude")
    run = cf.Run(scores=SCORES, name="it", threshold=0.7)
    weights = {"concepts": np.arange(1.0, 6.0), "items": np.linspace(1, 2, ITEMS)}
    result = cf.evaluate(truth, run, ["concept.AP", "example.F"], weights=weights)
    inside = np.flatnonzero(SITE == "Rome")
    alone = cf.evaluate(
        truth.part(inside),
        cf.Run(scores=SCORES[inside], name="it", threshold=0.7),
        ["concept.AP", "example.F"],
        weights={"concepts": np.arange(1.0, 6.0), "items": np.linspace(1, 2, ITEMS)[inside]},
    )
    got = cf.slices(result, {"site": SITE}, samples=100)
    for name in ("concept.AP", "example.F"):
        assert got["it", name, "site", "Rome"].score == pytest.approx(alone["it", name], rel=1e-12)


def test_concepts_are_sliced_by_frequency_and_by_branch() -> None:
    tree = {"animal": (), "cat": "animal", "dog": "animal", "place": (), "sea": "place"}
    ontology = cf.Ontology({**tree, "hill": "place", "sky": "place"}, labels={"place": "Places"})
    names = ["cat", "dog", "sea", "hill", "sky"]
    run = cf.Run(scores=SCORES, name="it", concepts=names, threshold=0.7)
    truth = cf.Truth(LABELS, concepts=names)
    result = cf.evaluate(truth, run, ["concept.AP", "example.F"], ontology=ontology)
    got = cf.slices(result, ["branches", "frequency"], bins=2, samples=100)
    assert [one.slice for one in got.of("it", "concept.AP", "branches")] == ["animal", "Places"]
    own = got["it", "concept.AP", "branches", "animal"]
    by_concept = result.units("it", "concept.AP")
    assert own.score == pytest.approx(by_concept[:2].mean())
    assert own.difference == pytest.approx(by_concept[:2].mean() - by_concept[2:].mean())
    assert (own.concepts, own.items) == (2, ITEMS)
    of_items = got["it", "example.F", "branches", "Places"]
    assert of_items.score == pytest.approx(
        cf.score(LABELS[:, 2:], SCORES[:, 2:], "example.F", threshold=0.7)
    )
    rare, frequent = got.of("it", "concept.AP", "frequency")
    assert (rare.concepts, frequent.concepts) == (2, 3)
    assert rare.positives == LABELS[:, 3:].sum()


def test_draws_of_concept_slices_spread_as_influence_says() -> None:
    """The test of concepts against a paired t test of item values, which is another way."""
    from scipy.stats import ttest_1samp

    from cranfield.statistics.influence import item_values

    truth, run = cf.Truth(LABELS), cf.Run(scores=SCORES, name="it")
    got = cf.slices(cf.evaluate(truth, run, "concept.AUC"), "frequency", bins=2, samples=2000)
    rare = got.of("it", "concept.AUC", "frequency")[0]
    sides = [
        item_values(
            cf.evaluate(
                truth.of_concepts(columns),
                cf.Run(scores=SCORES[:, columns], name="it", concepts=map(str, columns)),
                "concept.AUC",
            ).scores[0]
        )
        for columns in ([3, 4], [0, 1, 2])
    ]
    assert rare.p == pytest.approx(ttest_1samp(sides[0] - sides[1], 0.0).pvalue, abs=0.05)


def test_max_t_steps_down_as_westfall_and_young_do() -> None:
    seen, drawn = RNG.exponential(size=6) + 0.5, RNG.exponential(size=(6, 99))
    alone, stepped = max_t(seen, drawn)
    order, least = np.argsort(-seen), 0.0
    for step, place in enumerate(order):
        farthest = drawn[order[step:]].max(axis=0)
        least = max(least, (np.sum(farthest >= seen[place]) + 1) / 100)
        assert stepped[place] == pytest.approx(least)
        assert alone[place] == pytest.approx((np.sum(drawn[place] >= seen[place]) + 1) / 100)
    same = max_t(np.repeat(1.3, 4), np.tile(drawn[0], (4, 1)))
    assert np.array_equal(*same)


def test_results_come_as_frames_and_json(found: cf.statistics.Slices) -> None:
    assert found.frame.shape == (15, 18)
    assert '"attribute": "site"' in found.to_json()
    with pytest.raises(cf.InputError, match="there is no slice 'Bonn' of site; slices: Lima, Oslo"):
        found["it", "concept.AP", "site", "Bonn"]
    with pytest.raises(cf.InputError, match="attributes: site"):
        found.worst("it", "concept.AP", "camera")


@pytest.mark.parametrize(
    ("measure", "what"),
    [
        ("example.F", "all items have the same value"),
        ("concept.P@1", "all draws give the same score"),
    ],
)
def test_items_that_happen_to_agree_are_not_certain_of_others(measure: str, what: str) -> None:
    labels = np.ones((40, 2), dtype=int)
    said = np.where(np.arange(40)[:, None] < 20, 1, RNG.integers(0, 2, (40, 2)))
    run = cf.Run(scores=said * 1.0, labels=said, name="it")
    halves = np.repeat(["sure", "not"], 20)
    one = cf.slices(cf.evaluate(cf.Truth(labels), run, measure), {"half": halves}, samples=100)[
        "it", measure, "half", "sure"
    ]
    assert (one.score, np.isnan(one.low), np.isnan(one.high)) == (1.0, True, True)
    assert any(what in note for note in one.notes)
    assert all(math.isnan(one.row()[end]) for end in ("low", "high"))


def test_notes_that_differ_in_numbers_alone_are_one_remark() -> None:
    result = cf.evaluate(LABELS, {"coarse": np.round(SCORES, 1)}, "concept.AP")
    sliced = cf.slices(result, {"part": ["a"] * 12 + ["b"] * (len(LABELS) - 12)}, samples=100)
    ties = [note for one in sliced for note in one.notes if note.startswith("equal scores")]
    few, many = sorted(int(note.split()[4]) for note in ties)
    shown = " ".join(str(sliced).split())
    assert shown.count("equal scores matter") == 1
    assert f"matter in {few} to {many} lists: ties=grouped (part a, part b)" in shown
