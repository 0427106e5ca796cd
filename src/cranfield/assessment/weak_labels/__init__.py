"""Weak labels: tags that users gave, of which some do not describe the item (Nowak 2011 §6.6).

filtering    which items of a tag look like most others, by a one-class SVM
judged       how well that went, where the truth is known
"""

from cranfield.assessment.weak_labels.filtering import FilteredTags, filter_tags
from cranfield.assessment.weak_labels.judged import JudgedFilter, judge

__all__ = ["FilteredTags", "JudgedFilter", "filter_tags", "judge"]
