"""Comparing: which runs differ, and which only seem to.

Runs are compared unit by unit, all pairs at once, so that the same resamples serve the p-values of
single pairs and the correction for their number.
"""

from cranfield.statistics.comparing.comparing import Correction, Test, compare, corrections_for
from cranfield.statistics.comparing.pairs import Pairs
from cranfield.statistics.comparing.resampled import resampled_p
from cranfield.statistics.comparing.tournament import Pair, Tournament
from cranfield.statistics.comparing.tournaments import Tournaments
from cranfield.statistics.comparing.units import units_by
from cranfield.statistics.comparing.variance import (
    critical_difference,
    friedman,
    mean_ranks,
    one_way,
    two_way,
)

__all__ = [
    "Correction",
    "Pair",
    "Pairs",
    "Test",
    "Tournament",
    "Tournaments",
    "compare",
    "corrections_for",
    "critical_difference",
    "friedman",
    "mean_ranks",
    "one_way",
    "resampled_p",
    "two_way",
    "units_by",
]
