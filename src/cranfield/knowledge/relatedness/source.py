"""A source of relatedness: anything that says how closely two words are related.

Every source has a scale of its own, higher is closer; NaN says that it does not know a word. A
concept is looked up by one word or by several (`words=`), of which the most closely related count.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.core.axes import as_ids
from cranfield.core.matrices import Bools, Floats
from cranfield.errors import InputError, first_ten, several
from cranfield.knowledge.maps import Normalisation, Provenance, RelatednessMap

_SHOWN = 8
"""Digits, as maps and ontologies show of their hashes."""


class Fingerprint:
    """A hash of what is read, whatever the blocks in which it comes.

    columns  kinds of things that are read side by side, such as texts and the names of documents
    """

    def __init__(self, columns: int = 1) -> None:
        self._hashes = [hashlib.blake2b(digest_size=16) for _ in range(columns)]

    def add(self, *blocks: bytes) -> None:
        """One block for each column."""
        for digest, block in zip(self._hashes, blocks, strict=True):
            digest.update(block)

    def __str__(self) -> str:
        whole = b"".join(known.digest() for known in self._hashes)
        return hashlib.blake2b(whole, digest_size=16).hexdigest()[:_SHOWN]


def fingerprint(things: Iterable[object]) -> str:
    """Of a few things, whatever their order."""
    digest = Fingerprint()
    digest.add("\n".join(sorted(map(repr, things))).encode())
    return str(digest)


Words = Mapping[str, Sequence[str]]
"""The words, or senses such as dog#n#1, by which each concept is looked up."""


@dataclass(frozen=True)
class Coverage:
    """What a source knows of some concepts."""

    concepts: tuple[str, ...]
    unknown: tuple[str, ...]
    """Concepts none of whose words the source knows."""
    unrelated: int
    """Pairs of known concepts about which it says nothing."""

    def __str__(self) -> str:
        covered = len(self.concepts) - len(self.unknown)
        text = f"{covered} of {several(len(self.concepts), 'concept')} known"
        if self.unknown:
            text += f", not {first_ten(self.unknown)}"
        return text + (f"; nothing about {several(self.unrelated, 'pair')}" * bool(self.unrelated))


@dataclass(frozen=True)
class Related:
    """How closely concepts are related, and what the source knows of them.

    Where it does not know, they count as unrelated: 0, or the least that it says if that is less.
    """

    map: RelatednessMap
    coverage: Coverage
    remarks: tuple[str, ...] = ()
    """What else should be known."""


class Source(ABC):
    """Says how closely two words are related."""

    name: str
    normalisation: Normalisation = "max"
    """What brings its scale into [0, 1]; none where it lies there already."""

    @abstractmethod
    def covers(self, word: str) -> bool:
        """Whether it knows a word."""

    @abstractmethod
    def relatedness(self, word: str, other: str) -> float:
        """How closely two words are related; NaN if it does not know."""

    @property
    @abstractmethod
    def provenance(self) -> Provenance:
        """Where its numbers come from."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What should be known about what it was asked last."""
        return ()

    def table(self, words: Sequence[str]) -> Floats:
        """(n, n): the relatedness of all pairs; sources that can, compute them at once."""
        values = np.empty((len(words), len(words)))
        for i, word in enumerate(words):
            for j, other in enumerate(words[: i + 1]):
                values[i, j] = values[j, i] = self.relatedness(word, other)
        return values

    def same(self, words: Sequence[str], table: Floats) -> Bools:
        """(n, n): which words are one and the same to it, so that their relatedness says nothing.

        table  what it says of them
        """
        return np.eye(len(words), dtype=np.bool_)

    def values(self, concepts: Sequence[str], words: Words | None = None) -> Floats:
        """(n, n): the relatedness of all pairs of concepts; NaN where it does not know."""
        flat, rows = _flat(_words_of(concepts, words or {}))
        return _best(self.table(flat), rows)

    def matrix(self, concepts: Iterable[str], words: Words | None = None) -> Related:
        """The relatedness of all pairs of concepts, as a map to make costs of.

        words  by which concepts are looked up; default: the id, with blanks for underscores
        """
        ids = as_ids("concept", concepts)
        lookup = _words_of(ids, words or {})
        flat, rows = _flat(lookup)
        table = self.table(flat)
        values = _best(table, rows)
        known = np.array([any(map(self.covers, some)) for some in lookup], dtype=np.bool_)
        silent = np.isnan(values)
        unrelated = silent & known[:, None] & known[None, :]
        coverage = Coverage(
            ids,
            tuple(name for name, covered in zip(ids, known, strict=True) if not covered),
            int(np.count_nonzero(np.triu(unrelated, 1))),
        )
        least = float(values[~silent].min(initial=0.0))
        related = RelatednessMap(
            np.where(silent, least, values),
            ids,
            name=self.name,
            provenance=self.provenance,
            same=_best(self.same(flat, table).astype(np.float64), rows) > 0,
        )
        return Related(related, coverage, self.remarks)


def _words_of(ids: Sequence[str], words: Words) -> list[Sequence[str]]:
    listed = set(ids)
    unknown = [name for name in words if name not in listed]
    if unknown:
        raise InputError(
            f"there are words for {several(len(unknown), 'concept')} that are not requested: "
            f"{first_ten(unknown)}",
            mend="remove them or mend their spelling",
            parameter="words",
        )
    return [words.get(name) or (name.replace("_", " "),) for name in ids]


def _flat(lookup: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[list[int]]]:
    """All words, each once, and the places of those of each concept."""
    flat = tuple(dict.fromkeys(word for some in lookup for word in some))
    index = {word: i for i, word in enumerate(flat)}
    return flat, [[index[word] for word in some] for some in lookup]


def _best(values: Floats, rows: Sequence[Sequence[int]]) -> Floats:
    """The largest value over all pairs of words of two concepts; NaN if none is known."""
    starts = np.concatenate([[0], np.cumsum([len(some) for some in rows])])[:-1]
    order = [index for some in rows for index in some]
    covered = np.where(np.isnan(values), -np.inf, values)[np.ix_(order, order)]
    by_row = np.maximum.reduceat(covered, starts, axis=0)
    best: Floats = np.maximum.reduceat(by_row, starts, axis=1)
    return np.where(np.isneginf(best), np.nan, best)
