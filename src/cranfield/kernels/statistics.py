"""What can be asked of a ranked list: the vocabulary shared by all backends.

A *list* is a sequence of scored cells, each relevant or not: the items of one concept, or the
concepts of one item. A `Statistic` names a number to compute from it, the rule for ties and its
parameters. Any number of statistics is computed from one ordering of the list.

Rules for ties:
    grouped   all cells of one score enter at once
    expected  mean over all orders of tied cells
    best      relevant cells first
    worst     relevant cells last
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

TIE_RULES = ("grouped", "expected", "best", "worst")

_ANY_ORDER = ("expected", "best", "worst")
_AT_ONCE = ("grouped", "best", "worst")

TIES_OF: dict[str, tuple[str, ...]] = {
    "AUC": _ANY_ORDER,
    "AP": TIE_RULES,
    "iAP": _AT_ONCE,
    "EER": _AT_ONCE,
    "RP": _ANY_ORDER,
    "P@": _ANY_ORDER,
    "R@": _ANY_ORDER,
    "nDCG": _ANY_ORDER,
    "success": _ANY_ORDER,
    "RR": _ANY_ORDER,
    "one_error": _ANY_ORDER,
    "coverage": _ANY_ORDER,
    "ranking_loss": _ANY_ORDER,
    "RBP": _ANY_ORDER,
    "P_at_recall": _AT_ONCE,
    "efficiency": _AT_ONCE,
    "PRAUC": _AT_ONCE,
    "AP_at_prevalence": _AT_ONCE,
    "AP@": _ANY_ORDER,
}

ROW_STATISTICS = (
    *("AP", "AP@", "RP", "P@", "R@", "nDCG"),
    *("success", "one_error", "coverage", "ranking_loss"),
)
"""The statistics that need no ordering of the list, only counts for each relevant cell."""

VARIANTS = (
    *("", "linear", "vertex", "exact", "trec9", "trec10"),
    *("step", "trapezoid", "interpolated"),
    *("ideal", "retrieved"),
)


class Statistic(NamedTuple):
    """One number of a ranked list."""

    name: str
    ties: str
    k: int = 0
    """Length of the list that counts (0: all of it), or the number of recall levels of iAP."""
    variant: str = ""
    """EER: linear or vertex; iAP: exact, trec9 or trec10; P_at_recall: trec10 or not; PRAUC: step,
    trapezoid, interpolated; AP@: divided by all relevant cells, by those that an ideal list has
    among the first k (ideal), or by those retrieved there."""
    parameter: float = 0.0
    """RBP: persistence; P_at_recall: the recall, AP_at_prevalence: the prevalence asked for."""


def discounts(length: int) -> NDArray[np.float64]:
    """D[r] = Σ 1/log2(1 + rank) over the first r ranks, for r = 0 … length."""
    total = np.zeros(length + 1)
    np.cumsum(1.0 / np.log2(np.arange(2, length + 2)), out=total[1:])
    return total
