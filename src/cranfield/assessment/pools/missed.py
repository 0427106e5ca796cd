"""Missed: how many relevant documents nobody judged.

Two estimates that rest on different things. Extrapolation (Zobel 1998) continues the curve of new
relevant documents by depth to a greater depth: what deeper pools of the same runs would have
brought. It is rough, since a few points at the top of the lists decide about all that lies below.
Capture and recapture (Chao 1987) compares relevant documents that one group alone found with those
that exactly two found: what none of such groups found; a lower bound, since some documents are
harder to find than others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cranfield.assessment.pools.depth import judged_depth
from cranfield.assessment.pools.discovery import Discovery
from cranfield.assessment.pools.qrels import Qrels
from cranfield.assessment.pools.rankings import Rankings
from cranfield.caching import cached_property
from cranfield.core.matrices import Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError


@dataclass(frozen=True)
class MissedRelevant:
    """Relevant documents that were found, and estimates of those that were not."""

    found: int
    depth: int
    """How deep runs were pooled."""
    to: int
    """The depth that the estimate of deeper pools reaches."""
    discovery: Discovery
    """New relevant documents by depth, over all topics."""
    unpooled: Ints
    """Documents that depth `depth` + 1, `depth` + 2, … would have brought, as far as lists go."""
    topics: tuple[str, ...]
    unseen: Floats
    """By topic: relevant documents that no group found, as estimated from what groups share."""

    @cached_property
    def deeper(self) -> float:
        """Relevant documents that pools down to `to` would have brought besides.

        No depth brings more relevant documents than documents.
        """
        curve = self.discovery.curve(np.arange(self.depth + 1, self.to + 1))
        known = min(len(self.unpooled), len(curve))
        curve[:known] = np.minimum(curve[:known], self.unpooled[:known])
        return float(curve.sum())

    @property
    def deeper_share(self) -> float:
        """Of all relevant documents down to that depth, the share that was missed."""
        return _share(self.deeper, self.found)

    @property
    def unseen_share(self) -> float:
        """Of all relevant documents, the share that no group found."""
        return _share(float(self.unseen.sum()), self.found)


def missed_relevant(
    truth: Truth, runs: Run | Iterable[Run], *, depth: int | None = None, to: int | None = None
) -> MissedRelevant:
    """Estimate how many relevant documents a pool missed.

    depth  how deep the runs were pooled; default: down to where all they retrieved was judged
    to     how deep to look further; default: the longest list
    """
    rankings = Rankings.of(runs, truth=truth)
    qrels = Qrels.of(truth, rankings.topics, rankings.documents)
    relevant = qrels.relevant
    if depth is None:
        depth = judged_depth(rankings, qrels)
    firsts = rankings.firsts
    ranks = firsts.ranks[np.isin(firsts.codes, relevant)]
    reach = max(rankings.deepest, depth) if to is None else to
    if depth < 2:
        raise InputError(f"depth={depth}; a curve needs at least two depths")
    if reach < depth:
        raise InputError(f"to={to} lies above depth={depth}; look further down")
    return MissedRelevant(
        len(relevant),
        depth,
        reach,
        Discovery.of(ranks, depth),
        np.bincount(firsts.ranks, minlength=depth + 1)[depth + 1 :],
        rankings.topics,
        _unseen(rankings, relevant, depth),
    )


def _unseen(rankings: Rankings, relevant: Ints, depth: int) -> Floats:
    """By topic, (m − 1)/m · f₁(f₁ − 1) / 2(f₂ + 1) of m groups; fₖ were found by exactly k."""
    groups = sorted(set(rankings.groups))
    finders = np.zeros(len(relevant), dtype=np.int64)
    for group in groups:
        codes = np.concatenate(
            [
                one.codes[one.ranks <= depth]
                for one, whose in zip(rankings.lists, rankings.groups, strict=True)
                if whose == group
            ]
        )
        finders += np.isin(relevant, codes)
    topic = rankings.topic_of(relevant)
    once, twice = (
        np.bincount(topic[finders == times], minlength=len(rankings.topics)).astype(np.float64)
        for times in (1, 2)
    )
    m = len(groups)
    return (m - 1) / m * once * (once - 1) / (2 * (twice + 1))


def _share(missed: float, found: int) -> float:
    return missed / (missed + found) if missed + found else 0.0
