"""Learners: estimators of scikit-learn under short names, with the features in the form they need.

    encoded     each category becomes a column of 0 and 1
    scaled      the same, and numbers get mean 0 and variance 1, learned from the training part
    dense       encoded, for estimators that take no sparse matrices
    categories  every feature is a category; whole numbers are taken as such

Which categories there are is taken from all items: it belongs to the features, like their names,
and says nothing about classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from cranfield.errors import InputError
from cranfield.tasks.classes.monte_carlo.dataset import Dataset
from cranfield.tasks.classes.monte_carlo.learning import library

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Learner:
    """Where an estimator is, and what it takes."""

    module: str
    kind: str
    features: Literal["encoded", "scaled", "dense", "categories"] = "encoded"
    defaults: Params = field(default_factory=dict)


LEARNERS = {
    "naive_bayes": Learner("naive_bayes", "CategoricalNB", "categories"),
    "gaussian_nb": Learner("naive_bayes", "GaussianNB", "dense"),
    "decision_tree": Learner("tree", "DecisionTreeClassifier"),
    "random_forest": Learner("ensemble", "RandomForestClassifier"),
    "boosting": Learner("ensemble", "HistGradientBoostingClassifier", "dense"),
    "logistic": Learner("linear_model", "LogisticRegression", "scaled", {"max_iter": 1000}),
    "knn": Learner("neighbors", "KNeighborsClassifier", "scaled"),
    "svm": Learner("svm", "SVC", "scaled"),
    "majority": Learner("dummy", "DummyClassifier", defaults={"strategy": "most_frequent"}),
    "chance": Learner("dummy", "DummyClassifier", defaults={"strategy": "stratified"}),
}


def learner(name: str, params: Params, data: Dataset) -> Any:
    """A new estimator for the features of these data."""
    known = LEARNERS[name]
    make = getattr(library(f"sklearn.{known.module}"), known.kind)
    names = make().get_params()
    unknown = [key for key in params if key not in names]
    if unknown:
        raise InputError(
            f"{name} has no parameter {unknown[0]!r}; its parameters: {', '.join(sorted(names))}"
        )
    chosen = {**known.defaults, **params}
    if known.features == "categories":
        values = [np.unique(_categories(data, place)) for place in range(len(data.names))]
        # A category that no item of a training part has is possible all the same.
        chosen = {"min_categories": [len(one) for one in values], **chosen}
        encoder = library("sklearn.preprocessing").OrdinalEncoder(categories=values, dtype=np.int64)
        return _pipeline(encoder, make(**chosen))
    return _pipeline(_preparation(data, known.features), make(**chosen))


def _categories(data: Dataset, place: int) -> Any:
    """A feature as categories: its own, or whole numbers."""
    name, column = data.names[place], data.features[:, place]
    if name not in data.categories and not (column == np.floor(column)).all():
        raise InputError(
            f"naive_bayes counts categories, and feature {name!r} holds fractions such as "
            f"{column[column != np.floor(column)][0]:g}; take gaussian_nb, or declare it "
            "categorical"
        )
    return column


def _preparation(data: Dataset, form: str) -> Any:
    """What turns numbers and places of categories into the form wanted; None if nothing must be."""
    numbers, categories = data.places
    preprocessing = library("sklearn.preprocessing")
    steps: list[tuple[str, Any, Any]] = []
    if len(numbers):
        scaling = preprocessing.StandardScaler() if form == "scaled" else "passthrough"
        steps.append(("numbers", scaling, numbers))
    if len(categories):
        known = [np.arange(len(data.categories[data.names[place]])) for place in categories]
        steps.append(("categories", preprocessing.OneHotEncoder(categories=known), categories))
    if not len(categories) and form != "scaled":
        return None
    threshold = 0.0 if form == "dense" else 0.3
    return library("sklearn.compose").ColumnTransformer(steps, sparse_threshold=threshold)


def _pipeline(preparation: Any, estimator: Any) -> Any:
    if preparation is None:
        return estimator
    return library("sklearn.pipeline").make_pipeline(preparation, estimator)
