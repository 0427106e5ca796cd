"""What WordNet says about synsets: definitions, examples and names, as sequences of numbered words.

Words are written small and without punctuation, names as WordNet spells them. Words that are to be
left out are taken away before anything is compared, so that what stood on either side of them
becomes neighbours.
"""

from __future__ import annotations

import re

from cranfield.caching import cached_property
from cranfield.knowledge.relatedness.wordnet.database import Database
from cranfield.knowledge.relatedness.wordnet.function_words import FUNCTION_WORDS
from cranfield.knowledge.relatedness.wordnet.neighbours import Neighbours

_RELATIONS = {
    "hypernyms": ("@", "@i"),
    "hyponyms": ("~", "~i"),
    "holonyms": ("#m", "#s", "#p"),
    "meronyms": ("%m", "%s", "%p"),
    "also see": ("^",),
    "attributes": ("=",),
    "pertainyms": ("\\",),
    "similar": ("&",),
}
_EXAMPLE = re.compile(r'"([^"]*)"')
_PUNCTUATION = re.compile(r"""[.;:,?!(){}"`$%@<>]|(?<!\w)'|'(?!\w)|--""")

STOP_LISTS: dict[str, frozenset[str]] = {"none": frozenset(), "english": FUNCTION_WORDS}
"""Words that can be left out, by name."""

Phrase = tuple[int, ...]


class Glosses:
    """The texts of a WordNet, without the words of a stop list."""

    def __init__(self, database: Database, stop: str = "none") -> None:
        self._database = database
        self._stop = STOP_LISTS[stop]
        self._numbers: dict[str, int] = {}
        self._definitions: dict[int, Phrase] = {}

    @cached_property
    def related(self) -> dict[str, Neighbours]:
        """Synsets whose definitions count as well, by how they are related."""
        links, size = self._database.links, len(self._database)
        return {
            name: Neighbours(*links.between(*kinds), size) for name, kinds in _RELATIONS.items()
        }

    def definition(self, row: int) -> Phrase:
        if row not in self._definitions:
            self._definitions[row] = self._phrase(self._database.gloss(row).partition('"')[0])
        return self._definitions[row]

    def examples(self, row: int) -> list[Phrase]:
        return [self._phrase(text) for text in _EXAMPLE.findall(self._database.gloss(row))]

    def names(self, row: int) -> list[Phrase]:
        """Each name of a synset as one word, whatever it is made of."""
        return [(self._number(word),) for word in self._database.words(row)]

    def _phrase(self, text: str) -> Phrase:
        words = _PUNCTUATION.sub(" ", text.lower()).split()
        return tuple(self._number(word) for word in words if word not in self._stop)

    def _number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers))
