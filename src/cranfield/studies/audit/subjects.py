"""Subjects: what is audited. A registered measure with its options, or anybody's own function.

A function takes a truth, an (N, C) array of booleans, and what was said of it, an array of the same
shape: booleans for decisions, numbers for confidences and values. It returns a number, or an array
of unit scores whose mean counts; NaN is undefined, and so is whatever raises an error.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import mean
from cranfield.errors import CranfieldError, InputError
from cranfield.knowledge import Known, Ontology
from cranfield.measures import Measure, measure
from cranfield.studies.audit.kinds import (
    Classes,
    Confidences,
    Decisions,
    Kind,
    Lists,
    Numbers,
    Stack,
    Values,
)
from cranfield.studies.audit.own_ontology import FIRST, SPARE, knowledge_for, own_ontology

Said = Literal["decisions", "confidences", "values"]
Better = Literal["higher", "lower", "neither"]
Function = Callable[[Any, Any], Any]


class TimeUpError(Exception):
    """No more scores are made; what was not looked at by now stays unknown."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A measure under audit; `score` is all that can be asked of it."""

    name: str
    kind: Kind
    better: Better
    range: tuple[float, float]
    measure: Measure | None = None
    function: Function | None = None
    ontology: Ontology | None = None
    """What measures of meaning know."""
    complaints: list[str] = field(default_factory=list)
    """What went wrong where a score is undefined, each once."""
    until: float = math.inf
    """When no more scores are made, by the monotonic clock."""

    @property
    def sign(self) -> float:
        return -1.0 if self.better == "lower" else 1.0

    @property
    def best(self) -> float:
        """The end of the declared range that perfect predictions should reach."""
        return self.range[0] if self.better == "lower" else self.range[1]

    @property
    def worst(self) -> float:
        return self.range[1] if self.better == "lower" else self.range[0]

    def concepts(self, count: int) -> tuple[str, ...]:
        """Names of the concepts of small collections."""
        if self.ontology is not None:
            return FIRST[:count]
        return tuple(chr(ord("A") + place) for place in range(count))

    @property
    def spare_concept(self) -> str:
        return "Z" if self.ontology is None else SPARE

    @property
    def most_concepts(self) -> int:
        """How many there are names for."""
        return 24 if self.ontology is None else len(FIRST)

    def scores(
        self, truth: Stack, said: Stack, items: Sequence[str], concepts: Sequence[str]
    ) -> Floats:
        """The score of each of several predictions beside one truth; NaN = undefined.

        Raises `TimeUpError` when there is no more time.
        """
        score = self._own if self.measure is None else self._registered(truth, items, concepts)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # what is undefined is reported as such
            return np.array([self._tried(score, truth, one) for one in said])

    def _tried(self, score: Callable[[Stack, Stack], float], truth: Stack, said: Stack) -> float:
        if time.monotonic() > self.until:
            raise TimeUpError
        try:
            return score(truth, said)
        except CranfieldError as error:
            complaint = str(error)
        except (Exception, SystemExit) as error:  # somebody's own function may raise anything
            complaint = f"{type(error).__name__}: {error}"
        if complaint not in self.complaints:
            self.complaints.append(complaint)
        return math.nan

    def _own(self, truth: Stack, said: Stack) -> float:
        assert self.function is not None
        values = np.asarray(self.function(truth.copy(), said.copy()), dtype=np.float64)
        defined = values[~np.isnan(values)]
        return float(defined.mean()) if defined.size else math.nan

    def _registered(
        self, labels: Stack, items: Sequence[str], concepts: Sequence[str]
    ) -> Callable[[Stack, Stack], float]:
        one = self.measure
        assert one is not None
        numeric = self.kind.name == "numbers"
        truth = Truth(
            None if numeric else labels,
            targets=labels if numeric else None,
            items=items,
            concepts=concepts,
        )
        known = None
        if self.ontology is not None:
            known = Known(truth.concept_axis, knowledge_for(one, self.ontology))
        unjudged = one.options["unjudged"]

        def score(_: Stack, said: Stack) -> float:
            decided = said.dtype == np.bool_
            run = Run(
                None if decided else said,
                labels=said if decided else None,
                items=items,
                concepts=concepts,
            )
            comparison = Comparison(truth, run, unjudged=unjudged, known=known)
            return mean(one.units(comparison), None, one.traits.average)[0]

        return score


def subject_of(
    given: Any,
    *,
    prediction: Said | None = None,
    range: tuple[float, float] | None = None,
    better: Better | None = None,
    lists: Lists | None = None,
) -> Subject:
    """A measure, its spelling, a function, or where to find one: "module:function"."""
    declared = {"prediction": prediction, "range": range, "better": better, "lists": lists}
    if callable(given):
        return _own_subject(given, _named(given), declared)
    if isinstance(given, str) and ":" in given:
        return _own_subject(_imported(given), given, declared)
    told = [name for name, value in declared.items() if value is not None]
    if told:
        raise InputError(
            f"{given} declares its {told[0]} itself; leave {told[0]}= out, which is for functions"
        )
    return _registered_subject(measure(given))


def _registered_subject(one: Measure) -> Subject:
    traits = one.traits
    kind: Kind
    if traits.direction == "confusion":
        kind = Classes()
    elif traits.relevance == "numeric":
        kind = Numbers()
    elif traits.prediction == "confidences":
        lists = one.definition.lists
        assert lists != "confusion"
        kind = Confidences(lists)
    else:
        kind = Values() if traits.prediction == "values" else Decisions()
    ontology = own_ontology() if one.definition.knowledge else None
    return Subject(str(one), kind, traits.better, traits.range, measure=one, ontology=ontology)


def _own_subject(function: Function, name: str, declared: dict[str, Any]) -> Subject:
    prediction: Said = declared["prediction"] or "decisions"
    better: Better = declared["better"] or "higher"
    lists: Lists = declared["lists"] or "concept"
    for option, value, choices in (
        ("prediction", prediction, get_args(Said)),
        ("better", better, get_args(Better)),
        ("lists", lists, get_args(Lists)),
    ):
        if value not in choices:
            raise InputError(f"{option}={value!r}; choose {', '.join(choices)}")
    low, high = declared["range"] or (0.0, 1.0)
    if not low < high:
        raise InputError(f"range=({low:g}, {high:g}); give the lowest and the highest score")
    kinds = {"decisions": Decisions(), "confidences": Confidences(lists), "values": Values()}
    return Subject(name, kinds[prediction], better, (low, high), function=function)


def _named(function: Function) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _imported(place: str) -> Function:
    """The function of "module:function"; modules of the working folder count too."""
    module, _, name = place.partition(":")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # importing runs the module, which may raise anything
        raise InputError(
            f"{place}: module {module!r} cannot be imported ({type(error).__name__}: {error}); "
            "name one that Python finds from here"
        ) from None
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise InputError(f"{place}: {module} has no function {name!r}; write module:function")
    return found  # type: ignore[no-any-return]
