"""Yes or no on every concept of every item, and how far annotators agree on it.

The agreement of a cell is the share of annotators who say what the majority says. Two paradigms
(Nowak 2011 §6.4.1): `all` counts every cell, since not choosing a concept is a decision too;
`selected` only cells that somebody chose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from cranfield.assessment.votes import Ballot, Votes
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.knowledge import AgreementMap, Provenance
from cranfield.measures.declare import mean_of_known, ratio

Paradigm = Literal["all", "selected"]
PARADIGMS: tuple[Paradigm, ...] = get_args(Paradigm)


@dataclass(frozen=True, eq=False)
class CellCounts:
    """(items, concepts): how many said yes, how many were asked, and what the majority decides."""

    yes: Ints
    asked: Ints
    decided: Bools

    @cached_property
    def agreement(self) -> Floats:
        """The share of annotators who say what the majority says; NaN where nobody was asked."""
        with_majority = np.where(self.decided, self.yes, self.asked - self.yes)
        return ratio(with_majority, self.asked)

    def counted(self, paradigm: Paradigm) -> Bools:
        """Which cells count."""
        return (self.yes if paradigm == "selected" else self.asked) > 0

    def by_concept(self, paradigm: Paradigm) -> Floats:
        """The mean over items; NaN where no cell counts."""
        return _mean(self.agreement, self.counted(paradigm), axis=0)

    def by_item(self, paradigm: Paradigm) -> Floats:
        """The mean over concepts; NaN where no cell counts."""
        return _mean(self.agreement, self.counted(paradigm), axis=1)

    def accuracy_by_item(self, paradigm: Paradigm = "all") -> Floats:
        """accuracy_ex: over all pairs of annotators of an item, the share of cells tagged alike
        (Nowak 2011, equation 6.2); NaN where fewer than two voted.

        The "labels in X" that it divides by can be read as all cells, or as those that somebody
        selected; on the latter nobody agrees by leaving out what is not there.
        """
        no = self.asked - self.yes
        counted = self.counted(paradigm)
        alike = np.where(counted, self.yes * (self.yes - 1) + no * (no - 1), 0)
        pairs = np.where(counted, self.asked * (self.asked - 1), 0)
        return ratio(alike.sum(axis=1), pairs.sum(axis=1))

    def means(self) -> CellMeans:
        """What is printed of all this (Nowak 2011 §6.4.1 and Figure 6.4, §6.4.3)."""

        def both(values: Callable[[Paradigm], Floats]) -> dict[str, float]:
            return {name: float(mean_of_known(values(name))) for name in PARADIGMS}

        return CellMeans(
            both(self.by_concept),
            both(self.by_item),
            both(self.accuracy_by_item),
            int((~self.counted("selected").any(axis=0)).sum()),
        )


class CellMeans(NamedTuple):
    """Means over concepts or items, by paradigm; those of which no cell counts are left out."""

    by_concept: dict[str, float]
    """The share of annotators who say what the majority says."""
    by_item: dict[str, float]
    """The same by item."""
    accuracy_ex: dict[str, float]
    """The share of cells that two annotators of an item tag alike."""
    never_selected: int
    """Concepts that nobody chose for any item."""


def cell_counts(votes: Votes) -> CellCounts:
    """The cells of all concepts; a grade of 1 or more is a yes."""
    parts = [_of_question(ballot) for ballot in votes.latest.ballots]
    return CellCounts(*(np.concatenate(side, axis=1) for side in zip(*parts, strict=True)))


def _of_question(ballot: Ballot) -> tuple[Ints, Ints, Bools]:
    counts, voters, question = ballot.counts, ballot.voters, ballot.question
    if question.kind == "choice":
        asked = np.repeat(voters[:, None], question.size, axis=1)
        return counts, asked, ballot.majority[:, None] == np.arange(question.size)
    holds = question.values >= 1
    yes = counts[:, holds].sum(axis=1)
    return yes[:, None], voters[:, None], (ballot.asked & holds[ballot.majority])[:, None]


def agreement_map(votes: Votes, paradigm: Paradigm = "all") -> AgreementMap:
    """How far annotators agree on each concept; 1 where no cell counts, which provenance counts."""
    values = cell_counts(votes).by_concept(paradigm)
    empty = np.isnan(values)
    counts = {"items": len(votes.items), "annotators": len(votes.annotators)}
    if empty.any():
        counts["concepts nobody chose"] = int(empty.sum())
    return AgreementMap(
        np.where(empty, 1.0, values),
        votes.concepts,
        provenance=Provenance(f"votes, {paradigm} cells", counts=counts),
    )


def _mean(values: Floats, counted: Bools, axis: int) -> Floats:
    return ratio(np.where(counted, values, 0.0).sum(axis=axis), counted.sum(axis=axis))
