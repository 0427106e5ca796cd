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
from typing import Any, Literal, get_args

import numpy as np

from cranfield.core.run import Run
from cranfield.engine import evaluate
from cranfield.engine.adapters.responses import Target, numbers_of, target_of
from cranfield.errors import InputError, MeasureError
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
