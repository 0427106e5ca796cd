"""Rank correlation: do two measures put runs in the same order?

P pairs are put in the same order by both sides, Q in opposite ones; a pair that one side ties is in
neither.

    tau             (P − Q) / (P + Q), as printed: tied pairs are left out
    tau_b           tied pairs count on the side that does not tie them; without ties it is tau
    weighted_tau    tau_b in which a swap near the top counts more
    tau_ap          the same by the rank in one ranking, seen from the other
    tau_ap_symmetric  its mean over both views
    rbo             how far the tops of two rankings overlap
    rank_shift      D, the largest shift of a rank; `concordance` decides by it

Two Series or mappings align by their ids. Functions work on the last axis, and compare all pairs
along it at once: meant for runs, not items (for those see `item_taus`). Where the top matters,
the highest value is ranked first.
Sources: Kendall 1938; Nowak 2011 §4.6.1; Melucci 2007; Yilmaz et al. 2008; Vigna 2015; Webber et
al. 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.unit_values import paired_numbers
from cranfield.errors import InputError

_AT_FIVE_PERCENT = 1.36
"""Times 1/√n: what D exceeds in 5 % of samples (Kolmogorov 1933, asymptotic)."""


class Concordance(NamedTuple):
    """What the test of Kolmogorov and Smirnov says of two rankings."""

    shift: float
    """D: the largest shift of a rank, divided by their number."""
    critical: float
    """What D may reach at the 5 % level: 1.36 / √n."""
    concordant: bool | None
    """Whether D stays there; None where there is nothing to rank."""


def tau(first: Any, second: Any) -> Floats:
    """(P − Q) / (P + Q); NaN where every pair is tied."""
    x, y = map(_orders, paired_numbers(first, second))
    agreement = x * y
    return _ratio(agreement.sum(axis=-1), np.abs(agreement).sum(axis=-1))


def tau_b(first: Any, second: Any) -> Floats:
    """(P − Q) / √(pairs that one side does not tie · pairs that the other does not tie).

    NaN where one side is constant.
    """
    x, y = map(_orders, paired_numbers(first, second))
    untied = np.abs(x).sum(axis=-1) * np.abs(y).sum(axis=-1)
    return _ratio((x * y).sum(axis=-1), np.sqrt(untied))


def weighted_tau(first: Any, second: Any) -> Floats:
    """Vigna's τ: tau_b with 1/r + 1/s for a pair at ranks r and s, the mean over both rankings.

    Among equals of one ranking the other decides who is ranked first. NaN where one side is
    constant.
    """
    x, y = paired_numbers(first, second)
    return (_weighted_by_first(x, y) + _weighted_by_first(y, x)) / 2.0


def tau_ap(first: Any, second: Any) -> Floats:
    """The AP correlation of a ranking with a true one, `second`: mistakes near the top cost most.

    Of all that stand above an object, which share does rightly? The mean of 2 · share − 1 over all
    objects but the first. Pairs that one side ties are left out, as tau does.
    """
    x, y = paired_numbers(first, second)
    above = _above(x)
    agreement = np.where(above, np.sign(y[..., None, :] - y[..., :, None]), 0.0)
    compared = np.abs(agreement).sum(axis=-1)
    shares = _ratio(agreement.sum(axis=-1), compared)
    return _ratio(np.nansum(shares, axis=-1), (compared > 0).sum(axis=-1))


def tau_ap_symmetric(first: Any, second: Any) -> Floats:
    """The mean of tau_ap with either ranking as the true one."""
    return (tau_ap(first, second) + tau_ap(second, first)) / 2.0


def rbo(first: Any, second: Any, *, p: float) -> Floats:
    """Rank-biased overlap, extrapolated; at depth d a reader goes on with probability p.

    (1 − p)/p · Σ A_d p^d + A_n p^n, where A_d = 2 · common / (in one + in other) of the first d.
    Equals enter together at the highest of their ranks.
    """
    if not 0 < p < 1:
        raise InputError(f"p={p:g}: give a probability between 0 and 1, both excluded")
    x, y = paired_numbers(first, second)
    count = x.shape[-1]
    if not count:
        return np.full(x.shape[:-1], np.nan)
    depths = np.arange(1, count + 1)
    tops = [_first_ranks(side)[..., None, :] <= depths[:, None] for side in (x, y)]
    common = (tops[0] & tops[1]).sum(axis=-1)
    overlap = 2.0 * common / (tops[0].sum(axis=-1) + tops[1].sum(axis=-1))
    weights = p ** depths.astype(np.float64)
    out: Floats = (1 - p) / p * (overlap @ weights) + overlap[..., -1] * weights[-1]
    return out


def rank_shift(first: Any, second: Any) -> Floats:
    """D: the largest difference of two ranks of an object, divided by the number of objects.

    Equals share the mean of their ranks. NaN without objects.
    """
    from scipy.stats import rankdata

    x, y = paired_numbers(first, second)
    if not x.shape[-1]:
        return np.full(x.shape[:-1], np.nan)
    shift: Floats = np.abs(rankdata(x, axis=-1) - rankdata(y, axis=-1)).max(axis=-1) / x.shape[-1]
    return shift


def concordance(first: Any, second: Any) -> Concordance:
    """Whether two rankings agree by the test of Kolmogorov and Smirnov, at the 5 % level."""
    shift, limit = float(rank_shift(first, second)), critical_shift(len(first))
    return Concordance(shift, limit, bool(shift <= limit) if len(first) else None)


def critical_shift(count: int) -> float:
    """The largest D of so many objects that passes for concordant, at the 5 % level."""
    return _AT_FIVE_PERCENT / float(np.sqrt(count)) if count else np.nan


def _orders(values: Floats) -> Floats:
    """For each pair of values, which is larger: 1, 0 or −1."""
    first, second = np.triu_indices(values.shape[-1], k=1)
    return np.sign(values[..., first] - values[..., second])


def _above(values: Floats) -> Bools:
    """(…, n, n): whether the second of two objects is ranked above the first."""
    return np.asarray(values[..., None, :] > values[..., :, None])


def _first_ranks(values: Floats) -> Floats:
    """From 1; equals have the highest of their ranks."""
    return np.asarray(1 + _above(values).sum(axis=-1))


def _weighted_by_first(x: Floats, y: Floats) -> Floats:
    """The weighted τ with weights by the ranks in x, and among equals in y."""
    order = np.lexsort((y, x), axis=-1)[..., ::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1.0, x.shape[-1] + 1), x.shape), -1)
    first, second = np.triu_indices(x.shape[-1], k=1)
    weights = 1 / ranks[..., first] + 1 / ranks[..., second]
    by_x, by_y = _orders(x), _orders(y)
    untied = (weights * np.abs(by_x)).sum(axis=-1) * (weights * np.abs(by_y)).sum(axis=-1)
    return _ratio((weights * by_x * by_y).sum(axis=-1), np.sqrt(untied))


def _ratio(above: Any, below: Any) -> Floats:
    out = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=out, where=np.asarray(below) > 0)
    return out


# ── rankings of many items ────────────────────────────────────────────────────────────────────


def item_taus(scores: Floats) -> Floats:
    """(M, M): τ = (P − Q)/(P + Q) between the rankings of N items by M measures, given (M, N).

    A collection has too many items to look at all pairs of them. SciPy counts pairs out of order in
    n log n steps; its τ-b becomes τ once tied pairs are counted.

    Items that one of two measures does not score (NaN) are left out; NaN where all pairs are tied.
    """
    defined = ~np.isnan(scores)
    ranks = [np.unique(row, return_inverse=True)[1] for row in scores]
    out = np.full((len(scores), len(scores)), np.nan)
    for i in range(len(scores)):
        for j in range(i + 1):
            both = defined[i] & defined[j]
            out[i, j] = out[j, i] = _tau_of_many(ranks[i][both], ranks[j][both])
    return out


def _tau_of_many(x: Ints, y: Ints) -> float:
    from scipy.stats import kendalltau

    pairs = len(x) * (len(x) - 1) // 2
    by_x, by_y = pairs - _tied_pairs(x), pairs - _tied_pairs(y)
    by_both = by_x + by_y - pairs + _tied_pairs(x * (int(y.max(initial=0)) + 1) + y)
    if not by_both:
        return np.nan
    return float(kendalltau(x, y).statistic) * float(np.sqrt(by_x) * np.sqrt(by_y)) / by_both


def _tied_pairs(values: Ints) -> int:
    counts = np.unique(values, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())
