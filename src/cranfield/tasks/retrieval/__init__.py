"""Retrieval: annotations put to use. Queries over concepts, and what they find."""

from cranfield.tasks.retrieval.preferences import Preferences
from cranfield.tasks.retrieval.queries import NamedQuery, Query, concept_pairs, random_conjunctions
from cranfield.tasks.retrieval.searching import search

__all__ = ["NamedQuery", "Preferences", "Query", "concept_pairs", "random_conjunctions", "search"]
