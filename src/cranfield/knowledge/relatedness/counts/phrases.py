"""Phrases, followed from word to word through a tree: a node for every beginning of a phrase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.core.matrices import Bools, Ints
from cranfield.knowledge.relatedness.spelling import Phrase


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
        found = []
        for distance in range(1, self.depth + 1):
            begins, nodes = begins[nodes >= 0], nodes[nodes >= 0]
            found.append(self._meant(begins, nodes))
            kept = begins + distance < len(tokens)
            begins, nodes = begins[kept], nodes[kept]
            ahead = begins + distance
            kept = (places[ahead] - places[begins] == distance) & (parts[ahead] == parts[begins])
            steps = nodes[kept] * self._width + tokens[ahead[kept]]
            begins, nodes = begins[kept], self._reached(steps)
        starts, meanings = zip(*found, strict=True)
        return np.concatenate(starts), np.concatenate(meanings)

    def _reached(self, steps: Ints) -> Ints:
        """The nodes that steps lead to; −1 where they lead to none."""
        if not len(self._steps):
            return np.full(len(steps), -1)
        at = np.minimum(np.searchsorted(self._steps, steps), len(self._steps) - 1)
        known: Bools = self._steps[at] == steps
        return np.where(known, self._next[at], -1)

    def _meant(self, begins: Ints, nodes: Ints) -> tuple[Ints, Ints]:
        """What nodes stand for, several times where that is more than one, or not at all."""
        count = self._count[nodes]
        offset = np.repeat(self._begin[nodes] - np.cumsum(count) + count, count)
        return np.repeat(begins, count), self._meanings[np.arange(len(offset)) + offset]
