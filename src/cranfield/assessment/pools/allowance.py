"""Allowance: how many more documents a growing pool may take.

A budget limits the whole pool; a batch limits how many of its documents may wait for a judgement at
one time, so that what people say can steer what they are asked next.
"""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.assessment.pools.judging import Judge


class Allowance:
    """What was pooled, and what still may be."""

    def __init__(
        self, pooled: Iterable[int], judge: Judge, *, budget: int | None, batch: int | None
    ) -> None:
        self.pooled = set(pooled)
        self._outstanding = sum(judge(code) < 0 for code in self.pooled)
        self._budget = budget
        self._batch = batch

    def affords(self, more: int) -> bool:
        """Whether so many new documents fit into the budget."""
        return self._budget is None or len(self.pooled) + more <= self._budget

    def admits(self, more: int) -> bool:
        """Whether so many new documents fit into the budget and the batch."""
        waiting = self._outstanding + more
        return self.affords(more) and (self._batch is None or waiting <= self._batch)

    def take(self, code: int, judge: Judge) -> None:
        """Pool a new document."""
        self.pooled.add(code)
        self._outstanding += judge(code) < 0
