"""NumPy kernels: the plain meaning of every statistic, and what runs without a compiler.

The C extension must give the same numbers (to 1e-12); where the two differ, this file is right.

A list is described by its *groups*: for each score that at least one relevant cell has, in
descending order, `start` cells are ranked above it, `end` cells at or above it, `before` relevant
cells above it and `through` relevant cells at or above it. Cells of a sparse run that were not
retrieved are in no group; `positives` and `negatives` count them all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.statistics import Statistic, discounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Scores = NDArray[np.float32] | NDArray[np.float64]

NAME = "numpy"


@dataclass(frozen=True)
class Groups:
    """Relevant cells by score, and the totals of their list (scalars, or one for each group)."""

    start: Ints
    end: Ints
    before: Ints
    through: Ints
    positives: Ints
    negatives: Ints

    @property
    def relevant(self) -> Ints:
        return self.through - self.before

    @property
    def irrelevant(self) -> Ints:
        return self.end - self.start - self.relevant


def examine(scores: Scores) -> tuple[bool, float, float]:
    """Whether all scores are finite, and their range."""
    if scores.size == 0:
        return True, np.nan, np.nan
    low, high = float(scores.min()), float(scores.max())
    return bool(np.isfinite(low) and np.isfinite(high)), low, high


def decide(scores: Scores, cut: float | Floats, rows: slice) -> Bools:
    """score >= threshold, compared in the precision of the scores."""
    limit = np.asarray(cut, dtype=scores.dtype)
    return np.asarray(scores[rows] >= (limit[rows] if limit.ndim == 2 else limit))


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
    items, concepts = scores.shape
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
    out = np.empty((len(plan), items))
    for place, statistic in enumerate(plan):
        if statistic.name == "one_error":
            top = np.where(listed, scores, -np.inf).max(axis=1, initial=-np.inf)[:, None]
            tied = (scores == top) & listed
            wrong = _one_error(
                np.count_nonzero(tied & labels, axis=1),
                np.count_nonzero(tied, axis=1),
                statistic.ties,
            )
            out[place] = np.where(positives > 0, wrong, np.nan)
        elif statistic.name == "coverage":
            deepest = np.zeros(items)
            np.maximum.at(deepest, row, _depth(groups, statistic.ties))
            out[place] = _cover(deepest, length, labels & listed, positives, negatives, statistic.ties)
        else:
            each = _contributions(statistic, groups) / groups.relevant
            total = np.bincount(row, weights=each, minlength=items)
            retrieved = np.bincount(row, minlength=items)
            out[place] = _conclude(statistic, total, retrieved, length, positives, negatives)
    return out


def _cover(
    deepest: Floats, length: Ints, relevant: Bools, positives: Ints, negatives: Ints, ties: str
) -> Floats:
    retrieved = np.count_nonzero(relevant, axis=1)
    absent = _absent_depth(length, retrieved, positives, negatives, ties)
    covered = np.where(retrieved < positives, absent, deepest)
    return np.where(positives > 0, covered, np.nan)


def _rank(
    scores: Scores, labels: Bools, positives: int, negatives: int, plan: Sequence[Statistic]
) -> list[float]:
    """All statistics of one list."""
    ordered = np.sort(scores)
    values, relevant = np.unique(scores[labels], return_counts=True)
    values, relevant = values[::-1], relevant[::-1].astype(np.int64)
    length = len(scores)
    through = np.cumsum(relevant)
    groups = Groups(
        start=length - np.searchsorted(ordered, values, side="right").astype(np.int64),
        end=length - np.searchsorted(ordered, values, side="left").astype(np.int64),
        before=through - relevant,
        through=through,
        positives=np.int64(positives),  # type: ignore[arg-type]
        negatives=np.int64(negatives),  # type: ignore[arg-type]
    )
    return [_of_list(statistic, groups, ordered) for statistic in plan]


def _of_list(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    special = _ORDERED.get(statistic.name)
    if groups.positives == 0:
        return np.nan
    if special is not None:
        return special(statistic, groups, ordered)
    total = np.asarray(_contributions(statistic, groups).sum())
    retrieved = groups.through[-1:].sum()
    return float(
        _conclude(
            statistic, total, retrieved, np.int64(len(ordered)), groups.positives, groups.negatives
        )
    )


# ── sums over relevant cells ──────────────────────────────────────────────────────────────────


def _contributions(statistic: Statistic, groups: Groups) -> Floats:
    """What each group adds to the sum that `_conclude` divides."""
    match statistic.name:
        case "AP":
            return _precisions(groups, statistic.ties)
        case "AUC" | "ranking_loss":
            share = {"expected": 0.5, "best": 0.0, "worst": 1.0}[statistic.ties]
            wrong = groups.start - groups.before + share * groups.irrelevant
            return groups.relevant * wrong
        case "RP":
            return _within(groups, groups.positives, statistic.ties)
        case "P@" | "R@":
            return _within(groups, np.int64(statistic.k), statistic.ties)
        case "nDCG":
            return _discounted(groups, statistic)
    raise AssertionError(statistic)


def _conclude(
    statistic: Statistic,
    total: Floats,
    retrieved: Ints,
    length: Ints,
    positives: Ints,
    negatives: Ints,
) -> Floats:
    """From the sum over relevant cells to the statistic; NaN where the truth leaves it undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        match statistic.name:
            case "AP" | "RP" | "R@":
                value = total / positives
            case "P@":
                value = np.where(positives > 0, total / statistic.k, np.nan)
            case "nDCG":
                table = discounts(int(np.max(positives, initial=0)))
                ideal = positives if statistic.k == 0 else np.minimum(positives, statistic.k)
                value = total / table[ideal]
            case _:
                share = {"expected": 0.5, "best": 0.0, "worst": 1.0}[statistic.ties]
                hidden = positives - retrieved
                above = length - retrieved
                wrong = total + hidden * (above + share * (negatives - above))
                loss = wrong / (positives * negatives)
                value = loss if statistic.name == "ranking_loss" else 1.0 - loss
    # None of these exceeds 1; a sum of rounded shares may, in its last bit.
    return np.minimum(value, 1.0, dtype=np.float64)


def _precisions(groups: Groups, ties: str) -> Floats:
    """Σ over the relevant cells of a group of the precision at their rank."""
    if ties == "grouped":
        return groups.relevant * (groups.through / groups.end)
    out = (groups.before + 1.0) / (groups.start + 1.0)
    for i in np.flatnonzero(groups.end - groups.start > 1):
        start, end, before = groups.start[i], groups.end[i], groups.before[i]
        relevant = groups.through[i] - before
        size = end - start
        if ties == "expected":
            ranks = np.arange(1, size + 1)
            slope = (relevant - 1) / (size - 1)
            out[i] = relevant / size * ((before + 1 + (ranks - 1) * slope) / (start + ranks)).sum()
        else:
            ranks = np.arange(1, relevant + 1)
            offset = start if ties == "best" else end - relevant
            out[i] = ((before + ranks) / (offset + ranks)).sum()
    return out


def _within(groups: Groups, cut: Ints, ties: str) -> Floats:
    """Relevant cells of each group among the first `cut` ranks (their expected number)."""
    if ties == "expected":
        slots = np.clip(cut - groups.start, 0, groups.end - groups.start)
        return groups.relevant * slots / (groups.end - groups.start)
    first = groups.start if ties == "best" else groups.start + groups.irrelevant
    return np.clip(cut - first, 0, groups.relevant).astype(np.float64)


def _discounted(groups: Groups, statistic: Statistic) -> Floats:
    """Σ of the discounts of the relevant cells of each group."""
    if len(groups.end) == 0:
        return np.zeros(0)
    cut = statistic.k or int(groups.end.max())
    table = discounts(min(cut, int(groups.end.max())))
    upto = lambda rank: table[np.minimum(rank, cut)]  # noqa: E731
    if statistic.ties == "expected":
        size = groups.end - groups.start
        return groups.relevant * (upto(groups.end) - upto(groups.start)) / size
    first = groups.start if statistic.ties == "best" else groups.start + groups.irrelevant
    return upto(first + groups.relevant) - upto(first)


def graded_ndcg(scores: Scores, gains: Floats, ideal: Floats, k: int, ties: str) -> float:
    """nDCG@k of one list with gains; `ideal` are the gains of everything relevant."""
    if len(ideal) == 0:
        return np.nan
    weight = np.diff(discounts(max(len(scores), len(ideal))))
    if k:
        weight[k:] = 0.0
    second = {"best": -gains, "worst": gains}.get(ties, np.zeros_like(gains))
    order = np.lexsort((second, -scores))
    gained = gains[order]
    if ties == "expected":
        group = np.concatenate([[0], np.cumsum(np.diff(scores[order]) != 0)]).astype(np.int64)
        group = group[: len(order)]
        gained = (np.bincount(group, weights=gained) / np.bincount(group))[group] if len(order) else gained
    best = np.sort(ideal)[::-1]
    return float((gained @ weight[: len(gained)]) / (best @ weight[: len(best)]))


# ── what needs the order of the list ──────────────────────────────────────────────────────────


def _interpolated(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    recalled, precision = _recall_points(groups, statistic.ties)
    best_from = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
    needed = levels(statistic.k, int(groups.positives), statistic.variant)
    return float(best_from[np.searchsorted(recalled, needed)].mean())


def levels(points: int, positives: int, rule: str) -> Ints:
    """How many relevant cells each recall level 0 … 1 asks for."""
    step = np.arange(points)
    if rule == "exact":
        return -(-step * positives // (points - 1))
    wanted = step / (points - 1) * positives
    if rule == "trec9":
        return (wanted + 0.9).astype(np.int64)
    return np.floor(wanted + 0.5).astype(np.int64)


def _recall_points(groups: Groups, ties: str) -> tuple[Ints, Floats]:
    """Relevant cells found and precision, at each point where something relevant is found."""
    if ties == "grouped":
        return groups.through, groups.through / groups.end
    relevant = groups.relevant
    found = np.arange(1, int(relevant.sum()) + 1)
    first = groups.start if ties == "best" else groups.start + groups.irrelevant
    rank = np.repeat(first - groups.before, relevant) + found
    return found, found / rank


def _equal_error(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    P, N = int(groups.positives), int(groups.negatives)
    if N == 0:
        return np.nan
    false, true = _roc(groups, ordered, statistic.ties)
    gap = false * P - (P - true) * N
    if statistic.variant == "vertex":
        nearest = int(np.argmin(np.abs(gap)))
        return float((false[nearest] / N + (P - true[nearest]) / P) / 2)
    after = int(np.argmax(gap >= 0))
    if gap[after] == 0:
        return float(false[after] / N)
    share = -gap[after - 1] / (gap[after] - gap[after - 1])
    return float((false[after - 1] + share * (false[after] - false[after - 1])) / N)


def _roc(groups: Groups, ordered: Scores, ties: str) -> tuple[Ints, Ints]:
    """Vertices of the ROC curve in counts, from nothing accepted to everything."""
    length = len(ordered)
    retrieved = int(groups.through[-1]) if len(groups.through) else 0
    size = np.unique(-ordered, return_counts=True)[1].astype(np.int64)
    end = np.cumsum(size)
    relevant = np.zeros(len(end), dtype=np.int64)
    relevant[np.searchsorted(end, groups.end)] = groups.relevant
    absent = np.array([int(groups.positives + groups.negatives) - length], dtype=np.int64)
    if absent[0]:
        size = np.append(size, absent)
        relevant = np.append(relevant, int(groups.positives) - retrieved)
    if ties != "grouped":
        parts = [relevant, size - relevant] if ties == "best" else [size - relevant, relevant]
        kinds = [1, 0] if ties == "best" else [0, 1]
        size = np.stack(parts, axis=1).ravel()
        hit = np.repeat(np.tile(kinds, len(relevant)), size)
        relevant, size = hit.astype(np.int64), np.ones(len(hit), dtype=np.int64)
    true = np.concatenate([[0], np.cumsum(relevant)])
    return np.concatenate([[0], np.cumsum(size - relevant)]), true


def _success(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    if len(groups.end) == 0 or groups.start[0] >= statistic.k:
        return 0.0
    start, end = int(groups.start[0]), int(groups.end[0])
    relevant, size = int(groups.relevant[0]), end - start
    slots = min(statistic.k - start, size)
    if statistic.ties == "best" or slots > size - relevant:
        return 1.0
    if statistic.ties == "worst":
        return 0.0
    drawn = np.arange(slots)
    return float(1.0 - np.prod((size - relevant - drawn) / (size - drawn)))


def _reciprocal(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    if len(groups.end) == 0:
        return 0.0
    start, irrelevant = int(groups.start[0]), int(groups.irrelevant[0])
    if statistic.ties != "expected":
        return 1.0 / (start + 1 + (irrelevant if statistic.ties == "worst" else 0))
    size = int(groups.end[0]) - start
    relevant = size - irrelevant
    ranks = np.arange(irrelevant + 1)
    missed = np.cumprod(np.append(1.0, (irrelevant - ranks[:-1]) / (size - ranks[:-1])))
    return float((missed * relevant / (size - ranks) / (start + 1 + ranks)).sum())


def _first_wrong(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    if len(groups.end) == 0 or groups.start[0] > 0:
        return 1.0
    return float(_one_error(groups.relevant[0], groups.end[0], statistic.ties))


def _one_error(relevant: Ints, tied: Ints, ties: str) -> Floats:
    """Chance that the top cell is irrelevant; nothing retrieved counts as wrong."""
    with np.errstate(invalid="ignore", divide="ignore"):
        match ties:
            case "best":
                wrong = relevant == 0
            case "worst":
                wrong = (relevant < tied) | (tied == 0)
            case _:
                wrong = np.where(tied > 0, 1.0 - relevant / tied, 1.0)
    return np.asarray(wrong, dtype=np.float64)


def _deepest(statistic: Statistic, groups: Groups, ordered: Scores) -> float:
    retrieved = groups.through[-1:].sum()
    if retrieved < groups.positives:
        length = np.int64(len(ordered))
        return float(
            _absent_depth(length, retrieved, groups.positives, groups.negatives, statistic.ties)
        )
    return float(_depth(groups, statistic.ties)[-1])


def _depth(groups: Groups, ties: str) -> Floats:
    """Rank of the last relevant cell of each group."""
    return _last_of(groups.start, groups.end - groups.start, groups.relevant, ties)


def _absent_depth(length: Ints, retrieved: Ints, positives: Ints, negatives: Ints, ties: str) -> Floats:
    """The same for relevant cells that were not retrieved: they tie at the bottom."""
    return _last_of(length, positives + negatives - length, positives - retrieved, ties)


def _last_of(start: Ints, size: Ints, relevant: Ints, ties: str) -> Floats:
    match ties:
        case "worst":
            last = start + size
        case "best":
            last = start + relevant
        case _:
            last = start + relevant * (size + 1) / (relevant + 1)
    return np.asarray(last, dtype=np.float64)


_ORDERED: dict[str, Callable[[Statistic, Groups, Scores], float]] = {
    "iAP": _interpolated,
    "EER": _equal_error,
    "success": _success,
    "RR": _reciprocal,
    "one_error": _first_wrong,
    "coverage": _deepest,
}
