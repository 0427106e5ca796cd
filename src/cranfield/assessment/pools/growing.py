"""Pools that grow by their judgements: variable depth, and move to front.

*Variable depth* (`by_yield`): all topics begin at one depth. Then the topic that promises most is
pooled a step deeper, again and again, until the budget is spent. A topic promises the relevant
documents that its curve of discovery (Zobel 1998, see `missed`) expects in the next step, divided
by the documents that would have to be judged for them; among equals the shallowest goes first. A
topic that waits for judgements goes no deeper. What does not fit into a batch, the next one goes on
with.

*Move to front* (Cormack, Palmer & Clarke 1998, local to each topic): the run at the front hands in
its next document. As long as its documents are relevant it stays there; an irrelevant one sends it
behind all runs that had fewer of them, and among these the one that waited longest comes to the
front. A document that was judged already is passed over. Topics take turns.

A document that nobody judged yet counts as irrelevant until somebody does. So the pool so far and
the judgements so far are all there is to remember: with them, the next call goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heapreplace
from typing import Any

import numpy as np

from cranfield.assessment.draws import draw_order
from cranfield.assessment.pools.missed import Discovery
from cranfield.assessment.pools.qrels import Qrels
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.matrices import Ints
from cranfield.core.progress import Step
from cranfield.core.truth import State, Truth
from cranfield.errors import InputError

Assessor = Callable[[str, str], int | None]
"""The grade of a document for a topic, given their ids; None = not judged."""


class Judge:
    """Grades of pairs, by their codes, each asked for once; below zero = not judged."""

    def __init__(self, judge: Assessor | Truth | None, rankings: Rankings) -> None:
        self._topics, self._documents = rankings.topics, rankings.documents
        self._grades: dict[int, int] = {}
        self._ask: Assessor | None = None
        if isinstance(judge, Truth):
            qrels = Qrels.of(judge, self._topics, self._documents)
            self._grades = dict(zip(qrels.codes.tolist(), qrels.grades.tolist(), strict=True))
        elif callable(judge):
            self._ask = judge
        elif judge is not None:
            raise InputError(
                f"judge is a {type(judge).__name__}; give a cf.Truth, or a function of topic and "
                "document"
            )

    def __call__(self, code: int) -> int:
        if code not in self._grades:
            self._grades[code] = self._grade(code)
        return self._grades[code]

    def _grade(self, code: int) -> int:
        if self._ask is None:
            return State.UNJUDGED
        topic, document = divmod(code, len(self._documents))
        return _as_grade(self._ask(self._topics[topic], self._documents[document]))


def _as_grade(answer: Any) -> int:
    if answer is None:
        return State.UNJUDGED
    try:
        grade = int(answer)
    except (TypeError, ValueError):
        grade = State.OUTSIDE
    if grade != answer or grade < State.UNJUDGED:
        raise InputError(
            f"the judge says {answer!r}; a judgement is 0, 1 or a higher grade, and None if there "
            "is none"
        )
    return grade


class Allowance:
    """How many more documents a growing pool may take.

    A budget limits the whole pool; a batch limits how many of its documents may wait for a
    judgement at one time, so that what people say can steer what they are asked next.
    """

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


# ── variable depth ────────────────────────────────────────────────────────────────────────────


def by_yield(
    rankings: Rankings,
    judge: Judge,
    allowance: Allowance,
    *,
    depth: int,
    step: int,
    waits: bool,
    pooled: Step,
) -> Ints:
    """The pairs of the pool: those that the allowance began with and those it admitted.

    depth     where topics begin
    waits     whether unjudged documents will be judged; if not, they count as irrelevant
    pooled    called with 1 for each new pair
    """
    topics = _topics(rankings, judge, allowance, pooled)
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
        pooled: Step,
    ) -> None:
        order = np.argsort(ranks, kind="stable")
        self._codes, self._ranks = codes[order], ranks[order]
        self._judge, self._allowance, self._pooled = judge, allowance, pooled
        self.depth = 0
        self.waiting = 0
        """Pooled documents without a judgement."""
        self._relevant_ranks: list[int] = []
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
            self._pooled(1)
        first, last = np.searchsorted(self._ranks, [self.depth, depth], side="right")
        for code, rank in zip(
            self._codes[first:last].tolist(), self._ranks[first:last].tolist(), strict=True
        ):
            grade = self._judge(code)
            self.waiting += grade < 0
            if grade >= 1:
                self._relevant_ranks.append(rank)
        self.depth = depth
        self._promise = None
        return is_whole

    def promise(self, step: int) -> float:
        """Relevant documents that a step deeper is expected to bring, for each one to judge."""
        if self._promise is None:
            more = len(self.new(self.depth + step))
            curve = Discovery.of(np.array(self._relevant_ranks, dtype=np.int64), self.depth)
            expected = curve.expected(self.depth + 1, self.depth + step)
            self._promise = min(expected / more, 1.0) if more else 0.0
        return self._promise


def _topics(rankings: Rankings, judge: Judge, allowance: Allowance, pooled: Step) -> list[_Topic]:
    firsts = rankings.firsts
    return [
        _Topic(firsts.codes[here], firsts.ranks[here], judge, allowance, pooled)
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
            f"depth {depth} takes {new + len(allowance.pooled)} documents, more than the budget",
            mend="begin at a lower {depth}, or raise {budget}",
        )
    for rank in range(1, max(depths, default=0) + 1):
        arrived = [
            topic.reach(rank) for topic, start in zip(topics, depths, strict=True) if rank <= start
        ]
        if not all(arrived):
            return False
    return True


# ── move to front ─────────────────────────────────────────────────────────────────────────────


def move_to_front(
    rankings: Rankings,
    judge: Judge,
    allowance: Allowance,
    *,
    seed: int,
    pooled: Step,
) -> Ints:
    """The pairs of the pool: those that the allowance began with and those it admitted.

    pooled  called with 1 for each new pair
    """
    queues = [_Queue(lists, seed, topic) for topic, lists in _lists_by_topic(rankings)]
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
                pooled(1)
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
            (0, turn, iter(lists[names[index]])) for turn, index in enumerate(order.tolist())
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


def _lists_by_topic(rankings: Rankings) -> list[tuple[str, dict[str, list[int]]]]:
    """For each topic, the pairs of each run, first to last."""
    by_topic: list[tuple[str, dict[str, list[int]]]] = [(topic, {}) for topic in rankings.topics]
    for name, run in zip(rankings.names, rankings.lists, strict=True):
        topics = rankings.topic_of(run.codes)
        edges = np.searchsorted(topics, np.arange(len(rankings.topics) + 1))
        codes = run.codes.tolist()
        for index, (_, lists) in enumerate(by_topic):
            lists[name] = codes[edges[index] : edges[index + 1]]
    return by_topic
