"""Agreement: how far annotators say the same, beyond what chance would bring about.

coefficients   of one question: percent, Fleiss, free-marginal, Gwet, Krippendorff, Cohen
sets           Krippendorff's α of whole sets of labels, with the distances of Jaccard and MASI
agreed         coefficients over all questions, with intervals and their reading
cells          yes/no on every concept of every item; the agreement map, accuracy of items
pairs          annotators side by side: who agrees with whom, and with the majority
majorities     what groups of annotators decide, as votes of their own

Everywhere here a person counts once on an item and question, with the answer of the last batch.
"""

from cranfield.assessment.agreement.agreed import Agreement, agreement
from cranfield.assessment.agreement.cells import (
    CellCounts,
    CellMeans,
    agreement_map,
    cell_counts,
)
from cranfield.assessment.agreement.majorities import compared, majorities
from cranfield.assessment.agreement.pairs import PairAgreement, pair_agreement

__all__ = [
    "Agreement",
    "CellCounts",
    "CellMeans",
    "PairAgreement",
    "agreement",
    "agreement_map",
    "cell_counts",
    "compared",
    "majorities",
    "pair_agreement",
]
