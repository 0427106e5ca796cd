"""Measures of weighted items, straight from their definitions: slow, plain, and nobody's code but
that of these tests. An item of weight 2 counts as if it were there twice."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Weighted = Callable[[Array, Array, Array], float]
"""From weights (N,), labels (N, C) and scores (N, C) to a score."""


def auc(w: Array, y: Array, s: Array, tie: float = 0.5) -> float:
    won = (s[:, None] > s[None, :]) + tie * (s[:, None] == s[None, :])
    pairs = (w * y)[:, None] * (w * (1 - y))[None, :]
    return float((won * pairs).sum() / pairs.sum())


def ap(w: Array, y: Array, s: Array) -> float:
    total = 0.0
    for i in np.flatnonzero(y):
        here = s >= s[i]
        total += w[i] * (w * y)[here].sum() / w[here].sum()
    return float(total / (w * y).sum())


def ap_at(share: float) -> Weighted:
    """AP after the weights of negatives were changed so that positives make up a share."""

    def measure(w: Array, y: Array, s: Array) -> float:
        positives, negatives = (w * y).sum(), (w * (1 - y)).sum()
        heavy = w * np.where(y == 1, 1.0, positives * (1 - share) / share / negatives)
        return ap(heavy, y, s)

    return measure


def eer(w: Array, y: Array, s: Array) -> float:
    cuts = [np.inf, *sorted(set(s.tolist()), reverse=True)]
    false = [(w * (1 - y))[s >= cut].sum() / (w * (1 - y)).sum() for cut in cuts]
    missed = [(w * y)[s < cut].sum() / (w * y).sum() for cut in cuts]
    for i in range(1, len(cuts)):
        if false[i] >= missed[i]:
            before, after = missed[i - 1] - false[i - 1], missed[i] - false[i]
            share = before / (before - after)
            return float(false[i - 1] + share * (false[i] - false[i - 1]))
    raise AssertionError


def rp(w: Array, y: Array, s: Array) -> float:
    wanted, taken, right = float((w * y).sum()), 0.0, 0.0
    for score in sorted(set(s.tolist()), reverse=True):
        here = s == score
        share = min(1.0, (wanted - taken) / w[here].sum())
        right += share * (w * y)[here].sum()
        taken += share * w[here].sum()
    return right / wanted


def counts(w: Array, y: Array, z: Array) -> tuple[float, float, float, float]:
    return tuple(
        float((w * a * b).sum()) for a, b in ((y, z), (1 - y, z), (y, 1 - z), (1 - y, 1 - z))
    )  # type: ignore[return-value]


def f(tp: float, fp: float, fn: float, tn: float) -> float:
    return 2 * tp / (2 * tp + fp + fn)


def mcc(tp: float, fp: float, fn: float, tn: float) -> float:
    return float((tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


OF_COUNTS: dict[str, Callable[[float, float, float, float], float]] = {
    "P": lambda tp, fp, fn, tn: tp / (tp + fp),
    "R": lambda tp, fp, fn, tn: tp / (tp + fn),
    "F": f,
    "Acc": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "specificity": lambda tp, fp, fn, tn: tn / (fp + tn),
    "NPV": lambda tp, fp, fn, tn: tn / (tn + fn),
    "MCC": mcc,
    "balanced_accuracy": lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (tn + fp)) / 2,
    "jaccard": lambda tp, fp, fn, tn: tp / (tp + fp + fn),
    "generality": lambda tp, fp, fn, tn: (tp + fn) / (tp + fp + fn + tn),
}


def over_concepts(one: Weighted) -> Weighted:
    def score(w: Array, y: Array, s: Array) -> float:
        return float(np.mean([one(w, y[:, c], s[:, c]) for c in range(y.shape[1])]))

    return score


def over_cells(one: Weighted) -> Weighted:
    def score(w: Array, y: Array, s: Array) -> float:
        return one(np.repeat(w, y.shape[1]), y.ravel(), s.ravel())

    return score


def decided(formula: Callable[[float, float, float, float], float]) -> Weighted:
    return lambda w, y, s: formula(*counts(w, y, (s >= 0.5).astype(float)))


def gmap(w: Array, y: Array, s: Array) -> float:
    return float(np.exp(np.mean([np.log(ap(w, y[:, c], s[:, c])) for c in range(y.shape[1])])))


def dprime(w: Array, y: Array, s: Array) -> float:
    return float(np.sqrt(2) * NormalDist().inv_cdf(auc(w, y, s)))


def lwlrap(w: Array, y: Array, s: Array) -> float:
    one = np.ones(y.shape[1])
    sums = [w[i] * y[i].sum() * ap(one, y[i], s[i]) for i in range(len(w)) if y[i].any()]
    return float(sum(sums) / (w * y.sum(axis=1)).sum())


def brier(w: Array, y: Array, s: Array) -> float:
    return float((w[:, None] * (s - y) ** 2).sum() / (w.sum() * y.shape[1]))


def example_f(w: Array, y: Array, s: Array) -> float:
    z = s >= 0.5
    both, sizes = (y * z).sum(axis=1), y.sum(axis=1) + z.sum(axis=1)
    values = np.where(sizes > 0, 2 * both / np.maximum(sizes, 1), 1.0)
    return float((w * values).sum() / w.sum())


MEASURES: dict[str, Weighted] = {
    "concept.AUC": over_concepts(auc),
    "concept.AUC(ties=worst)": over_concepts(lambda w, y, s: auc(w, y, s, tie=0.0)),
    "concept.AUC(ties=best)": over_concepts(lambda w, y, s: auc(w, y, s, tie=1.0)),
    "micro.AUC": over_cells(auc),
    "concept.AP": over_concepts(ap),
    "concept.AP_at_prevalence": over_concepts(ap_at(0.5)),
    "concept.AP_at_prevalence(prevalence=0.03)": over_concepts(ap_at(0.03)),
    "concept.PRAUC": over_concepts(ap),
    "micro.AP": over_cells(ap),
    "concept.GMAP": gmap,
    "concept.dprime": over_concepts(dprime),
    "micro.lwlrap": lwlrap,
    "micro.brier": brier,
    "concept.brier": brier,
    "micro.RMSE": lambda w, y, s: float(np.sqrt(brier(w, y, s))),
    "example.F": example_f,
    **{f"concept.{name}": over_concepts(decided(one)) for name, one in OF_COUNTS.items()},
    **{f"micro.{name}": over_cells(decided(OF_COUNTS[name])) for name in ("P", "R", "F", "Acc")},
}
AT_A_THRESHOLD: dict[str, Weighted] = {
    "concept.EER": over_concepts(eer),
    "concept.RP": over_concepts(rp),
}
"""Smooth only where a large group of equals lies at the threshold."""
