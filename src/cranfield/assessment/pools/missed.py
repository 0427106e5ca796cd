"""Missed: how many relevant documents nobody judged.

Two estimates that rest on different things. Extrapolation (Zobel 1998) continues the curve of new
relevant documents by depth to a greater depth: what deeper pools of the same runs would have
brought. It is rough, since a few points at the top of the lists decide about all that lies below.
Zobel fits C·dˢ − 1 to the number of relevant documents that depth d is the first to bring: a line
through log(number + 1) against log d.

Capture and recapture (Chao 1987) compares relevant documents that one group alone found with those
that exactly two found: what none of such groups found; a lower bound, since some documents are
harder to find than others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.assessment.pools.qrels import Qrels, judged_depth
from cranfield.assessment.pools.rankings import Rankings
from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats, Ints
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.truth import Truth
from cranfield.errors import InputError


@dataclass(frozen=True)
class Discovery:
    """New relevant documents by depth, and the curve through them."""

    new: Ints
    """Those that depth 1, 2, … was the first to bring."""
    level: float
    """C."""
    slope: float
    """s."""

    @classmethod
    def of(cls, ranks: Ints, depth: int) -> Discovery:
        """ranks  the best rank of each relevant document; those below the depth do not count"""
        new = np.bincount(ranks[ranks <= depth], minlength=depth + 1)[1:]
        return cls(new, *_fitted(new))

    def expected(self, first: int, last: int) -> float:
        """How many more relevant documents the ranks from first to last would bring."""
        return float(self.curve(np.arange(first, last + 1)).sum())

    def curve(self, depths: Ints) -> Floats:
        """The fitted number at each depth, not below zero."""
        return np.maximum(self.level * depths.astype(np.float64) ** self.slope - 1.0, 0.0)


def _fitted(new: Ints) -> tuple[float, float]:
    y = np.log1p(new)
    if len(y) < 2:
        return math.exp(float(y.sum())), 0.0
    x = np.log(np.arange(1, len(y) + 1))
    spread = x - x.mean()
    slope = float(spread @ y / (spread @ spread))
    return math.exp(float(y.mean() - slope * x.mean())), slope


@dataclass(frozen=True, eq=False, repr=False)
class MissedRelevant(Analysis):
    """Relevant documents that were found, and estimates of those that were not."""

    title = "Relevant documents that were missed"

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
        length = min(len(self.unpooled), len(curve))
        curve[:length] = np.minimum(curve[:length], self.unpooled[:length])
        return float(curve.sum())

    @property
    def deeper_share(self) -> float:
        """Of all relevant documents down to that depth, the share that was missed."""
        return _share(self.deeper, self.found)

    @property
    def unseen_share(self) -> float:
        """Of all relevant documents, the share that no group found."""
        return _share(float(self.unseen.sum()), self.found)

    def _facts(self) -> dict[str, Any]:
        return {
            "found": self.found,
            "depth": self.depth,
            "to": self.to,
            "new_by_depth": self.discovery.new,
            "level": self.discovery.level,
            "slope": self.discovery.slope,
            "deeper": self.deeper,
            "deeper_share": self.deeper_share,
            "unseen": self.unseen.sum(),
            "unseen_share": self.unseen_share,
        }

    def _tables(self) -> list[Table]:
        deeper = f"missed between depth {self.depth} and {self.to} (Zobel)"
        unseen = "missed by all groups (Chao, lower bound)"
        rows = [
            {"documents": "found", "estimate": self.found, "share": None},
            {"documents": deeper, "estimate": self.deeper, "share": self.deeper_share},
            {"documents": unseen, "estimate": self.unseen.sum(), "share": self.unseen_share},
        ]
        columns = (
            Column("documents", "relevant documents", key=True),
            Column("estimate", digits=0),
            Column("share", "share missed", kind="percent", digits=1),
        )
        remark = (
            f"new relevant documents at depth d ≈ {self.discovery.level:.2f} · "
            f"d^{self.discovery.slope:.2f} − 1; an extrapolation: trust its order of magnitude only"
        )
        return [Table("missed", rows, columns, title="Missed", remarks=[remark])]

    def _charts(self) -> list[Chart]:
        """New relevant documents at each depth, and the curve of what deeper ones would bring."""
        depths = np.arange(1, self.to + 1)
        new = enumerate(self.discovery.new.tolist(), start=1)
        curve = zip(depths.tolist(), self.discovery.curve(depths).tolist(), strict=True)
        return [
            Chart(
                kind="lines",
                rows=[{"depth": depth, "new": value} for depth, value in curve],
                dots=[{"depth": depth, "new": count} for depth, count in new],
                x=Axis("depth", "depth"),
                y=Axis("new", "new relevant documents"),
                title="What each further depth brought",
                subtitle=f"{self.found} relevant documents found down to depth {self.depth}; the "
                f"curve expects {self.deeper:.0f} more down to {self.to}",
            )
        ]


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
        raise InputError(f"depth={depth}; a curve needs at least two depths", parameter="depth")
    if reach < depth:
        raise InputError(f"to={to} lies above depth={depth}; look further down", parameter="to")
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
                run.codes[run.ranks <= depth]
                for run, made_by in zip(rankings.lists, rankings.groups, strict=True)
                if made_by == group
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
