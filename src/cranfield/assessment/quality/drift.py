"""Drift: whether an annotator gets better or worse from sheet to sheet.

The agreement of a sheet with the others is regressed on the place of the sheet in the annotator's
work, by least squares; p is that of the t test of a slope of 0. Sheets of one time share a place.
Where any of an annotator's times is unknown, so is the order of the work, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.assessment.quality.others import agreement_by
from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Floats, Ints
from cranfield.statistics.significance import holm


@dataclass(frozen=True, eq=False)
class Drift:
    """(annotators,) of everything; NaN where it is undefined.

    sheets         how many could be held against the others
    slope          what agreement gains from one sheet to the next
    p              of no slope; three sheets at least
    first, second  mean agreement in the first and the second half of the work, a sheet in the
                   middle left out
    """

    sheets: Ints
    slope: Floats
    p: Floats
    first: Floats
    second: Floats

    def drifting(self, level: float = 0.05) -> Ints:
        """Annotators with a slope that chance does not explain, corrected by Holm over all."""
        return np.flatnonzero(holm(self.p) < level)


def drift_of(votes: Votes, right: Ints) -> Drift:
    """The drift of every annotator, from the answers that votes are held against."""
    size = len(votes.annotators)
    sheets = np.zeros(size, dtype=np.int64)
    slope, p, first, second = (np.full(size, np.nan) for _ in range(4))
    for who, agreed in _in_order(votes, right):
        sheets[who] = len(agreed)
        slope[who], p[who] = _regressed(*agreed.T)
        first[who], second[who] = _halves(*agreed.T)
    return Drift(sheets, slope, p, first, second)


def _in_order(votes: Votes, right: Ints) -> Iterator[tuple[int, Floats]]:
    """Annotators whose times are known, with (sheets, 2): place in the work, and agreement."""
    sheets = votes.sheets
    agreed, _ = agreement_by(votes.sheet, len(sheets), votes, right)
    order = np.lexsort((sheets.submitted, sheets.annotator))
    who, first = np.unique(sheets.annotator[order], return_index=True)
    for one, mine in zip(who.tolist(), np.split(order, first[1:]), strict=True):
        times = sheets.submitted[mine]
        if not np.isnat(times).any():
            held = ~np.isnan(agreed[mine])
            yield one, np.stack([_ranks(times[held]), agreed[mine][held]], axis=1)


def _ranks(ascending: np.ndarray[tuple[int], np.dtype[np.datetime64]]) -> Floats:
    """Places from 0; those of one time share the mean of theirs."""
    _, group, count = np.unique(ascending, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count + 1) / 2)[group], dtype=np.float64)


def _regressed(place: Floats, agreed: Floats) -> tuple[float, float]:
    """The slope, and the p of none."""
    from scipy.special import stdtr

    size = len(place)
    apart = place - place.mean() if size else place
    spread = float(apart @ apart)
    if spread == 0.0:
        return np.nan, np.nan
    slope = float(apart @ agreed) / spread
    if size < 3:
        return slope, np.nan
    left = agreed - agreed.mean() - slope * apart
    error = float(np.sqrt(left @ left / (size - 2) / spread))
    if error < 1e-12:
        return slope, 1.0 if abs(slope) < 1e-12 else 0.0
    return slope, float(2.0 * stdtr(size - 2, -abs(slope) / error))


def _halves(place: Floats, agreed: Floats) -> tuple[float, float]:
    middle = (len(place) - 1) / 2
    halves = agreed[place < middle], agreed[place > middle]
    early, late = (float(half.mean()) if len(half) else np.nan for half in halves)
    return early, late
