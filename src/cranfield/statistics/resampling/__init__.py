"""Resampling: scores of collections made of the same items, some of them several times.

`Sampling` says what is drawn: items, whole clusters of items, within strata or not. `replicates`
gives the scores of all draws, exactly as if every item that was drawn twice stood there twice, and
without making such collections: means, counts and ranked lists take the number of times each item
was drawn as its weight. Only what is neither is scored from repeated rows.
"""

from cranfield._public import publish

publish(__name__)
