"""Move to front: judgements decide which run goes next.

For each topic, the run at the front hands in its next document. As long as its documents are
relevant it stays there; an irrelevant one sends it behind all runs that had fewer of them, and
among these the one that waited longest comes to the front. A document that was judged already is
passed over. Topics take turns. Source: Cormack, Palmer & Clarke 1998, local to each topic.

A document that nobody judged yet counts as irrelevant until somebody does. So the pool so far and
the judgements so far are all there is to remember: with them, the next call goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heapreplace

import numpy as np

from cranfield.assessment.pools.allowance import Allowance
from cranfield.assessment.pools.draws import draw_order
from cranfield.assessment.pools.judging import Judge
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.matrices import Ints


def move_to_front(
    rankings: Rankings,
    judge: Judge,
    allowance: Allowance,
    *,
    seed: int,
    progress: Callable[[], None],
) -> Ints:
    """The pairs of the pool: those that the allowance began with and those it admitted.

    progress  called for each new pair
    """
    queues = [_Queue(lists, seed, topic) for topic, lists in _by_topic(rankings)]
    while queues:
        waiting = []
        for queue in queues:
            code = queue.next_unseen()
            if code is None:
                continue
            new = code not in allowance.pooled
            if new and not allowance.admits(1):
                continue
            grade = judge(code)
            if new:
                allowance.take(code, judge)
                progress()
            queue.settle(relevant=grade >= 1)
            waiting.append(queue)
        queues = waiting
    return np.array(sorted(allowance.pooled), dtype=np.int64)


class _Queue:
    """The runs of one topic, the one at the front first."""

    def __init__(self, lists: dict[str, list[int]], seed: int, topic: str) -> None:
        names = sorted(lists)
        order = draw_order(seed, "move to front", topic, names)
        # Irrelevant documents, when it came to the end of the queue, and its documents left.
        self._runs = [
            (0, turn, iter(lists[names[place]])) for turn, place in enumerate(order.tolist())
        ]
        heapify(self._runs)
        self._turns = len(names)
        self._seen: set[int] = set()

    def next_unseen(self) -> int | None:
        """The next document of the run at the front; runs that have none left go."""
        while self._runs:
            for code in self._runs[0][2]:
                if code not in self._seen:
                    self._seen.add(code)
                    return code
            heappop(self._runs)
        return None

    def settle(self, *, relevant: bool) -> None:
        """What the judge said of that document."""
        if not relevant:
            irrelevant, _, rest = self._runs[0]
            heapreplace(self._runs, (irrelevant + 1, self._turns, rest))
            self._turns += 1


def _by_topic(rankings: Rankings) -> list[tuple[str, dict[str, list[int]]]]:
    """For each topic, the pairs of each run, first to last."""
    found: list[tuple[str, dict[str, list[int]]]] = [(topic, {}) for topic in rankings.topics]
    for name, one in zip(rankings.names, rankings.lists, strict=True):
        topics = rankings.topic_of(one.codes)
        edges = np.searchsorted(topics, np.arange(len(rankings.topics) + 1))
        codes = one.codes.tolist()
        for place, (_, lists) in enumerate(found):
            lists[name] = codes[edges[place] : edges[place + 1]]
    return found
