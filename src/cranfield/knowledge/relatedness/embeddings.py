"""Relatedness by direction: words whose vectors point the same way are related.

Vectors of the package `wordllama`, which carries its model: the extra `embeddings`.

It is imported when a vector is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.source import Source, fingerprint


class Vectors(Protocol):
    """Anything that has vectors of words."""

    @property
    def name(self) -> str: ...

    @property
    def origin(self) -> str:
        """Where they come from: a file, and what of it."""

    def find(self, words: Collection[str]) -> Mapping[str, Floats]:
        """The vectors of those words that it knows, all of one length."""


class Embeddings(Source):
    """The cosine of the vectors of two words, in [−1, 1].

    A word is looked up as it is, with underscores or hyphens for blanks, and in small letters;
    several words that have no vector together stand for the mean of their directions, if each has
    one. A vector of zeros has no direction, so that its word is not covered.
    """

    normalisation = "minmax"

    def __init__(self, vectors: Vectors, *, name: str | None = None) -> None:
        self.vectors = vectors
        self.name = name or vectors.name
        self._known: dict[str, Floats | None] = {}
        self._read: dict[str, str] = {}
        """Fingerprints of the vectors that were found."""

    def covers(self, word: str) -> bool:
        return self._directions([word])[0] is not None

    def relatedness(self, word: str, other: str) -> float:
        return float(self.table([word, other])[0, 1])

    def table(self, words: Sequence[str]) -> Floats:
        values = np.full((len(words), len(words)), np.nan)
        directions = self._directions(words)
        covered = [index for index, direction in enumerate(directions) if direction is not None]
        if covered:
            stacked = np.stack([directions[index] for index in covered])  # type: ignore[misc]
            cosines = np.clip(stacked @ stacked.T, -1.0, 1.0)
            np.fill_diagonal(cosines, 1.0)
            values[np.ix_(covered, covered)] = (cosines + cosines.T) / 2
        return values

    @property
    def provenance(self) -> Provenance:
        covered = sum(direction is not None for direction in self._known.values())
        read = fingerprint(self._read.items())
        return Provenance(
            f"cosines of vectors of {self.vectors.origin}; vectors {read}",
            date.today().isoformat(),
            {"words": covered},
        )

    def _directions(self, words: Sequence[str]) -> list[Floats | None]:
        """Vectors of length one; all new words are looked up at once."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if new:
            spelled = {form for word in new for form in (*_forms(word), *_parts(word))}
            vectors = self.vectors.find(spelled)
            self._read.update(
                (form, fingerprint([vector.tolist()])) for form, vector in vectors.items()
            )
            units = {form: _unit(vector) for form, vector in vectors.items() if vector.any()}
            self._known.update((word, _direction(word, units)) for word in new)
        return [self._known[word] for word in words]


def _direction(word: str, units: Mapping[str, Floats]) -> Floats | None:
    whole = _first(_forms(word), units)
    if whole is not None:
        return whole
    parts = [_first(_forms(part), units) for part in word.split()]
    if not parts or any(part is None for part in parts):
        return None
    mean: Floats = np.sum(parts, axis=0)  # type: ignore[arg-type]
    return _unit(mean) if mean.any() else None


def _unit(vector: Floats) -> Floats:
    """A vector of length one; by its largest number first, for no square may be infinite or 0."""
    scaled: Floats = vector / np.abs(vector).max()
    scaled /= np.linalg.norm(scaled)
    return scaled


def _first(forms: Iterable[str], units: Mapping[str, Floats]) -> Floats | None:
    return next((units[form] for form in forms if form in units), None)


def _forms(word: str) -> list[str]:
    """How files of vectors may write a word."""
    words = word.split()
    joined = [mark.join(words) for mark in (" ", "_", "-")]
    return list(dict.fromkeys([word, *joined, *(form.lower() for form in joined)]))


def _parts(word: str) -> list[str]:
    return [form for part in word.split() for form in _forms(part)]


class WordLlama:
    """Vectors of the pieces of words, averaged: every word has one that can be cut into pieces."""

    name = "wordllama"
    origin = "wordllama"

    def find(self, words: Collection[str]) -> Mapping[str, Floats]:
        asked = list(words)
        if not asked:
            return {}
        vectors = np.asarray(self._model.embed(asked), dtype=np.float64)
        return dict(zip(asked, vectors, strict=True))

    @cached_property
    def _model(self) -> Any:
        try:
            package = import_module("wordllama")
        except ImportError as error:
            lacks = "is not installed" if error.name == "wordllama" else f"cannot start ({error})"
            raise InputError(
                f"wordllama {lacks}; pip install 'cranfield[embeddings]', or give a file of vectors"
            ) from None
        # It looks for its own tokenizer in the wrong folder, and in a cache; so the cache is made
        # the folder where it lies. Nothing is fetched.
        own = Path(str(package.__file__)).parent
        return package.WordLlama.load(cache_dir=own, disable_download=True)
