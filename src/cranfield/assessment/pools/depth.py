"""Depth: pool what any run has among its first k documents.

With a budget instead of a depth, the deepest pool of one depth for all topics that it pays for.
Source: Spärck Jones & van Rijsbergen 1975.
"""

from __future__ import annotations

import numpy as np

from cranfield.assessment.pools.qrels import Qrels
from cranfield.assessment.pools.rankings import Rankings
from cranfield.core.matrices import Ints
from cranfield.errors import InputError


def to_depth(rankings: Rankings, depth: int) -> Ints:
    """The pairs that a run has at this rank or above."""
    firsts = rankings.firsts
    return firsts.codes[firsts.ranks <= depth]


def depth_within(rankings: Rankings, budget: int) -> int:
    """The largest depth with no more documents than the budget."""
    sizes = np.cumsum(np.bincount(rankings.firsts.ranks))
    depth = int(np.searchsorted(sizes, budget, side="right")) - 1
    if depth < 1:
        raise InputError(
            f"a budget of {budget} does not pay for depth 1, which has {sizes[1]} documents; raise "
            "the budget, or pool fewer topics"
        )
    return depth


class NotPooledError(InputError):
    """Judgements that do not tell how deep the runs were pooled."""


def judged_depth(rankings: Rankings, qrels: Qrels) -> int:
    """Down to which rank everything that the runs retrieved was judged, in all topics."""
    firsts = rankings.firsts
    unjudged = firsts.ranks[qrels.at(firsts.codes) < 0]
    if not len(unjudged):
        return rankings.deepest
    depth = int(unjudged.min()) - 1
    if depth < 2:
        raise NotPooledError(
            "the runs have unjudged documents among their first two, so they were not pooled "
            "wholly; give depth= (on the command line --depth) to estimate nevertheless"
        )
    return depth
