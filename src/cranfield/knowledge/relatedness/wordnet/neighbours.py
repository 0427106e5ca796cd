"""The other ends of links, by the nodes that they start from."""

from __future__ import annotations

import numpy as np

from cranfield.knowledge.relatedness.wordnet.database import Rows


class Neighbours:
    """Links as rows of targets, one row for each of `size` nodes."""

    def __init__(self, sources: Rows, targets: Rows, size: int) -> None:
        order = np.argsort(sources, kind="stable")
        self.targets: Rows = targets[order]
        self._starts = np.searchsorted(sources[order], np.arange(size + 1))

    def of(self, nodes: Rows) -> tuple[Rows, Rows]:
        """Which of some nodes each link starts from, by its place in them, and where it ends."""
        starts = self._starts[nodes]
        counts = self._starts[nodes + 1] - starts
        places = np.repeat(np.arange(len(nodes)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return places, self.targets[starts[places] + within]

    def reached(self, nodes: Rows) -> Rows:
        """Where the links of some nodes end, each end once."""
        return np.unique(self.of(nodes)[1])
