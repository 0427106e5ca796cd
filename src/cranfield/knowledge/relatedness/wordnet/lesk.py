"""LESK: relatedness by common phrases of extended glosses, as WordNet::Similarity defines it."""

from __future__ import annotations

from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, WordNetSource
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.gloss_overlaps import overlaps


class ExtendedLesk(WordNetSource):
    """Σ over pairs of texts of Σ (length of a common phrase)². Banerjee & Pedersen 2003.

    The texts of a sense are its definition and those of its hypernyms, hyponyms, holonyms,
    meronyms, attributes, pertainyms, similar adjectives and what to see also, one text for each
    relation; every text of one sense is compared with every one of the other. Own definition,
    examples and names are compared with each other too, except names with names. Function words do
    not count. 0 if there is nothing in common; unbounded, and larger where glosses are long, so
    that the value of a sense and itself says nothing about the scale.
    """

    name = "LESK"

    def _comparison(self, rows: Rows) -> Compare:
        scores = overlaps(self.wordnet.glosses, rows)
        return lambda columns: scores[:, columns]
