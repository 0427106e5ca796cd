"""Qrels: what is known about pairs of topic and document, in the order of some rankings.

A table of judgements that can lose some and gain others, which turns into a truth for measuring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.assessment.pools.rankings import places
from cranfield.core.matrices import Bools, Cells, Ints, as_cells, at
from cranfield.core.truth import State, Truth


@dataclass(frozen=True)
class Qrels:
    """The pairs of a pool."""

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    codes: Ints
    """topic · documents + document, ascending."""
    grades: Ints
    """`State.UNJUDGED` where nobody judged."""
    strata: Ints | None = None
    level: int = 1
    """The lowest grade that is relevant."""

    @classmethod
    def of(cls, truth: Truth, topics: Sequence[str], documents: Sequence[str]) -> Qrels:
        """What a truth says about pairs of sorted ids."""
        pooled = _pooled(truth)
        topic = places(truth.concept_axis, topics)[pooled % truth.shape[1]]
        document = places(truth.item_axis, documents)[pooled // truth.shape[1]]
        known = (topic >= 0) & (document >= 0)
        pooled = pooled[known]
        codes = topic[known] * len(documents) + document[known]
        order = np.argsort(codes)
        pooled = pooled[order]
        grades = at(truth.matrix if truth.grades is None else truth.grades, pooled)
        grades = grades.astype(np.int64)
        if truth.judged is not None:
            grades[~at(truth.judged, pooled).astype(np.bool_)] = State.UNJUDGED
        strata = None if truth.strata is None else at(truth.strata, pooled)
        return cls(tuple(topics), tuple(documents), codes[order], grades, strata, truth.level)

    @property
    def relevant(self) -> Ints:
        """The pairs that were judged relevant."""
        return self.codes[self.grades >= self.level]

    def at(self, codes: Ints) -> Ints:
        """Grades of pairs; `State.UNJUDGED` or `State.OUTSIDE` where there are none."""
        if not len(self.codes):
            return np.full(len(codes), State.OUTSIDE, dtype=np.int64)
        place = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        found = self.codes[place] == codes
        return np.where(found, self.grades[place], State.OUTSIDE)

    def without(self, codes: Ints) -> Qrels:
        """The same as if these pairs had never been pooled."""
        return self._kept(~np.isin(self.codes, codes))

    def with_relevant(self, codes: Ints) -> Qrels:
        """The same as if these pairs had been judged relevant."""
        rest = self.without(codes)
        joined = np.concatenate([rest.codes, codes])
        order = np.argsort(joined)
        grades = np.concatenate([rest.grades, np.full(len(codes), self.level)])
        return replace(self, codes=joined[order], grades=grades[order], strata=None)

    def truth(self) -> Truth:
        """An open truth: documents that were not pooled exist."""
        shape = (len(self.documents), len(self.topics))
        document, topic = self.codes % shape[0], self.codes // shape[0]
        judged = self.grades >= 0

        def cells(values: Ints | Bools) -> Cells:
            return Cells.of(shape, document, topic, values)

        return Truth(
            grades=cells(np.where(judged, self.grades, 0)),
            judged=cells(judged),
            pool=cells(np.ones(len(self.codes), dtype=np.bool_)),
            strata=None if self.strata is None else cells(self.strata),
            items=self.documents,
            concepts=self.topics,
            open=True,
            level=self.level,
        )

    def _kept(self, keep: Bools) -> Qrels:
        return replace(
            self,
            codes=self.codes[keep],
            grades=self.grades[keep],
            strata=None if self.strata is None else self.strata[keep],
        )


def _pooled(truth: Truth) -> Ints:
    """The cells of the pool; all of them, where a truth leaves none outside."""
    if truth.pool is None:
        return np.arange(truth.shape[0] * truth.shape[1])
    cells = as_cells(truth.pool)
    return cells.codes[cells.values.astype(np.bool_)]
