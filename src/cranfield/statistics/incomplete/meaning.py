"""Bounds by meaning: HS and OS, hierarchical sets, and SR-Precision.

Valid spans of HS and OS.

What an item loses is a sum: over assigned labels that are false, each matched to the nearest true
one, and over true labels that were not assigned, each matched to the nearest assigned one. The
second sum depends on no other unknown cell, so for each number t of them that are true the t
cheapest (dearest) are taken. In the first sum each label is by itself matched as well (as badly) as
any completion allows, which is where bounds may be wider than need be. Which labels break rules is
decided by the run alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield import kernels
from cranfield.core.matrices import Bools, Floats, Ints, ratio
from cranfield.errors import MeasureError
from cranfield.kernels import Words
from cranfield.kernels.label_sets import unpack
from cranfield.measures import Measure
from cranfield.measures.example_sets import forgiven
from cranfield.measures.hierarchical_sets import combined, in_line
from cranfield.statistics.incomplete.gaps import Gaps
from cranfield.statistics.incomplete.spans import Spans


def matched_spans(gaps: Gaps, measure: Measure) -> Spans:
    """Spans of HS or OS by item."""
    options = measure.options
    costs = gaps.known.costs(options["costs"], options["tree"], measure.name)
    agreement = gaps.known.agreement if options["agreement"] == "given" else None
    scale = np.ones(len(costs)) if agreement is None else agreement
    sides = _Sides.of(gaps, measure)
    first = _first_sums(sides, costs, scale)
    best = _missed(gaps, costs, scale, sides.matches_at_most)
    worst = _missed(gaps, costs, scale, sides.matches_at_least)
    union = np.asarray((gaps.assigned | gaps.labels).sum(axis=1), dtype=np.int64)
    certain = gaps.labels & ~gaps.assigned
    free = gaps.unknown & ~gaps.assigned
    least = sides.penalties + np.where(certain, best, 0.0).sum(axis=1)
    most = sides.penalties + np.where(certain, worst, 0.0).sum(axis=1)
    lowest = _extreme_share(least, first.low, best, free, union, largest=False)
    highest = _extreme_share(most, first.high, worst, free, union, largest=True)
    low, high = (forgiven(lost, options["alpha"]) for lost in (highest, lowest))
    return Spans.valid(low, high)


@dataclass(frozen=True)
class _Sides:
    """The labels of each item by what may become of them."""

    false: Bools
    """Assigned, false, and matched to the nearest true label."""
    doubtful: Bools
    """Assigned, and false in some completions only."""
    punished: Bools
    """Of these, the ones that then break a rule and cost 1."""
    true: Bools
    """True labels to match with."""
    possible: Bools
    """Labels to match with, if they are true."""
    assigned: Bools
    matches_at_most: Bools
    """Assigned labels that a missed one is matched with, in some completion, and in all."""
    matches_at_least: Bools
    penalties: Floats
    """What broken rules cost in every completion."""

    @classmethod
    def of(cls, gaps: Gaps, measure: Measure) -> _Sides:
        labels, true, unknown = gaps.assigned, gaps.labels, gaps.unknown
        broken = _broken(gaps, measure)
        spared = measure.options.get("penalise") == "false_positives"
        always = broken & ~true & ~unknown if spared else broken
        sometimes = broken & unknown & ~always
        drop = measure.options.get("violators") == "drop"
        return cls(
            false=labels & ~true & ~unknown & ~always,
            doubtful=labels & unknown & ~always,
            punished=sometimes,
            true=true & ~always,
            possible=unknown & ~always,
            assigned=labels,
            matches_at_most=labels & ~always if drop else labels,
            matches_at_least=labels & ~always & ~sometimes if drop else labels,
            penalties=always.sum(axis=1).astype(np.float64),
        )


def _broken(gaps: Gaps, measure: Measure) -> Bools:
    """The assigned labels that break a rule."""
    rules = gaps.known.rules if "violators" in measure.options else None
    if rules is None:
        return np.zeros_like(gaps.assigned)
    return unpack(kernels.violators(gaps.least.assigned_sets, rules), gaps.assigned.shape[1])


@dataclass(frozen=True)
class _Sums:
    """What false labels cost at least and at most: (2, N), without and with a missed true one."""

    low: Floats
    high: Floats


def _first_sums(sides: _Sides, costs: Floats, scale: Floats) -> _Sums:
    low, high = np.zeros((2, len(sides.false))), np.zeros((2, len(sides.false)))
    listed = sides.false | sides.doubtful
    for label in np.flatnonzero(listed.any(axis=0)):
        rows = np.flatnonzero(listed[:, label])
        true, possible = sides.true[rows], sides.possible[rows]
        near, labels = costs[label], sides.assigned[rows]
        certain = ~sides.doubtful[rows, label]
        for missed, may in enumerate((possible & labels, possible)):
            least = _smallest(near * scale, true | may)
            low[missed, rows] += np.where(certain, least, 0.0)
            nearest = np.where(true, near, np.inf).min(axis=1, keepdims=True)
            reached = (true | may) & (near <= nearest)
            most = np.where(reached, near * scale, -np.inf).max(axis=1)
            # Without a true label for certain there may be none at all, unless one was missed.
            alone = ~true.any(axis=1) if missed == 0 else ~reached.any(axis=1)
            most = np.where(alone | sides.punished[rows, label], 1.0, most)
            high[missed, rows] += most
    return _Sums(low, high)


def _missed(gaps: Gaps, costs: Floats, scale: Floats, matches: Bools) -> Floats:
    """(N, C): what each label that was not assigned costs if it is true."""
    out = np.zeros(gaps.unknown.shape)
    missable = (gaps.unknown | gaps.labels) & ~gaps.assigned
    for label in np.flatnonzero(missable.any(axis=0)):
        rows = np.flatnonzero(missable[:, label])
        nearest = _smallest(costs[:, label], matches[rows])
        some = matches[rows].any(axis=1)
        out[rows, label] = np.where(some, nearest * scale[label], 1.0)
    return out


def _smallest(values: Floats, among: Bools) -> Floats:
    """The smallest value of the members of each set; 1 for an empty one."""
    nearest = np.where(among, values, np.inf).min(axis=1, initial=np.inf)
    return np.where(np.isfinite(nearest), nearest, 1.0)


def _extreme_share(
    sure: Floats, first: Floats, costs: Floats, free: Bools, union: Ints, *, largest: bool
) -> Floats:
    """The smallest or largest share lost, over how many of the free labels are true."""
    sign = -1.0 if largest else 1.0
    ordered = np.sort(np.where(free, sign * costs, np.inf), axis=1)
    size = free.sum(axis=1)
    share = np.where(union > 0, (sure + first[0]) / np.maximum(union, 1), 0.0) * sign
    added = np.zeros(len(union))
    for count in range(1, int(size.max(initial=0)) + 1):
        here = size >= count
        added[here] += ordered[here, count - 1]
        lost = sign * (sure + first[1]) + added
        share = np.where(here, np.minimum(share, lost / (union + count)), share)
    return sign * share


# Spans of hierarchical measures by item.
#
# The true set only grows with the cells that turn out true, and so does the widened one: of what it
# shares with the widened assigned set, and of what lies outside that, there is a least and a most.
#
#     hP        exact: it never falls when another label is true, unless nothing was assigned
#     hR        expand=pairwise exact, since each true label has a share of its own; otherwise valid
#     hF        valid: it grows with hP and with hR
#     maxloss   valid
#     weuclid   exact: a sum over the cells (`cell_spans`)


def cell_spans(gaps: Gaps, measure: Measure) -> Spans:
    """Spans of a sum over the cells by item: exact."""
    return _tried(gaps, measure, [gaps.assigned, ~gaps.assigned])


def widened_spans(gaps: Gaps, measure: Measure) -> Spans:
    """Spans of a hierarchical measure by item."""
    expand = measure.options.get("expand", "ancestors")
    match measure.traits.bounds:
        case "hierarchical precision":
            return _precision(gaps, measure)
        case "hierarchical loss":
            common, beyond, size = _counts(gaps, expand)
            low, high = size - common[1] + beyond[0], size - common[0] + beyond[1]
            return Spans.valid(low / gaps.unknown.shape[1], high / gaps.unknown.shape[1])
    if measure.traits.direction == "micro":
        raise MeasureError(
            f"{measure} sums over items before it divides, and has no bounds; choose "
            "average=example"
        )
    recall = _pairwise_recall(gaps) if expand == "pairwise" else _recall(gaps, expand)
    if measure.traits.bounds == "hierarchical recall":
        return recall
    precision = _precision(gaps, measure)
    low, high = (
        combined(p, r, mean=measure.options["mean"], beta=measure.options["beta"])
        for p, r in ((precision.low, recall.low), (precision.high, recall.high))
    )
    return Spans.valid(low, high)


def _tried(gaps: Gaps, measure: Measure, completions: list[Bools]) -> Spans:
    first = measure.units(gaps.completed(completions[0]))
    spans = Spans.nothing_seen(len(first)).seen(first)
    for positive in completions[1:]:
        spans = spans.seen(measure.units(gaps.completed(positive)))
    return spans


def _precision(gaps: Gaps, measure: Measure) -> Spans:
    settings = tuple(s for s in measure.settings if s[0] in ("expand", "average", "undefined"))
    completions = [np.zeros_like(gaps.unknown), gaps.unknown]
    return _tried(gaps, Measure("example.hP", settings), completions)


def _counts(gaps: Gaps, expand: str) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], Floats]:
    """Labels of the widened true set inside and outside the widened assigned one, each at least
    and at most, and the size of the latter."""
    lineage = gaps.known.lineage("example.hR")
    widen = lineage.with_descendants if expand == "descendants" else lineage.with_ancestors
    assigned, least, most = map(widen, (gaps.assigned, gaps.labels, gaps.labels | gaps.unknown))

    def size(sets: Bools) -> Floats:
        return np.asarray(sets.sum(axis=1), dtype=np.float64)

    inside = size(least & assigned), size(most & assigned)
    return inside, (size(least & ~assigned), size(most & ~assigned)), size(assigned)


def _recall(gaps: Gaps, expand: str) -> Spans:
    common, beyond, _ = _counts(gaps, expand)
    low = ratio(common[0], common[0] + beyond[1])
    high = ratio(common[1], common[1] + beyond[0])
    # A true set that may be empty recalls nothing, or everything if nothing was assigned either.
    empty = ~gaps.labels.any(axis=1)
    nothing = ~gaps.assigned.any(axis=1)
    low = np.where(empty & ~(nothing & (gaps.sizes == 0)), 0.0, np.nan_to_num(low, nan=1.0))
    high = np.where(empty & nothing, 1.0, np.nan_to_num(high))
    return Spans.valid(low, high)


def _pairwise_recall(gaps: Gaps) -> Spans:
    """Exact: a mean of shares, over the known labels and any number of the unknown ones."""
    lines = gaps.known.lineage("example.hR").lines
    shares = np.zeros(gaps.unknown.shape)
    wanted = gaps.labels | gaps.unknown
    for label in np.flatnonzero(wanted.any(axis=0)):
        rows = np.flatnonzero(wanted[:, label])
        shared, whole = in_line(lines[label], gaps.assigned[rows], None, lines)
        shares[rows, label] = shared.max(axis=1).astype(np.float64) / whole
    sure = np.where(gaps.labels, shares, 0.0).sum(axis=1)
    sizes = gaps.labels.sum(axis=1)
    nothing = ~gaps.assigned.any(axis=1)
    start = np.where(sizes > 0, sure / np.maximum(sizes, 1), nothing.astype(np.float64))
    ends = []
    for sign in (1.0, -1.0):
        ordered = np.sort(np.where(gaps.unknown, sign * shares, np.inf), axis=1)
        end, added = sign * start, np.zeros(len(start))
        for count in range(1, int(gaps.sizes.max(initial=0)) + 1):
            here = gaps.sizes >= count
            added[here] += ordered[here, count - 1]
            mean = (sign * sure + added) / (sizes + count)
            end = np.where(here, np.minimum(end, mean), end)
        ends.append(sign * end)
    never = np.zeros(len(start), np.bool_)
    return Spans(ends[0], ends[1], never, ~never)


# Valid spans of SR-Precision.
#
# With k true labels, the k concepts of the highest confidence are assigned to them. How well each
# of them, and each true label, can be matched at most bounds the best assignment from above; the
# best assignment to the labels that are known, or exact pairs and the worst match of every other
# concept, bound it from below. Where no unknown cell is true, the score itself is known.


def assigned_spans(gaps: Gaps, measure: Measure) -> Spans:
    """Spans of SRP by item."""
    related = gaps.known.relatedness(measure.options["relatedness"], "SRP")
    known, doubtful = gaps.labels, gaps.unknown
    worst = _over(related, known | doubtful, largest=False)
    others = related.copy()
    np.fill_diagonal(others, 0.0)
    elsewhere = _over(others, known | doubtful, largest=True)
    spans = Spans.nothing_seen(len(known)).seen(measure.units(gaps.least))
    low, high = spans.low, spans.high
    number = np.cumsum(doubtful, axis=1)
    before = unpack(gaps.least.top_sets[0], known.shape[1])
    nearest = _over(related.T, before, largest=True)
    for count in range(1, int(gaps.sizes.max(initial=0)) + 1):
        here = gaps.sizes >= count
        size = known.sum(axis=1) + count
        words, _ = gaps.completed(doubtful & (number <= count)).top_sets
        chosen = unpack(words, known.shape[1])
        _approach(nearest, related, chosen & ~before)
        before = chosen
        sure = (chosen & known).sum(axis=1)
        rest = chosen & ~known
        least = sure + np.where(rest, worst, 0.0).sum(axis=1)
        least = np.maximum(least, _among_known(gaps, words, related))
        gains = np.where(rest & doubtful, 1.0 - elsewhere, 0.0)
        most = sure + np.where(rest, elsewhere, 0.0).sum(axis=1) + _largest(gains, count)
        most = np.minimum(most, _by_true(nearest, known, doubtful, count))
        low = np.where(here, np.fmin(low, least / size), low)
        high = np.where(here, np.fmax(high, np.minimum(most / size, 1.0)), high)
    return Spans.valid(low, high, spans.skippable)


def _approach(nearest: Floats, related: Floats, new: Bools) -> None:
    """Let one more concept, where there is one, be the nearest of each true label."""
    rows = np.flatnonzero(new.any(axis=1))
    nearest[rows] = np.maximum(nearest[rows], related[new[rows].argmax(axis=1)])


def _among_known(gaps: Gaps, chosen: Words, related: Floats) -> Floats:
    """What the best assignment to known labels is worth."""
    lost = kernels.assign(
        chosen, gaps.least.true_sets, 1.0 - related, unmatched=np.ones(len(related))
    )
    sizes = (np.bitwise_count(sets).sum(axis=1) for sets in (chosen, gaps.least.true_sets))
    return np.asarray(np.maximum(*sizes) - lost)


def _by_true(nearest: Floats, known: Bools, doubtful: Bools, count: int) -> Floats:
    """What the true labels can be worth: the known ones, and the best of the unknown ones."""
    return np.asarray(
        np.where(known, nearest, 0.0).sum(axis=1)
        + _largest(np.where(doubtful, nearest, 0.0), count)
    )


def _largest(values: Floats, count: int) -> Floats:
    return np.asarray(np.sort(values, axis=1)[:, -count:].sum(axis=1))


def _over(related: Floats, sets: Bools, *, largest: bool) -> Floats:
    """(N, C): the largest or smallest relatedness of each concept to the members of a set; 0 for
    an empty one."""
    out = np.zeros(sets.shape)
    for concept, row in enumerate(related):
        if largest:
            out[:, concept] = np.where(sets, row, 0.0).max(axis=1, initial=0.0)
        else:
            nearest_value = np.where(sets, row, np.inf).min(axis=1, initial=np.inf)
            out[:, concept] = np.where(np.isfinite(nearest_value), nearest_value, 0.0)
    return out
