"""Intervals: where a score may lie, if the items (or concepts) are a sample of many more."""

from cranfield.statistics.intervals.of_scores import Interval, Intervals, intervals
from cranfield.statistics.intervals.planning import Plan, enough, plan

__all__ = ["Interval", "Intervals", "Plan", "enough", "intervals", "plan"]
