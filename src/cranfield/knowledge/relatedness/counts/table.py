"""Counts that somebody else made: a table of documents with words and pairs of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.errors import InputError, several
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.counted import Counted
from cranfield.knowledge.relatedness.fingerprints import fingerprint
from cranfield.knowledge.relatedness.naming import Names


class CountTable:
    """Counts of documents, as they were found.

    documents  how many there are
    alone      documents with each word
    together   documents with two words, in either order; a pair that is not there is not known
    origin     where they come from; default: the name
    """

    def __init__(
        self,
        documents: int,
        alone: Mapping[str, int],
        together: Mapping[tuple[str, str], int],
        *,
        name: str = "counts",
        origin: str | None = None,
    ) -> None:
        self.name = name
        self._origin = origin or name
        self._documents = documents
        self._names = Names(alone)
        self._alone = np.array(list(alone.values()), dtype=np.float64)
        counts: dict[tuple[str, ...], int] = {(word,): count for word, count in alone.items()}
        counts.update(((one, other), count) for (one, other), count in together.items())
        for words, count in counts.items():
            why = complaint(words, count, documents, alone)
            if why:
                raise InputError(f"{name}: {why}; mend one of the counts")
        self._fingerprint = fingerprint([documents, *counts.items()])
        place = {word: i for i, word in enumerate(alone)}
        self._together = {
            frozenset((place[one], place[other])): count for (one, other), count in together.items()
        }

    def count(self, words: Sequence[str]) -> Counted:
        places = [self._names.place(word) for word in words]
        alone = np.array([0.0 if at is None else self._alone[at] for at in places])
        together = np.full((len(words), len(words)), np.nan)
        for i, one in enumerate(places):
            for j, other in enumerate(places[:i]):
                if one is None or other is None:
                    continue
                known = self._alone[one] if one == other else self._pair(one, other)
                together[i, j] = together[j, i] = known
        np.fill_diagonal(together, alone)
        counts = {"documents": self._documents, "words": len(self._alone)}
        provenance = Provenance(
            f"counts of {self._origin}; counts {self._fingerprint}", counts=counts
        )
        return Counted(tuple(words), self._documents, alone, together, provenance)

    def _pair(self, one: int, other: int) -> float:
        return self._together.get(frozenset((one, other)), np.nan)


def complaint(
    words: tuple[str, ...], count: int, documents: int, alone: Mapping[str, int]
) -> str | None:
    """What is wrong with a count of documents that hold one or two words; None if nothing is.

    alone  documents with each word
    """
    said = f"{' and '.join(map(repr, words))} in {several(count, 'document')}"
    if count < 0:
        return f"{said}; write a whole number, 0 or more"
    if count > documents:
        return f"{said}, but there are only {documents}"
    for word in words:
        if word not in alone:
            return f"{said}, but nobody counted {word!r} alone"
        if count > alone[word]:
            return f"{said}, but {word!r} is in {alone[word]} only"
    fewest = sum(alone[word] for word in words) - (len(words) - 1) * documents
    if count < fewest:
        return f"{said}, but of {documents} documents at least {fewest} must hold both"
    return None
