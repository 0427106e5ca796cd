"""Hierarchical measures of near misses: how far a wrong label is from a right one.

Conventions
    example.path: 0 when the sets are equal, also when both are empty.
    simP, simR, simF, BDM: concepts without positives are skipped; one never assigned has P = 0.
    parent_one_accuracy: items without a true label are skipped. Concepts right below the root do
    not share a parent, since the root is everybody's.

Sources: Nowak 2011 §4.4 and the papers it cites, which leave open what a truth or run with several
labels for an item makes of measures of single ones; the docstrings say what is done here.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats, dense
from cranfield.core.truth import Truth
from cranfield.kernels import Statistic, Words
from cranfield.knowledge.ontology import Tree
from cranfield.measures.declare import measured, ratio
from cranfield.measures.definition import Exponent, NotNegative, Options, Share
from cranfield.measures.hierarchical_sets import combined
from cranfield.measures.ties import AnyOrder

# ── sets assigned to each other ───────────────────────────────────────────────────────────────


@measured(
    "example.path",
    source="Wu et al. 2005",
    prediction="decisions",
    better="lower",
    knowledge=("ontology", "costs"),
)
def path_cost(
    comparison: Comparison,
    *,
    costs: str = "DIMC",
    tree: Tree = "flat",
    dummy: Share = 1.0,
    label_weights: Literal["equal", "frequency"] = "equal",
) -> Floats:
    """Labels of the two sets are paired off at the least mean cost, the smaller set filled up with
    dummies: `costs` of a pair, by default the links of the path between them over twice the height
    of the hierarchy, `dummy` for a label paired with a dummy. label_weights=frequency multiplies
    costs by the mean frequency of the labels in the pair, that of the most frequent one being 1."""
    between, unmatched = pair_costs(
        comparison, costs=costs, tree=tree, dummy=dummy, label_weights=label_weights
    )
    lost = paired_off(comparison, comparison.assigned_sets, between, unmatched)
    n = comparison.counts("example")
    mean = np.nan_to_num(ratio(lost, n.tp + np.maximum(n.fp, n.fn)))
    return np.where(n.cells > 0, mean, np.nan)


def paired_off(comparison: Comparison, chosen: Words, between: Floats, alone: Floats) -> Floats:
    """What it costs at least to pair the labels chosen for each item with the true ones.

    between, alone  (C, C) and (C,): the cost of a pair, and of a label that is left over
    """
    order = canonical_order(comparison.truth.concept_axis)
    chosen, true = comparison.by_id(chosen), comparison.by_id(comparison.true_sets)
    return kernels.assign(chosen, true, between[np.ix_(order, order)], unmatched=alone[order])


def pair_costs(
    comparison: Comparison, *, costs: str, tree: Tree, dummy: float, label_weights: str
) -> tuple[Floats, Floats]:
    """(C, C) and (C,): what it costs to pair two labels, and one with a dummy."""
    between = comparison.known.costs(costs, tree, "example.path")
    if label_weights == "equal":
        return between, np.full(len(between), dummy)
    weights = _frequencies(comparison)
    return between * np.add.outer(weights, weights) / 2.0, dummy * weights


def _frequencies(comparison: Comparison) -> Floats:
    positives = comparison.totals("concept").positives
    return ratio(positives, np.full(len(positives), max(1, positives.max(initial=0))))


# ── contributions of the other labels ─────────────────────────────────────────────────────────


def _asked_by(options: Options) -> tuple[str, ...]:
    return ("relatedness",) if options["by"] == "similarity" else ("ontology",)


By = Literal["similarity", "distance"]

_ROUNDING = 1e-9
"""What may be left of sums of contributions that cancel out."""

_with_contributions = partial(
    measured,
    source="Sun & Lim 2001",
    prediction="decisions",
    knowledge=("ontology", "relatedness"),
    asks=_asked_by,
    merges="nothing",
)


@_with_contributions("concept.simP")
def near_precision(
    comparison: Comparison,
    *,
    by: By = "similarity",
    relatedness: str | None = None,
    acceptable: NotNegative = 0.0,
) -> Floats:
    """max(0, TP + FpCon + FnCon) / (TP + FP + FnCon). FpCon sums over items that the concept was
    wrongly assigned to what their true labels contribute, FnCon over items that it is missing
    from what their assigned labels do; each item between −1 and 1. by=similarity: a label
    contributes (s − mean) / (1 − mean), s being its relatedness to the concept, mean that of all
    pairs. by=distance: 1 − d / acceptable, d the links between them; acceptable=0 stands for the
    mean distance of all pairs."""
    return _rates(comparison, "concept.simP", by, relatedness, acceptable)[0]


@_with_contributions("concept.simR")
def near_recall(
    comparison: Comparison,
    *,
    by: By = "similarity",
    relatedness: str | None = None,
    acceptable: NotNegative = 0.0,
) -> Floats:
    """max(0, TP + FpCon + FnCon) / (TP + FN + FpCon), see concept.simP."""
    return _rates(comparison, "concept.simR", by, relatedness, acceptable)[1]


@_with_contributions("concept.simF")
def near_f_measure(
    comparison: Comparison,
    *,
    by: By = "similarity",
    relatedness: str | None = None,
    acceptable: NotNegative = 0.0,
    beta: Exponent = 1.0,
) -> Floats:
    """(1 + β²)·simP·simR / (β²·simP + simR), see concept.simP."""
    precision, recall = _rates(comparison, "concept.simF", by, relatedness, acceptable)
    return np.where(np.isnan(recall), np.nan, combined(precision, recall, beta=beta))


def _rates(
    comparison: Comparison, measure: str, by: By, relatedness: str | None, acceptable: float
) -> tuple[Floats, Floats]:
    """simP and simR of each concept."""
    false, missed = comparison.once(
        ("contributions", by, relatedness, acceptable),
        lambda: _contributions(
            comparison,
            _contributing(comparison, f"{measure}(by={by})", by, relatedness, acceptable),
        ),
    )
    n = comparison.counts("concept")
    right = n.tp + false + missed
    precision, recall = (
        np.where(n.tp + n.fn > 0, _share(right, whole), np.nan)
        for whole in (n.tp + n.fp + missed, n.tp + n.fn + false)
    )
    return precision, recall


def _share(right: Floats, whole: Floats) -> Floats:
    """max(0, right) / whole; 0 where there is no whole, which is never less than what is right."""
    whole = np.where(whole > _ROUNDING, whole, 0.0)
    return np.nan_to_num(ratio(np.clip(right, 0.0, whole), whole))


def _contributing(
    comparison: Comparison, measure: str, by: By, relatedness: str | None, acceptable: float
) -> Floats:
    """(C, C): what a label contributes to another, assigned by true."""
    known = comparison.known
    if by == "distance":
        apart = known.lineage(measure).distances
        limit = acceptable or _mean_of_pairs(apart)
        return 1.0 - apart / limit if limit else np.zeros_like(apart)
    related = known.relatedness(relatedness, measure)
    usual = _mean_of_pairs(related)
    return (related - usual) / (1.0 - usual) if usual < 1.0 else np.zeros_like(related)


def _mean_of_pairs(values: Floats) -> float:
    """Over pairs of different concepts; 0 if there are none."""
    size = len(values)
    others = values[~np.eye(size, dtype=np.bool_)]
    return kernels.total(others) / max(1, size * (size - 1))


def _contributions(comparison: Comparison, contributing: Floats) -> tuple[Floats, Floats]:
    """FpCon and FnCon of each concept."""
    false, missed = (kernels.new_sums(len(contributing)) for _ in range(2))
    for block in comparison.blocks():
        for sums, marks, numbers, where in (
            (false, block.true, contributing.T, block.assigned & ~block.true),
            (missed, block.assigned, contributing, block.true & ~block.assigned),
        ):
            sums.add(np.clip(kernels.marked_sums(marks, numbers, where), -1.0, 1.0))
    return false.rounded(), missed.rounded()


# ── nearest labels ────────────────────────────────────────────────────────────────────────────


@measured(
    "concept.BDM",
    source="Maynard et al. 2006",
    prediction="decisions",
    knowledge=("ontology",),
    merges="nothing",
)
def balanced_distance_metric(
    comparison: Comparison, *, of: Literal["recall", "precision"] = "recall"
) -> Floats:
    """Augmented recall: mean balanced distance metric, BDM, between the concept and the nearest
    assigned label, over the items that have it; of=precision: and the nearest true label, over
    the items it was assigned to. Nothing to compare with = 0. BDM is 1 for equal concepts, 0 for
    those with only the root in common, and between BR·(CP/n1) / (BR·(CP/n1) + DPK/n2 + DPR/n3):
    CP is the depth of the most specific node above both, DPK and DPR the links down from it, each
    divided by the mean length of the chains concerned, BR the branching there over that of all."""
    near = comparison.known.lineage("concept.BDM").nearness
    n = comparison.counts("concept")
    if of == "recall":
        sums = _nearest_by_concept(comparison.true_sets, comparison.assigned_sets, near)
        return ratio(sums, n.tp + n.fn)
    sums = _nearest_by_concept(comparison.assigned_sets, comparison.true_sets, near)
    means = np.nan_to_num(ratio(sums, n.tp + n.fp))
    return np.where(n.tp + n.fn > 0, means, np.nan)


def _nearest_by_concept(given: Words, wanted: Words, near: Floats) -> Floats:
    """(C,): for each concept, Σ over the sets it is given in of the nearest wanted one."""
    apart = 1.0 - near
    sums = np.zeros(len(near))
    for concept in range(len(near)):
        word, bit = divmod(concept, 64)
        mark = np.uint64(1 << bit)
        here = np.flatnonzero(given[:, word] & mark)
        alone = np.zeros((len(here), given.shape[1]), dtype=np.uint64)
        alone[:, word] = mark
        sums[concept] = len(here) - kernels.total(kernels.nearest(alone, wanted[here], apart))
    return sums


# ── the concept ranked first ──────────────────────────────────────────────────────────────────


@measured(
    "example.parent_one_accuracy",
    source="Cai & Hofmann 2007",
    prediction="confidences",
    knowledge=("ontology",),
)
def parent_one_accuracy(comparison: Comparison, *, ties: AnyOrder = "expected") -> Floats:
    """1 if the concept ranked first is a true one or has a parent other than the root in common
    with one (its probability under ties), else 0."""
    lineage = comparison.known.lineage("example.parent_one_accuracy")
    truth = comparison.truth
    near = lineage.with_siblings(truth.labels)
    judged = None if comparison.unjudged == "negative" else truth.judged
    wider = Truth(
        near if judged is None else near & dense(judged),
        items=truth.item_axis,
        concepts=truth.concept_axis,
        judged=judged,
    )
    return 1.0 - comparison.against(wider).ranking("example", Statistic("one_error", ties))
