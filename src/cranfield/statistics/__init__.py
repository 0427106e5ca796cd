"""Statistics: how sure we are. Correlation, its intervals, and tests of differences."""

from cranfield._public import publish

publish(__name__)
