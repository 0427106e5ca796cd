"""Knowledge about concepts: ontologies, rules, cost maps, relatedness and agreement.

What a label costs when it is wrong, and which labels cannot stand together. Nothing here looks at
scores; measures use it through `Known`, which puts it into the order of a truth's columns.
"""

from cranfield.knowledge.closing import Closure, Contradiction
from cranfield.knowledge.hierarchy import Hierarchy
from cranfield.knowledge.known import Knowledge, Known
from cranfield.knowledge.maps import (
    AgreementMap,
    ConceptMap,
    CostMap,
    RelatednessMap,
)
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.repair import Change, Repair
from cranfield.knowledge.rules import Constraints, Disjoint, Implication, Required, Rule
from cranfield.knowledge.violations import Violation

__all__ = [
    "AgreementMap",
    "Change",
    "Closure",
    "ConceptMap",
    "Constraints",
    "Contradiction",
    "CostMap",
    "Disjoint",
    "Hierarchy",
    "Implication",
    "Knowledge",
    "Known",
    "Ontology",
    "Provenance",
    "RelatednessMap",
    "Repair",
    "Required",
    "Rule",
    "Violation",
]
