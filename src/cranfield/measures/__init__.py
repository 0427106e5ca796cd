"""Measures: one file for each family, a registry, and names that round-trip.

Importing this package registers every family; a new family is one more import below.
"""

from cranfield.measures import (  # noqa: F401  (registers the families)
    calibration,
    concept_ranks,
    concept_sets,
    confusion,
    cross_entropy,
    diversity,
    example_ranks,
    example_sets,
    hierarchical_distances,
    hierarchical_explanations,
    hierarchical_sets,
    incomplete,
    information,
    probability,
    regression,
    retrieval,
    semantic,
    semantic_explanations,
)
from cranfield.measures.definition import Average, Definition, Option, Traits
from cranfield.measures.explanation import Explanation
from cranfield.measures.registry import Measure, measure, measures

__all__ = [
    "Average",
    "Definition",
    "Explanation",
    "Measure",
    "Option",
    "Traits",
    "measure",
    "measures",
]
