"""Merging: what many annotators said, made one truth.

fitted        what every method finds for a question
voting        majority, and majority weighted by how far each annotator is with it
confusions    Dawid–Skene and one-coin: who takes which answer for which other
knowing       MACE: an annotator either knows, or answers without looking
abilities     GLAD: able annotators and easy items
consensus     all questions together: truth, confidence, reliability
"""

from cranfield.assessment.merging.consensus import METHODS, Consensus, consensus

__all__ = ["METHODS", "Consensus", "consensus"]
