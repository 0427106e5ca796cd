"""Influence on statistics of ranked lists: ∂statistic/∂wᵢ of every cell of a list.

AUC and AP, also at a prevalence, are exact derivatives. EER and RP depend on the cell where a
threshold happens to lie: there the derivative jumps from cell to cell, and what counts in a sample
of items is the slope of the curve around the threshold. It is taken over a stretch of the list that
shrinks, as a share, as the list grows; where one group of equals covers that stretch, the
derivative is exact too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.comparison import Comparison, Direction
from cranfield.kernels import Statistic
from cranfield.kernels.groups import TIED_SHARE
from cranfield.matrices import Bools, Floats
from cranfield.statistics.influence.gradients import widening
from cranfield.statistics.influence.lists import WholeList, whole_lists

ByCell = Callable[[WholeList, Statistic], Floats]
"""From a list and what is asked of it to a number for each of its cells."""


def by_list(
    comparison: Comparison,
    direction: Direction,
    statistic: Statistic,
    shares: Floats,
    *,
    widened: bool = False,
) -> Floats:
    """Σ over lists of share · ∂statistic/∂wᵢ, by item."""
    out = np.zeros(comparison.truth.shape[0])
    refined, by_cell, both_needed = STATISTICS[statistic.name]
    for ranked in whole_lists(comparison, direction, statistic.ties, refined=refined):
        share = shares[ranked.place]
        if share == 0 or not ranked.positives or (both_needed and not ranked.negatives):
            continue
        values = share * by_cell(ranked, statistic)
        if widened:
            _widen(values, ranked.relevant)
        if direction == "micro":
            out += np.bincount(ranked.items, weights=values, minlength=len(out))
        else:  # an item stands in a list once
            out[ranked.items] += values
    return out


def _widen(values: Floats, relevant: Bools) -> None:
    for kind in (relevant, ~relevant):
        mean = values[kind].mean() if kind.any() else 0.0
        factor = float(widening(np.array(float(np.count_nonzero(kind)))))
        values[kind] = mean + factor * (values[kind] - mean)


def _auc(ranked: WholeList, statistic: Statistic) -> Floats:
    """Share of the other kind that a cell is rightly told from, less AUC (DeLong et al. 1988)."""
    tied = TIED_SHARE.get(statistic.ties, 0.5)
    P, N, above = ranked.positives, ranked.negatives, ranked.above
    # Of the other kind: for irrelevant cells those above, for relevant ones those not above.
    right = (above + (1.0 - tied) * (ranked.through - above)) / P
    hit = np.flatnonzero(ranked.relevant)
    start, end = ranked.start[hit], ranked.end[hit]
    before, within = start - above[hit], end - start - (ranked.through[hit] - above[hit])
    won = (N - before - tied * within) / N
    area = won.mean()
    out = (right - area) / N
    out[hit] = (won - area) / P
    return np.asarray(out)


def _ap(ranked: WholeList, statistic: Statistic) -> Floats:
    """A relevant cell brings its own precision; each cell also moves that of all at or below it."""
    R, hit = ranked.positives, np.flatnonzero(ranked.relevant[: ranked.retrieved])
    end = ranked.end[hit]
    precision = ranked.through[hit] / end
    average = precision.sum() / R
    gain, loss = _from(1.0 / end), _from(precision / end)
    out = np.where(ranked.relevant, -average, 0.0)
    listed = ranked.above[: ranked.retrieved]
    out[: ranked.retrieved] -= loss[listed]
    out[hit] += precision + gain[listed[hit]]
    return np.asarray(out / R)


def _ap_at_prevalence(ranked: WholeList, statistic: Statistic) -> Floats:
    """The same with precision as a function of both rates, which every cell of a kind moves."""
    R, N = ranked.positives, ranked.negatives
    hit = np.flatnonzero(ranked.relevant[: ranked.retrieved])
    found, false = ranked.through[hit], ranked.end[hit] - ranked.through[hit]
    right, wrong = statistic.parameter * found / R, (1.0 - statistic.parameter) * false / N
    precision = right / (right + wrong)
    # By how much precision changes with the logarithm of either rate: plus and minus this.
    slope = right * wrong / (right + wrong) ** 2
    gain = _from(slope / found)
    loss = _from(np.divide(slope, false, out=np.zeros(len(slope)), where=false > 0))
    average, total = precision.sum() / R, slope.sum()
    out = np.where(ranked.relevant, -average - total / R, total / N)
    listed = ranked.above[: ranked.retrieved]
    told = ranked.relevant[: ranked.retrieved]
    out[: ranked.retrieved] += np.where(told, gain[listed], -loss[listed])
    out[hit] += precision
    return np.asarray(out / R)


def _from(values: Floats) -> Floats:
    """Sums of all values, of all but the first, … of none."""
    return np.concatenate([[0.0], np.cumsum(values[::-1])])[::-1]


def _eer(ranked: WholeList, statistic: Statistic) -> Floats:
    """Where FPR + TPR = 1: an error moves with the false and the missed cells at the threshold,
    each by the share that the other kind has in the slope of the curve there."""
    P, N, found = ranked.positives, ranked.negatives, ranked.found
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


def _rp(ranked: WholeList, statistic: Statistic) -> Floats:
    """Relevant cells among the first R: one more above pushes out what stands at rank R, one more
    relevant anywhere lets it in."""
    R, found, length = ranked.positives, ranked.found, ranked.retrieved
    if length <= R:
        inside, at_cut = (np.arange(len(ranked.items)) < length).astype(np.float64), 0.0
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
    place = np.arange(len(ranked.items))
    return np.where(place < first, 1.0, np.where(place < last, share, 0.0))


STATISTICS: dict[str, tuple[bool, ByCell, bool]] = {
    "AUC": (False, _auc, True),
    "AP": (False, _ap, False),
    "AP_at_prevalence": (False, _ap_at_prevalence, True),
    "EER": (True, _eer, True),
    "RP": (True, _rp, False),
}
"""Whether ties=best and worst order the equal beforehand, the numbers by cell, and whether a list
needs negatives."""
