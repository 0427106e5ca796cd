"""Influence of the cells of ranked lists on statistics that see only where cells stand among the
relevant ones: AUC and AP, in NumPy.

Irrelevant cells between the same two relevant ones have the same influence, and equals of a kind
have it too. So a list of R relevant cells needs a table of 3 (R + 1) numbers: by how many relevant
cells are above a cell, and whether it is irrelevant, irrelevant and tied with relevant ones, or
relevant. These derivatives are exact.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.kernels.groups import TIED_SHARE, Floats, Ints
from cranfield.kernels.standings import Kinds, SortedLists, Standings
from cranfield.kernels.statistics import Statistic
from cranfield.kernels.sums import add_to, group_sums, total


def standings(lists: SortedLists, found: Standings, part: range) -> None:
    for place in part:
        own = slice(lists.offsets[place], lists.offsets[place + 1])
        scores, relevant = lists.scores[own], lists.relevant[own]
        ascending = np.sort(scores[relevant])
        positives = len(ascending)
        higher = positives - np.searchsorted(ascending, scores, "right")
        tied = positives - np.searchsorted(ascending, scores, "left") > higher
        codes = (positives + 1) * np.where(relevant, 2, tied) + higher
        found.codes[own] = codes
        table = slice(3 * found.starts[place], 3 * found.starts[place + 1])
        found.counts[table] = np.bincount(codes, minlength=table.stop - table.start)


def standing_sums(
    offsets: Ints,
    found: Standings,
    kinds: Kinds,
    statistic: Statistic,
    shares: Floats,
    items: Ints | None,
    out: Floats,
    *,
    widened: bool,
) -> None:
    for place in np.flatnonzero(shares).tolist():
        own = slice(offsets[place], offsets[place + 1])
        start, end = found.starts[place : place + 2]
        counts = found.counts[3 * start : 3 * end].reshape(3, -1)
        table = TABLES[statistic.name](counts, int(kinds.found[place]), statistic)
        if widened:
            _widen(table[:2], counts[:2])
            _widen(table[2:], counts[2:])
        values = shares[place] * table.ravel()[found.codes[own]]
        add_to(out, values if items is None else group_sums(values, items[own], out.shape[1]))


def widening(size: Floats) -> Floats:
    """How much more a kind of cells spreads in all items than in a sample with so many of them."""
    return np.sqrt(np.where(size > 1, size / np.maximum(size - 1.0, 1.0), 1.0))


def _widen(table: Floats, counts: Ints) -> None:
    size = float(counts.sum())
    factor = float(widening(np.array(size)))
    mean = total(counts * table) / max(size, 1.0)
    table *= factor
    table += (1.0 - factor) * mean


def _auc(counts: Ints, retrieved: int, statistic: Statistic) -> Floats:
    """Share of the other kind that a cell is rightly told from, less AUC (DeLong et al. 1988)."""
    share = TIED_SHARE.get(statistic.ties, 0.5)
    free, tied, hits = counts
    above, P, N = np.arange(len(hits)), hits.sum(), free.sum() + tied.sum()
    # Of the other kind: for irrelevant cells those above, for relevant ones those not above.
    before = np.cumsum(free + tied) - tied
    won = (N - before - share * tied) / N
    area = total(hits * won) / P
    right = above / P - area
    return np.array([right / N, (right + (1.0 - share) * hits / P) / N, (won - area) / P])


def _ap(counts: Ints, retrieved: int, statistic: Statistic) -> Floats:
    """A relevant cell brings its own precision; each cell also moves that of all at or below it."""
    hits, through, end = _groups(counts, retrieved)
    R = len(hits) - 1
    each = hits / end
    precision, brought = through / end, each * through
    precision[retrieved:] = 0.0
    loss = _from(brought / end)
    relevant = precision + _from(each) - loss - total(brought) / R
    return np.array([-loss, -loss, relevant]) / R


def _ap_at_prevalence(counts: Ints, retrieved: int, statistic: Statistic) -> Floats:
    """The same with precision as a function of both rates, which every cell of a kind moves."""
    hits, through, end = _groups(counts, retrieved)
    false, R, N = end - through, len(hits) - 1, counts[:2].sum()
    right, wrong = statistic.parameter * through / R, (1.0 - statistic.parameter) * false / N
    precision = _quotient(right, right + wrong) * (hits > 0)
    # By how much precision changes with the logarithm of either rate: plus and minus this.
    slope = hits * _quotient(right * wrong, (right + wrong) ** 2)
    average, slopes = total(hits * precision) / R, total(slope)
    irrelevant = slopes / N - _from(_quotient(slope, false))
    relevant = precision + _from(_quotient(slope, through)) - average - slopes / R
    return np.array([irrelevant, irrelevant, relevant]) / R


def _groups(counts: Ints, retrieved: int) -> tuple[Ints, Ints, Ints]:
    """By relevant cells above: how many relevant ones are retrieved there, and relevant and all
    cells down to the end of their group, at least 1."""
    hits = counts[2].copy()
    hits[retrieved:] = 0
    return hits, np.arange(len(hits)) + hits, np.maximum(np.cumsum(counts.sum(axis=0)), 1)


def _quotient(part: Floats, whole: Floats | Ints) -> Floats:
    """part / whole, 0 where nothing is."""
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)


def _from(values: Floats) -> Floats:
    """Sums of all values, of all but the first, … of the last."""
    return np.cumsum(values[::-1])[::-1]


TABLES: dict[str, Callable[[Ints, int, Statistic], Floats]] = {
    "AUC": _auc,
    "AP": _ap,
    "AP_at_prevalence": _ap_at_prevalence,
}
"""From counts (3, R + 1) and the relevant cells that were retrieved to a table of influence."""
