"""VECTOR: relatedness by gloss vectors, as WordNet::Similarity computes them."""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.relatedness.wordnet.best_sense import Compare, WordNetSource
from cranfield.knowledge.relatedness.wordnet.database import Rows

_DIMENSIONS = 2048


class GlossVector(WordNetSource):
    """The cosine of the gloss vectors of two senses; in [0, 1]. Patwardhan & Pedersen 2006.

    The vector of a sense is the sum, over the words of its definition and examples, of how often
    each co-occurs with every other word in the glosses of WordNet. 0 for a sense without words that
    count.
    """

    name = "VECTOR"
    normalisation = "none"

    def _comparison(self, rows: Rows) -> Compare:
        vectors = self.wordnet.gloss_vectors.of(rows)
        # sums of products of counts are exact in float64, so they do not depend on their order
        products = np.zeros((len(rows), len(rows)))
        for first in range(0, vectors.shape[1], _DIMENSIONS):
            block = vectors[:, first : first + _DIMENSIONS].astype(np.float64)
            products += block @ block.T
        lengths = np.sqrt(np.diag(products))
        scale = np.where(lengths > 0, lengths, 1.0)

        def compare(columns: Rows) -> Floats:
            cosines = products[:, columns] / scale[:, None] / scale[columns]
            return np.minimum(cosines, 1.0)

        return compare
