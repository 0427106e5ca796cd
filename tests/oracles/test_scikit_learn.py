"""Agreement with scikit-learn, with `undefined=` set to its choice.

Where the two differ on purpose, the last tests say how: scikit-learn's `zero_division` fills every
0/0 of a concept, ours fills only units that the truth leaves undefined.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn import metrics

import cranfield as cf
from oracles.definitions import equal_error, nearest_vertex
from problems import EXACT, MAGNITUDES, Problem, problem, problems, scored

Oracle = Callable[[NDArray[np.bool_], NDArray[Any]], Any]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """scikit-learn warns of what is undefined; here that is the point."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def agree(case: Problem, name: str, oracle: Any, **options: Any) -> None:
    found = cf.score(case.labels, case.scores, name, **options)
    assert found == pytest.approx(float(oracle), rel=EXACT, abs=EXACT, nan_ok=True)


def doubles(case: Problem) -> NDArray[np.float64]:
    """The same scores for the oracle, some of which computes in the precision it is given."""
    return case.scores.astype(np.float64)


def hard(test: Any) -> Any:
    """Run a property on the cases that must never be left to chance, too."""
    one, two = np.ones((1, 1), dtype=bool), np.ones((4, 3), dtype=bool)
    for case in (
        Problem(one, one * 0.5),
        Problem(~one, one * 0.5),
        Problem(two, two * 0.5),
        Problem(~two, two * 0.25),
        Problem(np.eye(4, 3, dtype=bool), two * 0.5),
        problem(1, values=2),
        problem(2, values=None, items=60),
        problem(3, values=3, items=60, dtype=np.float32),
    ):
        test = example(case=case)(test)
    return test


# ── rankings ──────────────────────────────────────────────────────────────────────────────────


def each_column(oracle: Oracle) -> Oracle:
    """The mean over concepts, one at a time."""
    return lambda y, s: np.mean([oracle(y[:, j], s[:, j]) for j in range(y.shape[1])])


def each_defined_column(oracle: Oracle) -> Oracle:
    """The mean over concepts that have positives and negatives; NaN if there is none."""

    def mean(y: NDArray[np.bool_], s: NDArray[Any]) -> Any:
        defined = [j for j in range(y.shape[1]) if 0 < y[:, j].sum() < len(y)]
        values = [oracle(y[:, j], s[:, j]) for j in defined]
        return np.mean(values) if values else np.nan

    return mean


RANKED: dict[str, Oracle] = {
    "concept.AP(undefined=0)": each_column(metrics.average_precision_score),
    "concept.AUC": each_defined_column(metrics.roc_auc_score),
    "example.coverage(offset=zero,undefined=0)": metrics.coverage_error,
    "example.ranking_loss(undefined=0)": metrics.label_ranking_loss,
    "example.AP(undefined=1)": metrics.label_ranking_average_precision_score,
    "micro.AP(undefined=0)": lambda y, s: metrics.average_precision_score(y.ravel(), s.ravel()),
}
NEEDS_TWO_CONCEPTS = ("example.coverage", "example.ranking_loss", "example.AP")


@pytest.mark.parametrize("name", RANKED)
@hard
@given(case=problems(values=MAGNITUDES))
def test_rank_measures(name: str, case: Problem) -> None:
    assume(not (name.startswith(NEEDS_TWO_CONCEPTS) and case.shape[1] < 2))
    agree(case, name, RANKED[name](case.labels, doubles(case)))


@hard
@given(case=problems(values=MAGNITUDES))
def test_micro_auc(case: Problem) -> None:
    y, s = case.labels.ravel(), doubles(case).ravel()
    agree(case, "micro.AUC", metrics.roc_auc_score(y, s) if y.any() and not y.all() else np.nan)


@given(case=problems(values=MAGNITUDES))
def test_single_concepts_agree_with_the_binary_functions(case: Problem) -> None:
    result = cf.evaluate(case.truth(), case.run(), ["concept.AP", "concept.AUC"])
    for name, oracle in (
        ("concept.AP", metrics.average_precision_score),
        ("concept.AUC", metrics.roc_auc_score),
    ):
        for j, found in enumerate(result.units("run", name)):
            y, s = case.labels[:, j], doubles(case)[:, j]
            if not y.any() or (y.all() and name == "concept.AUC"):
                assert np.isnan(found)
            else:
                assert found == pytest.approx(oracle(y, s), rel=EXACT)


@pytest.mark.parametrize("k", [None, 1, 2, 3, 99])
@given(case=problems(concepts=6))
def test_ndcg_of_binary_labels(k: int | None, case: Problem) -> None:
    assume(case.shape[1] > 1)
    name = f"example.nDCG{'' if k is None else f'@{k}'}(undefined=0)"
    agree(case, name, metrics.ndcg_score(case.labels, doubles(case), k=k))


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("k", [None, 2])
@given(case=problems(concepts=6), seed=st.integers(0, 9))
def test_ndcg_of_grades(gain: str, k: int | None, case: Problem, seed: int) -> None:
    assume(case.shape[1] > 1)
    grades = np.random.default_rng(seed).integers(1, 4, case.shape) * case.labels
    gains = grades if gain == "linear" else 2.0**grades - 1
    name = f"nDCG{'' if k is None else f'@{k}'}(gain={gain},undefined=0)"
    for direction, truth, run, wanted in (
        ("example", cf.Truth(grades=grades), case.scores, gains),
        ("concept", cf.Truth(grades=grades.T), case.scores.T, gains),
    ):
        found = scored(truth, cf.Run(run), f"{direction}.{name}").value
        oracle = metrics.ndcg_score(wanted, doubles(case), k=k)
        assert found == pytest.approx(oracle, rel=EXACT, abs=EXACT)


@given(case=problems(values=MAGNITUDES))
def test_lwlrap_is_lrap_weighted_by_the_number_of_labels(case: Problem) -> None:
    assume(case.shape[1] > 1 and case.labels.any())
    weights = case.labels.sum(axis=1)
    lrap = metrics.label_ranking_average_precision_score
    agree(case, "micro.lwlrap", lrap(case.labels, doubles(case), sample_weight=weights))


@pytest.mark.parametrize(("at", "crossing"), [("linear", equal_error), ("vertex", nearest_vertex)])
@hard
@given(case=problems(values=MAGNITUDES, concepts=2))
def test_equal_error_rate_lies_on_the_roc_curve(
    at: str, crossing: Callable[..., float], case: Problem
) -> None:
    found = scored(case.truth(), case.run(), f"concept.EER(at={at})").by_unit
    for j, y in enumerate(case.labels.T):
        if not y.any() or y.all():
            assert np.isnan(found[j])
            continue
        false, true, _ = metrics.roc_curve(y, doubles(case)[:, j], drop_intermediate=False)
        assert found[j] == pytest.approx(crossing(false, 1 - true), abs=EXACT)


# ── decisions ─────────────────────────────────────────────────────────────────────────────────

SETS: dict[str, Oracle] = {
    "example.hamming": metrics.hamming_loss,
    "example.zero_one": metrics.zero_one_loss,
    "micro.Acc": lambda y, z: metrics.accuracy_score(y.ravel(), z.ravel()),
    "concept.Acc": each_column(metrics.accuracy_score),
    "concept.MCC(undefined=0)": each_column(metrics.matthews_corrcoef),
    "concept.balanced_accuracy": each_defined_column(metrics.balanced_accuracy_score),
}
for zero in (0, 1):
    chosen: dict[str, Any] = {"average": "samples", "zero_division": zero}
    SETS |= {
        f"example.P(undefined={zero})": lambda y, z, o=chosen: metrics.precision_score(y, z, **o),
        f"example.R(undefined={zero})": lambda y, z, o=chosen: metrics.recall_score(y, z, **o),
        f"example.F(undefined={zero})": lambda y, z, o=chosen: metrics.f1_score(y, z, **o),
        f"example.Acc(undefined={zero})": lambda y, z, o=chosen: metrics.jaccard_score(y, z, **o),
    }
for ours, theirs in (("concept", "macro"), ("micro", "micro")):
    chosen = {"average": theirs, "zero_division": 0}
    SETS |= {
        f"{ours}.P(undefined=0)": lambda y, z, o=chosen: metrics.precision_score(y, z, **o),
        f"{ours}.R(undefined=0)": lambda y, z, o=chosen: metrics.recall_score(y, z, **o),
        f"{ours}.F(undefined=0)": lambda y, z, o=chosen: metrics.f1_score(y, z, **o),
    }
for beta in (0.5, 2.0):
    for ours, theirs in (("concept", "macro"), ("micro", "micro"), ("example", "samples")):
        chosen = {"average": theirs, "beta": beta, "zero_division": 0}
        SETS[f"{ours}.F(beta={beta},undefined=0)"] = lambda y, z, o=chosen: metrics.fbeta_score(
            y, z, **o
        )
SETS["concept.jaccard(undefined=0)"] = lambda y, z: metrics.jaccard_score(
    y, z, average="macro", zero_division=0
)


@pytest.mark.parametrize("name", SETS)
@hard
@given(case=problems())
def test_set_measures(name: str, case: Problem) -> None:
    # scikit-learn reads a single column as classes; a second, empty one keeps it multi-label.
    if case.shape[1] == 1:
        case = Problem(*(np.hstack([m, np.zeros_like(m)]) for m in (case.labels, case.scores)))
    agree(case, name, SETS[name](case.labels, case.scores >= 0.5))


@given(case=problems(), data=st.data())
def test_thresholds_by_concept_and_by_cell_decide_as_comparison_does(
    case: Problem, data: st.DataObject
) -> None:
    assume(case.shape[1] > 1)
    shape = data.draw(st.sampled_from([case.shape, case.shape[1:]]))
    cut = np.random.default_rng(len(case.labels)).choice([0.0, 0.25, 0.5, 1.0], shape)
    wanted = metrics.hamming_loss(case.labels, case.scores >= cut)
    agree(case, "example.hamming", wanted, threshold=cut)


# ── where we differ, and how ──────────────────────────────────────────────────────────────────


def test_a_concept_without_positives_is_skipped_whatever_was_assigned() -> None:
    labels, decisions = np.zeros((3, 2), dtype=bool), np.ones((3, 2), dtype=bool)
    labels[0, 1] = True
    theirs = metrics.precision_score(labels, decisions, average="macro", zero_division=1)
    assert theirs == pytest.approx((0 + 1 / 3) / 2)
    assert cf.score(labels, decisions, "concept.P(undefined=1)") == pytest.approx((1 + 1 / 3) / 2)
    assert cf.score(labels, decisions, "concept.P") == pytest.approx(1 / 3)


def test_a_concept_with_positives_never_assigned_has_no_precision_whatever_undefined_says() -> None:
    labels = np.array([[1, 1], [1, 0]], dtype=bool)
    nothing = np.zeros_like(labels)
    theirs = metrics.precision_score(labels, nothing, average="macro", zero_division=1)
    assert theirs == 1.0
    assert cf.score(labels, nothing, "concept.P(undefined=1)") == 0.0


def test_scores_that_differ_in_the_last_bit_are_not_tied() -> None:
    scores = np.array([0.5, np.nextafter(0.5, 1), 0.1, 0.2])
    labels = np.array([False, True, False, True])
    assert cf.score(labels, scores, "concept.AP") == pytest.approx((1 / 1 + 2 / 3) / 2)


@given(case=problems(), k=st.integers(1, 12))
def test_success_of_items_with_one_label_is_top_k_accuracy(case: Problem, k: int) -> None:
    items, concepts = case.shape
    assume(items > 0 and concepts > 2)
    rng = np.random.default_rng(k)
    classes = rng.integers(0, concepts, items)
    scores = rng.permuted(np.tile(np.arange(concepts) / concepts, (items, 1)), axis=1)
    truth = np.eye(concepts, dtype=bool)[classes]
    theirs = metrics.top_k_accuracy_score(classes, scores, k=k, labels=range(concepts))
    assert cf.score(truth, scores, f"example.success@{k}") == pytest.approx(theirs, abs=EXACT)


def test_equal_scores_at_the_cut_count_by_their_chance_and_not_by_the_order_of_columns() -> None:
    truth, scores = np.array([[1, 0, 0], [0, 0, 1]]), np.full((2, 3), 0.5)
    assert metrics.top_k_accuracy_score([0, 2], scores, k=2, labels=range(3)) == 0.5
    assert metrics.top_k_accuracy_score([0, 1], scores, k=2, labels=range(3)) == 0.5
    assert cf.score(truth, scores, "example.accuracy@2") == pytest.approx(2 / 3, abs=EXACT)
    assert cf.score(truth, scores, "example.success@2(ties=worst)") == 0.0


@hard
@given(case=problems())
def test_subset_accuracy_is_scikit_learns_accuracy_of_label_sets(case: Problem) -> None:
    assume(all(case.shape))
    wanted = metrics.accuracy_score(case.labels, doubles(case) >= 0.5)
    agree(case, "example.subset_accuracy", wanted, threshold=0.5)


def test_pooled_fallout_and_generality_count_all_cells_at_once() -> None:
    truth, run = [[1, 0, 0], [1, 1, 0]], [[1, 1, 0], [0, 1, 1]]
    result = cf.evaluate(cf.Truth(truth), cf.Run(labels=run), ["micro.fallout", "micro.generality"])
    assert [result["run", measure] for measure in result.measures] == [2 / 3, 0.5]
