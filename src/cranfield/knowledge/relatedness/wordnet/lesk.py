"""LESK: relatedness by common phrases of extended glosses, as WordNet::Similarity defines it."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from cranfield.errors import InputError
from cranfield.knowledge.maps import Provenance
from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, WordNetSource
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.gloss_overlaps import overlaps
from cranfield.knowledge.relatedness.wordnet.glosses import STOP_LISTS
from cranfield.knowledge.relatedness.wordnet.wordnet import WordNet


class ExtendedLesk(WordNetSource):
    """Σ over pairs of texts of Σ (length of a common phrase)². Banerjee & Pedersen 2003.

    The texts of a sense are its definition and those of its hypernyms, hyponyms, holonyms,
    meronyms, attributes, pertainyms, similar adjectives and what to see also, one text for each
    relation; every text of one sense is compared with every one of the other. Own definition,
    examples and names are compared with each other too, except names with names. 0 if there is
    nothing in common; unbounded, and larger where glosses are long, so that the value of a sense
    and itself says nothing about the scale.

    stop  words that do not count: "none" are left out, as by WordNet::Similarity's default, or the
          function words of English ("english")
    """

    name = "LESK"

    def __init__(
        self,
        wordnet: WordNet | Path | Traversable | str | None = None,
        *,
        stop: Literal["none", "english"] = "none",
    ) -> None:
        if stop not in STOP_LISTS:
            raise InputError(f"LESK: stop={stop!r}; choose one of {', '.join(STOP_LISTS)}")
        super().__init__(wordnet)
        self.stop = stop

    @property
    def provenance(self) -> Provenance:
        base = super().provenance
        return replace(base, source=f"{base.source}, stop={self.stop}")

    def _comparison(self, rows: Rows) -> Compare:
        scores = overlaps(self.wordnet.glosses(self.stop), rows)
        return lambda columns: scores[:, columns]
