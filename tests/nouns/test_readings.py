"""Whatever people have in memory becomes a truth and runs, or is answered with what to give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import pytrec_eval
from scipy import sparse
from sklearn import metrics
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import LinearSVC

import cranfield as cf
from nouns.small import refused

RANDOM = np.random.default_rng(3)
Y = (RANDOM.random((40, 3)) < 0.4).astype(int)
S = np.clip(0.5 * Y + 0.6 * RANDOM.random((40, 3)), 0, 1)
WORSE = RANDOM.random((40, 3))
CONCEPTS = ["sky", "sea", "sand"]
ITEMS = [f"i{row}" for row in range(40)]
PLAIN = cf.evaluate(cf.Truth(Y), cf.Run(S), ["concept.AP", "example.F"])


def same(result: cf.Evaluation, run: str = "run") -> None:
    for measure in PLAIN.measures:
        assert result[run, measure] == PLAIN["run", measure]


# ── arrays, frames, matrices ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("truth", "scores"),
    [
        (Y, S),
        (Y.tolist(), S.tolist()),
        (Y.astype(bool), S),
        (cf.Truth(Y), S),
        (Y, cf.Run(S)),
        (sparse.csr_matrix(Y), S),
        (sparse.csr_array(Y), sparse.csr_array(S)),
        (pd.DataFrame(Y, ITEMS, CONCEPTS), pd.DataFrame(S, ITEMS, CONCEPTS).iloc[::-1, ::-1]),
        (pd.DataFrame(Y, ITEMS, CONCEPTS), S),
        (pl.DataFrame(Y, CONCEPTS), pl.DataFrame(S, CONCEPTS).select(CONCEPTS[::-1])),
        (cf.Collection(cf.Truth(Y)), S),
    ],
)
def test_a_truth_and_a_run_in_any_form_have_the_same_scores(truth: Any, scores: Any) -> None:
    result = cf.evaluate(truth, scores, ["concept.AP", "example.F"])
    same(result)
    assert result.runs == ("run",)
    assert cf.score(truth, scores, "concept.AP") == PLAIN["run", "concept.AP"]


def test_a_dict_names_runs_in_any_form() -> None:
    runs = {"lr": S, "frame": pd.DataFrame(S), "noun": cf.Run(S, name="other"), 7: S.tolist()}
    result = cf.evaluate(Y, runs, ["concept.AP", "example.F"])
    assert result.runs == ("lr", "frame", "noun", "7")
    for run in result.runs:
        same(result, run)


def test_a_run_that_gets_another_name_keeps_its_own_elsewhere() -> None:
    run = cf.Run(S, name="mine")
    cf.evaluate(Y, {"theirs": run}, "concept.AP")
    assert run.name == "mine"


def test_fingerprints_are_those_of_the_nouns() -> None:
    names = cf.evaluate(cf.Truth(Y, concepts=CONCEPTS), cf.Run(S), "concept.AP").scores[0]
    array = cf.evaluate(Y, S, "concept.AP", classes=CONCEPTS).scores[0]
    assert array.signature == names.signature


def test_classes_and_items_name_columns_and_rows() -> None:
    result = cf.evaluate(Y, S, "concept.AP", classes=CONCEPTS, items=ITEMS)
    assert (result.truth.concepts, result.truth.items) == (tuple(CONCEPTS), tuple(ITEMS))
    with refused("classes= and items= name the columns and rows of arrays, and this truth has"):
        cf.evaluate(cf.Truth(Y), S, "concept.AP", classes=CONCEPTS)


def test_an_evaluation_owns_what_arrays_held() -> None:
    scores = S.copy()
    result = cf.evaluate(Y, scores, "concept.AP")
    scores[:] = 0.0
    assert result.scores[0].signature == cf.evaluate(Y, S, "concept.AP").scores[0].signature


def test_thresholds_are_for_all_runs_or_by_run() -> None:
    runs = {"a": S, "b": WORSE}
    cut = cf.evaluate(Y, runs, "micro.F", threshold={"a": 0.3, "b": 0.6})
    assert cut["a", "micro.F"] == cf.score(Y, S, "micro.F", threshold=0.3)
    assert cut["b", "micro.F"] == cf.score(Y, WORSE >= 0.6, "micro.F")
    alike = cf.evaluate(Y, {"a": S, "b": cf.Run(WORSE)}, "micro.F", threshold=[0.3, 0.4, 0.5])
    assert alike["b", "micro.F"] == cf.score(Y, WORSE >= [0.3, 0.4, 0.5], "micro.F")
    with refused("labels already are decisions"):
        cf.evaluate(Y, cf.Run(labels=Y), "micro.F", threshold=0.5)


def test_levels_make_grades_and_measures_of_numbers_make_targets() -> None:
    grades = RANDOM.integers(0, 4, (40, 3))
    result = cf.evaluate(grades, {"a": S}, ["concept.nDCG", "concept.AP"], level=2)
    assert result["a", "concept.AP"] == cf.score(grades >= 2, S, "concept.AP")
    truth = cf.Truth(grades=grades, level=2)
    assert result["a", "concept.nDCG"] == cf.score(truth, S, "concept.nDCG")
    assert cf.evaluate(S, {"a": S + 1}, ["MSE", "MAE"])["a", "MSE"] == pytest.approx(1.0)


# ── classes ───────────────────────────────────────────────────────────────────────────────────

X, CLASSES = make_classification(
    400, n_informative=6, n_classes=4, class_sep=0.6, flip_y=0.2, random_state=1
)
MODEL = LogisticRegression(max_iter=500).fit(X[:200], CLASSES[:200])
TEST, PROBA, SAID = CLASSES[200:], MODEL.predict_proba(X[200:]), MODEL.predict(X[200:])


def f1_macro(true: Any, said: Any) -> float:
    return float(metrics.f1_score(true, said, average="macro"))


@pytest.mark.parametrize("predicted", [PROBA, SAID, pd.Series(SAID), PROBA.tolist()])
@pytest.mark.parametrize("form", [np.asarray, list, pd.Series, pl.Series])
def test_classes_beside_predict_and_predict_proba_are_scored_as_by_scikit_learn(
    form: Any, predicted: Any
) -> None:
    measures = ["concept.F(undefined=0)", "micro.F", "confusion.Acc"]
    result = cf.evaluate(form(TEST), {"lr": predicted}, measures)
    assert result.truth.concepts == ("0", "1", "2", "3")
    assert result["lr", measures[0]] == pytest.approx(f1_macro(TEST, SAID), rel=1e-12)
    accuracy = metrics.accuracy_score(TEST, SAID)
    assert result["lr", "micro.F"] == result["lr", "confusion.Acc"] == pytest.approx(accuracy)


def test_confidences_of_classes_rank_as_by_scikit_learn() -> None:
    ours = cf.score(TEST, PROBA, "concept.AUC")
    theirs = metrics.roc_auc_score(TEST, PROBA, multi_class="ovr", average="macro")
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_classes_may_have_names() -> None:
    names = np.array(["ash", "beech", "cedar", "fir"])
    wanted = cf.score(TEST, PROBA, "concept.F")
    assert cf.score(names[TEST], PROBA, "concept.F") == wanted
    assert cf.score(names[TEST].tolist(), names[SAID].tolist(), "concept.F") == wanted
    assert cf.score(TEST, PROBA, "concept.F", classes=names) == wanted
    frame = pd.DataFrame(PROBA, columns=names).iloc[:, ::-1]
    assert cf.score(pd.Series(names[TEST], dtype="category"), frame, "concept.F") == wanted
    assert cf.evaluate(names[TEST], PROBA, "concept.F").truth.concepts == tuple(names)


def test_classes_that_the_truth_lacks_must_be_named() -> None:
    few = TEST[TEST != 3]
    part = PROBA[TEST != 3]
    assert cf.evaluate(few, part, "concept.F").truth.concepts == ("0", "1", "2", "3")
    with refused("the truth holds 3 different classes, '1', '2', '3', and the run has 4 columns"):
        cf.score(TEST[TEST != 0], PROBA[TEST != 0], "concept.F")
    named = cf.score(TEST[TEST != 0], PROBA[TEST != 0], "concept.F", classes=range(4))
    assert 0.0 < named < 1.0
    with refused("run 'run': 'c', the class of item '1', is not among 'a', 'b'; name all classes"):
        cf.score(["a", "b"], ["a", "c"], "concept.F")
    assert cf.score(["a", "b"], ["a", "c"], "micro.R", classes="abc") == 0.5


def test_ties_between_classes_do_not_depend_on_the_order_of_columns() -> None:
    frame = pd.DataFrame(np.full((2, 3), 1 / 3), columns=["b", "a", "c"])
    assert cf.score(["a", "b"], frame, "micro.F") == 0.5
    assert cf.score(["a", "b"], frame[["c", "b", "a"]], "micro.F") == 0.5


def test_a_threshold_goes_before_the_highest_confidence() -> None:
    wanted = cf.score(np.eye(4)[TEST], PROBA, "concept.F", threshold=0.4)
    assert cf.score(TEST, PROBA, "concept.F", threshold=0.4) == wanted


BINARY = (CLASSES > 1).astype(int)


@pytest.mark.parametrize("names", [np.array([0, 1]), np.array(["ham", "spam"]), np.array([-1, 1])])
def test_of_two_classes_the_second_is_the_concept_beside_a_vector(names: Any) -> None:
    y = names[BINARY]
    model = LinearSVC(random_state=0).fit(X[:200], y[:200])
    margins = model.decision_function(X[200:])
    result = cf.evaluate(y[200:], margins, ["concept.AP", "concept.AUC", "concept.F"], threshold=0)
    assert result["run", "concept.AP"] == pytest.approx(
        metrics.average_precision_score(BINARY[200:], margins), rel=1e-12
    )
    said = BINARY[200:] * 0 + (model.predict(X[200:]) == names[1])
    assert result["run", "concept.F"] == pytest.approx(metrics.f1_score(BINARY[200:], said))
    assert len(result.truth.concepts) == 1


def test_two_classes_with_a_column_each_are_two_concepts() -> None:
    model = LogisticRegression().fit(X[:200], BINARY[:200])
    proba, said = model.predict_proba(X[200:]), model.predict(X[200:])
    wanted = f1_macro(BINARY[200:], said)
    assert cf.score(BINARY[200:], proba, "concept.F") == pytest.approx(wanted, rel=1e-12)
    with refused("run 'b' has one number for each item, and the truth 2 concepts"):
        cf.evaluate(BINARY[200:], {"a": proba, "b": proba[:, 1]}, "concept.F")


def test_the_list_that_predict_proba_of_several_outputs_returns_is_a_run() -> None:
    features, labels = make_multilabel_classification(120, n_classes=4, random_state=5)
    model = MultiOutputClassifier(LogisticRegression()).fit(features, labels)
    listed = model.predict_proba(features)
    assert len(listed) == 4
    wanted = metrics.average_precision_score(
        labels, np.column_stack([one[:, 1] for one in listed]), average="macro"
    )
    assert cf.score(labels, listed, "concept.AP") == pytest.approx(wanted, rel=1e-12)
    value = cf.evaluate(labels, {"mlp": listed}, "concept.AP").scores[0].value
    assert value == pytest.approx(wanted, rel=1e-12)


def test_a_list_of_matrices_is_never_taken_for_several_runs() -> None:
    for listed in ([S, WORSE], [S], (pd.DataFrame(S), pd.DataFrame(WORSE))):
        with refused('give several runs their names: {"a": scores, "b": scores}'):
            cf.evaluate(Y, listed, "concept.AP")
    with refused("whose rows do not sum to 1"):
        cf.evaluate(Y[:, :2], [S[:, :2], WORSE[:, :2]], "concept.AP")


# ── label lists ───────────────────────────────────────────────────────────────────────────────

LISTS = [["sky", "sea"], [], ["sea"], ["sky"]]
PREDICTED = [["sky"], ["sea"], ["sea"], ["sky"]]


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        pd.Series,
        pl.Series,
        lambda lists: [set(labels) for labels in lists],
        lambda lists: [[["sky", "sea"].index(label) for label in labels] for labels in lists],
    ],
)
def test_a_list_of_labels_for_each_item_is_a_truth_or_a_run(form: Any) -> None:
    assert cf.score(form(LISTS), PREDICTED, "micro.F", classes=["sky", "sea"]) == 0.75
    assert cf.score(LISTS, form(LISTS), "micro.F", classes=["sky", "sea"]) == 1.0
    truth = cf.Truth.from_lists(LISTS)
    assert cf.evaluate(truth, {"a": PREDICTED}, "micro.F")["a", "micro.F"] == 0.75


def test_a_run_of_label_lists_may_be_empty_or_stand_beside_classes() -> None:
    assert cf.score(LISTS, [[], [], [], []], "micro.R") == 0.0
    assert cf.score(["a", "b"], [["a"], []], "micro.R") == 0.5


def test_labels_that_the_truth_lacks_are_named() -> None:
    with refused("'sun' is not among the concepts 'sea', 'sky'"):
        cf.score(LISTS, [["sun"], [], [], []], "micro.F")


# ── searches ──────────────────────────────────────────────────────────────────────────────────

QRELS = {
    "q1": {"d1": 2, "d2": 0, "d3": 1},
    "q2": {"d2": 1, "d5": 0, "d6": 3},
    "q3": {"d9": 1},
}
RANKED = {
    "q1": {"d1": 0.4, "d2": 0.9, "d4": 0.2, "d3": 0.1},
    "q2": {"d6": 3.0, "d2": 2.0, "d7": 2.5},
    "q3": {"d8": 1.0},
}


def test_nested_dicts_are_searches_with_the_numbers_of_pytrec_eval() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "ndcg", "recip_rank", "P_5"})
    theirs = evaluator.evaluate(RANKED)
    measures = ["map", "concept.nDCG", "concept.RR", "concept.P@5"]
    ours = cf.evaluate(QRELS, {"bm25": RANKED, "rev": RANKED}, measures)
    assert ours.truth.open
    assert ours.runs == ("bm25", "rev")
    for measure, name in zip(ours.measures, ("map", "ndcg", "recip_rank", "P_5"), strict=True):
        by_topic = dict(zip(ours.truth.concepts, ours.units("bm25", measure), strict=True))
        assert by_topic == pytest.approx({topic: row[name] for topic, row in theirs.items()})


def test_nested_dicts_are_what_trec_files_hold(tmp_path: Any) -> None:
    judged = {"q1": {"d1": 1, "d2": -1}, "q2": {"d1": 0}}
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, ds in judged.items() for d, g in ds.items()))
    ranked = [(t, d, s) for t, ds in RANKED.items() for d, s in ds.items()]
    run.write_text("".join(f"{t} Q0 {d} 1 {s} tag\n" for t, d, s in ranked))
    truth = cf.read_truth(qrels)
    memory = cf.evaluate(judged, RANKED, ["concept.AP", "concept.F", "concept.bpref"])
    files = cf.evaluate(truth, cf.read_run(run, truth), memory.measures)
    assert [score.signature for score in memory] == [score.signature for score in files]


def test_a_dict_of_dicts_of_numbers_is_one_run_and_any_other_holds_runs_by_name() -> None:
    assert cf.evaluate(QRELS, RANKED, "map").runs == ("run",)
    assert cf.evaluate(QRELS, {"a": RANKED, "b": cf.Run(**trec())}, "map").runs == ("a", "b")


def trec() -> dict[str, Any]:
    return {"scores": [[1.0, 0.0]], "items": ["d1"], "concepts": ["q1", "q2"]}


@pytest.mark.parametrize(
    ("truth", "runs", "message"),
    [
        (QRELS, {"q1": {"d1": "high"}}, "topic 'q1', document 'd1' holds 'high'; give numbers"),
        (QRELS, {"q1": {"d1": float("nan")}}, "document 'd1' holds 'nan'; give numbers"),
        (
            {"q1": {"d1": 0.5}},
            RANKED,
            "the truth: topic 'q1', document 'd1' holds '0.5'; give whole",
        ),
        (QRELS, {"x": {"d1": 1.0}}, "run 'run' has none of the topics of the truth, but 'x'"),
        ({"sky": [1, 0]}, S, "the truth is a dict, but not of documents by topic"),
        (Y, {"a": {"sky": [1, 0]}}, "run 'a' is a dict, but not of documents by topic"),
        ("truth.csv", S, "the truth is a str; read files with cf.read_truth"),
        (Y, "run.csv", "runs are a str; give scores, a cf.Run or a dict of them by name; read"),
        (cf.Run(S), Y, "the truth is a Run; give the truth first, then the runs"),
        (Y, {"a": cf.Truth(Y)}, "run 'a' is a Truth; give confidences or decisions"),
        (["a", None], [0.5, 0.1], "the class of item '1' is None; give each item a text"),
        (TEST, sparse.csr_array(PROBA), "confidences of classes are sparse; call toarray()"),
        (TEST, np.linspace(0, 1, 200), "the truth 4 concepts; give a column for each"),
        (Y, S[:, 0], "run 'run' has one number for each item, and the truth 3 concepts"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_to_give(
    truth: Any, runs: Any, message: str
) -> None:
    with refused(message):
        cf.evaluate(truth, runs, "micro.F")
