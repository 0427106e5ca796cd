"""Intervals: where a score may lie, if the items (or concepts) are a sample of many more."""

from cranfield.statistics.intervals.of_scores import Interval, Intervals, intervals
from cranfield.statistics.intervals.planning import Plan, plan
from cranfield.statistics.intervals.sizes import (
    MOST_UNITS,
    units_for_difference,
    units_for_margin,
)

__all__ = [
    "MOST_UNITS",
    "Interval",
    "Intervals",
    "Plan",
    "intervals",
    "plan",
    "units_for_difference",
    "units_for_margin",
]
