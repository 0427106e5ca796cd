"""Confusion matrices beside scikit-learn and SciPy, from the same labels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics

import cranfield as cf

Labels = NDArray[np.int64]


def labels(seed: int) -> tuple[Labels, Labels]:
    """Several hundred items of up to nine classes; the system is right more often than not."""
    rng = np.random.default_rng(seed)
    classes = int(rng.integers(2, 9))
    true = rng.choice(classes, 300, p=rng.dirichlet(np.ones(classes)))
    said = np.where(rng.random(300) < 0.6, true, rng.integers(0, classes + seed % 2, 300))
    return true, said


every_sample = pytest.mark.parametrize("seed", range(12))


@every_sample
def test_scores_agree_with_scikit_learn(seed: int) -> None:
    true, said = labels(seed)
    system = cf.Confusion.from_labels(true, said)
    weighted = {"average": "weighted", "zero_division": 0}
    expected = {
        "accuracy": metrics.accuracy_score(true, said),
        "TPR": metrics.recall_score(true, said, **weighted),
        "kappa": metrics.cohen_kappa_score(true, said),
        "MCC": metrics.matthews_corrcoef(true, said),
        "PPV": metrics.precision_score(true, said, **weighted),
        "F": metrics.f1_score(true, said, **weighted),
        "I": metrics.mutual_info_score(true, said),
        # scikit-learn's homogeneity is I / H(T), its completeness I / H(S).
        "completeness": metrics.homogeneity_score(true, said),
    }
    for name, value in expected.items():
        assert system[name] == pytest.approx(value, abs=1e-12), name
    other = system["I"] / system["H_S"]
    assert other == pytest.approx(metrics.completeness_score(true, said))
    mean = (system["H_T"] + system["H_S"]) / 2
    assert system["I"] / mean == pytest.approx(metrics.normalized_mutual_info_score(true, said))


@every_sample
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
def test_balanced_accuracy_leaves_out_classes_that_are_never_true(seed: int) -> None:
    true, said = labels(seed)
    system = cf.Confusion.from_labels(true, said)
    for option in ("no", "yes"):
        wanted = metrics.balanced_accuracy_score(true, said, adjusted=option == "yes")
        assert system[f"balanced_accuracy(adjusted={option})"] == pytest.approx(wanted, abs=1e-12)


def test_single_label_runs_have_these_scores_too() -> None:
    true, said = np.array([0, 1, 2, 2, 1, 0]), np.array([0, 1, 1, 2, 1, 2])
    result = cf.evaluate(
        cf.Truth(np.eye(3, dtype=int)[true]),
        cf.Run(labels=np.eye(3, dtype=int)[said]),
        ["confusion.MCC", "confusion.balanced_accuracy"],
    )
    found = [result["run", measure] for measure in result.measures]
    wanted = metrics.matthews_corrcoef(true, said), metrics.balanced_accuracy_score(true, said)
    assert found == pytest.approx(wanted, abs=1e-12)


def test_mcc_is_1_for_a_perfect_system_0_for_a_constant_one_and_needs_two_true_classes() -> None:
    assert cf.Confusion([[3, 0, 0], [0, 7, 0], [0, 0, 5]])["MCC"] == 1.0
    assert cf.Confusion([[0.3, 0, 0], [0, 0.1, 0], [0, 0, 0.6]])["MCC"] == 1.0
    assert cf.Confusion([[0, 4], [0, 5]])["MCC"] == 0.0
    one_class = cf.Confusion([[4, 5], [0, 0]])
    assert np.isnan(one_class["MCC"])  # scikit-learn says 0
    assert one_class["MCC(undefined=0)"] == 0.0
    assert one_class["balanced_accuracy"] == pytest.approx(4 / 9)
    assert np.isnan(one_class["balanced_accuracy(adjusted=yes)"])


@every_sample
def test_the_matrix_and_its_classes_agree_with_scikit_learn(seed: int) -> None:
    true, said = labels(seed)
    system = cf.Confusion.from_labels(true, said)
    assert system.counts.tolist() == metrics.confusion_matrix(true, said).tolist()
    frame = system.by_class()
    precision, recall, f, support = metrics.precision_recall_fscore_support(
        true, said, zero_division=0
    )
    for name, values in (("PPV", precision), ("TPR", recall), ("F1", f), ("support", support)):
        assert frame[name].fill_null(0).to_list() == pytest.approx(values.tolist()), name
    occurring = frame.filter(frame["support"] > 0)["TPR"]
    if set(said) <= set(true):
        assert occurring.mean() == pytest.approx(metrics.balanced_accuracy_score(true, said))
    pairs = metrics.multilabel_confusion_matrix(true, said)
    for name, ((tn, fp), (fn, tp)) in zip(system.classes, pairs.tolist(), strict=True):
        assert system.one_vs_rest(name).counts.tolist() == [[tp, fn], [fp, tn]]


@every_sample
def test_entropies_agree_with_scipy(seed: int) -> None:
    system = cf.Confusion.from_labels(*labels(seed))
    p_true, p_said = (system.counts.sum(axis=axis) for axis in (1, 0))
    for base in (np.e, 2.0, 10.0):
        for name, shares in (("H_T", p_true), ("H_S", p_said)):
            expected = stats.entropy(shares, base=base)
            assert system[f"{name}(base={base!r})"] == pytest.approx(expected)
        for row, found in zip(system.counts, system.entropies("true", base=base), strict=True):
            if row.sum():
                assert found == pytest.approx(stats.entropy(row, base=base), abs=1e-12)


@every_sample
def test_evaluate_gives_the_same_as_labels_do(seed: int) -> None:
    true, said = labels(seed)
    classes = max(true.max(), said.max()) + 1
    names = [f"c{place}" for place in range(classes)]
    result = cf.evaluate(
        cf.Truth(np.eye(classes)[true], concepts=names),
        cf.Run(labels=np.eye(classes)[said], concepts=names),
        ["confusion.kappa", "confusion.S_I"],
    )
    expected = metrics.cohen_kappa_score(true, said)
    assert result["run", "confusion.kappa"] == pytest.approx(expected)
