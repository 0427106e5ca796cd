"""scikit-learn: a measure as a scorer for `cross_val_score`, `GridSearchCV` and their kin.

Measures of rankings and of probabilities ask an estimator for `predict_proba`, else for
`decision_function`; measures of label sets and of regression for `predict`. A scorer keeps the
spelling of its measure, not the measure, so that it can be pickled and sent to other processes.
scikit-learn maximises, so a measure whose lower values are better is negated.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, as_array
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import InputError, MeasureError, first_ten
from cranfield.measures import Measure, measure

Response = Literal["predict_proba", "decision_function", "predict"]


def scorer(
    spelling: str | Measure,
    *,
    threshold: float | Sequence[float] | None = None,
    response: Response | None = None,
) -> Scorer:
    """A measure as a scikit-learn scorer.

    threshold  decide by confidences that reach it instead of by `predict`: one number, or one for
               each concept; for measures of label sets
    response   the method to ask, instead of the first of predict_proba and decision_function for
               rankings, and of predict for label sets
    """
    return Scorer(str(measure(spelling)), threshold, response)


@dataclass(repr=False)
class Scorer:
    """What `scorer` returns: call it with an estimator, X and y."""

    spelling: str
    threshold: float | Sequence[float] | None = None
    response: Response | None = None
    sample_weight: bool | str | None = None
    """What scikit-learn's metadata routing was asked to do with sample_weight."""

    def __post_init__(self) -> None:
        if self.measure.traits.better == "neither":
            raise MeasureError(
                f"{self.spelling} is a property of the truth, so no estimator is better by it; "
                "choose another measure"
            )
        if self.threshold is not None and self._ranks:
            raise InputError(
                f"{self.spelling} looks at confidences, so a threshold changes nothing; leave it "
                "out"
            )
        if self.response not in (None, *get_args(Response)):
            raise InputError(
                f"response={self.response!r}; choose {', '.join(get_args(Response))} or None"
            )

    @property
    def measure(self) -> Measure:
        return measure(self.spelling)

    @property
    def _ranks(self) -> bool:
        """Whether confidences are looked at as they are, without decisions."""
        return self.measure.traits.prediction != "decisions"

    @property
    def _numeric(self) -> bool:
        return self.measure.traits.relevance == "numeric"

    @property
    def _sign(self) -> float:
        return 1.0 if self.measure.traits.higher_is_better else -1.0

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        if sample_weight is not None:
            self._require_items()
            # By position, as scikit-learn cuts them, whatever index they kept.
            sample_weight = {"items": np.asarray(sample_weight)}
        target = numbers_of(y) if self._numeric else target_of(estimator, y)
        run = self._run(estimator, X, target)
        result = evaluate(target.truth, run, self.spelling, weights=sample_weight)
        return self._sign * result[run.name, self.spelling]

    def _run(self, estimator: Any, X: Any, target: Target) -> Run:
        method = self.response or self._first_of(estimator)
        answer = getattr(estimator, method)(X)
        matrix = target.predicted(answer) if method == "predict" else target.confidences(answer)
        name = type(estimator).__name__
        if method == "predict" and not self._ranks and self.threshold is None:
            return Run(labels=matrix, name=name, copy=False)
        return Run(matrix, name=name, threshold=self.threshold, copy=False)

    def _first_of(self, estimator: Any) -> str:
        if self._numeric or (not self._ranks and self.threshold is None):
            return "predict"
        for method in ("predict_proba", "decision_function"):
            if hasattr(estimator, method):
                return method
        raise InputError(
            f"{self.spelling} needs confidences, but {type(estimator).__name__} has neither "
            "predict_proba nor decision_function; take another estimator or measure, or rank by "
            'what it predicts with response="predict"'
        )

    def __repr__(self) -> str:
        options = "".join(
            f", {name}={value!r}"
            for name, value in (("threshold", self.threshold), ("response", self.response))
            if value is not None
        )
        return f"{'' if self._sign > 0 else 'negated '}scorer({self.spelling!r}{options})"

    # ── weights of samples ────────────────────────────────────────────────────────────────────

    def set_score_request(self, *, sample_weight: bool | str | None) -> Scorer:
        """Say what metadata routing shall do with sample_weight, as for scikit-learn's scorers."""
        if sample_weight:
            self._require_items()
        self.sample_weight = sample_weight
        return self

    def get_metadata_routing(self) -> Any:
        """What scikit-learn asks a scorer when metadata routing is on; nobody else does."""
        routing: Any = sys.modules["sklearn.utils.metadata_routing"]
        request = routing.MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.sample_weight)
        return request

    def _accept_sample_weight(self) -> bool:
        """What scikit-learn asks a scorer when metadata routing is off."""
        return self.measure.traits.direction == "example"

    def _require_items(self) -> None:
        if not self._accept_sample_weight():
            raise InputError(
                f"{self.spelling} does not average over items, so sample_weight cannot weigh them; "
                "leave it out, or choose a measure example.…"
            )


# Responses: what scikit-learn's estimators answer, as matrices of items by concepts.
#
# Multi-label targets are matrices already, but their probabilities may come as a list with an array
# for each label. Classes become concepts: one for each, or, of two classes, the second alone. What
# a regressor answers is taken as it is.


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
