"""The scorer: scikit-learn's own tools take it, and it agrees with scikit-learn's own scorers."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import get_scorer, hamming_loss, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import cranfield as cf
from adapters.models import (
    CLASSES,
    MULTI_LABEL,
    ONE_X,
    WORDS,
    YES,
    X,
    Y,
    columns_of_class_one,
    fitted,
    logistic,
    same,
)
from cranfield.engine.scikit_learn import Scorer

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
    model = fitted(estimator)
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
    model = fitted(estimator)
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


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("log_loss(reduce=mean)", "neg_log_loss"), ("brier", "neg_brier_score")],
)
def test_measures_of_probabilities_take_predict_proba(name: str, theirs: str) -> None:
    y = CLASSES == 1
    found = cross_val_score(logistic(), ONE_X, y, scoring=cf.scorer(name))
    same(found, cross_val_score(logistic(), ONE_X, y, scoring=theirs))


@pytest.mark.parametrize("y", [X[:, 0] / 3, X[:, :2], pd.Series(X[:, 0])], ids=["1", "2", "Series"])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("concept.MSE", "neg_mean_squared_error"),
        ("concept.RMSE", "neg_root_mean_squared_error"),
        ("concept.MAE", "neg_mean_absolute_error"),
        ("concept.R2", "r2"),
    ],
)
def test_measures_of_regression_take_what_a_regressor_predicts(
    name: str, theirs: str, y: Any
) -> None:
    found = cross_val_score(Ridge(), X[:, 2:], y, scoring=cf.scorer(name))
    same(found, cross_val_score(Ridge(), X[:, 2:], y, scoring=theirs))


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
def test_scorers_say_what_they_are_and_survive_pickling(made: Scorer, text: str) -> None:
    assert repr(made) == text
    assert pickle.loads(pickle.dumps(made)) == made
    assert clone(made, safe=False) == made


def test_stratified_folds_of_text_classes_score_every_class() -> None:
    scores = cross_val_score(
        logistic(), ONE_X, WORDS, scoring=cf.scorer("concept.AP(undefined=raise)"),
        cv=StratifiedKFold(4),
    )  # fmt: skip
    assert ((scores > 0.4) & (scores <= 1)).all()
