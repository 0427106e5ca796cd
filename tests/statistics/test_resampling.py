"""Scores of draws: those of collections in which items stand as often as they were drawn."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield import kernels
from cranfield.core.axes import Axis
from cranfield.statistics.influence import comparison_of
from cranfield.statistics.resampling import Sampling, replicates

RNG = np.random.default_rng(11)
ITEMS, CONCEPTS, DRAWS = 30, 4, 12
LABELS = (RNG.random((ITEMS, CONCEPTS)) < [0.5, 0.3, 0.2, 0.04]).astype(int)
LABELS[0, 3] = 1
SCORES = np.round(np.clip(RNG.normal(0.35 + 0.25 * LABELS, 0.2), 0, 1), 1)
SAMPLING = Sampling.of(Axis("item", ITEMS), seed=5)
TIMES = np.concatenate(list(SAMPLING.draws(DRAWS))).astype(int)

MEASURES = [
    *("concept.AUC", "concept.AUC(ties=worst)", "concept.AP", "concept.AP(ties=expected)"),
    *("concept.AP(ties=best)", "concept.AP(ties=worst)"),
    *("concept.EER", "concept.EER(at=vertex)", "concept.EER(ties=best)", "concept.iAP"),
    *("concept.RP", "concept.P@5", "concept.R@5", "concept.nDCG", "concept.nDCG@5", "concept.RR"),
    *("concept.success@1", "concept.RBP", "concept.PRAUC(rule=trapezoid)", "concept.efficiency"),
    *("concept.AP_at_prevalence", "micro.AP_at_prevalence(prevalence=0.1)"),
    *("concept.GMAP", "concept.dprime", "concept.bpref", "micro.AUC", "micro.AP", "micro.lwlrap"),
    *("concept.F", "concept.P", "concept.MCC", "concept.Acc", "concept.F(undefined=0)"),
    *("micro.F", "micro.youden", "example.F", "example.AP", "example.hamming", "concept.shenP"),
    *("concept.brier", "micro.brier", "micro.RMSE", "micro.log_loss", "concept.log_loss"),
    *("micro.ECE", "concept.AUC(undefined=1)"),
]


def drawn(name: str, truth: Any, run: Any, sampling: Sampling = SAMPLING, **options: Any) -> Any:
    score = cf.evaluate(truth, run, name, **options).scores[0]
    return replicates(score, comparison_of(score), sampling, DRAWS)


@pytest.mark.parametrize("backend", [nullcontext, kernels.numpy_only])
@pytest.mark.parametrize("name", MEASURES)
def test_a_draw_has_the_score_of_its_repeated_rows(name: str, backend: Any) -> None:
    with backend():
        got, _ = drawn(name, cf.Truth(LABELS), cf.Run(scores=SCORES, name="it"))
    for value, times in zip(got, TIMES, strict=True):
        rows = np.repeat(np.arange(ITEMS), times)
        wanted = cf.score(LABELS[rows], SCORES[rows], name)
        np.testing.assert_allclose(value, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", ["concept.nDCG", "concept.RBP(gain=graded)", "concept.RBP"])
def test_draws_of_a_graded_truth_keep_its_grades(name: str) -> None:
    grades = LABELS * (1 + np.arange(ITEMS)[:, None] % 3)
    got, _ = drawn(name, cf.Truth(grades=grades, level=1), cf.Run(scores=SCORES, name="it"))
    for value, times in zip(got, TIMES, strict=True):
        rows = np.repeat(np.arange(ITEMS), times)
        wanted = cf.score(grades[rows], SCORES[rows], name, level=1)
        np.testing.assert_allclose(value, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", ["confusion.kappa", "confusion.F", "confusion.I"])
def test_draws_of_a_confusion_matrix_count_their_items(name: str) -> None:
    labels = np.eye(4, dtype=int)[np.random.default_rng(8).integers(0, 4, ITEMS)]
    scores = np.random.default_rng(9).random((ITEMS, 4)) + labels
    got, _ = drawn(name, cf.Truth(labels), cf.Run(scores=scores, name="it", threshold=1.0))
    for value, times in zip(got, TIMES, strict=True):
        rows = np.repeat(np.arange(ITEMS), times)
        wanted = cf.score(labels[rows], scores[rows], name, threshold=1.0)
        np.testing.assert_allclose(value, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", ["concept.AP", "concept.EER", "concept.F", "example.F", "micro.F"])
def test_weights_and_unjudged_cells_are_kept_in_every_draw(name: str) -> None:
    judged = np.random.default_rng(2).random(LABELS.shape) < 0.8
    heavy, by_item = np.array([1.0, 3.0, 0.5, 2.0]), np.linspace(0.2, 3.0, ITEMS)
    truth = cf.Truth(LABELS & judged, judged=judged, unjudged="exclude")
    run = cf.Run(scores=SCORES, name="it")
    got, _ = drawn(name, truth, run, weights={"concepts": heavy, "items": by_item})
    for value, times in zip(got, TIMES, strict=True):
        rows = np.repeat(np.arange(ITEMS), times)
        again = cf.Truth((LABELS & judged)[rows], judged=judged[rows], unjudged="exclude")
        weights = {"concepts": heavy, "items": by_item[rows]}
        told = cf.Run(scores=SCORES[rows], name="it")
        wanted = cf.evaluate(again, told, name, weights=weights)["it", name]
        np.testing.assert_allclose(value, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", ["concept.AUC", "concept.AP", "concept.EER", "concept.F"])
def test_sparse_runs_draw_their_absent_cells_too(name: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    said = np.where(SCORES >= 0.5, SCORES, 0.0)
    run = cf.Run(scores=sparse.coo_array(said), name="it")
    got, _ = drawn(name, cf.Truth(LABELS), run)
    for value, times in zip(got, TIMES, strict=True):
        rows = np.repeat(np.arange(ITEMS), times)
        again = cf.Run(scores=sparse.coo_array(said[rows]), name="it")
        wanted = cf.evaluate(cf.Truth(LABELS[rows]), again, name)["it", name]
        np.testing.assert_allclose(value, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", ["concept.AP", "concept.bpref", "concept.EER", "concept.F"])
def test_items_that_a_run_lacks_are_drawn_as_not_retrieved(name: str) -> None:
    names = [f"i{number:02}" for number in range(ITEMS)]
    kept = np.random.default_rng(6).permutation(ITEMS)[:20]
    run = cf.Run(scores=SCORES[kept], items=[names[i] for i in kept], name="it")
    truth = cf.Truth(LABELS, items=names)
    sampling = Sampling.of(truth.item_axis, seed=5)
    got, _ = drawn(name, truth, run, sampling, missing="absent")
    for value, times in zip(got, np.concatenate(list(sampling.draws(DRAWS))), strict=True):
        rows = np.repeat(np.arange(ITEMS), times.astype(int))
        copies = [f"c{place}" for place in range(ITEMS)]
        there = np.isin(rows, kept)
        again = cf.Run(
            scores=SCORES[rows[there]],
            items=[copies[place] for place in np.flatnonzero(there)],
            name="it",
        )
        whole = cf.Truth(LABELS[rows], items=copies)
        wanted = cf.evaluate(whole, again, name, missing="absent")["it", name]
        np.testing.assert_allclose(value, wanted, rtol=1e-12)


def test_draws_follow_ids_not_rows() -> None:
    names = [f"i{number}" for number in range(ITEMS)]
    order = np.random.default_rng(3).permutation(ITEMS)
    moved = Sampling.of(Axis("item", ITEMS, [names[i] for i in order]), seed=5)
    plain = Sampling.of(Axis("item", ITEMS, names), seed=5)
    one, other = (np.concatenate(list(each.draws(20))) for each in (plain, moved))
    np.testing.assert_array_equal(one[:, order], other)


def test_strata_keep_their_sizes_and_clusters_stay_together() -> None:
    strata = ["a"] * 10 + ["b"] * 20
    clusters = [f"c{item // 3 if item < 9 else 9 + item // 4}" for item in range(ITEMS)]
    clusters[9] = "c2"
    sampling = Sampling.of(Axis("item", ITEMS), strata=strata, seed=1)
    times = np.concatenate(list(sampling.draws(50)))
    assert (times[:, :10].sum(axis=1) == 10).all()
    assert times[:, :10].std() > 0
    sampling = Sampling.of(Axis("item", ITEMS), clusters=clusters, seed=1)
    times = np.concatenate(list(sampling.draws(50)))
    for name in set(clusters):
        members = [item for item in range(ITEMS) if clusters[item] == name]
        assert (times[:, members] == times[:, members[:1]]).all()


def test_a_cluster_in_two_strata_is_refused() -> None:
    with pytest.raises(cf.InputError, match="lies in several strata"):
        Sampling.of(Axis("item", 3), strata=[*"aab"], clusters=[1, 2, 2])
    with pytest.raises(cf.InputError, match="strata: 2 values for 3 items"):
        Sampling.of(Axis("item", 3), strata=["a", "b"])
    with pytest.raises(cf.InputError, match="without a value: 'y'"):
        Sampling.of(Axis("item", 2, "xy"), clusters={"x": 1})
