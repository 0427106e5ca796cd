"""Subjects: what is audited. A registered measure with its options, or anybody's own function.

A function takes a truth, an (N, C) array of booleans, and what was predicted, an array of the same
shape: booleans for decisions, numbers for confidences and values. It returns a number, or an array
of unit scores whose mean counts; NaN is undefined, and so is whatever raises an error.

Measures of meaning are audited with a small ontology. Three levels of things, each of which needs
the one above it, and two concepts that exclude each other: enough to be near or far, above or
below, and at odds. In a second form only the lowest nodes are concepts, and those above give order.
A map that a spelling names, as in OS-FTS or SRP(relatedness=FTS), is made from the hierarchy; what
is audited is the measure.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, get_args

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.core.user_code import import_member
from cranfield.engine.evaluation import mean
from cranfield.errors import CranfieldError, InputError
from cranfield.knowledge import CostMap, Knowledge, Known, Ontology, RelatednessMap
from cranfield.knowledge.hierarchy import Parents
from cranfield.knowledge.known import HIERARCHICAL
from cranfield.knowledge.rules import Disjoint
from cranfield.measures import Measure, measure
from cranfield.measures.registry import declared_by
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
        return tuple(chr(ord("A") + path) for path in range(count))

    @property
    def spare_concept(self) -> str:
        return "Z" if self.ontology is None else SPARE

    @property
    def most_concepts(self) -> int:
        """How many there are names for."""
        return 24 if self.ontology is None else len(FIRST)

    def scores(
        self, truth: Stack, predicted: Stack, items: Sequence[str], concepts: Sequence[str]
    ) -> Floats:
        """The score of each of several predictions beside one truth; NaN = undefined.

        Raises `TimeUpError` when there is no more time.
        """
        score = self._own if self.measure is None else self._registered(truth, items, concepts)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # what is undefined is reported as such
            return np.array([self._tried(score, truth, row) for row in predicted])

    def _tried(
        self, score: Callable[[Stack, Stack], float], truth: Stack, predicted: Stack
    ) -> float:
        if time.monotonic() > self.until:
            raise TimeUpError
        try:
            return score(truth, predicted)
        except CranfieldError as error:
            complaint = str(error)
        except (Exception, SystemExit) as error:  # somebody's own function may raise anything
            complaint = f"{type(error).__name__}: {error}"
        if complaint not in self.complaints:
            self.complaints.append(complaint)
        return math.nan

    def _own(self, truth: Stack, predicted: Stack) -> float:
        assert self.function is not None
        values = np.asarray(self.function(truth.copy(), predicted.copy()), dtype=np.float64)
        defined = values[~np.isnan(values)]
        return float(defined.mean()) if defined.size else math.nan

    def _registered(
        self, labels: Stack, items: Sequence[str], concepts: Sequence[str]
    ) -> Callable[[Stack, Stack], float]:
        scored = self.measure
        assert scored is not None
        numeric = self.kind.name == "numbers"
        truth = Truth(
            None if numeric else labels,
            targets=labels if numeric else None,
            items=items,
            concepts=concepts,
        )
        knowledge = None
        if self.ontology is not None:
            knowledge = Known(truth.concept_axis, knowledge_for(scored, self.ontology))
        unjudged = scored.options["unjudged"]

        def score(_: Stack, predicted: Stack) -> float:
            decided = predicted.dtype == np.bool_
            run = Run(
                None if decided else predicted,
                labels=predicted if decided else None,
                items=items,
                concepts=concepts,
            )
            comparison = Comparison(truth, run, unjudged=unjudged, known=knowledge)
            return mean(scored.units(comparison), None, scored.traits.average)[0]

        return score


def subject_of(
    audited: Any,
    *,
    prediction: Said | None = None,
    range: tuple[float, float] | None = None,
    better: Better | None = None,
    lists: Lists | None = None,
) -> Subject:
    """A measure, its spelling, a function, or where to find one: "module:function"."""
    declared = {"prediction": prediction, "range": range, "better": better, "lists": lists}
    name = audited
    if isinstance(audited, str) and ":" in audited:
        audited = import_member(audited)
    elif callable(audited):
        name = _named(audited)
    if callable(audited):
        scored = declared_by(audited)
        if scored is None:
            return _own_subject(audited, name, declared)
        audited = scored
    names = [name for name, value in declared.items() if value is not None]
    if names:
        raise InputError(
            f"{audited} declares its {names[0]} itself",
            mend=f"leave {{{names[0]}}} out, which is for functions",
        )
    return _registered_subject(measure(audited))


def _registered_subject(scored: Measure) -> Subject:
    traits = scored.traits
    kind: Kind
    if traits.direction == "confusion":
        kind = Classes()
    elif traits.relevance == "numeric":
        kind = Numbers()
    elif traits.prediction == "confidences":
        lists = scored.definition.lists
        assert lists != "confusion"
        kind = Confidences(lists)
    else:
        kind = Values() if traits.prediction == "values" else Decisions()
    return Subject(
        str(scored),
        kind,
        traits.better,
        traits.range,
        measure=scored,
        ontology=own_ontology() if scored.definition.knowledge else None,
    )


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


# ── what measures of meaning know ────────────────────────────────────────────────────────────────


FIRST = ("day", "night", "living", "animal", "plant", "dog", "cat", "thing")
"""Concepts of small collections, in the order in which they join."""
SPARE = "vehicle"
"""A concept of none of them."""


_PARENTS: Parents = {
    **dict.fromkeys(("day", "night", "living", "thing"), ()),
    **dict.fromkeys(("animal", "plant"), ("living",)),
    **dict.fromkeys(("building", "vehicle", "furniture"), ("thing",)),
    **dict.fromkeys(("dog", "cat"), ("animal",)),
    **dict.fromkeys(("tree", "flower"), ("plant",)),
    **dict.fromkeys(("church", "house"), ("building",)),
}


@cache
def own_ontology(*, categories: bool = False) -> Ontology:
    """Day or night, and two branches of things; what stands above others is a concept, or not."""
    above = {name for names in _PARENTS.values() for name in names}
    return Ontology(
        parents=_PARENTS,
        concepts=tuple(name for name in _PARENTS if not (categories and name in above)),
        disjoint=(Disjoint(("day", "night")),),
        name="small",
    )


def knowledge_for(measure: Measure, ontology: Ontology) -> Knowledge:
    """What a measure needs to know: the ontology, and the maps that its options name."""
    needs = measure.definition.knowledge
    named = {option: measure.options.get(option) or "" for option in ("costs", "relatedness")}
    costs: dict[str, CostMap] | None = None
    relatedness: dict[str, RelatednessMap] | None = None
    if named["costs"] not in ("", *HIERARCHICAL):
        costs = {named["costs"]: _costs(ontology)}
    if "relatedness" in needs and named["relatedness"] not in HIERARCHICAL:
        values = 1.0 - _costs(ontology).values
        name = named["relatedness"]
        relatedness = {name: RelatednessMap(values, ontology.concepts, name=name)}
    return Knowledge.given(ontology=ontology, costs=costs, relatedness=relatedness)


def _costs(ontology: Ontology) -> CostMap:
    return ontology.cost_map("flat", "DDMC")
