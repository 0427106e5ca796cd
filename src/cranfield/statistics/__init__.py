"""Statistics: how sure we are. Correlation, its intervals, and tests of differences."""

from cranfield.statistics.correction import holm
from cranfield.statistics.correlation import Interval, bootstrap_interval, pearson, spearman
from cranfield.statistics.dependent_correlations import Difference, steiger, williams
from cranfield.statistics.item_rankings import item_taus
from cranfield.statistics.rank_correlation import (
    Concordance,
    concordance,
    critical_shift,
    rank_shift,
    rbo,
    tau,
    tau_ap,
    tau_ap_symmetric,
    tau_b,
    weighted_tau,
)

__all__ = [
    "Concordance",
    "Difference",
    "Interval",
    "bootstrap_interval",
    "concordance",
    "critical_shift",
    "holm",
    "item_taus",
    "pearson",
    "rank_shift",
    "rbo",
    "spearman",
    "steiger",
    "tau",
    "tau_ap",
    "tau_ap_symmetric",
    "tau_b",
    "weighted_tau",
    "williams",
]
