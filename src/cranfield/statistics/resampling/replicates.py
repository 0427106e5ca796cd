"""The scores of all draws of a sampling, by the shortest exact way that a measure allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from cranfield.collections.comparison import Comparison, LabelBlock
from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import Score
from cranfield.measures import Average, Measure
from cranfield.measures.declare import ratio
from cranfield.measures.single_labels import contingency_of, item_classes
from cranfield.statistics.influence.gradients import item_sums, of_counts
from cranfield.statistics.resampling.repeated_rows import RepeatedRows
from cranfield.statistics.resampling.weighted_lists import WeightedLists

Replicate = Callable[[Floats], Floats]
"""From draws (b, N) to the scores of units (b, units), of which the score is the mean."""


class Draws(Protocol):
    """Whatever draws items."""

    def draws(self, samples: int) -> Iterator[Floats]:
        """(b, N), block after block: how often each item was drawn."""
        ...


def replicates(
    score: Score, comparison: Comparison, sampling: Draws, samples: int
) -> tuple[Floats, Floats]:
    """(samples,) the scores of draws, and (samples, units) those of concepts in each draw.

    The units of example-based and pooled measures are one: the score. NaN = undefined in a draw.
    """
    replicate = _replicate(score, comparison)
    by_unit = np.concatenate([replicate(times) for times in sampling.draws(samples)])
    if score.measure.traits.direction != "concept" or by_unit.shape[1] != len(score.by_unit):
        return by_unit[:, 0], by_unit[:, :1]
    return average(by_unit, score.weights, score.measure.traits.average), by_unit


def average(by_unit: Floats, weights: Floats | None, kind: Average) -> Floats:
    """The (weighted) mean of each row over its units; weights (units,) or (rows, units)."""
    known = ~np.isnan(by_unit)
    values = np.where(known, by_unit, 0.0)
    if kind == "geometric":
        values = np.log(np.maximum(values, 1e-5))
    heavy = known * (1.0 if weights is None else weights)
    means = ratio((values * heavy).sum(axis=1), heavy.sum(axis=1))
    return np.exp(means) if kind == "geometric" else means


def _replicate(score: Score, comparison: Comparison) -> Replicate:
    one, direction = score.measure, score.measure.traits.direction
    if direction == "example":
        return _means(score)
    sums = item_sums(score, comparison)
    if sums is not None:
        formula, by_item = sums
        return lambda times: formula((times @ by_item.T).T)[:, None]
    if direction == "confusion":
        return _tabulated(comparison, one)
    if direction == "concept" and one.definition.formula_of_counts is not None:
        return _counted(comparison, one)
    statistic = one.statistic
    if statistic is not None and _is_its_statistic(comparison, one):
        lists = WeightedLists(comparison, direction, statistic)
        return lambda times: _resolved(lists(times), one.options["undefined"])
    return RepeatedRows(score)


def _is_its_statistic(comparison: Comparison, one: Measure) -> bool:
    """Whether a measure is the statistic it needs, and nothing more is made of that."""
    return one.definition.slope is None and (one.binary or comparison.truth.grades is None)


def _resolved(values: Floats, undefined: str) -> Floats:
    """Units without a value in a draw; raise has had its say about the collection itself."""
    if undefined in ("skip", "raise"):
        return values
    return np.where(np.isnan(values), float(undefined), values)


def _means(score: Score) -> Replicate:
    """The (weighted) mean over items."""
    known = ~np.isnan(score.by_unit)
    heavy = known * (1.0 if score.weights is None else score.weights)
    both = np.stack([np.where(known, score.by_unit, 0.0) * heavy, heavy], axis=1)
    return lambda times: ratio(*(times @ both).T)[:, None]


def _counted(comparison: Comparison, one: Measure) -> Replicate:
    """A formula over the decisions of each concept: counts are sums over items."""
    formula, concepts = of_counts(one), comparison.truth.shape[1]

    def replicate(times: Floats) -> Floats:
        sums = np.zeros((len(times), 4 * concepts))
        for block in comparison.blocks():
            sums += times[:, block.rows] @ _marks(block)
        hits, said, true, cells = np.split(sums, 4, axis=1)
        return formula(np.array([hits, said - hits, true - hits, cells - said - true + hits]))

    return replicate


def _marks(block: LabelBlock) -> Floats:
    """(n, 4C): hits, assigned, true and counted cells."""
    counted = np.ones_like(block.true) if block.counted is None else block.counted
    kinds = (block.true & block.assigned, block.assigned, block.true, counted)
    return np.concatenate(kinds, axis=1).astype(np.float64)


def _tabulated(comparison: Comparison, one: Measure) -> Replicate:
    """A formula over the confusion matrix: its cells are sums over items."""
    table, classes = contingency_of(comparison), item_classes(comparison)
    codes, size = classes.true * table.counts.shape[1] + classes.said, table.counts.size

    def replicate(times: Floats) -> Floats:
        cells = [np.bincount(codes, weights=one_draw, minlength=size) for one_draw in times]
        return one.tabulate(table.filled(np.reshape(cells, (-1, *table.counts.shape))))[:, None]

    return replicate
