"""Single words, found among the runs of bytes of a text with NumPy.

Of each run that could be a word that is looked for, by its first byte and length, the first and the
last eight bytes are compared as two numbers. No object is made for a word of the text, so that
texts can be shared between threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Ints
from cranfield.knowledge.relatedness.spelling import Phrase, folded


class PhraseTree:
    """Phrases to look for.

    phrases  each with the places of what it stands for
    tokens   the places of the single words that phrases are made of
    """

    def __init__(
        self, phrases: Mapping[Phrase, Sequence[int]], tokens: Mapping[bytes, int]
    ) -> None:
        self.depth = max(map(len, phrases), default=1)
        """Words of the longest phrase."""
        nodes: dict[Phrase, int] = {}
        for phrase in phrases:
            for end in range(1, len(phrase) + 1):
                nodes.setdefault(phrase[:end], len(nodes))
        self._width = max(1, len(tokens))
        self._first = np.full(self._width, -1, dtype=np.int64)
        steps = []
        for beginning, node in nodes.items():
            token = tokens[beginning[-1]]
            if len(beginning) == 1:
                self._first[token] = node
            else:
                steps.append((nodes[beginning[:-1]] * self._width + token, node))
        self._steps, self._next = np.array(sorted(steps), dtype=np.int64).reshape(-1, 2).T
        meant = sorted((nodes[phrase], word) for phrase in phrases for word in phrases[phrase])
        ends, self._meanings = np.array(meant, dtype=np.int64).reshape(-1, 2).T
        self._count = np.bincount(ends, minlength=len(nodes))
        self._begin = np.cumsum(self._count) - self._count

    def follow(self, tokens: Ints, places: Ints, parts: Ints) -> tuple[Ints, Ints]:
        """Where phrases begin, as numbers of tokens, and what they stand for.

        places, parts  of each token, its place among all words of the text, and the part of the
                       text that it stands in; no phrase goes from one part to another
        """
        begins, nodes = np.arange(len(tokens)), self._first[tokens]
        matches = []
        for distance in range(1, self.depth + 1):
            begins, nodes = begins[nodes >= 0], nodes[nodes >= 0]
            matches.append(self._meant(begins, nodes))
            kept = begins + distance < len(tokens)
            begins, nodes = begins[kept], nodes[kept]
            ahead = begins + distance
            kept = (places[ahead] - places[begins] == distance) & (parts[ahead] == parts[begins])
            steps = nodes[kept] * self._width + tokens[ahead[kept]]
            begins, nodes = begins[kept], self._reached(steps)
        starts, meanings = zip(*matches, strict=True)
        return np.concatenate(starts), np.concatenate(meanings)

    def _reached(self, steps: Ints) -> Ints:
        """The nodes that steps lead to; −1 where they lead to none."""
        if not len(self._steps):
            return np.full(len(steps), -1)
        at = np.minimum(np.searchsorted(self._steps, steps), len(self._steps) - 1)
        matched: Bools = self._steps[at] == steps
        return np.where(matched, self._next[at], -1)

    def _meant(self, begins: Ints, nodes: Ints) -> tuple[Ints, Ints]:
        """What nodes stand for, several times where that is more than one, or not at all."""
        count = self._count[nodes]
        offset = np.repeat(self._begin[nodes] - np.cumsum(count) + count, count)
        return np.repeat(begins, count), self._meanings[np.arange(len(offset)) + offset]


REACH = 8
"""Bytes that are compared at once, and that must stand before and behind the runs of a text."""

_LENGTHS = 64
"""Lengths that are told apart at first sight; what is longer seems as long as this."""
_KEY_BITS = 16
_KEY_SHIFT = np.uint64(64 - _KEY_BITS)
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
"""Large odd numbers without order in their bits."""
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(REACH + 1)], dtype=np.uint64)

Eights = NDArray[np.uint64]
"""Eight bytes each, as numbers."""


class Vocabulary:
    """Words to look for."""

    def __init__(self, words: Sequence[bytes]) -> None:
        self.places = {word: place for place, word in enumerate(words)}
        sizes = np.array([len(word) for word in words], dtype=np.int64)
        first = np.array([word[0] for word in words], dtype=np.uint8)
        self._likely = np.zeros(256 * _LENGTHS, dtype=np.bool_)
        self._likely[_kinds(first, sizes)] = True
        ends = np.cumsum(sizes)
        runs = _Runs.of(b"".join(words) + bytes(REACH), ends - sizes, ends)
        keys, place, count = np.unique(runs.keys, return_index=True, return_counts=True)
        self._filled = np.zeros(1 << _KEY_BITS, dtype=np.bool_)
        self._filled[keys >> _KEY_SHIFT] = True
        self._place: Ints = place
        self._runs = runs.part(place)
        self._unsure: Bools = (sizes[place] > 2 * REACH) | (count > 1)
        """Words of which some bytes are in no number, or that share their key with another."""

    def find(self, data: bytes, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
        """Which of the runs of a text are words, and which words they are."""
        first = np.frombuffer(data, dtype=np.uint8)[starts]
        chosen = np.flatnonzero(self._likely[_kinds(first, ends - starts)])
        runs = _Runs.of(data, starts[chosen], ends[chosen])
        filled = np.flatnonzero(self._filled[runs.keys >> _KEY_SHIFT])
        runs, chosen = runs.part(filled), chosen[filled]
        if not len(chosen):
            return chosen, chosen
        at = np.minimum(np.searchsorted(self._runs.keys, runs.keys), len(self._place) - 1)
        same = np.flatnonzero(self._same(at, runs))
        chosen, at = chosen[same], at[same]
        places = self._place[at]
        unsure = np.flatnonzero(self._unsure[at])
        for i in unsure.tolist():
            run = chosen[i]
            places[i] = self.places.get(data[starts[run] : ends[run]], -1)
        return (chosen[places >= 0], places[places >= 0]) if len(unsure) else (chosen, places)

    def _same(self, at: Ints, runs: _Runs) -> Bools:
        """Whether runs are the words at some places, as far as numbers can tell."""
        matched = self._runs.part(at)
        same = (matched.heads == runs.heads) & (matched.tails == runs.tails)
        # Equal keys of equal heads and tails are those of equal lengths.
        matches: Bools = (matched.keys == runs.keys) & (same | self._unsure[at])
        return matches


class _Runs(NamedTuple):
    """Runs of bytes as numbers."""

    heads: Eights
    """The first eight bytes; all, if there are fewer."""
    tails: Eights
    """The last eight bytes; all, if there are fewer."""
    keys: Eights
    """Both and the length in one number, which differs where they do, but for rare accidents."""

    @classmethod
    def of(cls, data: bytes, starts: Ints, ends: Ints) -> _Runs:
        eights: Eights = np.ndarray((len(data) - REACH + 1,), "<u8", data, strides=(1,))
        sizes = ends - starts
        masks = _MASKS[np.minimum(sizes, REACH)]
        heads = eights[starts] & masks
        tails = eights[np.maximum(starts, ends - REACH)] & masks
        keys = heads * _ODD[0] + tails * _ODD[1] + sizes.view(np.uint64) * _ODD[2]
        return cls(heads, tails, keys)

    def part(self, places: Ints) -> _Runs:
        return _Runs(self.heads[places], self.tails[places], self.keys[places])


def _kinds(first: NDArray[np.uint8], sizes: Ints) -> Ints:
    """First byte and length in one number."""
    return first.astype(np.int64) * _LENGTHS + np.minimum(sizes, _LENGTHS - 1)


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
