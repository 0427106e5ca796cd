"""What groups of annotators decide, each by majority, as votes of their own.

So experts can be compared with a crowd as if each were one annotator (Nowak 2011 §6.4.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Ints
from cranfield.errors import InputError

MAJORITIES = "majorities"


def majorities(votes: Votes, groups: Mapping[str, Iterable[str]]) -> Votes:
    """One vote of each group on every question about every item that any member voted on."""
    votes = votes.latest
    columns: list[list[Ints]] = [[], [], [], []]
    for number, members in enumerate(groups.values()):
        of_group = votes.kept(np.isin(votes.annotator, _places(votes, members)))
        for place, ballot in enumerate(of_group.ballots):
            item = np.flatnonzero(ballot.asked)
            size = len(item)
            parts = (item, np.full(size, number), np.full(size, place), ballot.majority[item])
            for column, part in zip(columns, parts, strict=True):
                column.append(part)
    item, annotator, question, answer = (
        np.concatenate([*column, np.empty(0, dtype=np.int64)]) for column in columns
    )
    return Votes(
        item,
        annotator,
        question,
        answer,
        items=votes.items,
        annotators=list(groups),
        questions=votes.questions,
    )


def compared(votes: Votes, groups: Mapping[str, Iterable[str]]) -> dict[str, Votes]:
    """The votes of each group and, called "majorities", what the groups decide."""
    members = {name: tuple(people) for name, people in groups.items()}
    if MAJORITIES in members:
        raise InputError(f"a group cannot be called {MAJORITIES!r}; rename it")
    own = {name: votes.only(annotators=people) for name, people in members.items()}
    return own | {MAJORITIES: majorities(votes, members)}


def _places(votes: Votes, members: Iterable[str]) -> list[int]:
    chosen = votes.only(annotators=members).annotators  # refuses whom nobody knows
    return [votes.annotators.index(name) for name in chosen]
