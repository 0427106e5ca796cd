"""Cycles: did systems improve from one campaign to the next (Nowak 2011 §10.8)?

Both cycles are narrowed to their common concepts, and to their common items where they have any
(concepts that one of two truths assigns to nothing are left out).
Then the best run, the one in the middle, the mean of all, and the best run of each concept or item
are compared. With common items, units are paired: whatever is hard is hard for both cycles, and the
signs of differences are flipped at random. Without, concepts have other items in each cycle, and a
one-way analysis of variance takes them for two groups, as Nowak 2011 does. p-values are corrected
by Holm for the number of comparisons.

found         what came of a comparison
common        what two cycles have in common, and what is left of each
standings     what stands for a cycle, and the tests of two of them
comparing     all of it, in the order in which it is done
"""

from cranfield.studies.cycles.common import Cycle
from cranfield.studies.cycles.comparing import compare_cycles
from cranfield.studies.cycles.found import Change, ConceptChanges, CycleComparison

__all__ = ["Change", "ConceptChanges", "Cycle", "CycleComparison", "compare_cycles"]
