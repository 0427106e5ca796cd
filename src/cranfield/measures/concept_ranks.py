"""Concept-based measures of rankings: the items of each concept ordered by confidence.

Conventions
    Concepts without positives are skipped; AUC, EER, d′ and AP at a prevalence also skip those
    without negatives.
    Scores are used as given. Ties never depend on the order of rows: see `ties`. Cells that a
    sparse run does not mention rank below all others and earn no precision; for AUC and EER they
    are one tie at the bottom. `micro.` ranks all cells of the collection as one list.

Sources: Nowak 2011 §3.3.3 for AUC, EER, AP, iAP, P@k and RP; others as named.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import Annotated, Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.ranked_lists import Ordered
from cranfield.core.matrices import Floats, Ints
from cranfield.core.truth import Truth
from cranfield.kernels import Statistic
from cranfield.kernels.statistics import discounts
from cranfield.measures.declare import measured, ranked, ratio
from cranfield.measures.definition import Bounds, Cutoff, Exponent, Options
from cranfield.measures.ties import AnyOrder, AnyRule, AtOnce

Gain = Callable[[Ints], Floats]
"""From grades to gains."""


@ranked(
    "concept.AUC",
    "micro.AUC",
    source="Nowak 2011 §3.3.3; Hanley & McNeil 1982",
    aliases=("AUROC",),
    counts_negatives=True,
)
def area_under_roc(*, ties: AnyOrder = "expected") -> Statistic:
    """The probability that a positive outranks a negative; a tie counts half (worst: nothing)."""
    return Statistic("AUC", ties)


@ranked(
    "concept.AP",
    "micro.AP",
    "example.AP",
    source="Nowak 2011 eq 3.13, 3.24",
    aliases=("MAP",),
    bounds="ranks",
)
def average_precision(*, ties: AnyRule = "grouped") -> Statistic:
    """AP = 1/R Σ precision at the rank of each relevant cell; one not retrieved adds 0."""
    return Statistic("AP", ties)


@ranked(
    "concept.AP@k",
    "example.AP@k",
    source="trec_eval, map_cut",
    aliases=("MAP@k",),
    bounds="ranks",
)
def average_precision_at(
    *,
    k: Cutoff,
    divisor: Literal["relevant", "ideal", "retrieved"] = "relevant",
    ties: AnyOrder = "expected",
) -> Statistic:
    """Σ precision at the rank of each relevant cell among the first k, divided by R, all relevant
    cells (trec_eval's map_cut), by min(R, k), so that a perfect list scores 1 (ideal), or by the
    relevant cells among the first k (retrieved; torchmetrics): then finding one more may cost,
    and a list without any scores 0."""
    return Statistic("AP@", ties, k, variant="" if divisor == "relevant" else divisor)


@ranked(
    "concept.AP_at_prevalence",
    "micro.AP_at_prevalence",
    source="Siblini et al. 2020; Hoiem et al. 2012",
    counts_negatives=True,
)
def average_precision_at_prevalence(
    *, prevalence: Annotated[float, Bounds(1e-6, 1.0)] = 0.5, ties: AtOnce = "grouped"
) -> Statistic:
    """AP as if a share π of all items were positive: 1/R Σ π·TPR / (π·TPR + (1 − π)·FPR), the rates
    at the rank of each relevant cell. AP grows with the share of positives; this does not, so that
    it compares concepts and parts of a collection."""
    return Statistic("AP_at_prevalence", ties, parameter=prevalence)


@ranked("concept.iAP", source="Nowak 2011 §3.3.3; trec_eval", aliases=("MiAP",))
def interpolated_precision(
    *,
    points: Annotated[int, Bounds(2, 10**6)] = 11,
    rule: Literal["exact", "trec9", "trec10"] = "exact",
    ties: AtOnce = "grouped",
) -> Statistic:
    """Mean over recall levels 0, 1/(points−1), …, 1 of the best precision at that recall or more.
    A level asks for ⌈level·R⌉ items; trec_eval 9 takes int(level·R + .9), 10 lround(level·R)."""
    return Statistic("iAP", ties, points, rule)


@ranked("concept.EER", source="Nowak 2011 §3.3.3", better="lower", counts_negatives=True)
def equal_error_rate(
    *, at: Literal["linear", "vertex"] = "linear", ties: AtOnce = "grouped"
) -> Statistic:
    """The error where false positive rate and false negative rate are equal, on the linearly
    interpolated ROC curve; vertex: their mean at the threshold where they differ least."""
    return Statistic("EER", ties, variant=at)


@ranked(
    "concept.RP",
    "example.RP",
    source="Nowak 2011 §3.3.3, eq 3.25",
    aliases=("Rprec",),
    bounds="ranks",
)
def r_precision(*, ties: AnyOrder = "expected") -> Statistic:
    """Precision at rank R, the number of relevant cells; divided by R even for short runs."""
    return Statistic("RP", ties)


@ranked("concept.P@k", "example.P@k", source="Nowak 2011 §3.3.3", bounds="ranks")
def precision_at(*, k: Cutoff, ties: AnyOrder = "expected") -> Statistic:
    """Relevant cells among the first k of the list, divided by k even for short lists."""
    return Statistic("P@", ties, k)


@ranked("concept.R@k", "example.R@k", source="Manning et al. 2009", bounds="ranks")
def recall_at(*, k: Cutoff, ties: AnyOrder = "expected") -> Statistic:
    """Relevant cells among the first k of the list, divided by all relevant ones."""
    return Statistic("R@", ties, k)


@measured(
    "concept.F@k",
    "example.F@k",
    source="van Rijsbergen 1979; ranx",
    aliases=("F1@k",),
    prediction="confidences",
)
def f_at(
    comparison: Comparison,
    direction: Direction,
    *,
    k: Cutoff,
    beta: Exponent = 1.0,
    ties: AnyOrder = "expected",
) -> Floats:
    """F_β of P@k and R@k: (1 + β²)·n / (k + β²·R), n = relevant cells among the first k of the
    list, R = all relevant ones."""
    precision, recall = (
        comparison.ranking(direction, Statistic(name, ties, k)) for name in ("P@", "R@")
    )
    missed = 1.0 - 1.0 / (1.0 + beta * beta)
    values = ratio(precision * recall, missed * precision + (1.0 - missed) * recall)
    return np.where(recall == 0.0, 0.0, values)


@ranked(
    "concept.success@k",
    "example.success@k",
    source="trec_eval",
    aliases=("hit_rate@k", "accuracy@k"),
    bounds="ranks",
)
def success_at(*, k: Cutoff, ties: AnyOrder = "expected") -> Statistic:
    """1 if anything relevant is among the first k of the list (its probability under ties). Of
    items with one label example.success@k is the top-k accuracy of a classifier."""
    return Statistic("success", ties, k)


@ranked("concept.RR", source="Voorhees 1999", aliases=("MRR",))
def reciprocal_rank(*, k: Cutoff = 0, ties: AnyOrder = "expected") -> Statistic:
    """1 / rank of the first relevant item; 0 if none is in the list, or among the first k of it."""
    return Statistic("RR", ties, k)


@measured(
    "concept.nDCG",
    "example.nDCG",
    source="Järvelin & Kekäläinen 2002",
    prediction="confidences",
    relevance="graded",
    needs=lambda o: Statistic("nDCG", o["ties"], o["k"]),
    bounds="ranks",
)
def ndcg(
    comparison: Comparison,
    direction: Direction,
    *,
    k: Cutoff = 0,
    gain: Literal["linear", "exponential"] = "linear",
    ties: AnyOrder = "expected",
) -> Floats:
    """DCG@k / ideal DCG@k, DCG = Σ gain / log2(rank + 1); the gain of a grade g is g, or 2^g − 1
    (exponential); the ideal ranks everything relevant first; without k the whole list counts."""
    if comparison.truth.grades is None:
        # A sum of rounded discounts may pass the ideal in its last bit.
        return np.minimum(comparison.ranking(direction, Statistic("nDCG", ties, k)), 1.0)
    top = float(comparison.truth.largest_grade)
    gains = {
        "linear": lambda grade: grade.astype(np.float64),
        # Over 2^top, which cancels: large grades stay finite.
        "exponential": lambda grade: np.exp2(grade - top) - np.exp2(-top),
    }
    gained = _gained(comparison, direction, gains[gain], k, ties)
    ideal = comparison.truth.once(
        ("ideal DCG", direction, gain, k),
        lambda: _ideal(comparison.truth, direction, gains[gain], k),
    )
    return np.minimum(ratio(gained, ideal), 1.0)


def _gained(comparison: Comparison, direction: Direction, gain: Gain, k: int, ties: str) -> Floats:
    """The DCG of what was retrieved, by list."""
    longest = int(np.diff(comparison.offsets(direction)).max(initial=0))
    upto, cut = discounts(longest), k or longest

    def look(block: Ordered) -> Floats:
        block = ranked_by_grade(block, ties)
        shown = np.flatnonzero(block.start < cut)
        start, end = block.start[shown], block.end[shown]
        discount = (upto[np.minimum(end, cut)] - upto[start]) / (end - start)
        return block.sums(gain(block.judgements("grades")[shown]) * discount, shown)

    return comparison.by_list(direction, ties, look, about="graded")


def ranked_by_grade(block: Ordered, ties: str) -> Ordered:
    """Relevant cells of lists, equal ones with the best or the worst grades first."""
    if ties not in ("best", "worst"):
        return block
    best = ties == "best"
    grade = block.judgements("grades")
    return block.by(grade if best else -grade, first=best)


def _ideal(truth: Truth, direction: Direction, gain: Gain, k: int) -> Floats:
    """The DCG of everything relevant, best first, by list."""
    owner, grade, rank = truth.best_grades(0 if direction == "concept" else 1)
    if k:
        shown = rank <= k
        owner, grade, rank = owner[shown], grade[shown], rank[shown]
    discount = np.diff(discounts(int(rank.max(initial=0))))[rank - 1]
    size = truth.shape[1 if direction == "concept" else 0]
    return kernels.group_sums(gain(grade) * discount, owner, size)


def _slope_of_d_prime(comparison: Comparison, options: Options) -> Floats:
    """∂d′/∂AUC of each concept; 0 where AUC is clipped."""
    area = comparison.ranking("concept", Statistic("AUC", options["ties"]))
    positives, negatives = comparison.totals("concept")
    margin = 0.5 / np.maximum(positives * negatives, 1)
    inner = (area > margin) & (area < 1.0 - margin)
    normal, out = NormalDist(), np.zeros(len(area))
    out[inner] = [np.sqrt(2.0) / normal.pdf(normal.inv_cdf(a)) for a in area[inner].tolist()]
    return out


@measured(
    "concept.dprime",
    source="Green & Swets 1966; AudioSet",
    prediction="confidences",
    range=(-np.inf, np.inf),
    needs=lambda o: Statistic("AUC", o["ties"]),
    slope=_slope_of_d_prime,
    counts_negatives=True,
)
def d_prime(comparison: Comparison, *, ties: AnyOrder = "expected") -> Floats:
    """d′ = √2·Φ⁻¹(AUC), AUC clipped by 1/(2·P·N) so that perfect rankings stay finite."""
    area = comparison.ranking("concept", Statistic("AUC", ties))
    positives, negatives = comparison.totals("concept")
    margin = ratio(1.0, 2.0 * positives * negatives)
    quantile = np.vectorize(NormalDist().inv_cdf, otypes=[np.float64])
    out = np.full(len(area), np.nan)
    known = ~np.isnan(area)
    if known.any():
        out[known] = np.sqrt(2.0) * quantile(np.clip(area, margin, 1.0 - margin)[known])
    return out
