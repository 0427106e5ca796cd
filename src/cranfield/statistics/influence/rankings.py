"""Influence on statistics of ranked lists: ∂statistic/∂wᵢ of every item, from lists of any kind."""

from __future__ import annotations

import numpy as np

from cranfield.comparison import Comparison, Direction
from cranfield.kernels import Statistic
from cranfield.matrices import Floats
from cranfield.statistics.influence.cuts import CUT, of_cut
from cranfield.statistics.influence.lists import cell_lists
from cranfield.statistics.influence.standings import STANDING, of_standing

STATISTICS = (*STANDING, *CUT)
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
    out = np.zeros(comparison.truth.shape[0])
    of_list = of_standing if statistic.name in STANDING else of_cut
    for cells in cell_lists(comparison, direction, statistic.ties):
        share, needed = shares[cells.place], statistic.name in _OF_BOTH
        if share == 0 or not cells.positives or (needed and not cells.negatives):
            continue
        values = share * of_list(cells, statistic, widened=widened)
        if cells.items is None:
            out += values
        elif direction == "micro":
            out += np.bincount(cells.items, weights=values, minlength=len(out))
        else:  # an item stands in a list once
            out[cells.items] += values
    return out
