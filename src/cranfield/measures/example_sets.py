"""Example-based measures of label sets: two sets of labels compared for each item.

Conventions
    Both sets empty = 1; otherwise 0/0 = 0. `undefined=0|1|skip` gives every 0/0 that value
    instead, as scikit-learn's `zero_division` does. Losses are 0 when the sets are equal.
    With unjudged=exclude, an item without any judged cell is skipped.

Source: Nowak 2011 §3.3.4. Its Table 7.1 prints an F of .42, the arithmetic mean of P and R; eq
3.16, used here, gives .40.
"""

from __future__ import annotations

import numpy as np

from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.matrices import Floats
from cranfield.measures.declare import counted, measured, ratio
from cranfield.measures.definition import Exponent, Share


@counted("example.Acc", source="Nowak 2011 eq 3.17", aliases=("accuracy", "jaccard"))
def accuracy(n: Counts) -> Floats:
    """Acc = |Y ∩ Z| / |Y ∪ Z|: the overlap of the two sets."""
    return ratio(n.tp, n.tp + n.fp + n.fn)


@counted(
    "example.hamming",
    source="Nowak 2011 eq 3.18",
    better="lower",
    undefined="skip",
    share_of="wrong",
)
def hamming_loss(n: Counts) -> Floats:
    """|Y Δ Z| / C: the share of wrong decisions about an item."""
    return ratio(n.fp + n.fn, n.cells)


@counted("example.zero_one", source="Nowak 2011 §3.3.4", better="lower", undefined="skip")
def zero_one_loss(n: Counts) -> Floats:
    """1 if the two sets differ, else 0."""
    return np.where(n.cells > 0, (n.fp + n.fn > 0).astype(np.float64), np.nan)


@counted(
    "example.subset_accuracy",
    source="Zhu et al. 2005",
    aliases=("exact_match",),
    undefined="skip",
)
def subset_accuracy(n: Counts) -> Floats:
    """1 if the two sets are equal, else 0: 1 − example.zero_one."""
    return 1.0 - zero_one_loss(n)


@measured(
    "example.alpha",
    source="Shen et al. 2004; Nowak 2011 eq 3.19",
    prediction="decisions",
    undefined="empty",
    bounds="counts",
)
def alpha_evaluation(
    comparison: Comparison,
    *,
    alpha: Exponent = 1.0,
    beta: Share = 1.0,
    gamma: Share = 1.0,
) -> Floats:
    """(1 − (β·|Y∖Z| + γ·|Z∖Y|) / |Y ∪ Z|)^α: accuracy with forgiveness α, misses weighted by β
    and false labels by γ; β = γ = 1 is Nowak 2011 eq 3.19, and α = 1 besides is example.Acc. α = 0
    and α = inf are limits: then everything above 0 scores 1, or everything below 1 scores 0."""
    n = comparison.counts("example")
    wrong = ratio(beta * n.fn + gamma * n.fp, n.tp + n.fp + n.fn)
    return forgiven(wrong, alpha)


def forgiven(wrong: Floats, alpha: float) -> Floats:
    """(1 − wrong)^α, at α = 0 the limit from above: 0 where everything is wrong; NaN stays NaN."""
    right = np.clip(1.0 - wrong, 0.0, 1.0)
    return right**alpha if alpha > 0 else np.where(right > 0, 1.0, right)


def alpha_scores(comparison: Comparison, *, alpha: float, beta: float, gamma: float) -> Floats:
    """α-scores of all items, with 1 where both sets are empty."""
    scores = alpha_evaluation(comparison, alpha=alpha, beta=beta, gamma=gamma)
    return np.nan_to_num(scores, nan=1.0)
