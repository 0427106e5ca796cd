"""Influence on statistics of ranked lists: ∂statistic/∂wᵢ of every item, from lists of any kind."""

from __future__ import annotations

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.matrices import Floats
from cranfield.kernels import Statistic
from cranfield.kernels.influence import TABLES
from cranfield.statistics.influence.cuts import CUT, of_cut
from cranfield.statistics.influence.lists import whole_lists

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
