"""What every statistic means: functions of the groups of a ranked list.

A list is described by its groups: for each score that at least one relevant cell has, in
descending order, `start` cells are ranked above it, `end` cells at or above it, `before` relevant
cells above it and `through` relevant cells at or above it. Cells of a sparse run that were not
retrieved are in no group; `positives` and `negatives` count them all the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.kernels.statistics import Statistic, discounts
from cranfield.kernels.sums import group_sums, in_lists, total

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Scores = NDArray[np.float32] | NDArray[np.float64]
Total = Any
"""A whole number, or an array of one for each list."""

TIED_SHARE = {"expected": 0.5, "best": 0.0, "worst": 1.0}
"""The share of tied pairs that count as wrong."""


@dataclass(frozen=True)
class Groups:
    """Relevant cells by score, and the totals of their list (scalars, or one for each group)."""

    start: Ints
    end: Ints
    before: Ints
    through: Ints
    positives: Total
    negatives: Total

    @cached_property
    def relevant(self) -> Ints:
        return self.through - self.before

    @cached_property
    def irrelevant(self) -> Ints:
        return self.end - self.start - self.relevant


@dataclass(frozen=True)
class RankedLists:
    """Several lists: their groups one after the other, and the totals of each list."""

    groups: Groups
    owner: Ints
    """The list of each group."""
    length: Ints
    """Cells retrieved, by list."""
    positives: Ints
    negatives: Ints

    @cached_property
    def retrieved(self) -> Ints:
        found = np.bincount(self.owner, weights=self.groups.relevant, minlength=len(self.length))
        return found.astype(np.int64)

    def split(self) -> list[Groups]:
        """The groups of each list by themselves."""
        edges = np.searchsorted(self.owner, np.arange(1, len(self.length)))
        g = self.groups
        parts = [np.split(field, edges) for field in (g.start, g.end, g.before, g.through)]
        return [
            Groups(*fields) for fields in zip(*parts, self.positives, self.negatives, strict=True)
        ]


def by_list(statistic: Statistic, lists: RankedLists) -> Floats:
    """A statistic that does not depend on the order of the groups, of every list."""
    match statistic.name:
        case "one_error":
            values = _first_wrong(statistic, lists)
        case "coverage":
            values = _deepest(statistic, lists)
        case "success":
            values = _success(statistic, lists)
        case "AP@" if statistic.variant == "retrieved":
            values = _mean_precisions(statistic, lists)
        case _:
            added, owner = _contributions(statistic, lists.groups), lists.owner
            if len(added) > len(owner):  # one for each relevant cell, not for each group
                owner = np.repeat(owner, lists.groups.relevant)
            values = _conclude(statistic, group_sums(added, owner, len(lists.length)), lists)
    return np.where(lists.positives > 0, values, np.nan)


def of_list(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    """A statistic that depends on the order of the groups, of one list."""
    if groups.positives == 0:
        return np.nan
    return ORDERED[statistic.name](statistic, groups, scores)


# ── sums over relevant cells ──────────────────────────────────────────────────────────────────


def _contributions(statistic: Statistic, groups: Groups) -> Floats:
    """What each group, or each relevant cell, adds to the sum that `_conclude` divides."""
    match statistic.name:
        case "AP":
            return _precisions(groups, statistic.ties)
        case "AP@":
            return _precisions_within(groups, statistic.k, statistic.ties)
        case "AUC" | "ranking_loss":
            wrong = groups.start - groups.before + TIED_SHARE[statistic.ties] * groups.irrelevant
            return np.asarray(groups.relevant * wrong, dtype=np.float64)
        case "RP":
            return _within(groups, groups.positives, statistic.ties)
        case "P@" | "R@":
            return _within(groups, statistic.k, statistic.ties)
        case "nDCG":
            return _discounted(groups, statistic)
        case "RBP":
            return _rank_biased(groups, statistic)
    raise AssertionError(statistic)


def _conclude(statistic: Statistic, total: Total, lists: RankedLists) -> Floats:
    """From the sum over relevant cells to the statistic."""
    positives, negatives = lists.positives, lists.negatives
    with np.errstate(invalid="ignore", divide="ignore"):
        match statistic.name:
            case "AP" | "RP" | "R@":
                value = total / positives
            case "AP@":
                most = statistic.k if statistic.variant == "ideal" else positives
                value = total / np.minimum(positives, most)
            case "P@":
                value = total / statistic.k
            case "RBP":
                value = total
            case "nDCG":
                table = discounts(int(np.max(positives, initial=0)))
                ideal = positives if statistic.k == 0 else np.minimum(positives, statistic.k)
                value = total / table[ideal]
            case _:
                retrieved = lists.retrieved
                above = lists.length - retrieved
                tied = TIED_SHARE[statistic.ties] * (negatives - above)
                loss = (total + (positives - retrieved) * (above + tied)) / (positives * negatives)
                value = loss if statistic.name == "ranking_loss" else 1.0 - loss
    # None of these exceeds 1; a sum of rounded shares may, in its last bit.
    return np.asarray(np.minimum(value, 1.0), dtype=np.float64)


def _precisions(groups: Groups, ties: str) -> Floats:
    """The precision at the rank of each relevant cell, or its sum over those of a group."""
    if ties == "grouped":
        return groups.relevant * (groups.through / groups.end)
    if ties == "expected":
        return _expected_precisions(groups, groups.end - groups.start)
    found, rank = _in_order(groups, ties)
    return found / rank


def _precisions_within(groups: Groups, cut: int, ties: str) -> Floats:
    """The same, of the first `cut` ranks."""
    if ties == "expected":
        return _expected_precisions(groups, np.clip(cut - groups.start, 0, None))
    found, rank = _in_order(groups, ties)
    return np.where(rank <= cut, found / rank, 0.0)


def _expected_precisions(groups: Groups, ranks: Ints) -> Floats:
    """Σ over the first ranks of a group of the expected precision there, for its relevant cells."""
    size = groups.end - groups.start
    out = np.where(ranks > 0, (groups.before + 1.0) / (groups.start + 1.0), 0.0)
    tied = np.flatnonzero(size > 1)
    size, relevant = size[tied], groups.relevant[tied]
    ranks = np.minimum(ranks[tied], size)
    edges = np.concatenate([[0], np.cumsum(ranks)])
    rank = np.arange(1, edges[-1] + 1) - np.repeat(edges[:-1], ranks)
    slope, first = (
        np.repeat((relevant - 1) / (size - 1), ranks),
        np.repeat(groups.before[tied] + 1, ranks),
    )
    shares = (first + (rank - 1) * slope) / (np.repeat(groups.start[tied], ranks) + rank)
    out[tied] = relevant / size * in_lists(shares, edges)
    return out


def _within(groups: Groups, cut: Total, ties: str) -> Floats:
    """Relevant cells of each group among the first `cut` ranks (their expected number)."""
    if ties == "expected":
        slots = np.clip(cut - groups.start, 0, groups.end - groups.start)
        return np.asarray(groups.relevant * slots / (groups.end - groups.start))
    first = groups.start if ties == "best" else groups.start + groups.irrelevant
    return np.clip(cut - first, 0, groups.relevant) * 1.0  # type: ignore[no-any-return]


def _discounted(groups: Groups, statistic: Statistic) -> Floats:
    """Σ of the discounts of the relevant cells of each group."""
    if len(groups.end) == 0:
        return np.zeros(0)
    cut = statistic.k or int(groups.end.max())
    table = discounts(min(cut, int(groups.end.max())))

    def upto(rank: Ints) -> Floats:
        return table[np.minimum(rank, cut)]

    if statistic.ties == "expected":
        size = groups.end - groups.start
        return groups.relevant * (upto(groups.end) - upto(groups.start)) / size
    first = groups.start if statistic.ties == "best" else groups.start + groups.irrelevant
    return upto(first + groups.relevant) - upto(first)


def _rank_biased(groups: Groups, statistic: Statistic) -> Floats:
    """Σ (1 − p)·p^(rank − 1) over the ranks that the relevant cells of a group may take."""
    first, last, p = groups.start, groups.end, statistic.parameter
    if statistic.ties == "worst":
        first = last - groups.relevant
    if statistic.ties == "best":
        last = first + groups.relevant
    share = groups.relevant / (last - first)
    # The C library's powers: NumPy's differ from them in the last bit.
    power = np.vectorize(math.pow, otypes=[np.float64])
    return np.asarray(share * (power(p, first) - power(p, last)), dtype=np.float64)


# ── the mean precision at the relevant cells above a cut ──────────────────────────────────────


def _mean_precisions(statistic: Statistic, lists: RankedLists) -> Floats:
    """Σ of precisions at the relevant cells among the first k, divided by how many there are."""
    groups, owner, k, ties = lists.groups, lists.owner, statistic.k, statistic.ties
    through = (groups.start < k) & (groups.end > k) & (ties == "expected")
    added = _precisions_within(groups, k, ties)
    cells = owner if len(added) == len(owner) else np.repeat(owner, groups.relevant)
    if ties == "expected":
        added = np.where(through, 0.0, added)
    sums = group_sums(added, cells, len(lists.length))
    hits = group_sums(np.where(through, 0.0, _within(groups, k, ties)), owner, len(sums))
    values = np.divide(sums, hits, out=np.zeros(len(sums)), where=hits > 0)
    for index in np.flatnonzero(through).tolist():
        cut = _Cut.of(groups, index, k, int(hits[owner[index]]), float(sums[owner[index]]))
        values[owner[index]] = cut.expected()
    return np.minimum(values, 1.0)


@dataclass(frozen=True)
class _Cut:
    """A cut through a group of equals, and what stands above it: the sum of precisions of whole
    groups, and how many relevant cells these have."""

    relevant: int
    irrelevant: int
    before: int
    slots: int
    """Ranks of the group above the cut."""
    above: int
    whole: float
    harmonic: float
    """Σ 1/rank over the slots."""
    steps: float
    """Σ (r − 1)/rank over the slots r = 1, 2, …"""

    @classmethod
    def of(cls, groups: Groups, index: int, k: int, above: int, whole: float) -> _Cut:
        start, relevant = int(groups.start[index]), int(groups.relevant[index])
        others, before = int(groups.irrelevant[index]), int(groups.before[index])
        slot = np.arange(float(k - start))
        harmonic, steps = (total(part / (start + 1.0 + slot)) for part in (1.0, slot))
        return cls(relevant, others, before, k - start, above, whole, harmonic, steps)

    def expected(self) -> float:
        """The mean over all numbers of hits among the slots, each as likely as it is."""
        low, high = max(0, self.slots - self.irrelevant), min(self.slots, self.relevant)
        mode = (self.slots + 1) * (self.relevant + 1) // (self.relevant + self.irrelevant + 2)
        likely = min(max(mode, low), high)
        up, down = np.arange(likely, high + 1.0), np.arange(likely, low, -1.0)
        rest = self.irrelevant - self.slots
        more = (self.relevant - up) * (self.slots - up) / ((up + 1) * (rest + up + 1))
        fewer = down * (rest + down) / ((self.relevant - down + 1) * (self.slots - down + 1))
        # In multiples of the likeliest number.
        weights = np.concatenate([np.cumprod(np.append(1.0, more[:-1])), np.cumprod(fewer)])
        means = self._means(np.concatenate([up, down - 1]))
        return total(weights * means) / total(weights)

    def _means(self, hits: Floats) -> Floats:
        """The mean precision at relevant cells above the cut with so many hits among the slots."""
        slope = (hits - 1) / (self.slots - 1) if self.slots > 1 else np.zeros(len(hits))
        here = hits / self.slots * ((self.before + 1) * self.harmonic + slope * self.steps)
        found = self.above + hits
        return np.divide(self.whole + here, found, out=np.zeros(len(hits)), where=found > 0)


# ── the first and the last relevant cell ──────────────────────────────────────────────────────


def _first_wrong(statistic: Statistic, lists: RankedLists) -> Floats:
    """Chance that the top cell is irrelevant; nothing retrieved counts as wrong."""
    wrong = np.ones(len(lists.length))
    top = lists.groups.start == 0
    relevant, tied = lists.groups.relevant[top], lists.groups.end[top]
    match statistic.ties:
        case "best":
            share = np.zeros(len(tied))
        case "worst":
            share = (relevant < tied).astype(np.float64)
        case _:
            share = 1.0 - relevant / tied
    wrong[lists.owner[top]] = share
    return wrong


def _success(statistic: Statistic, lists: RankedLists) -> Floats:
    """Chance that a relevant cell is among the first k."""
    groups, out = lists.groups, np.zeros(len(lists.length))
    order = np.lexsort((groups.start, lists.owner))
    first = order[np.unique(lists.owner[order], return_index=True)[1]]
    first = first[groups.start[first] < statistic.k]
    size, others = groups.end[first] - groups.start[first], groups.irrelevant[first]
    slots = np.minimum(statistic.k - groups.start[first], size)
    certain = slots > others
    out[lists.owner[first]] = certain | (statistic.ties == "best")
    if statistic.ties == "expected":
        for index in np.flatnonzero(~certain).tolist():
            drawn = np.arange(slots[index])
            missed = (others[index] - drawn) / (size[index] - drawn)
            out[lists.owner[first[index]]] = 1.0 - math.prod(missed.tolist())
    return out


def _deepest(statistic: Statistic, lists: RankedLists) -> Floats:
    """Rank of the last relevant cell; those not retrieved tie at the bottom."""
    groups, ties = lists.groups, statistic.ties
    deepest = np.zeros(len(lists.length))
    size = groups.end - groups.start
    np.maximum.at(deepest, lists.owner, _last_of(groups.start, size, groups.relevant, ties))
    hidden = lists.positives - lists.retrieved
    cells = lists.positives + lists.negatives - lists.length
    return np.where(hidden > 0, _last_of(lists.length, cells, hidden, ties), deepest)


def _last_of(start: Total, size: Total, relevant: Total, ties: str) -> Floats:
    match ties:
        case "worst":
            last = start + size
        case "best":
            last = start + relevant
        case _:
            last = start + relevant * (size + 1) / (relevant + 1)
    return np.asarray(last, dtype=np.float64)


# ── what needs the order of the list ──────────────────────────────────────────────────────────


def _interpolated(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    recalled, precision = _recall_points(groups, statistic.ties)
    best_from = np.maximum.accumulate(precision[::-1])[::-1]
    needed = levels(statistic.k, int(groups.positives), statistic.variant)
    reached = np.searchsorted(recalled, needed)
    return total(best_from[reached[reached < len(best_from)]]) / statistic.k


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
    found, rank = _points(groups, ties)
    return found, found / rank


def _points(groups: Groups, ties: str) -> tuple[Ints, Ints]:
    """Relevant cells found and all cells, at each point where something relevant is found."""
    return (groups.through, groups.end) if ties == "grouped" else _in_order(groups, ties)


def _in_order(groups: Groups, ties: str) -> tuple[Ints, Ints]:
    """Relevant cells found and all cells, at each relevant cell; the best or the worst order of
    equals."""
    relevant = groups.relevant
    first = groups.start if ties == "best" else groups.start + groups.irrelevant
    within = np.arange(int(relevant.sum())) - np.repeat(np.cumsum(relevant) - relevant, relevant)
    return tuple(np.repeat(above, relevant) + within + 1 for above in (groups.before, first))  # type: ignore[return-value]


# ── points of the precision-recall curve ──────────────────────────────────────────────────────


def _best_precision(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    found, precision = _recall_points(groups, statistic.ties)
    enough = found / groups.positives >= statistic.parameter
    if statistic.variant == "trec10":
        enough = found >= np.floor(statistic.parameter * groups.positives + 0.5)
    return float(precision[enough].max(initial=0.0))


def _efficiency(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    found, precision = _recall_points(groups, statistic.ties)
    missing = (1.0 - precision) ** 2 + (1.0 - found / groups.positives) ** 2
    return float(1.0 - np.sqrt(missing.min(initial=2.0) / 2.0))


def _area_under_points(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    found, height = _recall_points(groups, statistic.ties)
    step = np.diff(found, prepend=0)
    if statistic.variant == "interpolated":
        height = np.maximum.accumulate(height[::-1])[::-1]
    if statistic.variant == "trapezoid":
        # The point before lies at the recall of the point before, behind what is irrelevant there.
        rank = found / height
        earlier = groups.start if statistic.ties == "grouped" else rank - 1.0
        left = np.where(earlier > 0, (found - step) / np.maximum(earlier, 1.0), height)
        height = (height + left) / 2.0
    return float(min(total(step * height) / groups.positives, 1.0))


def _at_prevalence(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    """Precision is π·TPR / (π·TPR + (1 − π)·FPR), whatever the totals of the list."""
    if groups.negatives == 0:
        return np.nan
    found, rank = _points(groups, statistic.ties)
    right = statistic.parameter * groups.negatives * found
    wrong = (1.0 - statistic.parameter) * groups.positives * (rank - found)
    precisions = total(np.diff(found, prepend=0) * (right / (right + wrong)))
    return float(min(precisions / groups.positives, 1.0))


def _equal_error(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    P, N = int(groups.positives), int(groups.negatives)
    if N == 0:
        return np.nan
    vertex = statistic.variant == "vertex"
    vertices = _roc if vertex else _crossing
    false, true = vertices(groups, scores, statistic.ties)
    gap = false * P - (P - true) * N
    if vertex:
        nearest = int(np.argmin(np.abs(gap)))
        return float((false[nearest] / N + (P - true[nearest]) / P) / 2)
    after = int(np.argmax(gap >= 0))
    if gap[after] == 0:
        return float(false[after] / N)
    share = -gap[after - 1] / (gap[after] - gap[after - 1])
    return float((false[after - 1] + share * (false[after] - false[after - 1])) / N)


def _crossing(groups: Groups, scores: Scores, ties: str) -> tuple[Ints, Ints]:
    """The stretch of the ROC curve, in counts, on which FPR overtakes FNR, bend by bend."""
    P, N = groups.positives, groups.negatives
    false, true = groups.end - groups.through, groups.through
    first = int(np.count_nonzero(false * P < (P - true) * N))
    here = (false[first - 1], true[first - 1]) if first else (0, 0)
    if first < len(false):
        start, last = groups.start[first] - groups.before[first], (false[first], true[first])
    else:
        start, last = len(scores) - here[1], (N, P)
    corner = (start, here[1])
    step = {"best": (start, last[1]), "worst": (last[0], here[1])}.get(ties, corner)
    return tuple(np.array(axis) for axis in zip(here, corner, step, last, strict=True))  # type: ignore[return-value]


def _roc(groups: Groups, scores: Scores, ties: str) -> tuple[Ints, Ints]:
    """Vertices of the ROC curve in counts, from nothing accepted to everything."""
    length = len(scores)
    retrieved = int(groups.through[-1]) if len(groups.through) else 0
    size = np.unique(-scores, return_counts=True)[1].astype(np.int64)
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


def _reciprocal(statistic: Statistic, groups: Groups, scores: Scores) -> float:
    if len(groups.end) == 0:
        return 0.0
    start, irrelevant = int(groups.start[0]), int(groups.irrelevant[0])
    cut = statistic.k or np.inf
    if statistic.ties != "expected":
        rank = start + 1 + (irrelevant if statistic.ties == "worst" else 0)
        return 1.0 / rank if rank <= cut else 0.0
    size = int(groups.end[0]) - start
    relevant = size - irrelevant
    ranks = np.arange(irrelevant + 1)
    missed = np.cumprod(np.append(1.0, (irrelevant - ranks[:-1]) / (size - ranks[:-1])))
    shares = missed * relevant / (size - ranks) / (start + 1 + ranks)
    return total(shares[start + ranks < cut])


ORDERED: dict[str, Callable[[Statistic, Groups, Scores], float]] = {
    "iAP": _interpolated,
    "EER": _equal_error,
    "RR": _reciprocal,
    "P_at_recall": _best_precision,
    "efficiency": _efficiency,
    "PRAUC": _area_under_points,
    "AP_at_prevalence": _at_prevalence,
}
