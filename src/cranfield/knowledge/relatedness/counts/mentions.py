"""Which documents mention which words: a block of text at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Ints
from cranfield.knowledge.relatedness.counts.phrases import PhraseTree
from cranfield.knowledge.relatedness.counts.vocabulary import REACH, Vocabulary
from cranfield.knowledge.relatedness.spelling import Phrase, folded

_EDGE = b"\n" * REACH


class Mentions(NamedTuple):
    """What a block of text mentions."""

    documents: int
    codes: Ints
    """document · words + word, ascending, each once."""


class Finder:
    """Looks for phrases.

    phrases  what to look for, and the places of the words that each stands for
    words    how many words there are
    """

    def __init__(self, phrases: Mapping[Phrase, Sequence[int]], words: int) -> None:
        self._words = words
        self._vocabulary = Vocabulary(sorted({token for phrase in phrases for token in phrase}))
        self._tree = PhraseTree(phrases, self._vocabulary.places)

    def find(self, text: bytes) -> Mentions:
        """Look through UTF-8 text in which every line is a document and ends with a newline."""
        data = _EDGE + folded(text) + _EDGE
        raw = np.frombuffer(data, dtype=np.uint8)
        inside = raw > ord(" ")
        edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
        starts, ends = edges[::2].copy(), edges[1::2].copy()
        places, tokens = self._vocabulary.find(data, starts, ends)
        line_ends = np.flatnonzero(raw[REACH:-REACH] == ord("\n")) + REACH
        lines = np.searchsorted(line_ends, starts[places])
        parts = lines
        if self._tree.depth > 1:
            marks = np.flatnonzero(raw < ord(" "))
            parts = np.searchsorted(marks, starts[places])
        hits, words = self._tree.follow(tokens, places, parts)
        codes = np.sort(lines[hits] * self._words + words)
        again = np.flatnonzero(codes[1:] == codes[:-1])
        return Mentions(len(line_ends), np.delete(codes, again))
