"""Vectors of senses: the company that the words of a gloss keep in all glosses.

Words are base forms without function words. Those that occur fewer than 5 or more than 1000 times
in all glosses are left out: the rare ones have no company to speak of, the frequent ones are in
everybody's. Two words co-occur once for each time they stand in one gloss; a word, with itself too.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from cranfield.knowledge.relatedness.wordnet.database import PARTS, Database, Rows
from cranfield.knowledge.relatedness.wordnet.function_words import FUNCTION_WORDS
from cranfield.knowledge.relatedness.wordnet.neighbours import Neighbours
from cranfield.knowledge.relatedness.wordnet.word_forms import WordForms

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
            found = [numbers.setdefault(word, len(numbers)) for word in _WORD.findall(text)]
            words += found
            lengths.append(len(found))
        glosses = np.repeat(np.arange(self._size), lengths)
        base = self._base_forms(list(numbers))[np.array(words)]
        counts = np.bincount(base[base >= 0], minlength=1)
        kept = (base >= 0) & (counts[base] >= _LEAST) & (counts[base] <= _MOST)
        return glosses[kept], base[kept]

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
