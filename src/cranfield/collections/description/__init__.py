"""Description: what is in a collection, before anything is measured on it.

facts          sizes, cardinality, density, frequencies, imbalance, judgements
label_sets     which items carry the same labels
cooccurrence   which concepts come together
oddities       what looks like a mistake: twins, look-alikes, concepts that say nothing
overlap        two collections side by side: `describe`, `overlap`
sharing        which concepts and cells two collections share
presentation   tables and charts
"""

from cranfield.collections.description.facts import Description
from cranfield.collections.description.overlap import Overlap, describe, overlap

__all__ = ["Description", "Overlap", "describe", "overlap"]
