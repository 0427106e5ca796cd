"""Weights of samples: given by hand, by a search, and by scikit-learn's metadata routing."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier

import cranfield as cf
from adapters.models import (
    X,
    Y,
    logistic,
    same,
)
from nouns.small import refused

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
