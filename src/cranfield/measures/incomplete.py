"""Measures of rankings that know that not everything was judged.

Conventions
    A document is relevant, not relevant, in the pool but not judged, or outside the pool; each
    counts as what it is, so the option `unjudged` changes nothing here. Documents of one score
    enter at once. Topics without judged relevant documents are skipped, but for judged@k, which
    asks how much of a list anybody judged, relevant or not.

Sources: Buckley & Voorhees 2004 (bpref), Yilmaz & Aslam 2006 (infAP), Yilmaz, Kanoulas & Aslam 2008
(xinfAP). trec_eval is the reference of the first two, sample_eval of the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.ranked_lists import Ordered
from cranfield.core.matrices import Bools, Cells, Floats, Ints, as_cells, at
from cranfield.core.truth import Truth
from cranfield.measures.declare import measured, ratio
from cranfield.measures.definition import Cutoff
from cranfield.measures.ties import AnyOrder, AtOnce

_EPSILON = 1e-5
"""What smooths a share of which nothing was seen yet."""


@measured(
    "concept.bpref",
    source="Buckley & Voorhees 2004; trec_eval",
    prediction="confidences",
    heeds_unjudged=True,
)
def binary_preference(comparison: Comparison, *, ties: AtOnce = "grouped") -> Floats:
    """1/R Σ over retrieved relevant documents of 1 − n/min(R, N), n = judged nonrelevant documents
    above it, at most min(R, N); R and N are the judged relevant and nonrelevant documents."""
    comparison = _with_everything(comparison)
    positives, negatives = comparison.truth.totals(0, "exclude")
    most = np.minimum(positives, negatives)

    def look(block: Ordered) -> Floats:
        relevant = block.judgements("matrix")
        hit, miss = np.flatnonzero(relevant), block.judgements("judged") & ~relevant
        worse = block.above(miss, hit) if ties == "best" else block.through(miss, hit)
        cap = most[block.lists][block.owner[hit]]
        return block.sums(1.0 - np.minimum(worse, cap) / np.maximum(cap, 1), hit)

    return ratio(comparison.by_list("concept", ties, look), positives)


@measured(
    "concept.judged@k",
    "example.judged@k",
    source="ir_measures, Judged@k",
    prediction="confidences",
    better="neither",
    heeds_unjudged=True,
)
def judged_at(
    comparison: Comparison, direction: Direction, *, k: Cutoff, ties: AnyOrder = "expected"
) -> Floats:
    """The share of the first k of the list that somebody judged, relevant or not; of the whole list
    where it is shorter, 0 where it is empty. Where it is low, other measures say little."""
    comparison = _with_everything(comparison)
    length = np.minimum(np.diff(comparison.offsets(direction)), k)

    def look(block: Ordered) -> Floats:
        block = block.only(block.judgements("judged"))
        if ties in ("best", "worst"):
            block = block.by(np.zeros(len(block.cells)), first=ties == "best")
        return block.sums(np.clip((k - block.start) / (block.end - block.start), 0.0, 1.0))

    if comparison.truth.judged is None:
        shares = np.minimum(length, 1.0)
    else:
        shares = np.nan_to_num(ratio(comparison.by_list(direction, ties, look), length))
    # Where there is nothing to judge, nothing is said.
    return np.where(sum(comparison.totals(direction)) > 0, shares, np.nan)


@measured(
    "concept.infAP",
    source="Yilmaz & Aslam 2006; trec_eval",
    prediction="confidences",
    heeds_unjudged=True,
)
def inferred_precision(
    comparison: Comparison, *, ties: Literal["grouped", "trec"] = "grouped"
) -> Floats:
    """1/R Σ E[P(k)] over judged relevant documents, E[P(k)] = 1/k + pooled above/k ·
    (rel + ε)/(rel + nonrel + 2ε), rel and nonrel = judged above k, ε = 1e-5: AP estimated from
    judgements of a random part of the pool."""
    return _inferred(comparison, ties, stratified=False)


@measured(
    "concept.xinfAP",
    source="Yilmaz, Kanoulas & Aslam 2008; sample_eval",
    prediction="confidences",
    heeds_unjudged=True,
)
def stratified_inferred_precision(
    comparison: Comparison,
    *,
    rule: Literal["nist", "paper"] = "nist",
    ties: Literal["grouped", "trec"] = "grouped",
) -> Floats:
    """infAP from a stratified sample: E[P(k)] = 1/k + 1/k Σ over strata of pooled above ·
    (rel + ε)/(judged + mε) above k, m = 3 as in NIST's sample_eval (rule=nist) or 2 as in the paper
    (rule=paper); each relevant document stands for N/n of its stratum, of whose N documents n were
    judged."""
    return _inferred(comparison, ties, stratified=True, smoothed=3 if rule == "nist" else 2)


def _with_everything(comparison: Comparison) -> Comparison:
    """The comparison in which no cell is left out of the lists."""
    if comparison.unjudged == "negative":
        return comparison
    return comparison.against(comparison.truth, unjudged="negative")


def _inferred(comparison: Comparison, ties: str, *, stratified: bool, smoothed: int = 2) -> Floats:
    comparison = _with_everything(comparison)
    truth = comparison.truth
    strata = truth.once(("strata", stratified), lambda: _Strata.of(truth, stratified=stratified))

    def look(block: Ordered) -> Floats:
        relevant, judged = block.judgements("matrix"), block.judgements("judged")
        hit = np.flatnonzero(relevant)
        others = np.zeros(len(hit))
        stands_for = np.zeros(len(hit))
        for index, number in enumerate(strata.numbers):
            here = block.judgements("strata") == number if stratified else block.judgements("pool")
            own = here[hit]
            # All that is at or above a relevant document, but for the document itself.
            documents, seen, result = (
                block.through(marks, hit) - own for marks in (here, here & judged, here & relevant)
            )
            others += documents * (result + _EPSILON) / (seen + smoothed * _EPSILON)
            weight = ratio(strata.pooled[index], strata.judged[index])
            stands_for[own] = weight[block.lists][block.owner[hit][own]]
        return block.sums(stands_for * (1.0 + others) / block.end[hit], hit)

    weight = ratio(strata.pooled, strata.judged)
    estimated = kernels.column_sums(np.where(strata.relevant > 0, weight * strata.relevant, 0.0))
    return ratio(comparison.by_list("concept", ties, look), estimated)


@dataclass(frozen=True)
class _Strata:
    """The pool of each topic by stratum: counts are (strata, topics)."""

    numbers: Ints
    pooled: Ints
    judged: Ints
    relevant: Ints

    @classmethod
    def of(cls, truth: Truth, *, stratified: bool) -> _Strata:
        items, topics = truth.shape
        if truth.pool is None:
            codes = np.arange(items * topics)
        else:
            pool = as_cells(truth.pool)
            codes = pool.codes[pool.values]
        strata = truth.strata if stratified else None
        stratum = np.zeros(len(codes), dtype=np.int64) if strata is None else at(strata, codes)
        numbers, index = np.unique(stratum, return_inverse=True)
        where = index * topics + codes % topics

        def by_topic(mask: Bools | Cells | None) -> Ints:
            remaining = where if mask is None else where[at(mask, codes)]
            counts = np.bincount(remaining, minlength=len(numbers) * topics)
            return counts.reshape(len(numbers), topics)

        pooled = by_topic(None)
        judged = pooled if truth.judged is truth.pool else by_topic(truth.judged)
        return cls(numbers, pooled, judged, by_topic(truth.matrix))
