"""Which documents mention which words: a block of text at a time, with NumPy.

Words are found as runs of bytes; of each run that could be one that is looked for, by its length
and first letter, the first and the last eight bytes are compared as two numbers. Whoever looks for
phrases follows them from word to word in a tree. No object is made for a word of the text, so that
blocks can be shared between threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.knowledge.relatedness.spelling import Phrase, folded
from cranfield.matrices import Ints

Eights = NDArray[np.uint64]
"""Eight bytes each, as numbers."""

_REACH = 8
"""Bytes that are compared at once."""
_EDGE = b"\n" * _REACH
_LENGTHS = 64
"""Lengths that are told apart; what is longer counts as this long, until it is compared."""
_KEY_BITS = 16
_KEY_SHIFT = np.uint64(64 - _KEY_BITS)
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
"""Large odd numbers without order in their bits."""
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_REACH + 1)], dtype=np.uint64)


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
        self._vocabulary = _Vocabulary(sorted({token for some in phrases for token in some}))
        self._tree = _Tree(phrases, self._vocabulary.places)

    def find(self, text: bytes) -> Mentions:
        """Look through UTF-8 text in which every line is a document and ends with a newline."""
        data = _EDGE + folded(text) + _EDGE
        raw = np.frombuffer(data, dtype=np.uint8)
        inside = raw > ord(" ")
        edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
        starts, ends = edges[::2].copy(), edges[1::2].copy()
        places, tokens = self._vocabulary.find(data, starts, ends)
        line_ends = np.flatnonzero(raw[_REACH:-_REACH] == ord("\n")) + _REACH
        lines = np.searchsorted(line_ends, starts[places])
        if self._tree.depth > 1:
            # Words stand side by side if nothing but what parts words is between them.
            marks = np.flatnonzero(raw < ord(" "))
            parts = np.searchsorted(marks, starts[places])
            hits, words = self._tree.follow(tokens, np.stack([places, parts]))
        else:
            hits, words = self._tree.follow(tokens, None)
        codes = np.sort(lines[hits] * self._words + words)
        again = np.flatnonzero(codes[1:] == codes[:-1])
        return Mentions(len(line_ends), np.delete(codes, again))


class _Vocabulary:
    """The single words that phrases are made of."""

    def __init__(self, tokens: Sequence[bytes]) -> None:
        self.places = {token: place for place, token in enumerate(tokens)}
        sizes = np.array([len(token) for token in tokens], dtype=np.int64)
        self._likely = np.zeros(256 * _LENGTHS, dtype=np.bool_)
        self._likely[_kinds(np.array([token[0] for token in tokens], dtype=np.uint8), sizes)] = True
        ends = np.cumsum(sizes)
        runs = _Runs.of(b"".join(tokens) + bytes(_REACH), ends - sizes, ends)
        keys, place, count = np.unique(runs.keys, return_index=True, return_counts=True)
        self._place: Ints = place
        self._runs = runs.part(place)
        self._unsure = (sizes[place] > 2 * _REACH) | (count > 1)
        """Words of which some bytes are in no number, or whose key is that of another, too."""
        self._filled = np.zeros(1 << _KEY_BITS, dtype=np.bool_)
        self._filled[keys >> _KEY_SHIFT] = True

    def find(self, data: bytes, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
        """Which of the runs of bytes are known words, and which words."""
        first = np.frombuffer(data, dtype=np.uint8)[starts]
        chosen = np.flatnonzero(self._likely[_kinds(first, ends - starts)])
        runs = _Runs.of(data, starts[chosen], ends[chosen])
        filled = np.flatnonzero(self._filled[runs.keys >> _KEY_SHIFT])
        runs, chosen = runs.part(filled), chosen[filled]
        if not len(chosen):
            return chosen, chosen
        at = np.minimum(np.searchsorted(self._runs.keys, runs.keys), len(self._runs.keys) - 1)
        same = np.flatnonzero(self._runs.part(at).equal(runs) | self._unsure[at])
        chosen, at = chosen[same], at[same]
        places = self._place[at]
        if self._unsure.any():
            for i in np.flatnonzero(self._unsure[at]).tolist():
                run = chosen[i]
                places[i] = self.places.get(data[starts[run] : ends[run]], -1)
            chosen, places = chosen[places >= 0], places[places >= 0]
        return chosen, places


class _Tree:
    """Phrases as ways through a tree: a node for every beginning of a phrase."""

    def __init__(
        self, phrases: Mapping[Phrase, Sequence[int]], places: Mapping[bytes, int]
    ) -> None:
        self.depth = max(map(len, phrases), default=1)
        nodes: dict[Phrase, int] = {}
        for some in phrases:
            for end in range(1, len(some) + 1):
                nodes.setdefault(some[:end], len(nodes))
        self._width = max(1, len(places))
        self._first = np.full(self._width, -1, dtype=np.int64)
        steps = []
        for beginning, node in nodes.items():
            token = places[beginning[-1]]
            if len(beginning) == 1:
                self._first[token] = node
            else:
                steps.append((nodes[beginning[:-1]] * self._width + token, node))
        self._steps, self._next = np.array(sorted(steps), dtype=np.int64).reshape(-1, 2).T
        ends = sorted((nodes[some], word) for some, words in phrases.items() for word in words)
        of_node, self._words = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        self._count = np.bincount(of_node, minlength=len(nodes))
        self._begin = np.cumsum(self._count) - self._count

    def follow(self, tokens: Ints, stand: Ints | None) -> tuple[Ints, Ints]:
        """Where phrases begin, as places among the tokens, and the words that they stand for.

        stand  of each token, its number among all of the text, and which part of it it stands in
        """
        begin, nodes = np.arange(len(tokens)), self._first[tokens]
        found = []
        for distance in range(1, self.depth + 1):
            begin, nodes = begin[nodes >= 0], nodes[nodes >= 0]
            found.append(self._meanings(begin, nodes))
            if stand is None or distance == self.depth:
                break
            near = begin + distance < len(tokens)
            begin, nodes = begin[near], nodes[near]
            moved = stand[:, begin + distance] - stand[:, begin]
            joined = (moved[0] == distance) & (moved[1] == 0)
            begin, nodes = begin[joined], nodes[joined]
            steps = nodes * self._width + tokens[begin + distance]
            known = _within(self._steps, steps)
            begin, steps = begin[known], steps[known]
            nodes = self._next[np.searchsorted(self._steps, steps)]
        begins, words = zip(*found, strict=True)
        return np.concatenate(begins), np.concatenate(words)

    def _meanings(self, begin: Ints, nodes: Ints) -> tuple[Ints, Ints]:
        """The words for which the beginnings stand that are whole phrases."""
        count = self._count[nodes]
        skipped = np.repeat(self._begin[nodes] - np.cumsum(count) + count, count)
        return np.repeat(begin, count), self._words[np.arange(len(skipped)) + skipped]


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
        """The runs between some places, behind which eight bytes follow."""
        eights: Eights = np.ndarray((len(data) - _REACH + 1,), "<u8", data, strides=(1,))
        sizes = ends - starts
        masks = _MASKS[np.minimum(sizes, _REACH)]
        heads = eights[starts] & masks
        tails = eights[np.maximum(starts, ends - _REACH)] & masks
        return cls(
            heads, tails, heads * _ODD[0] + tails * _ODD[1] + sizes.view(np.uint64) * _ODD[2]
        )

    def part(self, places: Ints) -> _Runs:
        return _Runs(self.heads[places], self.tails[places], self.keys[places])

    def equal(self, other: _Runs) -> NDArray[np.bool_]:
        # Equal keys of equal heads and tails are those of equal lengths.
        same: NDArray[np.bool_] = self.heads == other.heads
        same &= self.tails == other.tails
        same &= self.keys == other.keys
        return same


def _kinds(first: NDArray[np.uint8], sizes: Ints) -> Ints:
    """First byte and length in one number."""
    return first.astype(np.int64) * _LENGTHS + np.minimum(sizes, _LENGTHS - 1)


def _within(known: Ints, values: Ints) -> NDArray[np.bool_]:
    """Which values are among those known, which ascend."""
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, values), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == values
    return found
