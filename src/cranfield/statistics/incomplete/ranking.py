"""Spans of rank measures by item.

Of completions with equally many positives, the one whose positives are ranked highest is best, and
the one whose positives are ranked lowest is worst: moving a positive up never hurts by AP, RP, P@k,
R@k, nDCG, one-error, coverage and ranking loss. So it is enough to try, for every number of
positives, those two. Exact, but for grouped AP of items with tied scores, where moving a positive
up into a larger group of equals can hurt: those get valid bounds.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.kernels import Statistic
from cranfield.measures import Measure
from cranfield.statistics.incomplete.gaps import Gaps
from cranfield.statistics.incomplete.spans import Spans


def ranked_spans(gaps: Gaps, measure: Measure) -> Spans:
    """Spans of a rank measure by item."""
    rank = _places(gaps)
    spans = Spans.nothing_seen(len(gaps.sizes))
    for count in range(int(gaps.sizes.max(initial=0)) + 1):
        for positive in (rank < count, rank >= gaps.sizes[:, None] - count):
            spans = spans.seen(measure.units(gaps.completed(positive)))
    if measure.statistic == Statistic("AP", "grouped"):
        tied = _tied(gaps)
        if tied.any():
            return spans.where(tied, _grouped_precision(gaps, spans))
    return spans


def _places(gaps: Gaps) -> Ints:
    """Rank of each unknown cell among those of its item, from 0; which of equals is first does
    not matter. Other cells come behind."""
    keys = np.where(gaps.unknown, -gaps.scores, np.inf)
    order = np.lexsort((~gaps.unknown, keys), axis=1)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(order.shape[1])[None, :], axis=1)
    return rank


def _tied(gaps: Gaps) -> Bools:
    ordered = np.sort(gaps.scores, axis=1)
    tied: Bools = ((ordered[:, 1:] == ordered[:, :-1]) & np.isfinite(ordered[:, 1:])).any(axis=1)
    return tied


def _grouped_precision(gaps: Gaps, seen: Spans) -> Spans:
    """Valid spans of grouped AP: each positive by itself as well, or as badly, off as it may be.

    With j unknown positives, a cell has at most all known positives and min(j, unknown ones) at or
    above it, and at least those that do not fit below it.
    """
    end, sure, doubtful = (_at_or_above(gaps, cells) for cells in (None, gaps.labels, gaps.unknown))
    retrieved = np.isfinite(gaps.scores)
    low, high = seen.low.copy(), seen.high.copy()
    positives = gaps.labels.sum(axis=1)
    for count in range(1, int(gaps.sizes.max(initial=0)) + 1):
        here = gaps.sizes >= count
        above = np.minimum(count, doubtful)
        fewest = np.maximum(0, count - (gaps.sizes[:, None] - doubtful))
        best = np.where(retrieved, np.minimum(1.0, (sure + above) / end), 0.0)
        worst = np.where(
            retrieved, (sure + np.where(gaps.unknown, np.maximum(fewest, 1), fewest)) / end, 0.0
        )
        whole = positives + count
        upper = _sum(best, gaps.labels) + _first(-best, gaps.unknown, count) * -1.0
        lower = _sum(worst, gaps.labels) + _first(worst, gaps.unknown, count)
        high = np.where(here, np.fmax(high, np.minimum(upper / whole, 1.0)), high)
        low = np.where(here, np.fmin(low, lower / whole), low)
    return Spans.valid(low, high, seen.skippable)


def _at_or_above(gaps: Gaps, cells: Bools | None) -> Ints:
    """(N, C): how many of some cells of an item are ranked at or above each cell."""
    counts = np.zeros(gaps.scores.shape, dtype=np.int64)
    for column in range(gaps.scores.shape[1]):
        counts_here = gaps.scores[:, [column]] >= gaps.scores
        counts += counts_here if cells is None else counts_here & cells[:, [column]]
    return counts


def _sum(values: Floats, cells: Bools) -> Floats:
    return np.asarray(np.where(cells, values, 0.0).sum(axis=1))


def _first(values: Floats, cells: Bools, count: int) -> Floats:
    """The sum of the smallest `count` values of some cells of each item."""
    ordered = np.sort(np.where(cells, values, np.inf), axis=1)[:, :count]
    return np.asarray(np.where(np.isfinite(ordered), ordered, 0.0).sum(axis=1))
