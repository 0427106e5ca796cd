"""Comparing: which runs differ, and which only seem to.

Runs are compared unit by unit, all pairs at once, so that the same resamples serve the p-values of
single pairs and the correction for their number.
"""

from cranfield._public import publish

publish(__name__)
