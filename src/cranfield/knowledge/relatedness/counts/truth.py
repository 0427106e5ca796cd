"""Counting the items of a truth: concepts are related if they are on the same items."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.core.pair_counts import pair_counts
from cranfield.core.truth import Truth
from cranfield.knowledge.provenance import Provenance
from cranfield.knowledge.relatedness.counts.counted import Counted
from cranfield.knowledge.relatedness.naming import Names


class TruthCounts:
    """Counts of the items that carry concepts; what nobody judged is not carried."""

    def __init__(self, truth: Truth, *, name: str = "truth") -> None:
        self.name = name
        self._truth = truth
        self._names = Names(truth.concepts)

    def count(self, words: Sequence[str]) -> Counted:
        places = [self._names.place(word) for word in words]
        known = np.array([place is not None for place in places], dtype=np.bool_)
        columns, back = np.unique(
            np.array([place for place in places if place is not None], dtype=np.int64),
            return_inverse=True,
        )
        together: Floats = np.zeros((len(words), len(words)))
        together[np.ix_(known, known)] = pair_counts(self._truth.matrix, columns)[
            np.ix_(back, back)
        ]
        items = self._truth.shape[0]
        provenance = Provenance(
            f"items of {self.name}:{self._truth.digest[:8]} that carry the concepts",
            date.today().isoformat(),
            {"items": items},
        )
        return Counted(tuple(words), items, together.diagonal().copy(), together, provenance)
