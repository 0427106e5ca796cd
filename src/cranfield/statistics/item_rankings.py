"""Rankings of many items: τ between all measures that score them.

A collection has too many items to look at all pairs of them, as `rank_correlation` does. SciPy
counts pairs out of order in n log n steps; its τ-b becomes τ once tied pairs are counted.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats, Ints


def item_taus(scores: Floats) -> Floats:
    """(M, M): τ = (P − Q)/(P + Q) between the rankings of N items by M measures, given (M, N).

    Items that one of two measures does not score (NaN) are left out; NaN where all pairs are tied.
    """
    known = ~np.isnan(scores)
    ranks = [np.unique(row, return_inverse=True)[1] for row in scores]
    out = np.full((len(scores), len(scores)), np.nan)
    for one in range(len(scores)):
        for other in range(one + 1):
            both = known[one] & known[other]
            out[one, other] = out[other, one] = _tau(ranks[one][both], ranks[other][both])
    return out


def _tau(x: Ints, y: Ints) -> float:
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
