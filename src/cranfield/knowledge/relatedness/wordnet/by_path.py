"""Relatedness by paths over hypernyms: PATH, LCH and WUP, as WordNet::Similarity defines them.

A path leads from one sense up to a synset that subsumes both, and down to the other. All nouns, and
all verbs, hang below a virtual root, so there is always one.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, TaxonomySource
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.taxonomy import Subsumers


class ShortestPath(TaxonomySource):
    """1 / (nodes on the shortest path, with both ends); in (0, 1]. Pedersen et al. 2004."""

    name = "PATH"
    normalisation = "none"

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        return lambda others: 1.0 / (1.0 + subsumers.distances(others))


class LeacockChodorow(TaxonomySource):
    """−log(length / 2D), length in nodes of the shortest path. Leacock & Chodorow 1998.

    D is the number of nodes on the longest way down the tree: 20 for nouns in WordNet 3.0, and 14
    for verbs, whose tree begins with the virtual root; so nouns and verbs differ in scale.
    """

    name = "LCH"

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        scale = 2.0 * subsumers.taxonomy.height
        return lambda others: -np.log((1.0 + subsumers.distances(others)) / scale)


class WuPalmer(TaxonomySource):
    """2·depth(lcs) / (depth(a) + depth(b)), in nodes from the virtual root. Wu & Palmer 1994.

    lcs is the deepest of the first nodes that a way from a to the root and one from b have in
    common, of equally deep ones the nearest. Its depth is that of the shortest way to it; those of
    a and b add the links on their shortest paths to it, which may lead over a third synset: from a
    person to an object it is shorter over causal agent. In (0, 1].
    """

    name = "WUP"
    normalisation = "none"

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        def compare(others: Rows) -> Floats:
            depth, links = subsumers.deepest(others)
            return 2.0 * depth / (2.0 * depth + links)

        return compare
