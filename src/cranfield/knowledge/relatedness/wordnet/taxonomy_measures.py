"""Relatedness by the hypernyms of senses: PATH, LCH, WUP, RES, LIN and JCN (WordNet::Similarity).

Relatedness by paths over hypernyms: PATH, LCH and WUP, as WordNet::Similarity defines them.

A path leads from one sense up to a synset that subsumes both, and down to the other. All nouns, and
all verbs, hang below a virtual root, so there is always one.

Relatedness by information content: RES, LIN and JCN, as WordNet::Similarity defines them.

IC(c) = −log p(c), where p is the share of all senses counted in SemCor that are c or below it. The
lcs of two senses is the one that says most among the first nodes that their ways to the root have
in common: the virtual root at worst, whose IC is 0. A synset that was never counted has no
probability: its IC counts as 0.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from cranfield.core.matrices import Bools, Floats
from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, TaxonomySource
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.taxonomy import InformationContent, Subsumers


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


class InformationSource(TaxonomySource):
    """Relatedness by the IC of two senses and of their lcs."""

    @abstractmethod
    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        """Relatedness; the arrays broadcast against each other."""

    def _within(self, part: str, subsumers: Subsumers) -> Compare:
        information = self.wordnet.information(part)
        own = information.values[subsumers.order[subsumers.places]]

        def compare(others: Rows) -> Floats:
            shared = subsumers.most(information.values, others)
            return self._relate(own[:, None], own[None, others], shared, information)

        return compare


class Resnik(InformationSource):
    """IC(lcs); 0 for senses that have only the root in common. Resnik 1995.

    0 too where the lcs was never counted, as it is for a sense that was not and itself.
    """

    name = "RES"

    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        return shared


class Lin(InformationSource):
    """2·IC(lcs) / (IC(a) + IC(b)); in [0, 1]. Lin 1998.

    0 if a or b was never counted, even for a sense and itself.
    """

    name = "LIN"
    normalisation = "none"

    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        counted = (first > 0) & (second > 0)
        return np.divide(2.0 * shared, first + second, out=np.zeros_like(shared), where=counted)


class JiangConrath(InformationSource):
    """1 / (IC(a) + IC(b) − 2·IC(lcs)). Jiang & Conrath 1997.

    0 if a or b was never counted. Senses at distance 0, such as a sense and itself, get the inverse
    of a distance smaller than all others: −log((n − 0.01) / n), n being the number of senses
    counted. For nouns that is about 1.3·10⁷, which says nothing about how close they are.
    """

    name = "JCN"

    def same(self, words: Sequence[str], table: Floats) -> Bools:
        """Words at distance 0 too: one sense is below the other and all that was counted of it."""
        nearest = [1.0 / _least(self.wordnet.information(part)) for part in self.parts]
        return super().same(words, table) | np.isin(table, nearest)

    def _relate(
        self, first: Floats, second: Floats, shared: Floats, information: InformationContent
    ) -> Floats:
        counted = (first > 0) & (second > 0)
        distance = np.maximum(first + second - 2.0 * shared, _least(information))
        inverse: Floats = np.divide(1.0, distance, out=np.zeros_like(shared), where=counted)
        return inverse


def _least(information: InformationContent) -> float:
    """The distance of senses that are not apart."""
    return float(-np.log1p(-0.01 / information.total))
