"""Data to learn from, and estimators of scikit-learn under short names for them.

A learner gets features in the form it needs:

    encoded     each category becomes a column of 0 and 1
    scaled      the same, and numbers get mean 0 and variance 1, learned from the training part
    dense       encoded, for estimators that take no sparse matrices
    categories  every feature is a category; whole numbers are taken as such

Which categories there are is taken from all items: it belongs to the features, like their names,
and says nothing about classes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.axes import Axis
from cranfield.core.frames import Frame, read_frame
from cranfield.core.matrices import Floats, Ints, as_array
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError, first_ten, several

Params = Mapping[str, Any]


def library(module: str) -> Any:
    """A module of scikit-learn, or of joblib and threadpoolctl that come with it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(
            f"this needs scikit-learn, the extra learn ({error}); pip install 'cranfield[learn]'"
        ) from None


class Dataset:
    """A table of features, numbers or categories, and a class for each of its lines.

    features    (N, F) numbers; of a feature with categories, their places among these
    classes     one for each item, names or whole numbers; a Series aligns with a frame of features
                by its index
    names       of the features; default: 1, 2, 3, …
    categories  of features that have some: their names, in the order of the places
    name        what to call it
    """

    def __init__(
        self,
        features: Any,
        classes: Any,
        *,
        names: Sequence[str] | None = None,
        categories: Mapping[str, Sequence[str]] | None = None,
        name: str = "data",
    ) -> None:
        frame = read_frame("features", features)
        self.features = _numbers(features, frame)
        axis = Axis("item", len(self.features)) if frame is None else frame.item_axis
        self.classes = as_array(
            "the classes", unit_values("the classes", classes, axis, "the features")
        )
        count = self.features.shape[1]
        self.names = tuple(map(str, range(1, count + 1) if names is None else names))
        self.categories = {key: tuple(of) for key, of in (categories or {}).items()}
        self.name = name
        self._require_fit()

    def __repr__(self) -> str:
        items, features = self.features.shape
        return f"Dataset({self.name!r}, {items} items, {features} features)"

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """The columns of features that are numbers, and of those that are categories."""
        is_category = np.array([name in self.categories for name in self.names])
        return np.flatnonzero(~is_category), np.flatnonzero(is_category)

    @cached_property
    def digest(self) -> str:
        """Hash of features and classes, line by line."""
        told = repr((self.names, sorted(self.categories.items()), self.classes.tolist()))
        data = told.encode() + np.ascontiguousarray(self.features).tobytes()
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    def _require_fit(self) -> None:
        items, count = self.features.shape
        if self.classes.shape != (items,):
            raise InputError(
                f"there are {several(items, 'item')} and classes of shape {self.classes.shape}; "
                "give one class for each item"
            )
        if not count:
            raise InputError("there are no features; give at least one")
        if len(set(self.names)) != count:
            raise InputError(
                f"there are {several(count, 'feature')}; name each of them once, got "
                f"{first_ten(self.names)}"
            )
        unknown = sorted(set(self.categories) - set(self.names))
        if unknown:
            raise InputError(f"categories of unknown features: {first_ten(unknown)}")
        for name, known in self.categories.items():
            column = self.features[:, self.names.index(name)]
            if not np.isin(column, np.arange(len(known))).all():
                raise InputError(
                    f"feature {name!r} has {len(known)} categories; write their places, from 0 to "
                    f"{len(known) - 1}"
                )


def _numbers(values: Any, frame: Frame | None) -> Floats:
    if frame is not None and frame.missing is not None:
        raise InputError("the features miss a value; fill it in, or leave the item out")
    array = as_array("features", values if frame is None else frame.values)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise InputError(
            f"features have shape {array.shape} and hold {array.dtype}; give numbers, a row for "
            "each item, or read a file with cf.formats.read_dataset"
        )
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0]
        raise InputError(
            f"features: row {row + 1}, column {column + 1} holds {numbers[row, column]}; fill in "
            "what is missing, or leave the item out"
        )
    return numbers


# ── learners ──────────────────────────────────────────────────────────────────────────────────


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
    kind = LEARNERS[name]
    make = getattr(library(f"sklearn.{kind.module}"), kind.kind)
    names = make().get_params()
    unknown = [key for key in params if key not in names]
    if unknown:
        raise InputError(
            f"{name} has no parameter {unknown[0]!r}; its parameters: {', '.join(sorted(names))}"
        )
    chosen = {**kind.defaults, **params}
    if kind.features == "categories":
        values = [np.unique(_categories(data, index)) for index in range(len(data.names))]
        # A category that no item of a training part has is possible all the same.
        chosen = {"min_categories": [len(part) for part in values], **chosen}
        encoder = library("sklearn.preprocessing").OrdinalEncoder(categories=values, dtype=np.int64)
        return _pipeline(encoder, make(**chosen))
    return _pipeline(_preparation(data, kind.features), make(**chosen))


def _categories(data: Dataset, index: int) -> Any:
    """A feature as categories: its own, or whole numbers."""
    name, column = data.names[index], data.features[:, index]
    if name not in data.categories and not (column == np.floor(column)).all():
        raise InputError(
            f"naive_bayes counts categories, and feature {name!r} holds fractions such as "
            f"{column[column != np.floor(column)][0]:g}; take gaussian_nb, or declare it "
            "categorical"
        )
    return column


def _preparation(data: Dataset, form: str) -> Any:
    """What turns numbers and places of categories into the form needed; None if nothing must be."""
    numbers, categories = data.places
    preprocessing = library("sklearn.preprocessing")
    steps: list[tuple[str, Any, Any]] = []
    if len(numbers):
        scaling = preprocessing.StandardScaler() if form == "scaled" else "passthrough"
        steps.append(("numbers", scaling, numbers))
    if len(categories):
        codes = [np.arange(len(data.categories[data.names[index]])) for index in categories]
        steps.append(("categories", preprocessing.OneHotEncoder(categories=codes), categories))
    if not len(categories) and form != "scaled":
        return None
    threshold = 0.0 if form == "dense" else 0.3
    return library("sklearn.compose").ColumnTransformer(steps, sparse_threshold=threshold)


def _pipeline(preparation: Any, estimator: Any) -> Any:
    if preparation is None:
        return estimator
    return library("sklearn.pipeline").make_pipeline(preparation, estimator)
