"""Annotators: what their votes are compared with, spammers, drift, and how much they did.

A vote is compared with the answer of the others, never with that of the voter alone:

    others       the majority of everybody else; nothing where they are evenly split
    dawid_skene  what the model of Dawid & Skene 1979 decides, from everybody's votes

Where nobody else voted on a question about an item, there is nothing to hold a vote against.

Spammers: annotators whose answers do not depend on what is right.

Raykar & Yu 2012: A(c, k) is how often an annotator says k where c is right. Of a spammer all rows
of A are alike, whatever they are. The score is the distance between rows, the root of theirs,

    S² = Σ_{c < c'} Σ_k (A(c, k) − A(c', k))² / (C (C − 1)),

0 for spammers and 1 for who is always right; of a yes/no question S = |sensitivity + specificity −
1|. Who always says the opposite is no spammer. Rows known from few votes differ by chance alone;
what that adds to S² on average, Σ_c (1 − Σ_k A(c, k)²) / (n_c − 1) / C, is taken off, so that many
rare concepts do not hide a spammer. Questions are averaged, each weighed by the harmonic mean of
its n_c.

Drift: whether an annotator gets better or worse from sheet to sheet.

The agreement of a sheet with the others is regressed on the place of the sheet in the annotator's
work, by least squares; p is that of the t test of a slope of 0. Sheets of one time share a place.
Where any of an annotator's times is unknown, so is the order of the work, and nothing is said.

Work of annotators: how much each handed in, and how fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from cranfield.assessment.votes import Ballot, Votes
from cranfield.assessment.votes.questions import NOT_ASKED, decided, evenly_split
from cranfield.core.matrices import Bools, Floats, Ints, ratio
from cranfield.errors import InputError
from cranfield.statistics.significance import holm

Reference = Literal["others", "dawid_skene"]

_CELLS = 1 << 22
"""Counts that are held at a time."""


def right_answers(votes: Votes, reference: Reference = "others") -> tuple[Ints, tuple[str, ...]]:
    """(votes,): the place of the answer each is held against, −1 where there is none; and what must
    be known to trust these answers.
    """
    if reference not in get_args(Reference):
        raise InputError(
            f"reference={reference!r}",
            mend=f"choose one of {', '.join(get_args(Reference))}",
            parameter="reference",
        )
    remarks: tuple[str, ...] = ()
    if reference == "others":
        parts = [_of_others(ballot) for ballot in votes.ballots]
    else:
        consensus = votes.consensus("dawid_skene")
        remarks = consensus.remarks
        parts = [
            np.where(_alone(ballot), NOT_ASKED, fit.answer[ballot.item])
            for ballot, fit in zip(votes.ballots, consensus.fits, strict=True)
        ]
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)]), remarks


def agreement_by(groups: Ints, size: int, votes: Votes, right: Ints) -> tuple[Floats, Ints]:
    """(size,): the share of votes that say what the others say, and how many could be held
    against them; a group below 0 counts nowhere.
    """
    held = (right != NOT_ASKED) & (groups >= 0)
    alike = held & (votes.answer == right)
    count = np.bincount(groups[held], minlength=size)
    return ratio(np.bincount(groups[alike], minlength=size), count), count


def _of_others(ballot: Ballot) -> Ints:
    right = np.full(len(ballot), NOT_ASKED)
    for part, pair in _parts(ballot):
        answer = ballot.answer[part]
        left = ballot.counts[ballot.item[part]]
        left[np.arange(len(answer)), answer] -= 1
        # Who voted on an item in several batches is not one of the others in any of them.
        for apart in range(1, int(np.bincount(pair - pair[0]).max())):
            first = np.flatnonzero(pair[:-apart] == pair[apart:])
            left[first, answer[first + apart]] -= 1
            left[first + apart, answer[first]] -= 1
        said = decided(ballot.question, left)
        right[part] = np.where(evenly_split(ballot.question, left), NOT_ASKED, said)
    return right


def _parts(ballot: Ballot) -> Iterator[tuple[slice, Ints]]:
    """Slices of votes, none of which parts an annotator's votes on an item, which get a number."""
    pair = _pairs(ballot)
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    requested = np.arange(0, len(ballot), max(1, _CELLS // ballot.question.size))
    edges = [*np.unique(starts[np.searchsorted(starts, requested, "right") - 1]), len(ballot)]
    for start, stop in pairwise(edges):
        yield slice(start, stop), pair[start:stop]


def _pairs(ballot: Ballot) -> Ints:
    """The annotator and item of each vote, numbered in their order."""
    codes = ballot.item * max(ballot.annotators, 1) + ballot.annotator
    return np.cumsum(np.diff(codes, prepend=codes[:1]) != 0)


def _alone(ballot: Ballot) -> Bools:
    """(votes,): where nobody else voted on the item."""
    pair = _pairs(ballot)
    first = np.flatnonzero(np.diff(pair, prepend=-1))
    annotators = np.bincount(ballot.item[first], minlength=ballot.items)
    alone: Bools = annotators[ballot.item] < 2
    return alone


# ── spammers ──────────────────────────────────────────────────────────────────────────────────────


def spammer_scores(votes: Votes, right: Ints) -> Floats:
    """(annotators,): 0 for spammers, up to 1; NaN where no question tells.

    A question tells where two answers are right twice at least on what the annotator voted on.
    """
    size = len(votes.annotators)
    squares, weights = np.zeros(size), np.zeros(size)
    edges = np.searchsorted(votes.question, np.arange(len(votes.questions) + 1))
    for question, start, stop in zip(votes.questions, edges[:-1], edges[1:], strict=True):
        held = start + np.flatnonzero(right[start:stop] != NOT_ASKED)
        held = held[np.argsort(votes.annotator[held], kind="stable")]
        step = max(1, _CELLS // question.size**2)
        for first in range(0, size, step):
            block = range(first, min(first + step, size))
            low, high = np.searchsorted(votes.annotator[held], (block.start, block.stop))
            some = held[low:high]
            cells = (votes.annotator[some] - first) * question.size + right[some]
            counts = np.bincount(
                cells * question.size + votes.answer[some],
                minlength=len(block) * question.size**2,
            ).reshape(len(block), question.size, question.size)
            square, weight = squared_distance(counts)
            squares[block.start : block.stop] += np.where(weight > 0, weight * square, 0.0)
            weights[block.start : block.stop] += weight
    # Rounded, so that the order of questions, in which sums are taken, changes nothing.
    return np.sqrt(np.maximum(np.round(ratio(squares, weights), 12), 0.0))


def squared_distance(counts: Ints) -> tuple[Floats, Floats]:
    """(n,): S² of confusion matrices (n, right, said) of counts, and its weight; NaN and 0 where
    fewer than two rows have two votes.
    """
    votes = counts.sum(axis=2)
    known = votes > 1
    rows = known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(known[:, :, None], counts / votes[:, :, None], 0.0)
        own = (shares**2).sum(axis=2)
        chance = np.where(known, (1.0 - own) / (votes - 1), 0.0).sum(axis=1)
        apart = rows * own.sum(axis=1) - (shares.sum(axis=1) ** 2).sum(axis=1)
        square = (apart - (rows - 1) * chance) / (rows * (rows - 1))
        weight = rows / np.where(known, 1.0 / votes, 0.0).sum(axis=1)
    enough = rows > 1
    return np.where(enough, square, np.nan), np.where(enough, weight, 0.0)


# ── drift ─────────────────────────────────────────────────────────────────────────────────────────


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


def _regressed(position: Floats, agreed: Floats) -> tuple[float, float]:
    """The slope, and the p of none."""
    from scipy.special import stdtr

    size = len(position)
    apart = position - position.mean() if size else position
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


def _halves(position: Floats, agreed: Floats) -> tuple[float, float]:
    middle = (len(position) - 1) / 2
    halves = agreed[position < middle], agreed[position > middle]
    early, late = (float(half.mean()) if len(half) else np.nan for half in halves)
    return early, late


# ── work of annotators ────────────────────────────────────────────────────────────────────────────


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
