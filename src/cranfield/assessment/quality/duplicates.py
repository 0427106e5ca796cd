"""The same hand twice: annotators who saw an item in several batches, and several who are one.

Who annotates an item again should say the same again. Two ids may be one person, or one may have
copied from the other: then both depart from the majority together, item by item. That people are
right together says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Bools, Ints


@dataclass(frozen=True)
class Repeated:
    """An annotator who voted on items in several batches.

    items  how many were annotated more than once
    votes  how many answers were asked again
    same   how many of them were the same as in the batch before
    """

    annotator: str
    items: int
    votes: int
    same: int


@dataclass(frozen=True)
class Twins:
    """Two annotators who depart from the majority together.

    departures  votes of either, on what both voted on, that are not the majority's
    shared      departures to the same answer
    """

    one: str
    other: str
    departures: int
    shared: int


def repeated(votes: Votes) -> tuple[Repeated, ...]:
    """Annotators with items seen twice, most of them first."""
    seen = (votes.annotator * len(votes.items) + votes.item) * len(votes.questions) + votes.question
    order = np.argsort(seen, kind="stable")  # of each, batches stay in their order
    again = np.flatnonzero(np.diff(seen[order]) == 0)
    before, after = order[again], order[again + 1]
    if not len(after):
        return ()
    who = votes.annotator[after]
    same = votes.answer[before] == votes.answer[after]
    pairs = np.unique(who * len(votes.items) + votes.item[after])
    items = np.bincount(pairs // len(votes.items), minlength=len(votes.annotators))
    cells = np.bincount(who, minlength=len(votes.annotators))
    alike = np.bincount(who[same], minlength=len(votes.annotators))
    repeats = [
        Repeated(
            votes.annotators[annotator],
            int(items[annotator]),
            int(cells[annotator]),
            int(alike[annotator]),
        )
        for annotator in np.flatnonzero(items).tolist()
    ]
    return tuple(sorted(repeats, key=lambda repeat: (-repeat.items, repeat.annotator)))


def twins(votes: Votes, *, least: int = 10, alike: float = 0.9) -> tuple[Twins, ...]:
    """Pairs of annotators with so many departures, of which they share this share at least."""
    cells = votes.item * len(votes.questions) + votes.question
    majority = [ballot.majority[ballot.item] for ballot in votes.ballots]
    tied = [ballot.tied[ballot.item] for ballot in votes.ballots]
    clear = ~np.concatenate(tied)
    departs = clear & (votes.answer != np.concatenate(majority))
    widest = max(question.size for question in votes.questions)
    places = len(votes.items) * len(votes.questions)
    answers = _table(votes, departs, cells * widest + votes.answer, places * widest)
    together = (answers @ answers.T).tocoo()
    enough = (together.row < together.col) & (together.data >= max(1.0, least * alike))
    one, other = together.row[enough], together.col[enough]
    shared = together.data[enough].astype(np.int64)
    departures = _departures(votes, cells, departs, clear, one, other)
    names = [
        sorted((votes.annotators[a], votes.annotators[b])) for a, b in zip(one, other, strict=True)
    ]
    pairs = [
        Twins(first, second, int(all_), int(both))
        for (first, second), all_, both in zip(names, departures, shared, strict=True)
        if all_ >= least and both >= alike * all_
    ]
    return tuple(sorted(pairs, key=lambda two: (-two.shared, two.one, two.other)))


def _departures(
    votes: Votes, cells: Ints, departs: Bools, clear: Bools, one: Ints, other: Ints
) -> Ints:
    """Of each pair: cells that both voted on and in which one of them departs, or both do."""
    places = len(votes.items) * len(votes.questions)
    asked = _table(votes, clear, cells, places)
    departed = _table(votes, departs, cells, places)
    ones, others = (
        departed[a].multiply(asked[b]).sum(axis=1) for a, b in ((one, other), (other, one))
    )
    both = departed[one].multiply(departed[other]).sum(axis=1)
    return np.asarray(ones + others - both, dtype=np.int64).ravel()


def _table(votes: Votes, some: Bools, columns: Ints, width: int) -> Any:
    """(annotators, width): 1 where one of some votes stands."""
    from scipy.sparse import csr_array

    where = np.flatnonzero(some)
    shape = (len(votes.annotators), width)
    table = csr_array((np.ones(len(where)), (votes.annotator[where], columns[where])), shape=shape)
    table.sum_duplicates()
    table.data[:] = 1.0  # said in two batches is said
    return table
