"""Example-based measures of rankings: the concepts of each item ordered by confidence.

Conventions
    Items without a true label are skipped; ranking loss also skips those without a false one.
    Scores are used as given. Ties never depend on the order of columns: see `ties`. AP, RP, P@k,
    R@k and nDCG are the concept-based ones turned around; they stand in `concept_ranks`.

Source: Nowak 2011 §3.3.5. Its §9.4.1 says of ranking loss that ties are not counted; eq 3.23 counts
them, and so does this file.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.matrices import Floats
from cranfield.kernels import Statistic
from cranfield.measures.declare import measured, quotient, ranked, ratio
from cranfield.measures.definition import ItemSums, Options
from cranfield.measures.ties import AnyOrder, AnyRule


@ranked("example.one_error", source="Nowak 2011 eq 3.21", better="lower", bounds="ranks")
def one_error(*, ties: AnyOrder = "expected") -> Statistic:
    """1 if the concept ranked first is not a true one (its probability under ties)."""
    return Statistic("one_error", ties)


@ranked("example.ranking_loss", source="Nowak 2011 eq 3.23", better="lower", bounds="ranks")
def ranking_loss(*, ties: AnyOrder = "worst") -> Statistic:
    """The share of pairs of a true and a false concept that are ordered wrongly; a tie is wrong."""
    return Statistic("ranking_loss", ties)


@measured(
    "example.coverage",
    source="Nowak 2011 eq 3.22",
    prediction="confidences",
    range=(0.0, np.inf),
    better="lower",
    needs=lambda o: Statistic("coverage", o["ties"]),
    bounds="ranks",
)
def coverage(
    comparison: Comparison,
    *,
    offset: Literal["truth", "one", "zero"] = "truth",
    ties: AnyOrder = "worst",
) -> Floats:
    """How far down the list all true concepts are covered: rank of the last one, minus |Y| (as in
    the thesis, so that perfect is 0), minus one (Schapire & Singer, Mulan) or as it is (zero;
    scikit-learn)."""
    depth = comparison.ranking("example", Statistic("coverage", ties))
    match offset:
        case "truth":
            return depth - comparison.totals("example").positives
        case "one":
            return depth - 1
    return depth


def _lwlrap_sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
    precision = comparison.ranking("example", Statistic("AP", options["ties"]))
    labels = comparison.totals("example").positives.astype(np.float64)
    return ItemSums(quotient, np.array([np.nan_to_num(precision) * labels, labels]))


@measured(
    "micro.lwlrap",
    source="DCASE 2019 task 2",
    prediction="confidences",
    needs=lambda o: Statistic("AP", o["ties"]),
    lists="example",
    sums=_lwlrap_sums,
)
def label_weighted_precision(comparison: Comparison, *, ties: AnyRule = "grouped") -> Floats:
    """lwlrap: each true label's precision at its rank among its item's concepts, averaged over all
    true labels of the collection."""
    precision = comparison.ranking("example", Statistic("AP", ties))
    labels = comparison.totals("example").positives
    right = kernels.total(np.nan_to_num(precision), labels)
    return ratio(np.array([right]), labels.sum(keepdims=True))
