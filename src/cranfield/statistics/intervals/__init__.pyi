"""Public names of intervals."""

from cranfield.statistics.intervals.of_scores import intervals as intervals
from cranfield.statistics.intervals.planning import MOST_UNITS as MOST_UNITS
from cranfield.statistics.intervals.planning import Plan as Plan
from cranfield.statistics.intervals.planning import Plans as Plans
from cranfield.statistics.intervals.planning import plan as plan
from cranfield.statistics.intervals.planning import units_for_difference as units_for_difference
from cranfield.statistics.intervals.planning import units_for_margin as units_for_margin
from cranfield.statistics.intervals.results import Interval as Interval
from cranfield.statistics.intervals.results import Intervals as Intervals
from cranfield.statistics.intervals.results import IntervalScores as IntervalScores
