"""Intervals: where a score may lie, if the items (or concepts) are a sample of many more.

of_scores   `cf.intervals`
results     what intervals are, and how they are shown
limits      from a spread, or from draws, to the two ends
planning    `cf.plan`: how many items it takes
"""

from cranfield._public import publish

publish(__name__)
