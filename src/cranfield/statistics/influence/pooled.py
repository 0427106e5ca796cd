"""Scores that are a formula over sums of what each item has: pooled measures, and mean losses."""

from __future__ import annotations

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Score
from cranfield.kernels import Statistic
from cranfield.measures import Measure
from cranfield.measures.cell_losses import sizes, sums
from cranfield.measures.cross_entropy import surprise
from cranfield.measures.declare import ratio
from cranfield.measures.hierarchical_sets import combined, overlap
from cranfield.statistics.influence.gradients import Formula, of_counts, stacked

_LOSSES = ("brier", "log_loss", "MSE", "MAE", "RMSE")


def item_sums(score: Score, comparison: Comparison) -> tuple[Formula, Floats] | None:
    """The formula, and (kinds, N) what each item adds to the totals; None if there is no such."""
    one = score.measure
    prefix, _, name = one.name.partition(".")
    if one.options.get("average") == "micro":
        return _hierarchical(comparison, one)
    if prefix == "micro" and one.definition.formula_of_counts is not None:
        return of_counts(one), stacked(comparison.counts("example"))
    if name == "lwlrap":
        precision = comparison.ranking("example", Statistic("AP", one.options["ties"]))
        labels = comparison.totals("example").positives.astype(np.float64)
        return _quotient, np.array([np.nan_to_num(precision) * labels, labels])
    if name == "cross_entropy":
        return _cross_entropy(comparison, one)
    alike = comparison.truth.judged is None and score.weights is None
    if name in _LOSSES and (prefix == "micro" or (alike and name != "RMSE")):
        return _losses(one, comparison, name, prefix)
    return None


def _quotient(totals: Floats) -> Floats:
    return ratio(totals[0], totals[1])


def _hierarchical(comparison: Comparison, one: Measure) -> tuple[Formula, Floats]:
    """hP, hR and hF of all items together."""
    options, kind = one.options, one.name.removeprefix("example.")
    by_item = np.array(overlap(comparison, one.name, options["expand"], "example"))

    def formula(totals: Floats) -> Floats:
        right, assigned, found, true = totals
        precision, recall = np.nan_to_num(ratio(right, assigned)), np.nan_to_num(ratio(found, true))
        if kind == "hF":
            return combined(precision, recall, mean=options["mean"], beta=options["beta"])
        return precision if kind == "hP" else recall

    return formula, by_item


def _cross_entropy(comparison: Comparison, one: Measure) -> tuple[Formula, Floats]:
    """What each item adds to the sum; those without a cell that counts are not there."""
    options = one.options
    look = surprise(comparison, options["clip"])
    loss = sums(comparison, "example", look, name=one.name, absent=options["absent"])
    there = ~np.isnan(loss)
    share = np.count_nonzero(there) if options["reduce"] == "sum" else 1.0
    by_item = np.array([np.nan_to_num(loss), there.astype(np.float64)])
    return lambda totals: share * _quotient(totals), by_item


def _losses(one: Measure, comparison: Comparison, name: str, prefix: str) -> tuple[Formula, Floats]:
    """Losses of single cells: of all together, or by concept where all have the same cells."""
    kept = tuple((n, v) for n, v in one.settings if n in ("absent", "clip"))
    twin = Measure(f"example.{'MSE' if name == 'RMSE' else name}", kept)
    loss, cells = np.nan_to_num(twin.units(comparison)), sizes(comparison, "example")
    if one.options.get("reduce") == "sum":
        # The sum over a fixed number of items: their mean, times that number.
        share = len(loss) / (comparison.truth.shape[1] if prefix == "concept" else 1)
        by_item = np.array([loss, np.ones(len(loss))])
        return lambda totals: share * _quotient(totals), by_item
    by_item = np.array([loss if name == "log_loss" else loss * cells, cells])
    if name == "RMSE":
        return lambda totals: np.sqrt(_quotient(totals)), by_item
    return _quotient, by_item
