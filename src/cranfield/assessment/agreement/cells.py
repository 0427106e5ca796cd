"""Yes or no on every concept of every item, and how far annotators agree on it.

The agreement of a cell is the share of annotators who say what the majority says. Two paradigms
(Nowak 2011 §6.4.1): `all` counts every cell, since not choosing a concept is a decision too;
`selected` only cells that somebody chose.

What groups of annotators decide, each by majority, as votes of their own.

So experts can be compared with a crowd as if each were one annotator (Nowak 2011 §6.4.3).

Annotators side by side: the share of cells that two of them tag alike (Nowak 2011, Table 6.2).

A cell is a concept of an item; what one of the two was not asked does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield.assessment.votes import Ballot, Votes
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints, mean_of_defined, ratio
from cranfield.errors import InputError
from cranfield.knowledge import AgreementMap, Provenance

if TYPE_CHECKING:
    import polars


Paradigm = Literal["all", "selected"]
PARADIGMS: tuple[Paradigm, ...] = get_args(Paradigm)


@dataclass(frozen=True, eq=False)
class CellCounts:
    """(items, concepts): how many said yes, how many voted, and what the majority decides."""

    yes: Ints
    voters: Ints
    decided: Bools

    @cached_property
    def agreement(self) -> Floats:
        """The share of annotators who say what the majority says; NaN where nobody voted."""
        with_majority = np.where(self.decided, self.yes, self.voters - self.yes)
        return ratio(with_majority, self.voters)

    def counted(self, paradigm: Paradigm) -> Bools:
        """Which cells count."""
        return (self.yes if paradigm == "selected" else self.voters) > 0

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
        no = self.voters - self.yes
        counted = self.counted(paradigm)
        alike = np.where(counted, self.yes * (self.yes - 1) + no * (no - 1), 0)
        pairs = np.where(counted, self.voters * (self.voters - 1), 0)
        return ratio(alike.sum(axis=1), pairs.sum(axis=1))

    def means(self) -> CellMeans:
        """What is printed of all this (Nowak 2011 §6.4.1 and Figure 6.4, §6.4.3)."""

        def both(values: Callable[[Paradigm], Floats]) -> dict[str, float]:
            return {name: float(mean_of_defined(values(name))) for name in PARADIGMS}

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
        of_each = np.repeat(voters[:, None], question.size, axis=1)
        return counts, of_each, ballot.majority[:, None] == np.arange(question.size)
    holds = question.values >= 1
    yes = counts[:, holds].sum(axis=1)
    return yes[:, None], voters[:, None], (ballot.answered & holds[ballot.majority])[:, None]


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


# ── what groups of annotators decide, each by majority, as votes of their own ─────────────────────


MAJORITIES = "majorities"


def majorities(votes: Votes, groups: Mapping[str, Iterable[str]]) -> Votes:
    """One vote of each group on every question about every item that any member voted on."""
    votes = votes.latest
    columns: list[list[Ints]] = [[], [], [], []]
    for number, members in enumerate(groups.values()):
        of_group = votes.filter(np.isin(votes.annotator, _places(votes, members)))
        for index, ballot in enumerate(of_group.ballots):
            item = np.flatnonzero(ballot.answered)
            size = len(item)
            parts = (item, np.full(size, number), np.full(size, index), ballot.majority[item])
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
        terms=votes.terms,
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


# ── annotators side by side ───────────────────────────────────────────────────────────────────────


MERGED = "Merged"


@dataclass(frozen=True, eq=False)
class PairAgreement:
    """Accuracy of every pair of annotators, and of each with the majority of all."""

    annotators: tuple[str, ...]
    pairs: Floats
    """(annotators, annotators); NaN where two share no cell."""
    merged: Floats
    """(annotators,)"""
    items: tuple[str, ...]
    by_item: Floats
    """(items,): the share of cells that two annotators of an item tag alike, mean over its pairs
    (accuracy_ex, Nowak 2011, equation 6.2); NaN where fewer than two voted."""
    by_item_selected: Floats
    """(items,): the same over those cells that somebody selected."""

    @property
    def mean(self) -> float:
        """Over all pairs, each once."""
        upper = self.pairs[np.triu_indices(len(self.annotators), 1)]
        return float(mean_of_defined(upper))

    @property
    def mean_with_merged(self) -> float:
        """Over all pairs and over those with the majority, as printed."""
        upper = self.pairs[np.triu_indices(len(self.annotators), 1)]
        return float(mean_of_defined(np.concatenate([upper, self.merged])))

    @property
    def mean_by_item(self) -> float:
        """Over items, which need not have the same annotators."""
        return float(mean_of_defined(self.by_item))

    @property
    def mean_by_item_selected(self) -> float:
        """The same over cells that somebody selected."""
        return float(mean_of_defined(self.by_item_selected))

    @property
    def frame(self) -> polars.DataFrame:
        """One row for each annotator, one column for each and for the majority."""
        import polars

        columns: dict[str, Any] = {"annotator": self.annotators}
        for number, name in enumerate(self.annotators):
            columns[name] = self.pairs[:, number]
        columns[MERGED if MERGED not in columns else f"{MERGED} (majority)"] = self.merged
        return polars.DataFrame(columns).fill_nan(None)


def pair_agreement(votes: Votes) -> PairAgreement:
    """Who agrees with whom."""
    votes = votes.latest
    everybody = majorities(votes, {MERGED: votes.annotators})
    alike, both = _shared(votes, votes)
    with_merged, asked = _shared(votes, everybody)
    pairs = ratio(alike, both)
    cells = cell_counts(votes)
    np.fill_diagonal(pairs, 1.0)
    return PairAgreement(
        votes.annotators,
        pairs,
        ratio(with_merged, asked)[:, 0],
        votes.items,
        cells.accuracy_by_item("all"),
        cells.accuracy_by_item("selected"),
    )


def _shared(first: Votes, other: Votes) -> tuple[Floats, Floats]:
    """(annotators, annotators): cells tagged alike, and cells both were asked."""
    shape = (len(first.annotators), len(other.annotators))
    alike, both = np.zeros(shape), np.zeros(shape)
    for number, question in enumerate(first.questions):
        mine, theirs = _said(first, number), _said(other, number)
        same = (mine @ theirs.T).toarray()
        cells = len(question.concepts)
        met = (_asked(first, number) @ _asked(other, number).T).toarray()
        both += cells * met
        # Different choices of a group differ in two cells: the one chosen and the other.
        alike += cells * same + (cells - 2 if question.kind == "choice" else 0) * (met - same)
    return alike, both


def _said(votes: Votes, question: int) -> Any:
    """(annotators, items × answers): who said what; a grade of 1 or more is a yes."""
    ballot = votes.ballots[question]
    size = ballot.question.size
    answer = ballot.answer
    if ballot.question.kind == "grade":
        answer = (ballot.question.values[answer] >= 1).astype(np.int64)
        size = 2
    return _sparse(ballot.annotator, ballot.item * size + answer, votes, size)


def _asked(votes: Votes, question: int) -> Any:
    ballot = votes.ballots[question]
    return _sparse(ballot.annotator, ballot.item, votes, 1)


def _sparse(annotator: Any, column: Any, votes: Votes, size: int) -> Any:
    from scipy.sparse import csr_array

    shape = (len(votes.annotators), len(votes.items) * size)
    return csr_array((np.ones(len(annotator)), (annotator, column)), shape=shape)
