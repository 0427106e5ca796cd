"""Influence: what each item adds to a score, also where a score is no mean over items.

An example-based score is the mean of a number for each item, so its uncertainty is that of a mean,
and runs are compared item by item. Others are not: AP by concept ranks all items at once. They too
follow a mean, as closely as a curve follows its tangent: θ + N·∂θ/∂wᵢ, with wᵢ the weight of item
i, is a number for each item, and the mean of these numbers is the score θ (Hampel 1974). For AUC
they are the structural components of DeLong et al. 1988, for formulas over counts the delta method.

Items that are repeated or left out change a score by what these numbers say, to first order. What
is settled by a few items at the top of a list (P@k, RR, success) has no such numbers worth the
name: `NoItemValuesError` says so, and the bootstrap is left.
"""

from cranfield.statistics.influence.values import (
    NoItemValuesError,
    comparison_of,
    item_values,
)

__all__ = ["NoItemValuesError", "comparison_of", "item_values"]
