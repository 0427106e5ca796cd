"""What a vote is held against: the answer of the others, never that of the voter alone.

    others       the majority of everybody else; nothing where they are evenly split
    dawid_skene  what the model of Dawid & Skene 1979 decides, from everybody's votes

Where nobody else voted on a question about an item, there is nothing to hold a vote against.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from cranfield.assessment.votes import Ballot, Votes
from cranfield.assessment.votes.ballots import NOT_ASKED, decided, evenly_split
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import InputError
from cranfield.measures.declare import ratio

Reference = Literal["others", "dawid_skene"]

_CELLS = 1 << 22
"""Counts that are held at a time."""


def right_answers(votes: Votes, reference: Reference = "others") -> tuple[Ints, tuple[str, ...]]:
    """(votes,): the place of the answer each is held against, −1 where there is none; and what must
    be known to trust these answers.
    """
    if reference not in get_args(Reference):
        raise InputError(f"reference={reference!r}; choose one of {', '.join(get_args(Reference))}")
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
    wanted = np.arange(0, len(ballot), max(1, _CELLS // ballot.question.size))
    edges = [*np.unique(starts[np.searchsorted(starts, wanted, "right") - 1]), len(ballot)]
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
