"""Slices: how good runs are on parts of a collection, and which parts are worse than chance allows.

A slice is a set of items that share a value of an attribute (where a photo was taken, how long a
text is), or a set of concepts (rare ones, a branch of the ontology).
"""

from cranfield._public import publish

publish(__name__)
