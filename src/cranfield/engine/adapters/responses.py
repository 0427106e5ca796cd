"""Responses: what scikit-learn's estimators answer, as matrices of items by concepts.

Multi-label targets are matrices already, but their probabilities may come as a list with an array
for each label. Classes become concepts: one for each, or, of two classes, the second alone. What a
regressor answers is taken as it is.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, as_array
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten


class Target(Protocol):
    """The truth of some items, and how to read what an estimator says of them."""

    truth: Truth

    def predicted(self, answer: Any) -> Any:
        """What `predict` answered."""

    def confidences(self, answer: Any) -> Any:
        """What `predict_proba` or `decision_function` answered."""


def target_of(estimator: Any, y: Any) -> Target:
    """A vector is read as classes if the estimator knows some, else as one column of labels."""
    classes = getattr(estimator, "classes_", None)
    if hasattr(y, "reset_index"):
        # Rows align with predictions by position; their index may hold an id twice.
        y = y.reset_index(drop=True)
    shape = y.shape if hasattr(y, "shape") else np.shape(y)
    single = len(shape) == 1 or shape[1:] == (1,)
    if single and isinstance(classes, np.ndarray):
        return _Classes(_plain(y).ravel(), classes)
    return _Labels(y if len(shape) == 2 else _plain(y)[:, None], classes)


def numbers_of(y: Any) -> Target:
    """Numbers that a regressor should hit."""
    return _Numbers(y)


class _Numbers:
    """One number, or several, for each item."""

    def __init__(self, y: Any) -> None:
        self.truth = Truth(targets=self.predicted(y))

    def predicted(self, answer: Any) -> Any:
        matrix = _plain(answer)
        return matrix[:, None] if matrix.ndim == 1 else matrix

    confidences = predicted


class _Classes:
    """One class for each item."""

    def __init__(self, y: NDArray[Any], classes: NDArray[Any]) -> None:
        if len(classes) < 2:
            raise InputError(
                f"the estimator has seen one class only, {classes.tolist()}; "
                "train it on items of both"
            )
        self.classes = classes
        concepts = None if len(classes) == 2 else classes.tolist()
        self.truth = Truth(self._one_of_each(y), concepts=concepts)

    def predicted(self, answer: Any) -> Any:
        return self._one_of_each(_plain(answer).ravel())

    def confidences(self, answer: Any) -> Any:
        matrix = _plain(answer)
        if len(self.classes) == 2:
            return matrix[:, None] if matrix.ndim == 1 else matrix[:, 1:]
        if matrix.ndim != 2 or matrix.shape[1] != len(self.classes):
            raise InputError(
                f"the estimator answered an array of shape {matrix.shape} for "
                f"{len(self.classes)} classes; let it give one column for each"
            )
        return matrix

    def _one_of_each(self, y: NDArray[Any]) -> Bools:
        """(N, K) of classes, or (N, 1) of the second of two."""
        order = np.argsort(self.classes)
        places = np.searchsorted(self.classes, y, sorter=order)
        places = order[np.minimum(places, len(order) - 1)]
        unknown = self.classes[places] != y
        if unknown.any():
            raise InputError(
                "the estimator has not seen these classes: "
                f"{first_ten(map(str, np.unique(y[unknown])))}; split so that it sees all of them"
            )
        one = np.zeros((len(y), len(order)), dtype=np.bool_)
        one[np.arange(len(y)), places] = True
        return one[:, 1:] if len(order) == 2 else one


class _Labels:
    """Several labels for each item, or one that is there or not."""

    def __init__(self, y: Any, classes: Any) -> None:
        self.classes = classes
        self.truth = Truth(y)

    def predicted(self, answer: Any) -> Any:
        return self._matrix(answer)

    def confidences(self, answer: Any) -> Any:
        return self._matrix(self._joined(answer) if isinstance(answer, list) else answer)

    def _matrix(self, answer: Any) -> Any:
        matrix = _plain(answer)
        return matrix[:, None] if matrix.ndim == 1 else matrix

    def _joined(self, answers: list[Any]) -> NDArray[Any]:
        """Column by column the probability of class 1, whichever classes training showed."""
        if not isinstance(self.classes, list) or len(self.classes) != len(answers):
            raise InputError(
                "the estimator answered a list of probabilities without a list classes_ that says "
                "what their columns are; give it one, or choose another response="
            )
        return np.column_stack(
            [
                _plain(answer)[:, np.flatnonzero(np.asarray(classes) == 1)].sum(axis=1)
                for answer, classes in zip(answers, self.classes, strict=True)
            ]
        )


def _plain(array: Any) -> NDArray[Any]:
    return as_array("y", array.toarray() if hasattr(array, "toarray") else array)
