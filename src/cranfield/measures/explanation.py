"""Explanations: how the score of one item comes about, so that it can be followed by hand.

Whatever the measure, an explanation tells which labels are true and which were assigned, or where
the true ones stand in the ranking. Families that have more to tell add an explainer of their own,
which recomputes the score by the same rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.chart import Drawing
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Bools, Ints
from cranfield.core.result import Analysis
from cranfield.core.table import Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import several
from cranfield.kernels import Words
from cranfield.kernels.label_sets import unpack
from cranfield.knowledge import Rule
from cranfield.measures.registry import Measure

Side = Literal["assigned", "true"]
Unit = Literal["cost", "relatedness"]

_MANY = 4
"""Equal addends that are written out."""


@dataclass(frozen=True)
class Match:
    """What became of one label."""

    label: str
    side: Side
    """The set that it belongs to."""
    partner: str | None
    """The label of the other set that it was held against; None = there was none to take."""
    value: float
    """The cost or the relatedness of the two; 1 is the cost of a label without a partner."""
    agreement: float = 1.0
    """How far annotators agree on the true one, which the cost is multiplied by."""
    rules: tuple[Rule, ...] = ()
    """The rules that it breaks, which costs 1 whatever it could be matched with."""

    @property
    def counts(self) -> float:
        """What it adds to the sum."""
        return self.value * self.agreement

    def to_dict(self, unit: Unit) -> dict[str, Any]:
        return {
            "label": self.label,
            "side": self.side,
            "partner": self.partner,
            unit: self.value,
            "agreement": self.agreement,
            "counts": self.counts,
            "rules": [str(rule) for rule in self.rules],
        }


@dataclass(frozen=True)
class Place:
    """Where a true label stands in the ranking of its item."""

    label: str
    confidence: float | None
    """None = it was not retrieved."""
    first: int | None
    last: int | None
    """The places, counted from 1, that it shares with labels of equal confidence."""

    def __str__(self) -> str:
        if self.first is None:
            return "not retrieved"
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "confidence": self.confidence,
            "first": self.first,
            "last": self.last,
        }


@dataclass(frozen=True, repr=False)
class Explanation(Analysis):
    """How a measure comes to its score of one item of a run; labels in the truth's order."""

    title = "How a score comes about"

    run: str
    item: str
    measure: str
    score: float | None
    """NaN = the item is skipped; None = the measure does not score items one by one."""
    true: tuple[str, ...]
    assigned: tuple[str, ...]
    """What counts as assigned; nothing where a measure looks at the ranking alone."""
    arithmetic: tuple[str, ...]
    """The way to the score, in lines of words and numbers."""
    matches: tuple[Match, ...] = ()
    unit: Unit | None = None
    """What matches are measured in, if the measure makes any."""
    places: tuple[Place, ...] = ()
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further sets that the score is made of, by what they are."""
    terms: Terms = CONCEPTS

    @property
    def hits(self) -> tuple[str, ...]:
        """Labels that are true and assigned."""
        assigned = set(self.assigned)
        return tuple(name for name in self.true if name in assigned)

    @property
    def false(self) -> tuple[str, ...]:
        """Labels that were assigned and are not true."""
        true = set(self.true)
        return tuple(name for name in self.assigned if name not in true)

    @property
    def missed(self) -> tuple[str, ...]:
        """Labels that are true and were not assigned."""
        assigned = set(self.assigned)
        return tuple(name for name in self.true if name not in assigned)

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "run": self.run,
            "item": self.item,
            "measure": self.measure,
            "score": self.score,
            "true": list(self.true),
        }
        if self.places:
            facts["places"] = [rank.to_dict() for rank in self.places]
        else:
            facts |= {name: list(getattr(self, name)) for name in _SETS}
        if self.sets:
            facts["sets"] = {what: list(names) for what, names in self.sets.items()}
        if self.unit is not None:
            facts["matches"] = [match.to_dict(self.unit) for match in self.matches]
        return facts | {"arithmetic": list(self.arithmetic)}

    def _tables(self) -> list[Table]:
        from cranfield.measures.explanation_tables import explanation_tables, label_rows

        return [
            Table("labels", label_rows(self), audience="programs"),
            *explanation_tables(self, {}),
        ]

    def _charts(self) -> list[Drawing]:
        from cranfield.measures.explanation_drawing import explanation_drawing

        return [explanation_drawing(self, {})]


_SETS = ("assigned", "hits", "false", "missed")

Explainer = Callable[[Comparison, Measure, int], Explanation]
_explainers: dict[str, Explainer] = {}


def explains(*names: str) -> Callable[[Explainer], Explainer]:
    """Register how measures of these names explain a score."""

    def register(explainer: Explainer) -> Explainer:
        _explainers.update(dict.fromkeys(names, explainer))
        return explainer

    return register


def explain(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """How a measure scores the item in one row of the truth."""
    return _explainers.get(measure.name, plain)(comparison, measure, row)


def about(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """An explanation that knows what it is about, and nothing else yet."""
    return Explanation(
        run=comparison.run.name,
        item=comparison.truth.items[row],
        measure=str(measure),
        score=None,
        true=labels(comparison, members(comparison, comparison.true_sets, row)),
        assigned=(),
        arithmetic=(),
        terms=comparison.truth.terms,
    )


def members(comparison: Comparison, sets: Words, row: int) -> Bools:
    """(C,): which concepts are in the set of one item."""
    marked: Bools = unpack(sets[row : row + 1], comparison.truth.shape[1])[0]
    return marked


def concepts_by_id(comparison: Comparison, marked: Bools) -> Ints:
    """The columns that are marked in the order of their ids, in which scores pair them off."""
    order = canonical_order(comparison.truth.concept_axis)
    return order[marked[order]]


def labels(comparison: Comparison, marked: Bools) -> tuple[str, ...]:
    """The concepts that are marked; an ontology knows their names where the truth has none."""
    axis, ontology = comparison.truth.concept_axis, comparison.known.knowledge.ontology
    names = axis.names
    if axis.ids is None and ontology is not None and len(ontology.concepts) == axis.size:
        names = ontology.concepts
    return tuple(names[column] for column in np.flatnonzero(marked).tolist())


def settled(comparison: Comparison, measure: Measure, row: int, value: float) -> float:
    """The value itself, or what the measure takes for an item that has none."""
    return float(measure.units(comparison)[row]) if math.isnan(value) else value


def number(value: float) -> str:
    """At most four digits after the point."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def added(values: Iterable[float]) -> str:
    """Addends with plus signs; many equal ones in a row as a product."""
    terms = []
    for term, run in groupby(map(number, values)):
        count = len(list(run))
        terms += [f"{count} × {term}"] if count > _MANY else count * [term]
    return " + ".join(terms)


def equation(what: str, formula: str, value: float) -> str:
    """What comes to which value, and how."""
    shown = "undefined, and left out of the mean" if math.isnan(value) else number(value)
    return " = ".join(filter(None, (what, formula, shown)))


# ── measures that have nothing else to tell ───────────────────────────────────────────────────


def plain(comparison: Comparison, measure: Measure, row: int) -> Explanation:
    """Hits and mistakes, or where the true labels stand."""
    found = about(comparison, measure, row)
    if measure.traits.direction == "example":
        found = replace(found, score=float(measure.units(comparison)[row]))
    if measure.traits.prediction != "decisions":
        places = _places(comparison, row, found.true)
        none = () if places else ("no label is true",)
        return replace(found, places=places, arithmetic=(*none, *_outcome(measure, found)))
    assigned = members(comparison, comparison.assigned_sets, row)
    found = replace(found, assigned=labels(comparison, assigned))
    counts = (
        f"{several(len(found.hits), 'hit')}, {len(found.false)} false, {len(found.missed)} missed"
    )
    return replace(found, arithmetic=(counts, *_outcome(measure, found)))


def _outcome(measure: Measure, found: Explanation) -> tuple[str, ...]:
    score, terms = found.score, found.terms
    if score is None:
        kinds = {"concept": terms.concepts, "confusion": "all classes together"}
        units = kinds.get(measure.traits.direction, "all cells together")
        return (f"{measure} scores {units}, so no {terms.item} has a score of its own",)
    if math.isnan(score):
        return (f"{measure} is undefined here, and the {terms.item} is skipped",)
    return measure.definition.formula, f"{measure} = {number(score)}"


def _places(comparison: Comparison, row: int, true: Sequence[str]) -> tuple[Place, ...]:
    """Where the true labels stand, the best first."""
    confidences = comparison.confidences(row)
    values = np.array(list(confidences.values()))
    columns = np.flatnonzero(members(comparison, comparison.true_sets, row)).tolist()
    result = []
    for label, column in zip(true, columns, strict=True):
        confidence = confidences.get(column)
        if confidence is None:
            result.append(Place(label, None, None, None))
        else:
            above = int(np.count_nonzero(values > confidence))
            level = int(np.count_nonzero(values == confidence))
            result.append(Place(label, confidence, above + 1, above + level))
    return tuple(sorted(result, key=lambda place: place.first or math.inf))
