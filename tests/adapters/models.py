"""Models and data that scorers are tried on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from problems import EXACT

X, Y = make_multilabel_classification(
    150, n_features=8, n_classes=4, allow_unlabeled=False, random_state=3
)
ONE_X, CLASSES = make_classification(
    200, n_features=8, n_informative=6, n_classes=3, random_state=5
)
WORDS = np.array(["cat", "dog", "emu"])[CLASSES]
YES = np.where(CLASSES == 1, "no", "yes")


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


@cache
def fitted(estimator: str) -> Any:
    """A multi-label model that has learnt from the first hundred items; nobody changes it."""
    return clone(MULTI_LABEL[estimator]).fit(X[:100], Y[:100])


def same(found: Any, wanted: Any) -> None:
    assert np.asarray(found) == pytest.approx(np.asarray(wanted), rel=EXACT, abs=EXACT)


def columns_of_class_one(answer: Any) -> Any:
    """What scikit-learn's metrics take: one column for each label."""
    return np.column_stack([one[:, 1] for one in answer]) if isinstance(answer, list) else answer
