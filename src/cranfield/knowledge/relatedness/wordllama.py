"""Vectors of the package `wordllama`, which carries its model: the extra `embeddings`.

It is imported when a vector is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.matrices import Floats
from cranfield.errors import InputError


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
