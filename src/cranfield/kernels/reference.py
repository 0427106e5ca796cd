"""NumPy kernels: what runs without a compiler, and what the C extension must agree with.

Lists are brought to their groups here (see `groups`): columns and lists by sorting, rows by
counting for each relevant cell. Where the two backends differ, this one is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import (
    Bools,
    Floats,
    Groups,
    Ints,
    Scores,
    coverage_of_rows,
    of_list,
    one_error_of_rows,
    sum_over_rows,
)
from cranfield.kernels.statistics import Statistic

NAME = "numpy"


def examine(scores: Scores) -> tuple[bool, float, float]:
    """Whether all scores are finite, and their range."""
    if scores.size == 0:
        return True, np.nan, np.nan
    low, high = float(scores.min()), float(scores.max())
    return bool(np.isfinite(low) and np.isfinite(high)), low, high


def decide(scores: Scores, cut: float | Floats, rows: slice) -> Bools:
    """score >= threshold, compared in the precision of the scores."""
    limit = threshold_like(scores, cut)
    return np.asarray(scores[rows] >= (limit[rows] if limit.ndim == 2 else limit))


def threshold_like(scores: Scores, cut: float | Floats) -> NDArray[Any]:
    """The threshold in the precision of the scores; one beyond it is infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(cut, dtype=scores.dtype)


def count(
    scores: Scores | None,
    cut: float | Floats,
    assigned: Bools | None,
    labels: Bools,
    include: Bools | None,
    by_item: Ints,
    rows: range,
) -> Ints:
    """Hits and assigned labels of some rows.

    Writes the two counts of each row to `by_item` (2, N) and returns those by concept (2, C).
    Decisions are `assigned`, or `scores >= cut` where that is None.
    """
    by_concept = np.zeros((2, labels.shape[1]), dtype=np.int64)
    chunk = max(1, 1_000_000 // max(1, labels.shape[1]))
    for first in range(rows.start, rows.stop, chunk):
        part = slice(first, min(first + chunk, rows.stop))
        if assigned is not None:
            said = assigned[part]
        else:
            assert scores is not None
            said = decide(scores, cut, part)
        if include is not None:
            said = said & include[part]
        for place, cells in enumerate((said & labels[part], said)):
            by_item[place, part] = np.count_nonzero(cells, axis=1)
            by_concept[place] += np.count_nonzero(cells, axis=0)
    return by_concept


def rank_columns(
    scores: Scores,
    labels: Bools,
    include: Bools | None,
    positives: Ints,
    negatives: Ints,
    plan: Sequence[Statistic],
    out: Floats,
    columns: range,
) -> None:
    """Statistics of the given columns, one column of `out` for each."""
    for j in columns:
        listed, relevant = scores[:, j], labels[:, j]
        if include is not None:
            listed, relevant = listed[include[:, j]], relevant[include[:, j]]
        out[:, j] = _rank(listed, relevant, positives[j], negatives[j], plan)


def rank_lists(
    scores: Scores,
    labels: Bools,
    offsets: Ints,
    positives: Ints,
    negatives: Ints,
    plan: Sequence[Statistic],
    out: Floats,
    lists: range,
) -> None:
    """Statistics of lists stored one after the other: list i is scores[offsets[i]:offsets[i+1]]."""
    for i in lists:
        cells = slice(offsets[i], offsets[i + 1])
        out[:, i] = _rank(scores[cells], labels[cells], positives[i], negatives[i], plan)


def rank_rows(
    scores: Scores,
    labels: Bools,
    include: Bools | None,
    positives: Ints,
    negatives: Ints,
    plan: Sequence[Statistic],
    out: Floats,
    rows: range,
) -> None:
    """Statistics of the given rows: for each relevant cell, count the cells at or above it."""
    chunk = max(1, 4_000_000 // max(1, scores.shape[1] ** 2))
    for first in range(rows.start, rows.stop, chunk):
        part = slice(first, min(first + chunk, rows.stop))
        out[:, part] = _rank_rows(
            scores[part],
            labels[part],
            None if include is None else include[part],
            positives[part],
            negatives[part],
            plan,
        )


def _rank_rows(
    scores: Scores,
    labels: Bools,
    include: Bools | None,
    positives: Ints,
    negatives: Ints,
    plan: Sequence[Statistic],
) -> Floats:
    listed = np.ones_like(labels) if include is None else include
    row, column = np.nonzero(labels & listed)
    mine = scores[row, column][:, None]
    above = (scores[row] > mine) & listed[row]
    level = (scores[row] >= mine) & listed[row]
    groups = Groups(
        start=np.count_nonzero(above, axis=1),
        end=np.count_nonzero(level, axis=1),
        before=np.count_nonzero(above & labels[row], axis=1),
        through=np.count_nonzero(level & labels[row], axis=1),
        positives=positives[row],
        negatives=negatives[row],
    )
    length = np.count_nonzero(listed, axis=1)
    out = np.empty((len(plan), len(scores)))
    for place, statistic in enumerate(plan):
        match statistic.name:
            case "one_error":
                wrong = one_error_of_rows(statistic, scores, labels, listed)
                out[place] = np.where(positives > 0, wrong, np.nan)
            case "coverage":
                out[place] = coverage_of_rows(statistic, groups, row, length, positives, negatives)
            case _:
                out[place] = sum_over_rows(statistic, groups, row, length, positives, negatives)
    return out


def _rank(
    scores: Scores, labels: Bools, positives: int, negatives: int, plan: Sequence[Statistic]
) -> list[float]:
    """All statistics of one list."""
    ordered: NDArray[Any] = np.sort(scores)
    values, relevant = np.unique(scores[labels], return_counts=True)
    values, relevant = values[::-1], relevant[::-1].astype(np.int64)
    length = len(scores)
    through = np.cumsum(relevant)
    groups = Groups(
        start=length - np.searchsorted(ordered, values, side="right").astype(np.int64),
        end=length - np.searchsorted(ordered, values, side="left").astype(np.int64),
        before=through - relevant,
        through=through,
        positives=np.int64(positives),
        negatives=np.int64(negatives),
    )
    return [of_list(statistic, groups, ordered) for statistic in plan]
