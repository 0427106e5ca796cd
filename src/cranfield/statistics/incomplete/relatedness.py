"""Valid spans of SR-Precision.

With k true labels, the k concepts of the highest confidence are assigned to them. How well each of
them, and each true label, can be matched at most bounds the best assignment from above; the best
assignment to the labels that are known, or exact pairs and the worst match of every other concept,
bound it from below. Where no unknown cell is true, the score itself is known.
"""

from __future__ import annotations

import numpy as np

from cranfield import kernels
from cranfield.core.matrices import Bools, Floats
from cranfield.kernels import Words
from cranfield.kernels.label_sets import unpack
from cranfield.measures import Measure
from cranfield.statistics.incomplete.gaps import Gaps
from cranfield.statistics.incomplete.spans import Spans


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
            found = np.where(sets, row, np.inf).min(axis=1, initial=np.inf)
            out[:, concept] = np.where(np.isfinite(found), found, 0.0)
    return out
