"""Influence on statistics of ranked lists: ∂statistic/∂wᵢ of every item, from lists of any kind.

EER and RP depend on the cell where a threshold happens to lie: there the derivative jumps from cell
to cell, and what counts in a sample of items is the slope of the curve around the threshold. It is
taken over a stretch of the list that shrinks, as a share, as the list grows; where the threshold
lies in a group of equals that is longer than half of that stretch, the derivative is exact. A
cell's influence follows from its kind and from the side of the threshold on which it stands, so a
list needs a table of six numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.matrices import Floats, Ints
from cranfield.kernels import Cuts, Levels, Statistic
from cranfield.kernels.influence import TABLES, widening
from cranfield.statistics.influence.lists import WholeLists, whole_lists

_SPLIT = {"best": 1, "worst": 0}
"""The kind that stands first among equals."""


def of_cut(
    lists: WholeLists, statistic: Statistic, shares: Floats, sums: Floats, *, widened: bool
) -> None:
    """Add to sums of items: Σ over lists of share · ∂statistic/∂wᵢ."""
    ties = statistic.ties if statistic.ties in _SPLIT else "grouped"
    table, thresholds = CUT[statistic.name](lists, ties)
    if widened:
        _widen(table, kernels.count_sides(lists.sorted, thresholds))
    table *= shares[:, None, None]
    kernels.side_sums(lists.sorted, thresholds, table, lists.items, sums)


def _widen(table: Floats, counts: Ints) -> None:
    size = counts.sum(axis=2, keepdims=True)
    mean = (counts * table).sum(axis=2, keepdims=True) / np.maximum(size, 1)
    table[:] = mean + widening(size.astype(np.float64)) * (table - mean)


def _eer(lists: WholeLists, ties: str) -> tuple[Floats, Floats]:
    """Where FPR + TPR = 1: an error moves with the false and the missed cells at the threshold,
    each by the share that the other kind has in the slope of the curve there."""
    P, N = np.maximum(lists.positives, 1), np.maximum(lists.negatives, 1)
    reach = np.minimum(P, N) ** (-1.0 / 3.0)
    levels = Levels(*_floats(P, N, 1.0 - reach, np.full(len(P), 1.0 - 1e-12), 1.0 + reach))
    cuts = kernels.cuts(lists.sorted, np.diff(lists.offsets), levels, ties)
    low, before, after, high = (_rates(point, P, N) for point in cuts[:4])
    share = _over(1.0 - before.sum(axis=0), (after - before).sum(axis=0))
    error = before[0] + share * (after[0] - before[0])
    slope = _over((high - low)[0], (high - low).sum(axis=0))
    inside, error, slope = _inside(cuts, share, ties), error[:, None], slope[:, None]
    wrong = (1.0 - slope) * (inside[:, 0] - error) / N[:, None]
    missed = -slope * (inside[:, 1] - (1.0 - error)) / P[:, None]
    return np.stack((wrong, missed), axis=1), cuts.threshold


def _rates(point: Floats, P: Ints, N: Ints) -> Floats:
    """(2, lists): false positive rate and recall at the end of a group."""
    cells, hits = point.T
    return np.array([(cells - hits) / N, hits / P])


def _rp(lists: WholeLists, ties: str) -> tuple[Floats, Floats]:
    """Relevant cells among the first R: one more above pushes out what stands at rank R, one more
    relevant anywhere lets it in."""
    R, length = np.maximum(lists.positives, 1), lists.retrieved
    reach = np.ceil(R ** (2.0 / 3.0))
    ones = np.ones(len(R))  # levels are places
    levels = Levels(*_floats(ones, ones, R - reach, R, R + reach))
    cuts = kernels.cuts(lists.sorted, length, levels, ties)
    short = length <= R  # so that everything retrieved is inside, and nothing is at the cut
    first, last = cuts.before[:, 0], cuts.after[:, 0]
    share = np.where(short, 0.0, _over(R - first, last - first))
    threshold = np.where(short, -np.inf, cuts.threshold)
    cuts = cuts._replace(kind=np.where(short, -1, cuts.kind))
    hits = cuts.before[:, 1] + share * (cuts.after[:, 1] - cuts.before[:, 1])
    accepted = np.where(short, lists.kinds.found, hits) / R
    slope = _over(cuts.high[:, 1] - cuts.low[:, 1], cuts.high[:, 0] - cuts.low[:, 0])
    at_cut = np.where(short, 0.0, slope)[:, None, None]
    relevant, inside = np.array([0.0, 1.0])[:, None], _inside(cuts, share, ties)
    moved = relevant * (inside - accepted[:, None, None]) + at_cut * (relevant - inside)
    return moved / R[:, None, None], threshold


def _floats(*arrays: Floats | Ints) -> Iterator[Floats]:
    return (np.asarray(array, dtype=np.float64) for array in arrays)


def _inside(cuts: Cuts, share: Floats, ties: str) -> Floats:
    """(lists, 2, 3): of irrelevant and relevant cells above, at and below the threshold, how much
    of one lies above the cut. Where equals are told apart, the cut lies among those of a kind."""
    out = np.zeros((len(share), 2, 3))
    out[:, :, 0] = 1.0
    out[:, :, 1] = share[:, None]
    if ties in _SPLIT:
        first = _SPLIT[ties]
        out[cuts.kind == first, 1 - first, 1] = 0.0
        out[cuts.kind == 1 - first, first, 1] = 1.0
    return out


def _over(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """part / whole, 0 where a list has no such."""
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)


CUT: dict[str, Callable[[WholeLists, str], tuple[Floats, Floats]]] = {"EER": _eer, "RP": _rp}
"""From lists to their tables, (lists, 2, 3), and thresholds."""
STATISTICS = (*TABLES, *CUT)
"""The statistics that items have an influence on."""
_OF_BOTH = ("AUC", "EER", "AP_at_prevalence")
"""Those that are undefined without negatives."""


def by_list(
    comparison: Comparison,
    direction: Direction,
    statistic: Statistic,
    shares: Floats,
    *,
    widened: bool = False,
) -> Floats:
    """Σ over lists of share · ∂statistic/∂wᵢ, by item.

    widened  as much more as all items spread than a sample with so few positives, or negatives
    """
    items = comparison.truth.shape[0]
    sums = np.zeros((3, items))
    for lists in whole_lists(comparison, direction, statistic.ties):
        defined = lists.positives > 0
        if statistic.name in _OF_BOTH:
            defined &= lists.negatives > 0
        own = np.where(defined, shares[lists.places], 0.0)
        if statistic.name in CUT:
            of_cut(lists, statistic, own, sums, widened=widened)
        else:
            kernels.standing_sums(
                lists.offsets,
                lists.standings,
                lists.kinds,
                statistic,
                own,
                lists.items,
                sums,
                widened=widened,
            )
    return kernels.rounded(list(sums))
