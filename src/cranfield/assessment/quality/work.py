"""Work of annotators: how much each handed in, and how fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Floats, Ints
from cranfield.measures.declare import ratio


@dataclass(frozen=True, eq=False)
class Work:
    """(annotators,) of everything; NaN where no time is known.

    sheets, votes   how many
    seconds         the median time of a sheet
    hours           all known times together
    per_hour        sheets in an hour, of those whose time is known
    """

    sheets: Ints
    votes: Ints
    seconds: Floats
    hours: Floats
    per_hour: Floats


def work_of(votes: Votes) -> Work:
    """Who did how much."""
    size, sheets = len(votes.annotators), votes.sheets
    known = ~np.isnan(sheets.seconds)
    timed = np.bincount(sheets.annotator[known], minlength=size)
    total = np.bincount(sheets.annotator[known], sheets.seconds[known], minlength=size) / 3600.0
    hours = np.where(timed > 0, total, np.nan)
    return Work(
        sheets=np.bincount(sheets.annotator, minlength=size),
        votes=np.bincount(votes.annotator, minlength=size),
        seconds=_medians(sheets.annotator[known], sheets.seconds[known], size),
        hours=hours,
        per_hour=ratio(timed, total),
    )


def _medians(group: Ints, values: Floats, size: int) -> Floats:
    """(size,): the median of each group, NaN where it is empty."""
    ordered = values[np.lexsort((values, group))]
    count = np.bincount(group, minlength=size)
    first = np.cumsum(count) - count
    medians = np.full(size, np.nan)
    there = np.flatnonzero(count)
    low = ordered[(first + (count - 1) // 2)[there]]
    high = ordered[(first + count // 2)[there]]
    medians[there] = (low + high) / 2.0
    return medians
