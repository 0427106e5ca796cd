"""How many documents hold words and pairs of words, and the distance that follows from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError, several
from cranfield.knowledge.provenance import Provenance


@dataclass(frozen=True)
class Counted:
    """What was counted for some words."""

    words: tuple[str, ...]
    documents: int
    """N: how many there are."""
    alone: Floats
    """(n,): h(x), the documents that hold each word."""
    together: Floats
    """(n, n): h(x, y), the documents that hold both; NaN where nobody counted them."""
    provenance: Provenance
    remarks: tuple[str, ...] = ()
    """What whoever asked should know."""

    def __post_init__(self) -> None:
        most = self.alone.max(initial=0.0)
        if most > self.documents:
            word = self.words[int(self.alone.argmax())]
            raise InputError(
                f"{word!r} is in {several(int(most), 'document')}, but there are only "
                f"{self.documents}; give the number of all documents"
            )


class DocumentCounts(Protocol):
    """Anything that can say how many documents hold words."""

    @property
    def name(self) -> str:
        """What the documents are called."""

    def count(self, words: Sequence[str]) -> Counted:
        """Count documents with each of some words and with each two of them."""


def nwd(counted: Counted) -> Floats:
    """(n, n): the Normalised Web Distance of all pairs.

    Cilibrasi & Vitányi 2007; Nowak 2011 eq 4.1:

    NWD(x, y) = (max(log h(x), log h(y)) − log h(x, y)) / (log N − min(log h(x), log h(y)))

    NaN for a word that is in no document, ∞ for words that are never together, 0 for a word and
    itself. Two words that are in all documents are at distance 0.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        singles = np.log(np.where(counted.alone > 0, counted.alone, np.nan))
        apart = np.maximum.outer(singles, singles) - np.log(counted.together)
        room = _log(counted.documents) - np.minimum.outer(singles, singles)
        distances: Floats = np.where((room == 0) & (apart <= 0), 0.0, apart / room)
    np.fill_diagonal(distances, np.where(np.isnan(singles), np.nan, 0.0))
    return distances


def _log(documents: int) -> float:
    """NumPy has no logarithm of a whole number beyond 64 bits."""
    return math.log(documents) if documents else -math.inf
