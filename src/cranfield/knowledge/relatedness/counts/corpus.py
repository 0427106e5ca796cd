"""Counting the documents of a corpus, in one pass.

Text comes in blocks, which are looked through by several threads; what stays is the counts. Where
several texts make one document, as the captions of one image, 8 bytes for each word that a document
mentions stay too, and the names of the documents, so that these may come in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from cranfield.core.matrices import Cells, Ints
from cranfield.core.pair_counts import pair_counts
from cranfield.errors import first_ten, several
from cranfield.kernels import share, worker_count
from cranfield.kernels.text import number_names
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.counted import Counted
from cranfield.knowledge.relatedness.counts.vocabulary import Finder, Mentions
from cranfield.knowledge.relatedness.source import Fingerprint, fingerprint
from cranfield.knowledge.relatedness.spelling import (
    Forms,
    phrases_of,
    require_forms,
    require_synonyms,
    unasked,
)


class Passages(NamedTuple):
    """Some texts of a corpus."""

    text: bytes
    """UTF-8, each text on a line that ends with a newline."""
    keys: list[str] | None = None
    """The document that each text belongs to; None if each is one."""


class Corpus(Protocol):
    """Texts, handed out a few at a time, as often as asked."""

    @property
    def name(self) -> str: ...

    @property
    def origin(self) -> str:
        """Where they come from: a file, and what of it."""

    def passages(self) -> Iterator[Passages]: ...


class CorpusCounts:
    """Counts of the documents of a corpus.

    synonyms  further ways to say a word: a document that holds any of them holds the word; case
              does not matter, and blanks may stand for underscores
    forms     "number": the singular and the plural of the last word count alike; "exact"
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        synonyms: Mapping[str, Sequence[str]] | None = None,
        forms: Forms = "number",
    ) -> None:
        require_synonyms(synonyms or {})
        require_forms(forms)
        self._corpus = corpus
        self._synonyms = synonyms or {}
        self._forms: Forms = forms

    @property
    def name(self) -> str:
        return self._corpus.name

    def count(self, words: Sequence[str]) -> Counted:
        finder = Finder(phrases_of(words, self._synonyms, self._forms), len(words))
        tally, texts, read = _Tally(len(words)), 0, Fingerprint(2)
        for passages, mentions in _searched(finder, self._corpus.passages()):
            texts += sum(one.documents for one in mentions)
            tally.add(passages, mentions)
            for one in passages:
                read.add(one.text, "".join(f"{key}\n" for key in one.keys or ()).encode())
        counts = tally.finished().astype(np.float64)
        provenance = Provenance(
            f"documents of {self._corpus.origin} that hold the words ({self._how}); texts {read}",
            date.today().isoformat(),
            {"documents": tally.documents, "texts": texts, "words": len(words)},
        )
        return Counted(
            tuple(words),
            tally.documents,
            counts.diagonal(),
            counts,
            provenance,
            self._remarks(words),
        )

    @property
    def _how(self) -> str:
        """What holds a word."""
        if not self._synonyms:
            return f"forms {self._forms}"
        known = fingerprint((word, *others) for word, others in self._synonyms.items())
        return f"forms {self._forms}, synonyms of {several(len(self._synonyms), 'word')} {known}"

    def _remarks(self, words: Sequence[str]) -> tuple[str, ...]:
        idle = unasked(self._synonyms, words)
        if not idle:
            return ()
        return (
            f"synonyms of {several(len(idle), 'word')} that nothing is looked up by: "
            f"{first_ten(idle)}",
        )


def _searched(
    finder: Finder, passages: Iterable[Passages]
) -> Iterator[tuple[list[Passages], list[Mentions]]]:
    """Passages and what they mention, as many at a time as there are threads to search them."""
    rest = iter(passages)
    while batch := list(islice(rest, 4 * worker_count())):
        yield batch, _found(finder, [one.text for one in batch])


def _found(finder: Finder, texts: Sequence[bytes]) -> list[Mentions]:
    mentions: dict[int, Mentions] = {}

    def work(places: range) -> None:
        mentions.update((place, finder.find(texts[place])) for place in places)

    share(len(texts), 1, work)
    return [mentions[place] for place in range(len(texts))]


class _Tally:
    """Documents with words and pairs of words, as far as they were looked through."""

    def __init__(self, words: int) -> None:
        self._columns = np.arange(words)
        self._counts = np.zeros((words, words), dtype=np.int64)
        self._ungrouped = 0
        self._groups: dict[str, int] = {}
        self._open = _Growing()

    @property
    def documents(self) -> int:
        return self._ungrouped + len(self._groups)

    def add(self, passages: Sequence[Passages], mentions: Sequence[Mentions]) -> None:
        whole, first = [np.empty(0, dtype=np.int64)], 0
        for passage, found in zip(passages, mentions, strict=True):
            if passage.keys is None:
                whole.append(found.codes + first * len(self._columns))
                first += found.documents
            else:
                self._open.add(self._regrouped(found.codes, passage.keys))
        self._ungrouped += first
        self._counts += self._together(np.concatenate(whole), first)

    def finished(self) -> Ints:
        """(n, n): documents with each two words; on the diagonal, with each word."""
        return self._counts + self._together(self._open.finished(), len(self._groups))

    def _regrouped(self, codes: Ints, keys: list[str]) -> Ints:
        groups = number_names(keys, self._groups)
        texts, words = np.divmod(codes, max(1, len(self._columns)))
        return groups[texts] * len(self._columns) + words

    def _together(self, codes: Ints, documents: int) -> Ints:
        shape = (documents, len(self._columns))
        return pair_counts(Cells(shape, codes, np.ones(len(codes), dtype=np.bool_)), self._columns)


class _Growing:
    """Numbers that come in any order, some of them again; each is kept once."""

    def __init__(self) -> None:
        self._kept: Ints = np.empty(0, dtype=np.int64)
        self._new: list[Ints] = []
        self._size = 0

    def add(self, numbers: Ints) -> None:
        self._new.append(numbers)
        self._size += len(numbers)
        if self._size > max(1 << 20, len(self._kept)):
            self.finished()

    def finished(self) -> Ints:
        """All numbers, ascending."""
        self._kept = np.unique(np.concatenate([self._kept, *self._new]))
        self._new, self._size = [], 0
        return self._kept
