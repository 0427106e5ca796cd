"""Truths with unjudged cells: between which bounds a score lies, and what a sample says of it.

gaps       a run beside a truth with unknown cells, and its completions
spans      the ends of unit scores, and of their mean; every completion of few cells
ranking, meaning   the ends of each family
bounds     `cf.bounds`
sampling   judged cells as a sample of the pool, and what it says of sums, ratios and anything else
estimates  `cf.estimate`
"""

from cranfield._public import publish

publish(__name__)
