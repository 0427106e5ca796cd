"""Splits: items dealt out so that every part carries the labels of the whole in proportion.

shares           what people ask for: shares and groups
labels           which items carry which labels
rarest           which label, or pair of labels, is rarest among the items left
stratification   iterative stratification, of first and second order
split            the noun: `split`, `folds`
kept             how well the parts resemble the whole: `SplitReport`
"""

from cranfield.collections.splits.kept import SplitReport
from cranfield.collections.splits.split import Split, folds, split

__all__ = ["Split", "SplitReport", "folds", "split"]
