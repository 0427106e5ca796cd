"""Description: what is in a collection, before anything is measured on it.

facts          sizes, cardinality, density, frequencies, imbalance, judgements: `describe`
label_sets     which items carry the same labels
cooccurrence   which concepts come together
oddities       what looks like a mistake: twins, look-alikes, concepts that say nothing
overlap        two collections side by side: `overlap`
"""

from cranfield.collections.description.facts import Description, describe
from cranfield.collections.description.overlap import Overlap, overlap

__all__ = ["Description", "Overlap", "describe", "overlap"]
