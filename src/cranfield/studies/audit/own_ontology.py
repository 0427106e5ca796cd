"""The small ontology that measures of meaning are audited with, and maps made from it.

Three levels of things, each of which needs the one above it, and two concepts that exclude each
other: enough to be near or far, above or below, and at odds. In a second form only the lowest nodes
are concepts, and those above give order. A map that a spelling names, as in
OS-FTS or SRP(relatedness=FTS), is made from the hierarchy; what is audited is the measure.
"""

from __future__ import annotations

from functools import cache

from cranfield.knowledge import CostMap, Knowledge, Ontology, RelatednessMap
from cranfield.knowledge.hierarchy import Parents
from cranfield.knowledge.known import HIERARCHICAL
from cranfield.knowledge.rules import Disjoint
from cranfield.measures import Measure

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
    asked = measure.definition.knowledge
    named = {option: measure.options.get(option) or "" for option in ("costs", "relatedness")}
    costs: dict[str, CostMap] | None = None
    relatedness: dict[str, RelatednessMap] | None = None
    if named["costs"] not in ("", *HIERARCHICAL):
        costs = {named["costs"]: _costs(ontology)}
    if "relatedness" in asked and named["relatedness"] not in HIERARCHICAL:
        values = 1.0 - _costs(ontology).values
        name = named["relatedness"]
        relatedness = {name: RelatednessMap(values, ontology.concepts, name=name)}
    return Knowledge.given(ontology=ontology, costs=costs, relatedness=relatedness)


def _costs(ontology: Ontology) -> CostMap:
    return ontology.cost_map("flat", "DDMC")
