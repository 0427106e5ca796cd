"""The scores of all draws of a sampling, by the shortest exact way that a measure allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction, LabelBlock
from cranfield.core.matrices import Cells, Floats, Ints, ratio
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import Score
from cranfield.kernels import TIES_OF, OrderedList, Statistic
from cranfield.measures import Average, Measure
from cranfield.measures.single_labels import contingency_of, item_classes
from cranfield.statistics.influence.gradients import item_sums, of_counts
from cranfield.statistics.influence.lists import WholeLists, whole_lists

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
    defined = ~np.isnan(by_unit)
    values = np.where(defined, by_unit, 0.0)
    if kind == "geometric":
        values = np.log(np.maximum(values, 1e-5))
    heavy = defined * (1.0 if weights is None else weights)
    means = ratio((values * heavy).sum(axis=1), heavy.sum(axis=1))
    return np.exp(means) if kind == "geometric" else means


def _replicate(score: Score, comparison: Comparison) -> Replicate:
    measure, direction = score.measure, score.measure.traits.direction
    if direction == "example":
        return _means(score)
    sums = item_sums(score, comparison)
    if sums is not None:
        formula, by_item = sums
        return lambda times: formula((times @ by_item.T).T)[:, None]
    if direction == "confusion":
        return _tabulated(comparison, measure)
    if direction == "concept" and measure.definition.formula_of_counts is not None:
        return _counted(comparison, measure)
    statistic = measure.statistic
    if statistic is not None and _is_its_statistic(comparison, measure):
        lists = WeightedLists(comparison, direction, statistic)
        return lambda times: _resolved(lists(times), measure.options["undefined"])
    return RepeatedRows(score)


def _is_its_statistic(comparison: Comparison, measure: Measure) -> bool:
    """Whether a measure is the statistic it needs, and nothing more is made of that."""
    return measure.definition.slope is None and (measure.binary or comparison.truth.grades is None)


def _resolved(values: Floats, undefined: str) -> Floats:
    """Units without a value in a draw; raise has had its say about the collection itself."""
    if undefined in ("skip", "raise"):
        return values
    return np.where(np.isnan(values), float(undefined), values)


def _means(score: Score) -> Replicate:
    """The (weighted) mean over items."""
    defined = ~np.isnan(score.by_unit)
    heavy = defined * (1.0 if score.weights is None else score.weights)
    both = np.stack([np.where(defined, score.by_unit, 0.0) * heavy, heavy], axis=1)
    return lambda times: ratio(*(times @ both).T)[:, None]


def _counted(comparison: Comparison, measure: Measure) -> Replicate:
    """A formula over the decisions of each concept: counts are sums over items."""
    formula, concepts = of_counts(measure), comparison.truth.shape[1]

    def replicate(times: Floats) -> Floats:
        sums = np.zeros((len(times), 4 * concepts))
        for block in comparison.blocks():
            sums += times[:, block.rows] @ _marks(block)
        hits, assigned, true, cells = np.split(sums, 4, axis=1)
        return formula(
            np.array([hits, assigned - hits, true - hits, cells - assigned - true + hits])
        )

    return replicate


def _marks(block: LabelBlock) -> Floats:
    """(n, 4C): hits, assigned, true and counted cells."""
    counted = np.ones_like(block.true) if block.counted is None else block.counted
    kinds = (block.true & block.assigned, block.assigned, block.true, counted)
    return np.concatenate(kinds, axis=1).astype(np.float64)


def _tabulated(comparison: Comparison, measure: Measure) -> Replicate:
    """A formula over the confusion matrix: its cells are sums over items."""
    table, classes = contingency_of(comparison), item_classes(comparison)
    codes, size = classes.true * table.counts.shape[1] + classes.said, table.counts.size

    def replicate(times: Floats) -> Floats:
        cells = [np.bincount(codes, weights=draw, minlength=size) for draw in times]
        return measure.tabulate(table.filled(np.reshape(cells, (-1, *table.counts.shape))))[:, None]

    return replicate


# ── ranked lists ──────────────────────────────────────────────────────────────────────────────


class WeightedLists:
    """The exact bootstrap of rankings: lists are sorted once, for any number of draws of items.

    Copies of an item tie with each other; where ids break ties (ties=trec) they are one group.
    """

    def __init__(self, comparison: Comparison, direction: Direction, statistic: Statistic) -> None:
        every = whole_lists(comparison, direction, statistic.ties)
        self._lists = [ordered for lists in every for ordered in _ordered(lists)]
        if statistic.ties == "trec":
            statistic = statistic._replace(ties=TIES_OF[statistic.name][0])
        self._statistic = statistic

    def __call__(self, times: Floats) -> Floats:
        """(b, lists): the statistic of every list in every draw (b, N); NaN = undefined there."""
        return kernels.rank_draws(self._lists, times.astype(np.uint16), self._statistic)


def _ordered(lists: WholeLists) -> Iterator[OrderedList]:
    for index, (first, end) in enumerate(pairwise(lists.offsets.tolist())):
        own, last = lists.sorted.order[first:end], lists.sorted.last[first:end]
        items = own - first if lists.items is None else lists.items[own]
        retrieved = int(lists.retrieved[index])
        yield OrderedList(items.astype(np.uint32), lists.relevant[own], last, retrieved)


# ── repeated rows ─────────────────────────────────────────────────────────────────────────────


class RepeatedRows:
    """A truth and a run, made again of other rows and scored draw by draw: what any measure can do,
    slowly."""

    def __init__(self, score: Score) -> None:
        self._score = score
        self._measure = _skipping(score.measure)
        self._rows = score.truth.item_axis.locate(
            score.run.item_axis, run=score.run.name, missing=score.missing
        )

    def __call__(self, times: Floats) -> Floats:
        """(b, units): the scores of all units in every draw; pooled measures are one unit."""
        drawn = times.astype(np.int64)
        return np.stack(
            [self._units(np.repeat(np.arange(len(draw)), draw)) for draw in drawn], axis=0
        )

    def _units(self, rows: Ints) -> Floats:
        score = self._score
        names = _named(score.truth.items, rows)
        comparison = Comparison(
            _truth(score.truth, rows, names),
            self._run(rows, names),
            unjudged=score.unjudged,
            missing=score.missing,
            known=score.known,
        )
        return self._measure.units(comparison)

    def _run(self, rows: Ints, names: list[str]) -> Run:
        run = self._score.run
        own = rows if self._rows is None else self._rows[rows]
        present = own >= 0
        drawn = own[present]
        threshold = run.threshold
        if isinstance(threshold, np.ndarray) and threshold.ndim == 2:
            threshold = threshold[drawn]
        return Run(
            None if run.scores is None else repeated(run.scores, drawn),
            labels=None if run.labels is None else repeated(run.labels, drawn),
            name=run.name,
            items=[name for name, is_in in zip(names, present.tolist(), strict=True) if is_in],
            concepts=run.concept_axis,
            threshold=threshold if run.labels is None else None,
            copy=None,
        )


def _skipping(measure: Measure) -> Measure:
    """A measure that skips what has no value in a draw; raise has had its say."""
    if measure.options["undefined"] != "raise":
        return measure
    settings = dict(measure.settings) | {"undefined": "skip"}
    return replace(measure, settings=tuple(sorted(settings.items())))


def repeated(matrix: NDArray[Any] | Cells, rows: Ints) -> Any:
    """Some rows, any of them any number of times."""
    if not isinstance(matrix, Cells):
        return matrix[rows]
    lists = matrix.by_row
    lengths = np.diff(lists.offsets)[rows]
    begin = np.cumsum(lengths) - lengths
    cells = np.repeat(lists.offsets[rows] - begin, lengths) + np.arange(int(lengths.sum()))
    shape = (len(rows), matrix.shape[1])
    owner = np.repeat(np.arange(len(rows)), lengths)
    return Cells.of(shape, owner, lists.places[cells], lists.values[cells])


def _named(names: tuple[str, ...], rows: Ints) -> list[str]:
    """An id for each copy; those of an item stand together in the order of ids."""
    first = np.concatenate([[True], np.diff(rows) != 0]) if len(rows) else np.zeros(0, np.bool_)
    begin = np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
    copies = (np.arange(len(rows)) - begin).tolist()
    return [f"{names[row]} {copy:06d}" for row, copy in zip(rows.tolist(), copies, strict=True)]


def _truth(truth: Truth, rows: Ints, names: list[str]) -> Truth:
    def rows_of(matrix: Any) -> Any:
        return None if matrix is None else repeated(matrix, rows)

    return Truth(
        rows_of(truth.matrix) if truth.has_labels else None,
        items=names,
        concepts=truth.concept_axis,
        judged=rows_of(truth.judged),
        pool=rows_of(truth.pool),
        strata=rows_of(truth.strata),
        subtopics={name: rows_of(cells) for name, cells in (truth.subtopics or {}).items()},
        grades=rows_of(truth.grades),
        targets=rows_of(truth.targets),
        unjudged=truth.unjudged,
        copy=None,
        level=truth.level,
    )
