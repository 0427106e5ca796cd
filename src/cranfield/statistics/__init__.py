"""Statistics: how sure we are. Correlation, its intervals, and tests of differences."""

from cranfield.statistics.correction import holm
from cranfield.statistics.correlation import Interval, bootstrap_interval, pearson, spearman
from cranfield.statistics.dependent_correlations import Difference, steiger, williams
from cranfield.statistics.rank_correlation import tau, tau_b

__all__ = [
    "Difference",
    "Interval",
    "bootstrap_interval",
    "holm",
    "pearson",
    "spearman",
    "steiger",
    "tau",
    "tau_b",
    "williams",
]
