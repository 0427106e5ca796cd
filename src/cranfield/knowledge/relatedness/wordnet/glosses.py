"""What WordNet says about synsets: definitions, examples and names, as sequences of numbered words.

Words are written small and without punctuation, names as WordNet spells them. Words that are to be
left out are taken away before anything is compared, so that what stood on either side of them
becomes neighbours.

Vectors of senses: the company that the words of a gloss keep in all glosses.

Words are base forms without function words. Those that occur fewer than 5 or more than 1000 times
in all glosses are left out: the rare ones have no company to speak of, the frequent ones are in
everybody's. Two words co-occur once for each time they stand in one gloss; a word, with itself too.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.knowledge.relatedness.wordnet.database import PARTS, Database, Rows, WordForms
from cranfield.knowledge.relatedness.wordnet.taxonomy import Neighbours

_DETERMINERS = """
    a an the this that these those each every either neither any some such another other both all
    enough few fewer many more most several own sundry various
"""
_PRONOUNS = """
    i me mine myself you yours yourself yourselves he him his himself she her hers herself it its
    itself we us our ours ourselves they them their theirs themselves oneself who whom whose whoever
    what whatever which whichever somebody someone something anybody anyone anything everybody
    everyone nobody none nothing there self
"""
_PREPOSITIONS = """
    about above across after against along alongside amid among amongst around as at before behind
    below beneath beside besides between beyond by concerning considering despite down during except
    excluding following for from in including inside into like minus near of off on onto opposite
    outside over past per plus regarding round since than through throughout till to toward towards
    under underneath unlike until up upon versus via with within without
"""
_CONJUNCTIONS = """
    and or but nor so yet if because although though unless while whereas when notwithstanding
    otherwise somewhat
"""

FUNCTION_WORDS = frozenset(
    (_DETERMINERS + _PRONOUNS + _PREPOSITIONS + _CONJUNCTIONS).split(),
)


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


_WORD = re.compile(r"[a-z0-9]+")
_LEAST, _MOST = 5, 1000


class GlossVectors:
    """The vectors of all synsets of a WordNet."""

    def __init__(self, database: Database) -> None:
        self._size = len(database)
        self._forms = WordForms(database)
        glosses, words = self._words(database)
        used, words = np.unique(words, return_inverse=True)
        self.dimensions = len(used)
        self._words_of = Neighbours(glosses, words, self._size)
        self._glosses_of = Neighbours(words, glosses, self.dimensions)

    def of(self, rows: Rows) -> NDArray[np.float32]:
        """(rows, dimensions): how often the words of each gloss co-occur with each word."""
        vectors = np.zeros((len(rows), self.dimensions), dtype=np.float32)
        for i, row in enumerate(rows):
            words = self._words_of.reached(np.array([row]))
            _, glosses = self._glosses_of.of(words)
            _, company = self._words_of.of(glosses)
            vectors[i] = np.bincount(company, minlength=self.dimensions)
        return vectors

    def _words(self, database: Database) -> tuple[Rows, Rows]:
        """All words of all glosses that count: in which gloss, and which word."""
        numbers: dict[str, int] = {}
        lengths: list[int] = []
        words: list[int] = []
        for row in range(self._size):
            text = database.gloss(row).lower().replace("'", "")
            numbered = [numbers.setdefault(word, len(numbers)) for word in _WORD.findall(text)]
            words += numbered
            lengths.append(len(numbered))
        glosses = np.repeat(np.arange(self._size), lengths)
        base = self._base_forms(list(numbers))[np.array(words)]
        counts = np.bincount(base[base >= 0], minlength=1)
        frequent = (base >= 0) & (counts[base] >= _LEAST) & (counts[base] <= _MOST)
        return glosses[frequent], base[frequent]

    def _base_forms(self, words: list[str]) -> Rows:
        """The number of the base form of each word; −1 for function words."""
        numbers: dict[str, int] = {}
        forms = [self._base(word) for word in words]
        return np.array(
            [
                -1 if {word, form} & FUNCTION_WORDS else numbers.setdefault(form, len(numbers))
                for word, form in zip(words, forms, strict=True)
            ]
        )

    def _base(self, word: str) -> str:
        """The base form of a word where there is one; of a noun, where there are several."""
        forms = {(form, part) for part in PARTS for form in self._forms.base(word, part)}
        if len(forms) > 1:
            forms = {(form, part) for form, part in forms if part == "n"}
        return next(iter(forms))[0] if len(forms) == 1 else word
