"""Spans of hierarchical measures by item.

The true set only grows with the cells that turn out true, and so does the widened one: of what it
shares with the widened assigned set, and of what lies outside that, there is a least and a most.

    hP        exact: it never falls when another label is true, unless nothing was assigned
    hR        expand=pairwise exact, since each true label has a share of its own; otherwise valid
    hF        valid: it grows with hP and with hR
    maxloss   valid
    weuclid   exact: a sum over the cells (`cell_spans`)
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Bools, Floats
from cranfield.errors import MeasureError
from cranfield.measures import Measure
from cranfield.measures.declare import ratio
from cranfield.measures.hierarchical_sets import combined, in_line
from cranfield.statistics.incomplete.gaps import Gaps
from cranfield.statistics.incomplete.spans import Spans


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
    kept = tuple(s for s in measure.settings if s[0] in ("expand", "average", "undefined"))
    return _tried(gaps, Measure("example.hP", kept), [np.zeros_like(gaps.unknown), gaps.unknown])


def _counts(gaps: Gaps, expand: str) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], Floats]:
    """Labels of the widened true set inside and outside the widened assigned one, each at least
    and at most, and the size of the latter."""
    lineage = gaps.known.lineage("example.hR")
    widen = lineage.with_descendants if expand == "descendants" else lineage.with_ancestors
    said, least, most = map(widen, (gaps.assigned, gaps.labels, gaps.labels | gaps.unknown))

    def size(sets: Bools) -> Floats:
        return np.asarray(sets.sum(axis=1), dtype=np.float64)

    inside = size(least & said), size(most & said)
    return inside, (size(least & ~said), size(most & ~said)), size(said)


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
