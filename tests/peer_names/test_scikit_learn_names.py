"""Every name of scikit-learn gives its number, or is answered with what to write."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import cranfield as cf
from cranfield.measures.peer_names import PEER_NAMES, PeerName, peer_meaning
from cranfield.measures.peer_names.names import key
from peer_names.data import SEEDS, Data, one_class, one_concept, several_labels

ROWS = [row for row in PEER_NAMES if row.tool == "scikit-learn"]
SETS = {"precision": {}, "recall": {}, "f1": {}, "fbeta": {"beta": 2.0}, "jaccard": {}}
Oracle = Callable[[Data], float]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """scikit-learn warns of what is undefined; here that is the point."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def of(function: str, **options: Any) -> Callable[[Any, Any], float]:
    return lambda y, s: float(getattr(metrics, function)(y, s, **options))


def set_oracles() -> dict[str, dict[str, Oracle]]:
    """Precision and the like: by kind of data and by name, what scikit-learn says."""
    oracles: dict[str, dict[str, Oracle]] = {"labels": {}, "concept": {}, "classes": {}}
    for name, options in SETS.items():
        for average in ("macro", "micro", "samples", "weighted", "binary"):
            score = of(f"{name}_score", average=average, zero_division=0, **options)
            written = "".join(f"{key}=2," for key in options)
            spelling = f"{name}_score({written}average={average})"
            if average == "binary":
                oracles["concept"][spelling] = lambda d, f=score: f(d.y[:, 0], d.decided[:, 0])
                continue
            oracles["labels"][spelling] = lambda d, f=score: f(d.y, d.decided)
            if average != "samples":
                oracles["concept"][spelling] = lambda d, f=score: f(d.y[:, 0], d.decided[:, 0])
                oracles["classes"][spelling] = lambda d, f=score: f(*codes(d))
    return oracles


def codes(data: Data) -> tuple[Any, Any]:
    """The true and the said class of each item."""
    return data.y.argmax(axis=1), data.s.argmax(axis=1)


def decided(function: str, **options: Any) -> Oracle:
    return lambda data: of(function, **options)(data.y, data.decided)


def ranked(function: str, **options: Any) -> Oracle:
    return lambda data: of(function, **options)(data.y, data.s)


def classed(function: str, **options: Any) -> Oracle:
    return lambda data: of(function, **options)(*codes(data))


def flat(function: str, *, confidences: bool = False) -> Oracle:
    """Of one concept."""
    return lambda data: of(function)(data.y[:, 0], (data.s if confidences else data.decided)[:, 0])


RANKED: dict[str, Oracle] = {
    "average_precision": ranked("average_precision_score"),
    "average_precision_score(average=micro)": ranked("average_precision_score", average="micro"),
    "average_precision_score(average=samples)": ranked(
        "average_precision_score", average="samples"
    ),
    "LRAP": ranked("label_ranking_average_precision_score"),
    "label_ranking_loss": ranked("label_ranking_loss"),
    "coverage_error": ranked("coverage_error"),
    "ndcg_score": ranked("ndcg_score"),
    "ndcg_score(k=3)": ranked("ndcg_score", k=3),
    "roc_auc_score(average=micro)": ranked("roc_auc_score", average="micro"),
}
ORACLES: dict[str, dict[str, Oracle]] = {
    "labels": {
        **set_oracles()["labels"],
        **RANKED,
        "hamming_loss": decided("hamming_loss"),
        "zero_one_loss": decided("zero_one_loss"),
        "accuracy_score": decided("accuracy_score"),
    },
    "concept": {
        **set_oracles()["concept"],
        "accuracy": flat("accuracy_score"),
        "accuracy_score": flat("accuracy_score"),
        "balanced_accuracy": flat("balanced_accuracy_score"),
        "hamming_loss": flat("hamming_loss"),
        "zero_one_loss": flat("zero_one_loss"),
        "matthews_corrcoef": flat("matthews_corrcoef"),
        "cohen_kappa_score": flat("cohen_kappa_score"),
        "mutual_info_score": flat("mutual_info_score"),
        "homogeneity_score": flat("homogeneity_score"),
        "roc_auc": flat("roc_auc_score", confidences=True),
        "average_precision": flat("average_precision_score", confidences=True),
        "brier_score_loss": flat("brier_score_loss", confidences=True),
    },
    "classes": {
        **set_oracles()["classes"],
        **RANKED,
        "accuracy": classed("accuracy_score"),
        "accuracy_score": classed("accuracy_score"),
        "balanced_accuracy": classed("balanced_accuracy_score"),
        "matthews_corrcoef": classed("matthews_corrcoef"),
        "cohen_kappa_score": classed("cohen_kappa_score"),
        "mutual_info_score": classed("mutual_info_score"),
        "homogeneity_score": classed("homogeneity_score"),
    },
}
DRAWN = {"labels": several_labels, "concept": one_concept, "classes": one_class}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in ORACLES.items() for name in names]
)
def test_names_mean_what_scikit_learn_computes(kind: str, name: str) -> None:
    meaning = peer_meaning(name)
    assert meaning is not None
    for seed in SEEDS:
        data = DRAWN[kind](seed)
        if not meaning.readings.keys() & {kind, "labels"}:
            with pytest.raises(
                cf.MeasureError, match="is a name of scikit-learn without a meaning"
            ):
                cf.score(data.y, data.s, name)
        else:
            expected = ORACLES[kind][name](data)
            assert cf.score(data.y, data.s, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_top_k_accuracy_is_scikit_learns_where_no_confidences_are_equal(seed: int) -> None:
    data = one_class(seed, ties=False)
    for k, names in (
        (2, ("top_k_accuracy", "top_k_accuracy_score")),
        (3, ("top_k_accuracy_score(k=3)",)),
    ):
        expected = metrics.top_k_accuracy_score(data.y.argmax(1), data.s, k=k, labels=range(6))
        for name in names:
            assert cf.score(data.y, data.s, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_auc_is_scikit_learns_where_that_is_a_number(seed: int) -> None:
    labels, classes = several_labels(seed, empty=False), one_class(seed)
    for name in ("roc_auc", "roc_auc_score", "roc_auc_score(average='macro')"):
        expected = metrics.roc_auc_score(labels.y, labels.s)
        assert cf.score(labels.y, labels.s, name) == pytest.approx(expected, abs=1e-12)
    y, s = classes.y[:, :4], classes.s[:, :4] / classes.s[:, :4].sum(axis=1, keepdims=True)
    expected = metrics.roc_auc_score(y.argmax(axis=1), s, multi_class="ovr")
    assert cf.score(y, s, "roc_auc_ovr") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["mean_squared_error", "root_mean_squared_error", "mean_absolute_error", "r2_score"]
)
def test_names_of_regression_are_for_numbers(name: str) -> None:
    draw = np.random.default_rng(0)
    targets, predicted = draw.normal(size=(2, 30, 3))
    expected = getattr(metrics, name)(targets, predicted)
    assert cf.score(targets, predicted, name) == pytest.approx(expected, abs=1e-12)
    with pytest.raises(cf.MeasureError, match=f"write {name}|write mean_squared_error"):
        cf.measure(f"neg_{name}" if name != "r2_score" else "neg_mean_squared_error")


def test_every_scorer_and_every_function_of_labels_is_known() -> None:
    elsewhere = {"r2"}  # our own name, which means the same for one column
    for name in set(metrics.get_scorer_names()) - elsewhere:
        assert peer_meaning(name) is not None, name
    for name in metrics.__all__:
        if name.endswith(("_score", "_loss", "_error", "_curve")) and name not in NOT_OF_LABELS:
            assert peer_meaning(name) is not None or name == "log_loss", name


NOT_OF_LABELS = {
    "calinski_harabasz_score", "consensus_score", "davies_bouldin_score", "silhouette_score",
    "d2_pinball_score", "d2_tweedie_score", "mean_pinball_loss",
}  # fmt: skip
"""Of clusterings without a truth, and of quantiles."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_name_is_computed_or_answered_with_advice(row: PeerName) -> None:
    """What has a meaning is held to scikit-learn above; everything else says what to write."""
    tried = {name for oracles in ORACLES.values() for name in oracles}
    tried |= {"roc_auc", "roc_auc_ovr", "mean_squared_error", "root_mean_squared_error"}
    tried |= {"mean_absolute_error", "r2_score", "top_k_accuracy", "top_k_accuracy_score(k=3)"}
    for name in row.names:
        spelling = name.replace("{beta}", "2").replace("{k}", "3")
        if row.readings:
            assert cf.measure(spelling)
            assert any(row.fields(key(other)) is not None for other in tried), name
        else:
            with pytest.raises(cf.MeasureError) as error:
                cf.measure(spelling)
            assert row.advice.replace("{beta}", "2") in str(error.value)
