"""How many documents hold words and pairs of words, and the distance that follows from it.

Counting the pages that link to pages: a page is a document, and a link to a page mentions it.

One pass over the links. What stays is 8 bytes for each link to a page that is asked for, the titles
of the pages that have such links, and, unless the number of pages is given, the titles of all.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

import numpy as np

from cranfield.core.matrices import Cells, Floats
from cranfield.core.pair_counts import pair_counts
from cranfield.core.truth import Truth
from cranfield.errors import InputError, several
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.source import Fingerprint, fingerprint
from cranfield.knowledge.relatedness.spelling import Names


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


class TruthCounts:
    """Counts of the items that carry concepts; what nobody judged is not carried."""

    def __init__(self, truth: Truth, *, name: str = "truth") -> None:
        self.name = name
        self._truth = truth
        self._names = Names(truth.concepts)

    def count(self, words: Sequence[str]) -> Counted:
        places = [self._names.place(word) for word in words]
        covered = np.array([column is not None for column in places], dtype=np.bool_)
        columns, back = np.unique(
            np.array([column for column in places if column is not None], dtype=np.int64),
            return_inverse=True,
        )
        together: Floats = np.zeros((len(words), len(words)))
        together[np.ix_(covered, covered)] = pair_counts(self._truth.matrix, columns)[
            np.ix_(back, back)
        ]
        items = self._truth.shape[0]
        provenance = Provenance(
            f"items of {self.name}:{self._truth.digest[:8]} that carry the concepts",
            date.today().isoformat(),
            {"items": items},
        )
        return Counted(tuple(words), items, together.diagonal().copy(), together, provenance)


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

    def _pair(self, first: int, second: int) -> float:
        return self._together.get(frozenset((first, second)), np.nan)


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


class Links(NamedTuple):
    """Some links: the titles of the pages where they are, and of those where they lead."""

    sources: Sequence[bytes]
    targets: Sequence[bytes]


class LinkGraph(Protocol):
    """Links between pages, handed out some at a time, as often as asked."""

    @property
    def name(self) -> str: ...

    @property
    def origin(self) -> str:
        """Where they come from: a file, and what of it."""

    def links(self) -> Iterator[Links]: ...


class LinkCounts:
    """Counts of the pages that link to pages.

    A word is the title of a page, which begins with a capital letter or not; beside that, case
    matters. Redirects are not followed.

    pages  how many there are; default: all that link or are linked to
    """

    def __init__(self, graph: LinkGraph, *, pages: int | None = None) -> None:
        self._graph = graph
        self._pages = pages

    @property
    def name(self) -> str:
        return self._graph.name

    def count(self, words: Sequence[str]) -> Counted:
        places: dict[bytes, list[int]] = {}
        for place, word in enumerate(words):
            for title in _titles(word):
                places.setdefault(title, []).append(place)
        linking: dict[bytes, int] = {}
        pages: set[bytes] = set()
        codes, read = array("q"), Fingerprint(2)
        for links in self._graph.links():
            if self._pages is not None:
                pages.clear()  # these few at a time show whether the number can be right
            pages.update(links.sources, links.targets)
            self._require_room(len(pages))
            read.add(*(b"".join(title + b"\n" for title in end) for end in links))
            for source, target in zip(links.sources, links.targets, strict=True):
                if target in places:
                    row = linking.setdefault(source, len(linking))
                    codes.extend(row * len(words) + place for place in places[target])
        known = np.unique(np.frombuffer(codes, dtype=np.int64))
        matrix = Cells((len(linking), len(words)), known, np.ones(len(known), dtype=np.bool_))
        counts = pair_counts(matrix, np.arange(len(words))).astype(np.float64)
        total = len(pages) if self._pages is None else self._pages
        provenance = Provenance(
            f"pages of {self._graph.origin} that link to the words; links {read}",
            date.today().isoformat(),
            {"pages": total, "links": len(known)},
        )
        return Counted(tuple(words), total, counts.diagonal(), counts, provenance)

    def _require_room(self, pages: int) -> None:
        if self._pages is not None and pages > self._pages:
            raise InputError(
                f"{self.name} has links between {pages} pages or more, but pages={self._pages}; "
                "give the number of all pages"
            )


def _titles(word: str) -> set[bytes]:
    """How the title of a page may be written."""
    title = " ".join(word.replace("_", " ").split())
    return {form.encode(errors="replace") for form in (title, title[:1].upper() + title[1:])}
