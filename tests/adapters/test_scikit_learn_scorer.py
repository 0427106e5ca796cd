"""The scorer: scikit-learn's own tools take it, and it agrees with scikit-learn's own scorers."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import get_scorer, hamming_loss, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import cranfield as cf
from nouns.small import refused
from problems import EXACT

X, Y = make_multilabel_classification(
    150, n_features=8, n_classes=4, allow_unlabeled=False, random_state=3
)
ONE_X, CLASSES = make_classification(
    200, n_features=8, n_informative=6, n_classes=3, random_state=5
)
WORDS = np.array(["cat", "dog", "emu"])[CLASSES]
YES = np.where(CLASSES == 1, "no", "yes")


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    """What scikit-learn would hide in a warning fails here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*converge.*|.*[Ff]utureWarning.*")
        warnings.filterwarnings("ignore", category=FutureWarning)
        yield


def logistic() -> Any:
    return LogisticRegression(max_iter=2000)


MULTI_LABEL = {
    "one against the rest": OneVsRestClassifier(logistic()),
    "one for each": MultiOutputClassifier(logistic()),
    "chain": ClassifierChain(logistic()),
    "forest": RandomForestClassifier(20, max_depth=3, random_state=0),
    "neighbours": KNeighborsClassifier(),
    "pipeline": make_pipeline(StandardScaler(), OneVsRestClassifier(logistic())),
    "pipeline of several": make_pipeline(StandardScaler(), MultiOutputClassifier(logistic())),
    "network": MLPClassifier((8,), max_iter=3000, random_state=0),
}


def same(found: Any, wanted: Any) -> None:
    assert np.asarray(found) == pytest.approx(np.asarray(wanted), rel=EXACT, abs=EXACT)


def columns_of_class_one(answer: Any) -> Any:
    """What scikit-learn's metrics take: one column for each label."""
    return np.column_stack([one[:, 1] for one in answer]) if isinstance(answer, list) else answer


# ── agreement with scikit-learn ───────────────────────────────────────────────────────────────

SETS = {
    "concept.F(undefined=0)": "f1_macro",
    "example.F(undefined=0)": "f1_samples",
    "micro.F": "f1_micro",
    "concept.P(undefined=0)": "precision_macro",
    "example.R(undefined=0)": "recall_samples",
    "example.Acc(undefined=0)": "jaccard_samples",
    "example.hamming": make_scorer(hamming_loss, greater_is_better=False),
    "example.zero_one": make_scorer(sklearn.metrics.zero_one_loss, greater_is_better=False),
}


@pytest.mark.parametrize("estimator", MULTI_LABEL)
@pytest.mark.parametrize("name", SETS)
def test_measures_of_label_sets_agree_with_scikit_learn_s_scorers(
    name: str, estimator: str
) -> None:
    model = clone(MULTI_LABEL[estimator]).fit(X[:100], Y[:100])
    theirs = get_scorer(SETS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of empty label sets
        wanted = theirs(model, X[100:], Y[100:])
    same(cf.scorer(name)(model, X[100:], Y[100:]), wanted)


@pytest.mark.parametrize("estimator", MULTI_LABEL)
@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("concept.AP", sklearn.metrics.average_precision_score),
        ("concept.AUC", sklearn.metrics.roc_auc_score),
        ("example.AP", sklearn.metrics.label_ranking_average_precision_score),
        ("example.ranking_loss(undefined=0)", sklearn.metrics.label_ranking_loss),
    ],
)
def test_measures_of_rankings_take_the_probability_of_each_label(
    name: str, metric: Any, estimator: str
) -> None:
    model = clone(MULTI_LABEL[estimator]).fit(X[:100], Y[:100])
    wanted = metric(Y[100:], columns_of_class_one(model.predict_proba(X[100:])))
    found = cf.scorer(name)(model, X[100:], Y[100:])
    same(found if cf.measure(name).traits.higher_is_better else -found, wanted)


@pytest.mark.parametrize(
    ("name", "theirs"), [("concept.AP", "average_precision"), ("concept.AUC", "roc_auc")]
)
def test_cross_validation_agrees_for_rankings_by_decision_function(name: str, theirs: str) -> None:
    for model in (OneVsRestClassifier(LinearSVC()), RidgeClassifier()):
        found = cross_val_score(model, X, Y, scoring=cf.scorer(name), cv=KFold(3))
        same(found, cross_val_score(model, X, Y, scoring=theirs, cv=KFold(3)))


@pytest.mark.parametrize("y", [CLASSES == 1, (CLASSES == 1) * 1, YES], ids=["bool", "int", "text"])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("concept.AUC", "roc_auc"),
        ("concept.AP", "average_precision"),
        ("micro.Acc", "accuracy"),
        ("concept.balanced_accuracy", "balanced_accuracy"),
        ("concept.MCC", "matthews_corrcoef"),
    ],
)
def test_of_two_classes_the_second_is_the_concept(name: str, theirs: str, y: Any) -> None:
    if theirs == "average_precision" and y is YES:
        y = np.where(y == "yes", 1, 0)  # its scorer takes no text
    found = cross_val_score(logistic(), ONE_X, y, scoring=cf.scorer(name))
    same(found, cross_val_score(logistic(), ONE_X, y, scoring=theirs))


@pytest.mark.parametrize("y", [CLASSES, WORDS, list(WORDS), pd.Series(WORDS, dtype="category")])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("concept.AUC", "roc_auc_ovr"),
        ("concept.F", "f1_macro"),
        ("micro.F", "f1_micro"),
        ("concept.R", "balanced_accuracy"),
        ("example.P@1", "accuracy"),
    ],
)
def test_of_several_classes_each_is_a_concept(name: str, theirs: str, y: Any) -> None:
    found = cross_val_score(logistic(), ONE_X, y, scoring=cf.scorer(name))
    same(found, cross_val_score(logistic(), ONE_X, y, scoring=theirs))


# ── scikit-learn's tools ──────────────────────────────────────────────────────────────────────


def test_a_grid_search_chooses_by_the_measure_and_refits() -> None:
    pipeline = make_pipeline(StandardScaler(), MultiOutputClassifier(logistic()))
    grid = {"multioutputclassifier__estimator__C": [1e-4, 0.1, 10.0]}
    search = GridSearchCV(pipeline, grid, scoring=cf.scorer("concept.AP"), cv=3).fit(X, Y)
    by_hand = [
        cross_val_score(
            clone(pipeline).set_params(**{name: value}), X, Y, scoring=search.scoring, cv=3
        ).mean()
        for name, values in grid.items()
        for value in values
    ]
    same(search.cv_results_["mean_test_score"], by_hand)
    same(search.best_score_, max(by_hand))
    best = search.best_estimator_
    scores = columns_of_class_one(best.predict_proba(X))
    same(search.score(X, Y), cf.score(Y, scores, "concept.AP"))


def test_a_grid_search_minimises_what_is_better_when_lower() -> None:
    model = KNeighborsClassifier()
    search = GridSearchCV(model, {"n_neighbors": [1, 5, 100]}, scoring=cf.scorer("example.hamming"))
    search.fit(X, Y)
    assert (search.cv_results_["mean_test_score"] < 0).all()
    losses = -search.cv_results_["mean_test_score"]
    assert search.best_index_ == np.argmin(losses)
    assert losses.min() < losses.max()


def test_several_scorers_at_once_and_in_other_processes() -> None:
    names = ["concept.AP", "example.F", "example.ranking_loss"]
    scorers = {name: cf.scorer(name) for name in names}
    model = OneVsRestClassifier(logistic())
    here = cross_validate(model, X, Y, scoring=scorers, cv=3)
    there = cross_validate(model, X, Y, scoring=scorers, cv=3, n_jobs=2)
    for name in names:
        same(there[f"test_{name}"], here[f"test_{name}"])
        same(here[f"test_{name}"], cross_val_score(model, X, Y, scoring=scorers[name], cv=3))
    search = GridSearchCV(
        model, {"estimator__C": [0.01, 1]}, scoring=scorers, refit="concept.AP", n_jobs=2, cv=3
    )
    assert clone(search).fit(X, Y).best_score_ == pytest.approx(
        search.fit(X, Y).cv_results_["mean_test_concept.AP"].max()
    )


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (cf.scorer("concept.AP"), "scorer('concept.AP')"),
        (cf.scorer("example.f( beta = 2 )"), "scorer('example.F(beta=2)')"),
        (cf.scorer(cf.measure("example.hamming")), "negated scorer('example.hamming')"),
        (
            cf.scorer("micro.F", threshold=[0.2, 0.3], response="decision_function"),
            "scorer('micro.F', threshold=[0.2, 0.3], response='decision_function')",
        ),
    ],
)
def test_scorers_say_what_they_are_and_survive_pickling(made: cf.Scorer, text: str) -> None:
    assert repr(made) == text
    assert pickle.loads(pickle.dumps(made)) == made
    assert clone(made, safe=False) == made


# ── responses ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("estimator", ["one for each", "forest", "neighbours"])
@pytest.mark.parametrize("constant", [0, 1])
def test_a_label_that_training_showed_one_way_only_is_certain_or_impossible(
    estimator: str, constant: int
) -> None:
    labels = Y.copy()
    labels[:100, 2] = constant
    model = DummyClassifier() if estimator == "one for each" else clone(MULTI_LABEL[estimator])
    model.fit(X[:100], labels[:100])
    answer = model.predict_proba(X[100:])
    assert answer[2].shape[1] == 1
    scores = np.column_stack(
        [np.full(50, constant) if one.shape[1] == 1 else one[:, 1] for one in answer]
    )
    for name in ("concept.AP", "example.AP", "micro.AUC"):
        wanted = cf.score(labels[100:], scores, name)
        same(cf.scorer(name)(model, X[100:], labels[100:]), wanted)


def test_thresholds_decide_by_confidences() -> None:
    model = OneVsRestClassifier(logistic()).fit(X, Y)
    proba = model.predict_proba(X)
    for threshold in (0.3, [0.1, 0.3, 0.5, 0.7]):
        wanted = cf.score(Y, proba, "micro.F", threshold=threshold)
        same(cf.scorer("micro.F", threshold=threshold)(model, X, Y), wanted)
    svm = OneVsRestClassifier(LinearSVC()).fit(X, Y)
    zero = cf.scorer("micro.F", threshold=0)
    same(zero(svm, X, Y), cf.scorer("micro.F")(svm, X, Y))


def test_response_chooses_the_method() -> None:
    model = OneVsRestClassifier(logistic()).fit(X, Y)
    by_margin = cf.scorer("micro.AP", response="decision_function")(model, X, Y)
    same(by_margin, cf.score(Y, model.decision_function(X), "micro.AP"))
    by_class = cf.scorer("concept.AP", response="predict")(model, X, Y)
    same(by_class, cf.score(Y, model.predict(X).astype(float), "concept.AP"))
    half = cf.scorer("micro.F", response="predict_proba")(model, X, Y)
    same(half, cf.score(Y, model.predict_proba(X), "micro.F"))


def test_regressors_rank_by_what_they_predict_if_asked() -> None:
    model = LinearRegression().fit(X, Y)
    with refused("concept.AP needs confidences, but LinearRegression has neither predict_proba"):
        cf.scorer("concept.AP")(model, X, Y)
    found = cf.scorer("concept.AP", response="predict")(model, X, Y)
    same(found, cf.score(Y, model.predict(X), "concept.AP"))
    single = LinearRegression().fit(X, Y[:, 0])
    same(
        cf.scorer("concept.AUC", response="predict")(single, X, Y[:, 0]),
        sklearn.metrics.roc_auc_score(Y[:, 0], single.predict(X)),
    )


@pytest.mark.parametrize(
    "form",
    [
        csr_array,
        lambda y: pd.DataFrame(y, columns=list("abcd")),
        lambda y: pd.DataFrame(y, index=["same"] * len(y)),
        lambda y: pl.from_numpy(y, schema=list("abcd")),
        lambda y: y.tolist(),
    ],
    ids=["sparse", "pandas", "pandas with one index for all", "Polars", "lists"],
)
@pytest.mark.parametrize("name", ["concept.AP", "example.F"])
def test_targets_may_come_in_any_form(name: str, form: Any) -> None:
    model = OneVsRestClassifier(logistic()).fit(X, Y)
    same(cf.scorer(name)(model, X, form(Y)), cf.scorer(name)(model, X, Y))


def test_sparse_decisions_and_columns_of_one_label_are_read() -> None:
    model = OneVsRestClassifier(logistic()).fit(X, csr_array(Y))
    assert hasattr(model.predict(X), "toarray")
    dense = OneVsRestClassifier(logistic()).fit(X, Y)
    same(cf.scorer("example.F")(model, X, csr_array(Y)), cf.scorer("example.F")(dense, X, Y))
    column = Y[:, :1]
    single = logistic().fit(X, column.ravel())
    for name in ("concept.AP", "micro.F"):
        wanted = cf.scorer(name)(single, X, column.ravel())
        same(cf.scorer(name)(single, X, column), wanted)
        several = MultiOutputClassifier(logistic()).fit(X, column)
        same(cf.scorer(name)(several, X, column), wanted)


def test_frames_of_targets_survive_cross_validation_with_their_names() -> None:
    shuffled = np.random.default_rng(0).permutation(len(Y))
    targets = pd.DataFrame(Y, columns=list("abcd")).iloc[shuffled]
    model, cv = OneVsRestClassifier(logistic()), KFold(3)
    features = pd.DataFrame(X).iloc[shuffled]
    found = cross_val_score(model, features, targets, scoring=cf.scorer("concept.AP"), cv=cv)
    same(
        found,
        cross_val_score(model, X[shuffled], Y[shuffled], scoring=cf.scorer("concept.AP"), cv=cv),
    )


# ── what has no answer ────────────────────────────────────────────────────────────────────────


def test_an_undefined_score_is_passed_on_as_nan() -> None:
    model = OneVsRestClassifier(logistic()).fit(X, Y)
    assert np.isnan(cf.scorer("concept.AP")(model, X, np.zeros_like(Y)))
    assert np.isnan(cf.scorer("concept.EER")(model, X, np.zeros_like(Y)))
    assert cf.scorer("concept.AP(undefined=0)")(model, X, np.zeros_like(Y)) == 0.0


@pytest.mark.parametrize(
    ("make", "message", "error"),
    [
        (lambda: cf.scorer("concept.XY"), "there is no measure 'concept.XY'", cf.MeasureError),
        (
            lambda: cf.scorer("concept.generality"),
            "concept.generality is a property of the truth, so no estimator is better by it",
            cf.MeasureError,
        ),
        (
            lambda: cf.scorer("concept.AP", threshold=0.5),
            "concept.AP ranks confidences, so a threshold changes nothing; leave it out",
            cf.InputError,
        ),
        (
            lambda: cf.scorer("concept.AP", response="proba"),  # type: ignore[arg-type]
            "response='proba'; choose predict_proba, decision_function, predict or None",
            cf.InputError,
        ),
    ],
)
def test_scorers_that_make_no_sense_are_refused(make: Any, message: str, error: Any) -> None:
    with refused(message, error):
        make()


class Odd(ClassifierMixin, BaseEstimator):
    """An estimator that answers what it was told to."""

    def __init__(self, answer: Any = None, classes: Any = None) -> None:
        self.answer = answer
        self.classes_ = classes

    def predict_proba(self, _: Any) -> Any:
        return self.answer

    def predict(self, _: Any) -> Any:
        return self.answer


@pytest.mark.parametrize(
    ("estimator", "y", "message"),
    [
        (
            Odd(np.ones((2, 3)) / 3, np.array(["a", "b", "c"])),
            ["a", "z"],
            "the estimator has not seen these classes: 'z'; split so that it sees all of them",
        ),
        (
            Odd(np.ones((2, 1)), np.array(["a"])),
            ["a", "a"],
            "the estimator has seen one class only, ['a']; train it on items of both",
        ),
        (
            Odd(np.ones((2, 2)), np.array(["a", "b", "c"])),
            ["a", "b"],
            "the estimator answered an array of shape (2, 2) for 3 classes",
        ),
        (
            Odd([np.ones((2, 2))] * 2),
            [[1, 0], [0, 1]],
            "a list of probabilities without a list classes_ that says what their columns are",
        ),
        (Odd(np.ones((2, 2))), [[1, 2], [0, 1]], "labels: item '0', concept '1' holds 2"),
    ],
)
def test_targets_and_answers_that_do_not_fit_are_refused(
    estimator: Any, y: Any, message: str
) -> None:
    with refused(message):
        cf.scorer("concept.AP")(estimator, np.zeros((2, 1)), y)


def test_a_scorer_without_a_threshold_asks_for_one_where_margins_are_to_decide() -> None:
    model = OneVsRestClassifier(LinearSVC()).fit(X, Y)
    with refused("run 'OneVsRestClassifier' has scores from"):
        cf.scorer("micro.F", response="decision_function")(model, X, Y)


# ── weights of samples ────────────────────────────────────────────────────────────────────────

WEIGHTS = np.random.default_rng(1).random(len(Y))


def test_weights_of_samples_weigh_items() -> None:
    model = OneVsRestClassifier(logistic()).fit(X, Y)
    theirs = get_scorer("f1_samples")(model, X, Y, sample_weight=WEIGHTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for weights in (WEIGHTS, pd.Series(WEIGHTS, index=WEIGHTS)):
            found = cf.scorer("example.F(undefined=0)")(model, X, Y, sample_weight=weights)
            same(found, theirs)
    for name in ("concept.AP", "micro.F"):
        with refused(f"{name} does not average over items, so sample_weight cannot weigh them"):
            cf.scorer(name)(model, X, Y, sample_weight=WEIGHTS)


def test_a_weighted_search_weighs_the_score_or_warns_that_it_does_not() -> None:
    grid: dict[str, Any] = {"max_depth": [2, 4]}
    forest = RandomForestClassifier(5, random_state=0)
    plain, weighted = (
        GridSearchCV(forest, grid, scoring=cf.scorer("example.F"), cv=3).fit(X, Y, **weights)
        for weights in ({}, {"sample_weight": WEIGHTS})
    )
    assert plain.best_score_ != weighted.best_score_
    for scoring in (cf.scorer("concept.AP"), {"AP": cf.scorer("concept.AP")}):
        search = GridSearchCV(forest, grid, scoring=scoring, refit=False, cv=3)
        with pytest.warns(UserWarning, match="does not support sample_weight"):
            search.fit(X, Y, sample_weight=WEIGHTS)


def test_metadata_routing_is_obeyed() -> None:
    model, cv = KNeighborsClassifier(), KFold(3)
    plain = cross_val_score(model, X, Y, scoring=cf.scorer("example.F"), cv=cv)
    by_hand = [
        cf.scorer("example.F")(model.fit(X[a], Y[a]), X[b], Y[b], sample_weight=WEIGHTS[b])
        for a, b in cv.split(X)
    ]
    with sklearn.config_context(enable_metadata_routing=True):
        same(cross_val_score(model, X, Y, scoring=cf.scorer("example.F"), cv=cv), plain)
        asked = {
            wish: cf.scorer("example.F").set_score_request(sample_weight=wish)
            for wish in (True, False, None, "importance")
        }
        options: dict[str, Any] = {"cv": cv, "params": {"sample_weight": WEIGHTS}}
        same(cross_val_score(model, X, Y, scoring=asked[True], **options), by_hand)
        both = {"heavy": asked[True], "plain": asked[False]}
        same(cross_validate(model, X, Y, scoring=both, **options)["test_plain"], plain)
        with pytest.raises(UnsetMetadataPassedError):
            cross_val_score(model, X, Y, scoring=asked[None], **options)
        options["params"] = {"importance": WEIGHTS}
        same(cross_val_score(model, X, Y, scoring=asked["importance"], **options), by_hand)
        several = {"F": asked["importance"], "AP": cf.scorer("concept.AP")}
        same(cross_validate(model, X, Y, scoring=several, **options)["test_F"], by_hand)
        search = GridSearchCV(model, {"n_neighbors": [5]}, scoring=asked["importance"], cv=cv)
        same(search.fit(X, Y, importance=WEIGHTS).best_score_, np.mean(by_hand))
        with refused("concept.AP does not average over items"):
            cf.scorer("concept.AP").set_score_request(sample_weight=True)


def test_stratified_folds_of_text_classes_score_every_class() -> None:
    scores = cross_val_score(
        logistic(), ONE_X, WORDS, scoring=cf.scorer("concept.AP(undefined=raise)"),
        cv=StratifiedKFold(4),
    )  # fmt: skip
    assert ((scores > 0.4) & (scores <= 1)).all()
