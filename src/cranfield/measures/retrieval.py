"""Measures of searches: rankings of documents for topics, as benchmarks of retrieval use them.

Conventions
    Topics without relevant documents are skipped. Documents that were not retrieved earn nothing.
    Points of the precision-recall curve are those of tie groups, unless `ties` orders the equal.
    Grades count in ERR and in RBP(gain=graded), as they do in nDCG, whatever the truth's level;
    everywhere else what is relevant has a grade of that level or more.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.collections.ranked_lists import Ordered
from cranfield.core.matrices import Floats, total
from cranfield.kernels import Statistic
from cranfield.measures.concept_ranks import ranked_by_grade
from cranfield.measures.declare import measured, ranked
from cranfield.measures.definition import Cutoff, Persistence, Share
from cranfield.measures.ties import AnyOrder, AnyRule, AtOnce, InOrder

_NEARLY_ALL = float(np.nextafter(1.0, 0.0))
"""Nobody is satisfied for sure: a grade above 53 would round to that."""


@measured(
    "concept.RBP",
    source="Moffat & Zobel 2008; trec_eval",
    prediction="confidences",
    relevance="graded",
    needs=lambda o: Statistic("RBP", o["ties"], parameter=o["p"]),
)
def rank_biased_precision(
    comparison: Comparison,
    *,
    p: Persistence = 0.8,
    gain: Literal["binary", "graded"] = "binary",
    ties: AnyOrder = "expected",
) -> Floats:
    """(1 − p) Σ p^(rank − 1) over the relevant documents; p is the chance that a reader goes on to
    the next document. gain=graded: times grade / largest grade of the topic, as in trec_eval."""
    if gain == "binary" or comparison.truth.grades is None:
        return comparison.ranking("concept", Statistic("RBP", ties, parameter=p))
    owner, grade, rank = comparison.truth.best_grades(0)
    largest = np.ones(comparison.truth.shape[1])
    largest[owner[rank == 1]] = grade[rank == 1]

    def look(block: Ordered) -> Floats:
        block = ranked_by_grade(block, ties)
        weight = (np.power(p, block.start) - np.power(p, block.end)) / (block.end - block.start)
        return block.sums(weight * block.judgements("grades")) / largest[block.lists]

    values = comparison.by_list("concept", ties, look, about="graded")
    return np.where(total(comparison.truth.graded, 0) > 0, values, np.nan)


@ranked("concept.P_at_recall", source="Weber, R-Precision")
def precision_at_recall(
    *,
    recall: Share = 0.5,
    rule: Literal["exact", "trec10"] = "exact",
    ties: AtOnce = "grouped",
) -> Statistic:
    """The best precision at any point of the curve whose recall is at least the given one; 0 if
    the run never gets there. trec_eval 10 asks for lround(recall·R) documents (rule=trec10)."""
    return Statistic("P_at_recall", ties, variant=rule, parameter=recall)


@ranked("concept.efficiency", source="Weber, System Efficiency")
def efficiency(*, ties: AtOnce = "grouped") -> Statistic:
    """1 − d/√2, d = the least distance of a point of the precision-recall curve from (1, 1)."""
    return Statistic("efficiency", ties)


@ranked("concept.PRAUC", source="Weber, Area Under the Curve; Davis & Goadrich 2006")
def area_under_precision_recall(
    *, rule: Literal["step", "trapezoid", "interpolated"] = "step", ties: AtOnce = "grouped"
) -> Statistic:
    """The area under the precision-recall curve: Σ Δrecall · precision (step, which is AP), with
    straight lines between points, the first from (0, first precision) (trapezoid), or with the best
    precision at that recall or more (interpolated)."""
    return Statistic("PRAUC", ties, variant=rule)


@measured(
    "concept.GMAP",
    source="Robertson 2006; trec_eval gm_map",
    prediction="confidences",
    average="geometric",
    needs=lambda o: Statistic("AP", o["ties"]),
)
def geometric_map(comparison: Comparison, *, ties: AnyRule = "grouped") -> Floats:
    """The geometric mean of AP: exp of the mean of log max(AP, 1e-5), in which topics that go badly
    count as much as those that go well."""
    return comparison.ranking("concept", Statistic("AP", ties))


@measured(
    "concept.ERR",
    source="Chapelle et al. 2009",
    prediction="confidences",
    relevance="graded",
    merges="nothing",
)
def expected_reciprocal_rank(
    comparison: Comparison, *, k: Cutoff = 0, ties: InOrder = "worst"
) -> Floats:
    """Σ 1/rank · R Π (1 − R of those above), R = (2^g − 1)/2^gmax, gmax the largest grade of the
    truth: the expected 1/rank at which a reader is satisfied; with k only the first k count."""
    top = float(comparison.truth.largest_grade)

    def look(block: Ordered) -> Floats:
        block = ranked_by_grade(block, ties)
        if k:
            block = block.only(block.end <= k)
        grade = block.judgements("grades")
        satisfied = np.minimum(np.exp2(grade - top) - np.exp2(-top), _NEARLY_ALL)
        # Π over those above, as a sum of logarithms.
        reached = np.exp(block.sums_above(np.log1p(-satisfied)))
        return block.sums(satisfied * reached / block.end)

    values = comparison.by_list("concept", ties, look, about="graded")
    return np.where(total(comparison.truth.graded, 0) > 0, values, np.nan)
