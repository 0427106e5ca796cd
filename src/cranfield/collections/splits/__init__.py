"""Splits: items dealt out so that every part carries the labels of the whole in proportion.

split            the noun: `split`, `folds`; shares and groups as people give them
labels           which items carry which labels, and which label or pair is rarest among those left
stratification   iterative stratification, of first and second order, and exchange of pairs
report           how well the parts resemble the whole: `SplitReport`
"""

from cranfield.collections.splits.report import SplitReport
from cranfield.collections.splits.split import Split, folds, split

__all__ = ["Split", "SplitReport", "folds", "split"]
