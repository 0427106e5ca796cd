"""Intervals: where a score may lie, if the items (or concepts) are a sample of many more.

of_scores   `cf.intervals`
results     what intervals are, and how they are shown
limits      from a spread, or from draws, to the two ends
planning    `cf.plan`: how many items it takes
"""

from cranfield.statistics.intervals.of_scores import intervals
from cranfield.statistics.intervals.planning import (
    MOST_UNITS,
    Plan,
    Plans,
    plan,
    units_for_difference,
    units_for_margin,
)
from cranfield.statistics.intervals.results import Interval, Intervals, IntervalScores

__all__ = [
    "MOST_UNITS",
    "Interval",
    "IntervalScores",
    "Intervals",
    "Plan",
    "Plans",
    "intervals",
    "plan",
    "units_for_difference",
    "units_for_margin",
]
