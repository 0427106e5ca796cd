"""Measures of a confusion matrix: accuracy, rates of classes against the rest, losses.

Conventions
    All are formulas over joint probabilities P(t, s); classes are matched by id. Counts are added
    first and divided once, so that a perfect system scores 1 and not nearly 1. Rates of single
    classes are averaged with the weights P(t), so a class that is never true counts nothing;
    average=macro takes the mean over all classes that are true or said, as scikit-learn does, and
    average=micro adds the counts of all classes first. A class that was never said has PPV = 0; of
    one that was always said, NPV = 0. Where one class holds all items, FPR and NPV lack negatives,
    and kappa and MCC have nothing to tell apart: undefined. The informational loss of a class that
    is true, but never right, is infinite. An empty matrix has no score.

    Losses use joint probabilities as Holt et al. print them, so even a perfect system has a
    positive linear, quadratic and informational loss.

Source: Holt et al. 2010 §2. Their TPR, weighted by P(t), is the accuracy.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.measures.declare import ratio, tabulated
from cranfield.measures.definition import Base, Exponent

Averaged = Literal["weighted", "macro", "micro"]
LossKind = Literal["linear", "quadratic", "informational", "zero_one", "custom"]


@tabulated("confusion.accuracy", source="Holt et al. 2010 eq 2", aliases=("Acc",))
def accuracy(table: Contingency) -> Floats:
    """accuracy = Σ_k P(k, k): the share of items whose class is right."""
    return table.right


@tabulated("confusion.kappa", source="Holt et al. 2010 eq 3–4; Cohen 1960", range=(-1.0, 1.0))
def kappa(table: Contingency) -> Floats:
    """κ = (Σ_k P(k, k) − Σ_k P_t(k)·P_s(k)) / (1 − Σ_k P_t(k)·P_s(k)): accuracy beyond chance."""
    square = table.aligned
    by_chance = ratio(kernels.row_sums(square.of_true, square.of_said), square.total)
    lone = (square.p_true * square.p_said == 1.0).any(axis=-1)
    by_chance = np.where(lone, square.total, by_chance)
    return ratio(kernels.row_sums(table.hits) - by_chance, square.total - by_chance)


@tabulated("confusion.MCC", source="Gorodkin 2004 (R_K); Matthews 1975", range=(-1.0, 1.0))
def matthews(table: Contingency) -> Floats:
    """MCC = (Σ_k P(k, k) − Σ_k P_t(k)·P_s(k)) / √((1 − Σ_k P_t(k)²)·(1 − Σ_k P_s(k)²)): the
    correlation of true and predicted classes; 0 for a system that always says the same."""
    square, (tp, fp, _, _) = table.aligned, table.one_vs_rest
    of_true, of_said, whole = square.of_true, square.of_said, square.total[..., None]
    # Σ p·(s − p) for s² − Σ p²: the same of a perfect system above and below the line.
    together = kernels.row_sums(tp, whole - of_true) - kernels.row_sums(fp, of_true)
    spreads = [kernels.row_sums(side, whole - side) for side in (of_true, of_said)]
    values = ratio(together, np.sqrt(spreads[0] * spreads[1]))
    return np.clip(np.where((spreads[0] > 0) & (spreads[1] == 0), 0.0, values), -1.0, 1.0)


@tabulated("confusion.balanced_accuracy", source="Brodersen et al. 2010", range=(-1.0, 1.0))
def balanced_accuracy(table: Contingency, *, adjusted: Literal["no", "yes"] = "no") -> Floats:
    """The mean recall of the K classes that are true of some item: 1/K Σ_k P(k, k) / P_t(k), each
    class as important as any other. adjusted=yes: (this − 1/K) / (1 − 1/K), so that guessing scores
    0; undefined where K = 1."""
    of_true = table.aligned.of_true
    recalls = np.where(of_true > 0, ratio(table.hits, of_true), 0.0)
    classes = np.count_nonzero(of_true > 0, axis=-1)
    mean = ratio(kernels.row_sums(recalls), classes)
    if adjusted == "no":
        return mean
    return ratio(mean - ratio(1.0, classes), 1.0 - ratio(1.0, classes))


@tabulated("confusion.TPR", source="Holt et al. 2010 eq 5", aliases=("recall",))
def true_positive_rate(table: Contingency, *, average: Averaged = "weighted") -> Floats:
    """TPR = Σ_k P_t(k)·P(k, k) / P_t(k) = Σ_k P(k, k): the mean recall of classes, by P_t."""
    tp, _, fn, _ = table.one_vs_rest
    return table.right if average == "weighted" else _averaged(tp, tp + fn, table, average)


@tabulated("confusion.FPR", source="Holt et al. 2010 eq 6", better="lower", aliases=("fallout",))
def false_positive_rate(table: Contingency) -> Floats:
    """FPR = Σ_k P_t(k)·(P_s(k) − P(k, k)) / (1 − P_t(k)): false alarms among negatives, by P_t."""
    _, fp, _, tn = table.one_vs_rest
    return _weighted(ratio(fp, fp + tn), table)


@tabulated("confusion.PPV", source="Holt et al. 2010 eq 7", aliases=("precision",))
def positive_predictive_value(table: Contingency, *, average: Averaged = "weighted") -> Floats:
    """PPV = Σ_k P_t(k)·P(k, k) / P_s(k): the mean precision of classes, by P_t."""
    tp, fp, _, _ = table.one_vs_rest
    return _averaged(tp, tp + fp, table, average)


@tabulated("confusion.NPV", source="Holt et al. 2010 eq 8")
def negative_predictive_value(table: Contingency) -> Floats:
    """NPV = Σ_k P_t(k)·(1 − P_s(k) − P_t(k) + P(k, k)) / (1 − P_s(k)): right rejections among all
    rejections, by P_t."""
    _, _, fn, tn = table.one_vs_rest
    rates = np.nan_to_num(ratio(tn, tn + fn))
    return _weighted(np.where(table.aligned.p_true == 1.0, np.nan, rates), table)


@tabulated("confusion.rand", source="Holt et al. 2010 eq 9")
def rand(table: Contingency) -> Floats:
    """rand = Σ_k P_t(k)·(1 − P_s(k) − P_t(k) + 2·P(k, k)): the mean accuracy of one class against
    the rest, by P_t."""
    _, fp, fn, _ = table.one_vs_rest
    whole = np.broadcast_to(table.aligned.total[..., None], fp.shape)
    return _weighted(1.0 - ratio(fp + fn, whole), table)


@tabulated("confusion.F", source="Holt et al. 2010 eq 10", aliases=("F1",))
def f_score(table: Contingency, *, beta: Exponent = 1.0, average: Averaged = "weighted") -> Floats:
    """F = Σ_k P_t(k)·2·P(k, k) / (P_t(k) + P_s(k)): the mean F_β of classes, by P_t."""
    tp, fp, fn, _ = table.one_vs_rest
    missed = 1.0 - 1.0 / (1.0 + beta * beta)
    return _averaged(tp, tp + missed * fn + (1.0 - missed) * fp, table, average)


@tabulated("confusion.jaccard", source="Jaccard 1912")
def jaccard(table: Contingency, *, average: Averaged = "weighted") -> Floats:
    """Σ_k P_t(k)·P(k, k) / (P_t(k) + P_s(k) − P(k, k)): the mean overlap of the items that are of a
    class and of those said to be, by P_t."""
    tp, fp, fn, _ = table.one_vs_rest
    return _averaged(tp, tp + fp + fn, table, average)


@tabulated(
    "confusion.loss",
    source="Holt et al. 2010 eq 11–15",
    range=(-np.inf, np.inf),
    better="lower",
)
def loss(table: Contingency, *, kind: LossKind = "linear", base: Base = np.e) -> Floats:
    """ℓ = Σ_ij P(i, j)·C(i, j): the expected cost. C(i, j) is Σ_k |P(i, k) − δ(i, k)| (linear),
    Σ_k (P(i, k) − δ(i, k))² (quadratic), −log P(i, i) (informational), −δ(i, j) (zero_one), or a
    matrix of one's own (custom)."""
    square = table.aligned
    right = np.eye(len(square.true))
    match kind:
        case "linear":
            costs = kernels.row_sums(np.abs(square.joint - right))
        case "quadratic":
            costs = kernels.row_sums((square.joint - right) ** 2)
        case "informational":
            with np.errstate(divide="ignore"):
                costs = -np.log(np.diagonal(square.joint, axis1=-2, axis2=-1)) / np.log(base)
        case "zero_one":
            return -table.right
        case "custom":
            joint = table.joint.reshape(*table.joint.shape[:-2], -1)
            return kernels.row_sums(joint, _costs(table).ravel())
    return _weighted(costs, table)


def _costs(table: Contingency) -> Floats:
    if table.costs is None:
        raise InputError(
            "loss(kind=custom) needs a matrix of costs, true by said classes",
            mend="give it as cf.Confusion(…, costs=matrix), or as cranfield confusion --loss FILE",
        )
    return table.costs


def _averaged(part: Floats, whole: Floats, table: Contingency, average: Averaged) -> Floats:
    """The mean of a rate over classes; 0/0 = 0."""
    if average == "micro":
        return np.nan_to_num(ratio(kernels.row_sums(part), kernels.row_sums(whole)))
    rates = np.nan_to_num(ratio(part, whole))
    if average == "weighted":
        return _weighted(rates, table)
    seen = (table.aligned.of_true > 0) | (table.aligned.of_said > 0)
    return ratio(kernels.row_sums(np.where(seen, rates, 0.0)), seen.sum(axis=-1))


def _weighted(rates: Floats, table: Contingency) -> Floats:
    """Σ of rates by P_t; a class that is never true counts nothing, whatever its rate."""
    weights, whole = table.aligned.of_true, table.aligned.total
    return ratio(kernels.row_sums(np.where(weights > 0, rates, 0.0), weights), whole)
