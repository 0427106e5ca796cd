"""Public names of retrieval."""

from cranfield.tasks.retrieval.preferences import Preferences as Preferences
from cranfield.tasks.retrieval.queries import NamedQuery as NamedQuery
from cranfield.tasks.retrieval.queries import Query as Query
from cranfield.tasks.retrieval.queries import concept_pairs as concept_pairs
from cranfield.tasks.retrieval.queries import random_conjunctions as random_conjunctions
from cranfield.tasks.retrieval.searching import search as search
