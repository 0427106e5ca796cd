"""Concept-based measures of label sets: decisions counted for each concept, then averaged.

Conventions
    A concept without positives is skipped, in all but Acc, error_rate and cost; measures that need
    negatives (fallout, specificity, NPV, FOR, MCC, balanced_accuracy, youden) also skip those
    without. A concept with positives that was never assigned has P = 0. Macro F is the mean of F.
    `micro.` sums the counts of all concepts first; there 0/0 = 0. P, R and F are declared here for
    all three directions; what is special about items stands in `example_sets`.

Sources: Nowak 2011 §3.3.2, Weber §1.3 and §1.5. The OR that Nowak et al. 2010 prints in eq 4–6 is
read as AND.
"""

from __future__ import annotations

import numpy as np

from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.matrices import Floats
from cranfield.measures.declare import counted, measured, ratio
from cranfield.measures.definition import Exponent, NotNegative, Share
from cranfield.measures.example_sets import alpha_scores


@counted(
    "concept.P",
    "micro.P",
    "example.P",
    source="Nowak 2011 eq 3.8, 3.12, 3.14",
    aliases=("precision",),
)
def precision(n: Counts) -> Floats:
    """P = TP / (TP + FP) = |Y ∩ Z| / |Z|: the share of assigned labels that are right."""
    return ratio(n.tp, n.tp + n.fp)


@counted("concept.R", "micro.R", "example.R", source="Nowak 2011 eq 3.9, 3.15", aliases=("recall",))
def recall(n: Counts) -> Floats:
    """R = TP / (TP + FN) = |Y ∩ Z| / |Y|: the share of true labels that were found."""
    return ratio(n.tp, n.tp + n.fn)


@counted(
    "concept.F",
    "micro.F",
    "example.F",
    source="Nowak 2011 eq 3.10, 3.16; Weber §1.3",
    aliases=("F1",),
)
def f_measure(n: Counts, *, beta: Exponent = 1.0) -> Floats:
    """F_β = (1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP): P and R in one number; P at β = 0, R
    at β = inf."""
    missed = 1.0 - 1.0 / (1.0 + beta * beta)
    return ratio(n.tp, n.tp + missed * n.fn + (1.0 - missed) * n.fp)


@counted(
    "concept.Acc",
    "micro.Acc",
    source="Nowak 2011 eq 3.11",
    skip="nothing",
    aliases=("accuracy",),
    counts_negatives=True,
    share_of="right",
)
def accuracy(n: Counts) -> Floats:
    """Acc = (TP + TN) / (TP + FP + FN + TN): the share of right decisions."""
    return ratio(n.tp + n.tn, n.cells)


@counted(
    "concept.error_rate",
    source="Weber §1.5",
    skip="nothing",
    better="lower",
    counts_negatives=True,
    share_of="wrong",
)
def error_rate(n: Counts) -> Floats:
    """ERR = (FP + FN) / (TP + FP + FN + TN): the share of wrong decisions."""
    return ratio(n.fp + n.fn, n.cells)


@counted(
    "concept.fallout",
    "micro.fallout",
    source="Weber §1.3",
    skip="no negatives",
    better="lower",
    aliases=("FPR",),
    counts_negatives=True,
)
def fallout(n: Counts) -> Floats:
    """f = FP / (FP + TN): the share of negatives that were assigned."""
    return ratio(n.fp, n.fp + n.tn)


@counted(
    "concept.specificity",
    source="Weber §1.5",
    skip="no negatives",
    aliases=("TNR",),
    counts_negatives=True,
)
def specificity(n: Counts) -> Floats:
    """TNR = TN / (FP + TN): the share of negatives that were not assigned."""
    return ratio(n.tn, n.fp + n.tn)


@counted("concept.NPV", source="Weber §1.5", skip="no negatives", counts_negatives=True)
def negative_predictive_value(n: Counts) -> Floats:
    """NPV = TN / (TN + FN): the share of labels not assigned that are rightly so; 0/0 = 0."""
    return ratio(n.tn, n.tn + n.fn)


@counted("concept.FNR", source="Weber §1.5", better="lower")
def miss_rate(n: Counts) -> Floats:
    """FNR = FN / (TP + FN) = 1 − R."""
    return 1.0 - np.nan_to_num(recall(n))


@counted("concept.FDR", source="Weber §1.5", better="lower")
def false_discovery_rate(n: Counts) -> Floats:
    """FDR = 1 − P = FP / (TP + FP); 1 for a concept never assigned, since there P = 0."""
    return 1.0 - np.nan_to_num(precision(n))


@counted(
    "concept.FOR", source="Weber §1.5", skip="no negatives", better="lower", counts_negatives=True
)
def false_omission_rate(n: Counts) -> Floats:
    """FOR = 1 − NPV = FN / (TN + FN); 1 where everything was assigned, since there NPV = 0."""
    return 1.0 - np.nan_to_num(negative_predictive_value(n))


@counted(
    "concept.generality",
    "micro.generality",
    source="Weber §1.3 (there called total recall)",
    better="neither",
    counts_negatives=True,
)
def generality(n: Counts) -> Floats:
    """g = (TP + FN) / cells: how frequent the concept is, or labels are; a property of the
    truth alone."""
    return ratio(n.tp + n.fn, n.cells)


@counted(
    "concept.MCC",
    source="Matthews 1975",
    skip="no negatives",
    range=(-1.0, 1.0),
    counts_negatives=True,
)
def matthews(n: Counts) -> Floats:
    """MCC = (TP·TN − FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN)); 0/0 = 0."""
    tp, fp, fn, tn = (x.astype(np.float64) for x in (n.tp, n.fp, n.fn, n.tn))
    spread = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return np.clip(ratio(tp * tn - fp * fn, spread), -1.0, 1.0)


@counted(
    "concept.balanced_accuracy",
    source="Brodersen et al. 2010",
    skip="no negatives",
    counts_negatives=True,
)
def balanced_accuracy(n: Counts) -> Floats:
    """(TPR + TNR) / 2: accuracy if positives and negatives were equally frequent."""
    return (recall(n) + specificity(n)) / 2


@counted(
    "concept.youden",
    "micro.youden",
    source="Youden 1950",
    skip="no negatives",
    range=(-1.0, 1.0),
    aliases=("informedness",),
    counts_negatives=True,
)
def youden(n: Counts) -> Floats:
    """J = TPR + TNR − 1: how much likelier a positive is to be assigned than a negative."""
    return recall(n) + specificity(n) - 1.0


@counted(
    "concept.cost",
    "micro.cost",
    source="Fawcett 2006",
    skip="nothing",
    range=(0.0, np.inf),
    better="lower",
    counts_negatives=True,
)
def cost(n: Counts, *, fp: NotNegative = 1.0, fn: NotNegative = 1.0) -> Floats:
    """(fp·FP + fn·FN) / cells: what wrong decisions cost, per cell."""
    return ratio(fp * n.fp + fn * n.fn, n.cells)


@counted("concept.jaccard", "micro.jaccard", source="Jaccard 1912")
def jaccard(n: Counts) -> Floats:
    """TP / (TP + FP + FN): the overlap of the items assigned and the items that are right."""
    return ratio(n.tp, n.tp + n.fp + n.fn)


@measured("concept.shenR", source="Shen et al. 2004", prediction="decisions", merges="nothing")
def shen_recall(
    comparison: Comparison,
    *,
    alpha: Exponent = 1.0,
    beta: Share = 1.0,
    gamma: Share = 1.0,
) -> Floats:
    """Mean α-score of the items that have the concept (see example.alpha)."""
    scores = alpha_scores(comparison, alpha=alpha, beta=beta, gamma=gamma)
    return ratio(comparison.sums_over_true(scores), comparison.totals("concept").positives)


@measured("concept.shenP", source="Shen et al. 2004", prediction="decisions", merges="nothing")
def shen_precision(
    comparison: Comparison,
    *,
    alpha: Exponent = 1.0,
    beta: Share = 1.0,
    gamma: Share = 1.0,
) -> Floats:
    """Mean α-score of the items to which the concept was assigned; 0 if there are none."""
    scores = alpha_scores(comparison, alpha=alpha, beta=beta, gamma=gamma)
    counts = comparison.counts("concept")
    means = np.nan_to_num(ratio(comparison.sums_over_assigned(scores), counts.tp + counts.fp))
    return np.where(comparison.totals("concept").positives > 0, means, np.nan)
