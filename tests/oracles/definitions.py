"""Rank measures by the letter, for one list without ties: slow, plain, and independent.

A list is what a system ranked, best first: True where relevant. `positives` and `negatives` count
all cells of the truth; those that are not in the list were not retrieved. Ties are treated by
listing every order (`orders`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations, product
from math import log2, sqrt

import numpy as np

K = 3
"""The cutoff at which @k measures are looked at."""


@dataclass(frozen=True)
class Ranked:
    """One strict order."""

    relevant: tuple[bool, ...]
    positives: int
    negatives: int

    def hits(self, k: int) -> int:
        return sum(self.relevant[:k])

    @property
    def ranks(self) -> list[int]:
        """Ranks of the relevant cells."""
        return [rank for rank, hit in enumerate(self.relevant, 1) if hit]


def orders(
    scores: Sequence[float], labels: Sequence[bool], stored: Sequence[bool], *, bottom: bool
) -> Iterator[Ranked]:
    """Every order of tied cells; `bottom`: absent cells are listed, as one tie below all others."""
    cells = [(s, y) for s, y, here in zip(scores, labels, stored, strict=True) if here]
    cells.sort(key=lambda cell: -cell[0])
    groups = [[y for _, y in group] for _, group in groupby(cells, key=lambda cell: cell[0])]
    absent = [y for y, here in zip(labels, stored, strict=True) if not here]
    if bottom and absent:
        groups.append(absent)
    positives = sum(labels)
    for choice in product(*(list(permutations(group)) for group in groups)):
        yield Ranked(tuple(y for part in choice for y in part), positives, len(labels) - positives)


def average_precision(r: Ranked) -> float:
    return sum(r.hits(rank) / rank for rank in r.ranks) / r.positives


def precisions_at(r: Ranked, k: int, divisor: float) -> float:
    shown = [rank for rank in r.ranks if rank <= k]
    return sum(r.hits(rank) / rank for rank in shown) / divisor if shown else 0.0


def area_under_roc(r: Ranked) -> float:
    better = sum(
        up and not down for place, up in enumerate(r.relevant) for down in r.relevant[place + 1 :]
    )
    return better / (r.positives * r.negatives)


def ndcg(r: Ranked, k: int = 10**6) -> float:
    gained = sum(1 / log2(rank + 1) for rank in r.ranks if rank <= k)
    return gained / sum(1 / log2(rank + 1) for rank in range(1, min(k, r.positives) + 1))


def interpolated_precision(r: Ranked) -> float:
    points = [(r.hits(rank), r.hits(rank) / rank) for rank in range(1, len(r.relevant) + 1)]
    best = [
        max((p for found, p in points if 10 * found >= level * r.positives), default=0.0)
        for level in range(11)
    ]
    return sum(best) / 11


def roc(r: Ranked) -> tuple[list[float], list[float]]:
    """False positive and false negative rate after each rank, the empty list first."""
    false = [(k - r.hits(k)) / r.negatives for k in range(len(r.relevant) + 1)]
    missed = [1 - r.hits(k) / r.positives for k in range(len(r.relevant) + 1)]
    return false, missed


def equal_error(false: Sequence[float], missed: Sequence[float]) -> float:
    """Where the two error rates cross on the line through the given points."""
    for (f0, m0), (f1, m1) in zip(
        zip(false, missed, strict=True), zip(false[1:], missed[1:], strict=True), strict=False
    ):
        if f1 >= m1:
            share = (m0 - f0) / ((m0 - f0) + (f1 - m1))
            return f0 + share * (f1 - f0)
    raise AssertionError("the curve ends at (1, 0)")


def nearest_vertex(false: Sequence[float], missed: Sequence[float]) -> float:
    gap = [round(abs(f - m), 12) for f, m in zip(false, missed, strict=True)]
    best = gap.index(min(gap))
    return (false[best] + missed[best]) / 2


def curve(r: Ranked) -> list[tuple[float, float]]:
    """Recall and precision after each rank."""
    ranks = range(1, len(r.relevant) + 1)
    return [(r.hits(k) / r.positives, r.hits(k) / k) for k in ranks]


def best_precision(r: Ranked, recall: float) -> float:
    return max((p for found, p in curve(r) if found >= recall), default=0.0)


def precision_at_prevalence(r: Ranked, share: float) -> float:
    """Every irrelevant item counts so many times that the relevant ones make up the share."""
    times = r.positives * (1 - share) / share / r.negatives
    return sum(r.hits(k) / (r.hits(k) + times * (k - r.hits(k))) for k in r.ranks) / r.positives


def efficiency(r: Ranked) -> float:
    distances = [sqrt((1 - found) ** 2 + (1 - p) ** 2) for found, p in curve(r)]
    return 1 - min([*distances, sqrt(2)]) / sqrt(2)


def trapezoids(r: Ranked) -> float:
    points = curve(r)
    points = [(0.0, points[0][1]), *points] if points else []
    return sum((b - a) * (p + q) / 2 for (a, p), (b, q) in pairwise(points))


def interpolated_steps(r: Ranked) -> float:
    points = [(0.0, 0.0), *curve(r)]
    return sum((b - a) * best_precision(r, b) for (a, _), (b, _) in pairwise(points))


def expected_reciprocal_rank(r: Ranked) -> float:
    """With one grade, of which half of the readers have enough."""
    total, reading = 0.0, 1.0
    for rank in r.ranks:
        total += reading / 2 / rank
        reading /= 2
    return total


def binary_preference(r: Ranked) -> float:
    most = min(r.positives, r.negatives)
    above = [min(rank - r.hits(rank), most) for rank in r.ranks]
    return sum(1 - (n / most if most else 0.0) for n in above) / r.positives


Definition = Callable[[Ranked], float]

CONCEPT: dict[str, Definition] = {
    "concept.AP": average_precision,
    f"concept.AP@{K}": lambda r: precisions_at(r, K, r.positives),
    f"concept.AP@{K}(divisor=ideal)": lambda r: precisions_at(r, K, min(r.positives, K)),
    "concept.AUC": area_under_roc,
    f"concept.P@{K}": lambda r: r.hits(K) / K,
    f"concept.R@{K}": lambda r: r.hits(K) / r.positives,
    "concept.RP": lambda r: r.hits(r.positives) / r.positives,
    "concept.nDCG": ndcg,
    f"concept.nDCG@{K}": lambda r: ndcg(r, K),
    "concept.RR": lambda r: 1 / r.ranks[0] if r.ranks else 0.0,
    f"concept.RR@{K}": lambda r: 1 / r.ranks[0] if r.hits(K) else 0.0,
    f"concept.success@{K}": lambda r: float(r.hits(K) > 0),
    "concept.iAP": interpolated_precision,
    "concept.EER": lambda r: equal_error(*roc(r)),
    "concept.RBP": lambda r: 0.2 * sum(0.8 ** (rank - 1) for rank in r.ranks),
    "concept.P_at_recall": lambda r: best_precision(r, 0.5),
    "concept.P_at_recall(recall=0.9)": lambda r: best_precision(r, 0.9),
    "concept.AP_at_prevalence": lambda r: precision_at_prevalence(r, 0.5),
    "concept.AP_at_prevalence(prevalence=0.02)": lambda r: precision_at_prevalence(r, 0.02),
    "concept.efficiency": efficiency,
    "concept.PRAUC": average_precision,
    "concept.PRAUC(rule=trapezoid)": trapezoids,
    "concept.PRAUC(rule=interpolated)": interpolated_steps,
    "concept.GMAP": lambda r: max(average_precision(r), 1e-5),
    "concept.ERR": expected_reciprocal_rank,
    "concept.bpref": binary_preference,
}

EXAMPLE: dict[str, Definition] = {
    "example.AP": average_precision,
    f"example.AP@{K}": lambda r: precisions_at(r, K, r.positives),
    f"example.AP@{K}(divisor=ideal)": lambda r: precisions_at(r, K, min(r.positives, K)),
    f"example.success@{K}": lambda r: float(r.hits(K) > 0),
    f"example.P@{K}": lambda r: r.hits(K) / K,
    f"example.R@{K}": lambda r: r.hits(K) / r.positives,
    "example.RP": lambda r: r.hits(r.positives) / r.positives,
    "example.nDCG": ndcg,
    f"example.nDCG@{K}": lambda r: ndcg(r, K),
    "example.one_error": lambda r: float(not any(r.relevant[:1])),
    "example.ranking_loss": lambda r: 1 - area_under_roc(r),
    "example.coverage(offset=zero)": lambda r: float(max(r.ranks)),
    "example.coverage": lambda r: float(max(r.ranks)) - r.positives,
}

OF_RATES = {"concept.AP_at_prevalence", "concept.AP_at_prevalence(prevalence=0.02)"}
NEEDS_NEGATIVES = {"concept.AUC", "concept.EER", "example.ranking_loss", *OF_RATES}
NEEDS_EVERY_CELL = NEEDS_NEGATIVES - OF_RATES | {
    "example.coverage",
    "example.coverage(offset=zero)",
}
"""Measures that look at the whole list: absent cells stand in it, tied at the bottom."""


def by_rule(values: Sequence[float], rule: str, *, higher_is_better: bool) -> float:
    """What a rule for ties makes of the values of all orders."""
    if rule == "expected":
        return float(np.mean(values))
    return max(values) if (rule == "best") is higher_is_better else min(values)
