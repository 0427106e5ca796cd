"""Valid spans of HS and OS.

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
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.kernels.label_sets import unpack
from cranfield.measures import Measure
from cranfield.measures.example_sets import forgiven
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
        said, true, unknown = gaps.assigned, gaps.labels, gaps.unknown
        broken = _broken(gaps, measure)
        spared = measure.options.get("penalise") == "false_positives"
        always = broken & ~true & ~unknown if spared else broken
        sometimes = broken & unknown & ~always
        drop = measure.options.get("violators") == "drop"
        return cls(
            false=said & ~true & ~unknown & ~always,
            doubtful=said & unknown & ~always,
            punished=sometimes,
            true=true & ~always,
            possible=unknown & ~always,
            assigned=said,
            matches_at_most=said & ~always if drop else said,
            matches_at_least=said & ~always & ~sometimes if drop else said,
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
        near, said = costs[label], sides.assigned[rows]
        certain = ~sides.doubtful[rows, label]
        for missed, may in enumerate((possible & said, possible)):
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
    wanted = (gaps.unknown | gaps.labels) & ~gaps.assigned
    for label in np.flatnonzero(wanted.any(axis=0)):
        rows = np.flatnonzero(wanted[:, label])
        nearest = _smallest(costs[:, label], matches[rows])
        some = matches[rows].any(axis=1)
        out[rows, label] = np.where(some, nearest * scale[label], 1.0)
    return out


def _smallest(values: Floats, among: Bools) -> Floats:
    """The smallest value of the members of each set; 1 for an empty one."""
    found = np.where(among, values, np.inf).min(axis=1, initial=np.inf)
    return np.where(np.isfinite(found), found, 1.0)


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
