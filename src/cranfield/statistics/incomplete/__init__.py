"""Truths with unjudged cells: between which bounds a score lies, and what a sample says of it.

gaps         a run beside a truth with unknown cells, and its completions
spans        the ends of unit scores, and of their mean
enumeration, ranking, matching, widening, relatedness   the ends of each family
bounds       `cf.bounds`
"""

from cranfield.statistics.incomplete.bounds import Bound, Bounds, bounds

__all__ = ["Bound", "Bounds", "bounds"]
