"""What a scorer asks estimators, in which forms targets and answers come, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    KFold,
    cross_val_score,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import LinearSVC

import cranfield as cf
from adapters.models import (
    MULTI_LABEL,
    X,
    Y,
    logistic,
    same,
)
from nouns.small import refused

# ── responses ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "estimator", [DummyClassifier(), MULTI_LABEL["forest"], MULTI_LABEL["neighbours"]]
)
@pytest.mark.parametrize("constant", [0, 1])
def test_a_label_that_training_showed_one_way_only_is_certain_or_impossible(
    estimator: Any, constant: int
) -> None:
    labels = Y.copy()
    labels[:100, 2] = constant
    model = clone(estimator).fit(X[:100], labels[:100])
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
            "concept.AP looks at confidences, so a threshold changes nothing; leave it out",
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
