"""Variable depth: each topic as deep as it promises relevant documents.

All topics begin at one depth. Then the topic that promises most is pooled a step deeper, again and
again, until the budget is spent. A topic promises the relevant documents that its curve of
discovery (Zobel 1998, see `discovery`) expects in the next step, divided by the documents that
would have to be judged for them; among equals the shallowest goes first. A topic that waits for
judgements goes no deeper. What does not fit into a batch, the next one goes on with.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.assessment.pools.allowance import Allowance
from cranfield.assessment.pools.discovery import Discovery
from cranfield.assessment.pools.judging import Judge
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.matrices import Ints
from cranfield.errors import InputError


def by_yield(
    rankings: Rankings,
    judge: Judge,
    allowance: Allowance,
    *,
    depth: int,
    step: int,
    waits: bool,
    progress: Callable[[], None],
) -> Ints:
    """The pairs of the pool: those that the allowance began with and those it admitted.

    depth     where topics begin
    waits     whether unjudged documents will be judged; if not, they count as irrelevant
    progress  called for each new pair
    """
    topics = _topics(rankings, judge, allowance, progress)
    has_begun = _begin(topics, allowance, depth)
    while topics and has_begun:
        best = min(topics, key=lambda topic: (-topic.promise(step), topic.depth))
        waiting = waits and best.waiting
        if best.is_exhausted or waiting or not allowance.affords(len(best.new(best.depth + step))):
            topics.remove(best)
        elif not best.reach(best.depth + step):
            break
    return np.array(sorted(allowance.pooled), dtype=np.int64)


class _Topic:
    """The documents of a topic by the best rank that a run gave them, pooled down to some depth."""

    def __init__(
        self,
        codes: Ints,
        ranks: Ints,
        judge: Judge,
        allowance: Allowance,
        progress: Callable[[], None],
    ) -> None:
        order = np.argsort(ranks, kind="stable")
        self._codes, self._ranks = codes[order], ranks[order]
        self._judge, self._allowance, self._progress = judge, allowance, progress
        self.depth = 0
        self.waiting = 0
        """Pooled documents without a judgement."""
        self._found: list[int] = []
        """Ranks of the relevant ones."""
        self._promise: float | None = None

    @property
    def is_exhausted(self) -> bool:
        return not len(self._ranks) or self.depth >= int(self._ranks[-1])

    @property
    def complete_depth(self) -> int:
        """Down to where everything is in the pool already."""
        lacking = [code not in self._allowance.pooled for code in self._codes.tolist()]
        if any(lacking):
            return int(self._ranks[lacking.index(True)]) - 1
        return int(self._ranks.max(initial=0))

    def new(self, depth: int) -> list[int]:
        """What the pool lacks down to a depth."""
        first, last = np.searchsorted(self._ranks, [self.depth, depth], side="right")
        codes = self._codes[first:last].tolist()
        return [code for code in codes if code not in self._allowance.pooled]

    def reach(self, depth: int) -> bool:
        """Pool everything down to a depth, or as much of it as is admitted; whether that is all."""
        is_whole = True
        for code in self.new(depth):
            if not self._allowance.admits(1):
                depth, is_whole = self.complete_depth, False
                break
            self._allowance.take(code, self._judge)
            self._progress()
        first, last = np.searchsorted(self._ranks, [self.depth, depth], side="right")
        for code, rank in zip(
            self._codes[first:last].tolist(), self._ranks[first:last].tolist(), strict=True
        ):
            grade = self._judge(code)
            self.waiting += grade < 0
            if grade >= 1:
                self._found.append(rank)
        self.depth = depth
        self._promise = None
        return is_whole

    def promise(self, step: int) -> float:
        """Relevant documents that a step deeper is expected to bring, for each one to judge."""
        if self._promise is None:
            more = len(self.new(self.depth + step))
            curve = Discovery.of(np.array(self._found, dtype=np.int64), self.depth)
            expected = curve.expected(self.depth + 1, self.depth + step)
            self._promise = min(expected / more, 1.0) if more else 0.0
        return self._promise


def _topics(
    rankings: Rankings, judge: Judge, allowance: Allowance, progress: Callable[[], None]
) -> list[_Topic]:
    firsts = rankings.firsts
    return [
        _Topic(firsts.codes[here], firsts.ranks[here], judge, allowance, progress)
        for here in rankings.by_topic(firsts.codes)
    ]


def _begin(topics: list[_Topic], allowance: Allowance, depth: int) -> bool:
    """Pool all topics down to where they begin, or to where they were pooled before.

    Rank by rank, so that a batch that does not take it all holds something of every topic. Returns
    whether all topics got there.
    """
    depths = [max(depth, topic.complete_depth) for topic in topics]
    new = sum(len(topic.new(start)) for topic, start in zip(topics, depths, strict=True))
    if not allowance.affords(new):
        raise InputError(
            f"depth {depth} takes {new + len(allowance.pooled)} documents, more than the budget; "
            "begin less deep, or raise the budget"
        )
    for rank in range(1, max(depths, default=0) + 1):
        arrived = [
            topic.reach(rank) for topic, start in zip(topics, depths, strict=True) if rank <= start
        ]
        if not all(arrived):
            return False
    return True
