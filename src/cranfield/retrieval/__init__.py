"""Retrieval: annotations put to use. Queries over concepts, and what they find."""

from cranfield.retrieval.preferences import Preferences
from cranfield.retrieval.queries import NamedQuery, Query
from cranfield.retrieval.query_sets import concept_pairs, random_conjunctions
from cranfield.retrieval.searching import search

__all__ = ["NamedQuery", "Preferences", "Query", "concept_pairs", "random_conjunctions", "search"]
