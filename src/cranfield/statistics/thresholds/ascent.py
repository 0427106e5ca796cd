"""Thresholds of concepts by an average over items, which no concept can settle alone.

One concept after the other gets the threshold that is best while those of all others stay: what an
item gains by one more label is known from its counts, and is added up from the highest score of the
concept to the lowest. No step makes the average worse; after a few rounds it hardly gets better.
The end may be a local optimum.
"""

from __future__ import annotations

import numpy as np

from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.matrices import Floats, Ints, Scores
from cranfield.measures import Measure
from cranfield.statistics.thresholds.steps import above, first_best

_ROUNDS = 5


def ascended(comparison: Comparison, measure: Measure, start: Floats) -> Floats:
    """(C,): thresholds by which an example-based measure of counts is at least as good as at the
    start."""
    listed = comparison.listed("concept")
    relevant: Ints = comparison.told("concept", "matrix").astype(np.int64)
    positives, negatives = comparison.totals("example")
    better = 1.0 if measure.traits.higher_is_better else -1.0
    thresholds = start.astype(np.float64).copy()
    assigned = listed.scores >= thresholds[listed.owner]
    right, wrong = (
        np.bincount(listed.places[assigned & (relevant == hit)], minlength=len(positives))
        for hit in (1, 0)
    )

    def values(items: Ints, tp: Ints, fp: Ints) -> Floats:
        found = measure.of_counts(Counts(tp, fp, positives[items] - tp, negatives[items] - fp))
        assert found is not None
        return np.nan_to_num(found)

    for _ in range(_ROUNDS):
        before = thresholds.copy()
        for concept in range(len(thresholds)):
            own = slice(*listed.offsets[concept : concept + 2])
            items, hit, scores = listed.places[own], relevant[own], listed.scores[own]
            said = scores >= thresholds[concept]
            right[items] -= said & (hit == 1)
            wrong[items] -= said & (hit == 0)
            without = values(items, right[items], wrong[items])
            gains = values(items, right[items] + hit, wrong[items] + 1 - hit) - without
            thresholds[concept] = _best_cut(scores, better * gains)
            said = scores >= thresholds[concept]
            right[items] += said & (hit == 1)
            wrong[items] += said & (hit == 0)
        if (before == thresholds).all():
            break
    return thresholds


def _best_cut(scores: Scores, gains: Floats) -> float:
    """The threshold above which gains sum up to most; of equals the highest."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(order) else order
    sums = np.append(0.0, np.cumsum(gains[order])[ends])
    place = first_best(-sums)
    return float(ordered[ends[place - 1]]) if place else above(ordered)
