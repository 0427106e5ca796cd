"""Influence on statistics of a list that is cut somewhere: EER and RP.

They depend on the cell where a threshold happens to lie: there the derivative jumps from cell to
cell, and what counts in a sample of items is the slope of the curve around the threshold. It is
taken over a stretch of the list that shrinks, as a share, as the list grows; where one group of
equals covers that stretch, the derivative is exact.
"""

from __future__ import annotations

import numpy as np

from cranfield.kernels import Statistic
from cranfield.matrices import Bools, Floats
from cranfield.statistics.influence.gradients import widening
from cranfield.statistics.influence.lists import CellList, WholeList


def of_cut(cells: CellList, statistic: Statistic, *, widened: bool) -> Floats:
    """∂statistic/∂wᵢ of every cell of a list."""
    ranked = WholeList.of(cells, statistic.ties)
    values = CUT[statistic.name](ranked)
    if widened:
        _widen(values, ranked.relevant)
    out = np.empty(len(values))
    out[ranked.order] = values
    return out


def _widen(values: Floats, relevant: Bools) -> None:
    for kind in (relevant, ~relevant):
        mean = values[kind].mean() if kind.any() else 0.0
        factor = float(widening(np.array(float(np.count_nonzero(kind)))))
        values[kind] = mean + factor * (values[kind] - mean)


def _eer(ranked: WholeList) -> Floats:
    """Where FPR + TPR = 1: an error moves with the false and the missed cells at the threshold,
    each by the share that the other kind has in the slope of the curve there."""
    P, N, found = ranked.cells.positives, ranked.cells.negatives, ranked.found
    ends = ranked.ends
    true, false = found[ends] / P, (ends - found[ends]) / N
    both = true + false
    after = int(np.argmax(both >= 1.0 - 1e-12))
    rise = both[after] - both[after - 1]
    share = (1.0 - both[after - 1]) / rise
    error = false[after - 1] + share * (false[after] - false[after - 1])
    reach = min(P, N) ** (-1.0 / 3.0)
    low = min(after - 1, max(0, int(np.searchsorted(both, 1.0 - reach, "right")) - 1))
    high = max(after, min(len(both) - 1, int(np.searchsorted(both, 1.0 + reach))))
    slope = (false[high] - false[low]) / (both[high] - both[low])
    inside = _inside(ranked, int(ends[after - 1]), int(ends[after]), share)
    missed, wrong = -slope * (inside - (1.0 - error)) / P, (1.0 - slope) * (inside - error) / N
    return np.asarray(np.where(ranked.relevant, missed, wrong))


def _rp(ranked: WholeList) -> Floats:
    """Relevant cells among the first R: one more above pushes out what stands at rank R, one more
    relevant anywhere lets it in."""
    R, found, length = ranked.cells.positives, ranked.found, ranked.cells.retrieved
    if length <= R:
        inside, at_cut = (np.arange(len(ranked.order)) < length).astype(np.float64), 0.0
    else:
        first, last = int(ranked.start[R - 1]), int(ranked.end[R - 1])
        inside = _inside(ranked, first, last, (R - first) / (last - first))
        reach = int(np.ceil(R ** (2.0 / 3.0)))
        low, high = max(0, min(first, R - reach)), min(length, max(last, R + reach))
        at_cut = (found[high] - found[low]) / (high - low)
    relevant: Bools = ranked.relevant
    kept = inside[relevant].sum() / R
    return np.asarray((relevant * (inside - kept) + at_cut * (relevant - inside)) / R)


def _inside(ranked: WholeList, first: int, last: int, share: float) -> Floats:
    """1 for cells above a group, 0 for those below it, a share for those in it."""
    place = np.arange(len(ranked.order))
    return np.where(place < first, 1.0, np.where(place < last, share, 0.0))


CUT = {"EER": _eer, "RP": _rp}
"""From an ordered list to a number for each of its cells."""
