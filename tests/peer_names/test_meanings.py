"""Names of other tools, prefixes that only rename, and names that need no prefix."""

from __future__ import annotations

import re

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.peer_names import PEER_NAMES, PeerName

LABELS = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
CLASSES = np.eye(3, dtype=bool)[[0, 1, 2, 1]]
SCORES = np.array([[0.9, 0.2, 0.6], [0.1, 0.7, 0.8], [0.4, 0.3, 0.2], [0.6, 0.1, 0.5]])


@pytest.mark.parametrize("row", PEER_NAMES, ids=lambda row: f"{row.tool}: {row.name}")
def test_rows_lead_to_measures_that_exist_or_to_advice(row: PeerName) -> None:
    for reading in row.readings.values():
        filled = re.sub(r"\{(recall|p|alpha)\}", "0.5", reading)
        assert not cf.measure(re.sub(r"\{\w+\}", "3", filled)).tool
    assert row.readings or row.advice


def test_no_name_has_two_meanings_for_one_kind_of_data() -> None:
    for row in PEER_NAMES:
        for other in PEER_NAMES:
            for kind in row.readings.keys() & other.readings.keys():
                if set(row.names) & set(other.names):
                    assert row.readings[kind] == other.readings[kind], (row.name, other.tool)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("macro.F", "concept.F"),
        ("class.AP", "concept.AP"),
        ("topic.nDCG@10", "concept.nDCG@10"),
        ("samples.F(beta=2)", "example.F(beta=2)"),
        ("item.AP", "example.AP"),
        ("f1_macro", "concept.F(undefined=0)"),
        ("f1_score(average='macro')", "concept.F(undefined=0)"),
        ("F1_Score( average = macro )", "concept.F(undefined=0)"),
        ("LRAP", "example.AP(undefined=1)"),
        ("label_ranking_average_precision_score", "example.AP(undefined=1)"),
    ],
)
def test_prefixes_only_rename_and_names_of_others_bring_their_options(
    spelling: str, canonical: str
) -> None:
    assert str(cf.measure(spelling)) == canonical
    assert cf.measure(spelling) == cf.measure(canonical)


def test_a_name_is_shown_as_the_measure_that_it_means_on_the_data() -> None:
    for labels, name, measure in (
        (LABELS, "f1_macro", "concept.F(undefined=0)"),
        (CLASSES, "f1_macro", "confusion.F(average=macro)"),
        (LABELS[:, :1], "f1_macro", "confusion.F(average=macro)"),
        (LABELS[:, :1], "f1", "concept.F(undefined=0)"),
        (CLASSES, "accuracy", "confusion.accuracy"),
        (CLASSES, "kappa", "confusion.kappa"),
        (LABELS[:, :1], "AUC", "concept.AUC"),
        (LABELS, "f1_samples", "example.F(undefined=0)"),
        (CLASSES, "f1_samples", "example.F(undefined=0)"),
    ):
        scores = SCORES[:, : labels.shape[1]]
        result = cf.evaluate(cf.Truth(labels), cf.Run(scores, name="mine"), name)
        assert [str(m) for m in result.measures] == [measure]
        assert result["mine", name] == result["mine", measure]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("f1", "without a meaning for several labels for each item; write f1_macro, f1_micro or"),
        ("accuracy", "accuracy_score (the share of items whose label set is right), micro.Acc"),
        ("AP", "this truth is none of them; write one of concept.AP, micro.AP, example.AP"),
        ("roc_auc_ovr", "for several labels write roc_auc"),
        ("MulticlassAUROC", "several labels for each item; it is for one class for each item"),
        ("EER", "'EER' needs a prefix; write concept.EER"),
        ("kappa", "'kappa' needs a prefix; write confusion.kappa"),
        ("P_10", "name of trec_eval for TREC files, and this truth is none of them; write"),
    ],
)
def test_a_name_without_a_meaning_for_the_data_says_which_have_one(name: str, words: str) -> None:
    with pytest.raises(cf.MeasureError, match=re.escape(words)):
        cf.score(LABELS, SCORES, name)


def test_confusion_matrices_take_names_of_others_without_prefix() -> None:
    matrix = cf.Confusion([[5, 1, 0], [2, 4, 1], [0, 1, 6]])
    assert matrix["f1_macro"] == matrix["confusion.F(average=macro)"]
    assert matrix["kappa"] == matrix["cohen_kappa_score"]
    assert list(matrix.scores(["accuracy", "f1_weighted"])) == [
        "confusion.accuracy",
        "confusion.F",
    ]
    with pytest.raises(cf.MeasureError, match=r"concept\.AUC is no measure of a confusion matrix"):
        matrix["roc_auc"]


def test_a_name_of_several_meanings_stays_open_until_the_data_are_there() -> None:
    named = cf.measure("f1_macro")
    assert repr(named).startswith("Measure('f1_macro': ")
    classes = ([0, 1, 2, 1], [0, 1, 1, 1])
    assert cf.score(*classes, named) == cf.score(*classes, "confusion.F(average=macro)")
    labels = (np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    assert cf.score(*labels, named) == cf.score(*labels, "concept.F(undefined=0)")
