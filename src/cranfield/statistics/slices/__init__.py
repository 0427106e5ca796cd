"""Slices: how good runs are on parts of a collection, and which parts are worse than chance allows.

A slice is a set of items that share a value of an attribute (where a photo was taken, how long a
text is), or a set of concepts (rare ones, a branch of the ontology).
"""

from cranfield.statistics.slices.cutting import Slice, cut
from cranfield.statistics.slices.results import Slices, SliceScore
from cranfield.statistics.slices.slicing import slices

__all__ = ["Slice", "SliceScore", "Slices", "cut", "slices"]
