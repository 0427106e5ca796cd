"""Data to learn from in tests: iris, which scikit-learn brings, and files of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris

IRIS: NDArray[np.float64]
SPECIES: NDArray[np.str_]
IRIS, _PLACES = load_iris(return_X_y=True)
SPECIES = load_iris().target_names[_PLACES]


def write_iris(path: Path) -> Path:
    lines = [
        ",".join([*map(str, row), name]) for row, name in zip(IRIS.tolist(), SPECIES, strict=True)
    ]
    path.write_text("\n".join(["sepal,width,petal,broad,species", *lines]) + "\n")
    return path


class Always(ClassifierMixin, BaseEstimator):
    """Says the same whatever it sees."""

    def __init__(self, answer: Any = "setosa") -> None:
        self.answer = answer

    def fit(self, features: Any, classes: Any) -> Always:
        self.classes_ = np.unique(classes)
        return self

    def predict(self, features: Any) -> NDArray[Any]:
        return np.array([self.answer] * len(features))


class Failing(Always):
    """Cannot learn."""

    def fit(self, features: Any, classes: Any) -> Always:
        raise RuntimeError("out of ideas")
