"""Points of curves: precision, recall and fallout down a ranked list, and means over concepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.ranked_lists import Ordered
from cranfield.core.matrices import Bools, Floats, Ints, ratio
from cranfield.errors import InputError
from cranfield.kernels import Statistic
from cranfield.measures.concept_sets import fallout, precision, recall

_DEEPEST = 1000
"""The last rank to average at, unless ranks are given."""
_STEP = 5


@dataclass(frozen=True)
class Operating:
    """Where on its curve a run stands with the decisions it has made."""

    precision: float
    """NaN where it assigned nothing."""
    recall: float
    fallout: float
    """NaN without negatives."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve; every array has an entry for each point, in the order of the ranked list."""

    run: str
    concept: str | None
    """None: all concepts, together or on average."""
    concepts: int
    """How many concepts it is made of."""
    precision: Floats
    recall: Floats
    rank: Ints | None = None
    """Cells down to the point; None where levels of recall are averaged at."""
    threshold: Floats | None = None
    """The score of the last cell down to the point; None for averages."""
    fallout: Floats | None = None
    """Share of the negatives down to the point, NaN without any; None for averages."""
    operating: Operating | None = None
    """None for averages, and where the run has made no decisions."""

    @cached_property
    def interpolated(self) -> Floats:
        """At each point the best precision at its recall or more."""
        best = np.maximum.accumulate(self.precision[::-1])[::-1]
        return best[np.searchsorted(self.recall, self.recall)]

    @property
    def roc(self) -> tuple[Floats, Floats]:
        """Fallout and recall from (0, 0) to (1, 1); what was not retrieved is one tie at the end.
        Empty where there are no negatives."""
        if self.fallout is None or np.isnan(self.fallout).any():
            return np.zeros(0), np.zeros(0)
        return np.r_[0.0, self.fallout, 1.0], np.r_[0.0, self.recall, 1.0]

    def rows(self, points: Ints | None = None) -> Iterator[dict[str, Any]]:
        """A record for each point, or for some of them."""
        chosen = slice(None) if points is None else points
        columns: dict[str, Any] = {
            "rank": self.rank,
            "threshold": self.threshold,
            "precision": self.precision,
            "recall": self.recall,
            "interpolated": None if self.threshold is None else self.interpolated,
            "fallout": self.fallout,
        }
        defined = {
            name: values[chosen].tolist() for name, values in columns.items() if values is not None
        }
        single = {} if self.concept is None else {"concept": self.concept}
        for values in zip(*defined.values(), strict=True):
            yield {"run": self.run, **single, **dict(zip(defined, values, strict=True))}


# ── point by point ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Points:
    """The points of several lists, one after the other."""

    owner: Ints
    rank: Ints
    relevant: Ints
    threshold: Floats

    @classmethod
    def of(cls, comparison: Comparison, direction: Direction, ties: str) -> _Points:
        listed = comparison.listed(direction)
        labels = comparison.judgements(direction, "matrix").astype(np.bool_)
        lengths = np.diff(listed.offsets)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        # Lists stay one after the other, so the owners of the ordered cells are these again.
        order = np.lexsort((labels if ties == "worst" else ~labels, -listed.scores, owner))
        first = listed.offsets[:-1][owner]
        rank = np.arange(len(owner)) - first + 1
        scores = listed.scores[order].astype(np.float64)
        hits = labels[order]
        if ties == "trec":
            hits = np.zeros(len(owner), dtype=np.bool_)
            hits[_relevant_positions(comparison, direction, labels)] = True
        counts = np.concatenate([[0], np.cumsum(hits)])
        relevant = counts[first + rank] - counts[first]
        ends = np.ones(len(owner), dtype=np.bool_)
        if ties == "grouped":
            ends[:-1] = (scores[1:] != scores[:-1]) | (owner[1:] != owner[:-1])
        return cls(owner[ends], rank[ends], relevant[ends], scores[ends])

    def curve(self, comparison: Comparison, direction: Direction, index: int) -> Curve:
        """The curve of one list."""
        first, last = np.searchsorted(self.owner, (index, index + 1))
        rank, relevant = self.rank[first:last], self.relevant[first:last]
        totals = comparison.totals(direction)
        positives, negatives = (np.full(len(rank), side[index]) for side in totals)
        pooled = direction == "micro"
        return Curve(
            run=comparison.run.name,
            concept=None if pooled else comparison.truth.concepts[index],
            concepts=comparison.truth.shape[1] if pooled else 1,
            precision=ratio(relevant, rank),
            recall=ratio(relevant, positives),
            rank=rank,
            threshold=self.threshold[first:last],
            fallout=ratio(rank - relevant, negatives),
            operating=_operating(comparison, direction, index),
        )


def _relevant_positions(comparison: Comparison, direction: Direction, labels: Bools) -> Ints:
    """Where the relevant cells stand among all, lists one after the other, if ids break ties."""
    offsets = comparison.listed(direction).offsets
    positions = []

    def look(block: Ordered) -> Floats:
        hit = labels[block.cells]
        positions.append(offsets[block.lists.start + block.owner[hit]] + block.end[hit] - 1)
        return np.zeros(len(block))

    comparison.by_list(direction, "trec", look)
    return np.concatenate(positions) if positions else np.zeros(0, dtype=np.int64)


def curves_of_concepts(comparison: Comparison, columns: list[int], ties: str) -> list[Curve]:
    """The curve of each concept that has positives."""
    positives = comparison.totals("concept").positives
    points = _Points.of(comparison, "concept", ties)
    return [points.curve(comparison, "concept", column) for column in columns if positives[column]]


def pooled_curve(comparison: Comparison, ties: str) -> list[Curve]:
    """The curve of all cells as one list, if there are positives."""
    if not comparison.totals("micro").positives[0]:
        return []
    return [_Points.of(comparison, "micro", ties).curve(comparison, "micro", 0)]


def _operating(comparison: Comparison, direction: Direction, index: int) -> Operating | None:
    run = comparison.run
    if run.labels is None:
        try:
            run.cut  # noqa: B018 - asked for the error it may raise
        except InputError:
            return None
    counts = comparison.counts(direction)
    values = (float(rate(counts)[index]) for rate in (precision, recall, fallout))
    return Operating(*values)


# ── averages over concepts ────────────────────────────────────────────────────────────────────


def mean_at_ranks(
    comparison: Comparison, columns: list[int], ties: str, ranks: Iterable[int] | None
) -> Curve:
    """Precision and recall of the first cells, means over concepts; default: every fifth rank."""
    longest = int(np.diff(comparison.listed("concept").offsets).max(initial=0))
    usual = range(_STEP, max(min(longest, _DEEPEST), _STEP) + 1, _STEP)
    listed = list(usual) if ranks is None else sorted({int(rank) for rank in ranks})
    if not listed or listed[0] < 1:
        raise InputError(f"ranks={listed}; give whole numbers from 1")
    statistics = [Statistic(name, ties, k) for name in ("P@", "R@") for k in listed]
    means = _means(comparison, columns, statistics)
    return Curve(
        comparison.run.name,
        None,
        _defined(comparison, columns),
        precision=means[: len(listed)],
        recall=means[len(listed) :],
        rank=np.array(listed),
    )


def mean_at_recall(
    comparison: Comparison, columns: list[int], ties: str, levels: list[float]
) -> Curve:
    """Interpolated precision at levels of recall, a mean over concepts."""
    statistics = [Statistic("P_at_recall", ties, parameter=level) for level in levels]
    return Curve(
        comparison.run.name,
        None,
        _defined(comparison, columns),
        precision=_means(comparison, columns, statistics),
        recall=np.array(levels),
    )


def _means(comparison: Comparison, columns: list[int], statistics: list[Statistic]) -> Floats:
    """The mean of each statistic over the concepts that have positives."""
    comparison.prepare("concept", statistics)
    positives = comparison.totals("concept").positives
    defined = [column for column in columns if positives[column]]
    if not defined:
        return np.full(len(statistics), np.nan)
    return np.array([comparison.ranking("concept", s)[defined].mean() for s in statistics])


def _defined(comparison: Comparison, columns: list[int]) -> int:
    return int(np.count_nonzero(comparison.totals("concept").positives[columns]))
