"""A table of labels: which of an ontology's concepts each item has, whoever says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology


@dataclass(frozen=True)
class LabelTable:
    """Labels of items, with their ids."""

    labels: Bools
    items: tuple[str, ...]
    concepts: tuple[str, ...]
    unjudged: Bools | None = None
    """The cells of a truth that nobody judged; None = there are none."""


def label_table(ontology: Ontology, given: Any) -> LabelTable:
    """The labels of a truth, of a run, or of a matrix over the ontology's concepts."""
    if not isinstance(given, Truth | Run):
        given = Truth(given, copy=False)
    concepts = concept_ids(ontology, given.concept_axis)
    if isinstance(given, Run):
        return LabelTable(dense(given.assigned), given.items, concepts)
    unjudged = None if given.judged is None else ~dense(given.judged)
    return LabelTable(given.labels, given.items, concepts, unjudged)


def concept_ids(ontology: Ontology, axis: Axis) -> tuple[str, ...]:
    """The concepts along an axis, all of them known; without ids they follow the ontology."""
    if axis.ids is None:
        if axis.size != len(ontology.concepts):
            raise InputError(
                f"{several(axis.size, 'column')} without names, and {ontology.name} has "
                f"{several(len(ontology.concepts), 'concept')}; name them with concepts="
            )
        return ontology.concepts
    assignable = set(ontology.concepts)
    unknown = [name for name in axis.ids if name not in assignable]
    if unknown:
        order = [name for name in unknown if name in ontology.parents]
        hint = f" ({first_ten(order)} only give order there)" if order else ""
        raise InputError(
            f"{several(len(unknown), 'concept')} that {ontology.name} does not know: "
            f"{first_ten(unknown)}{hint}; use the ontology's ids, or add them to it"
        )
    return axis.ids
