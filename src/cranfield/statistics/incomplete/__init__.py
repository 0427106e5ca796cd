"""Truths with unjudged cells: between which bounds a score lies, and what a sample says of it.

gaps         a run beside a truth with unknown cells, and its completions
spans        the ends of unit scores, and of their mean
enumeration, ranking, matching, widening, relatedness   the ends of each family
bounds       `cf.bounds`
sampling     judged cells as a sample of the pool
totals, imputation   what a sample says: sums and ratios of cells, and everything else
estimates    `cf.estimate`
results      what bounds and estimates have in common
"""

from cranfield.statistics.incomplete.bounds import Bound, Bounds, bounds
from cranfield.statistics.incomplete.estimates import Estimate, Estimates, estimate

__all__ = ["Bound", "Bounds", "Estimate", "Estimates", "bounds", "estimate"]
