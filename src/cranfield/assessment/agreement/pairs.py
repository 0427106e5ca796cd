"""Annotators side by side: the share of cells that two of them tag alike (Nowak 2011, Table 6.2).

A cell is a concept of an item; what one of the two was not asked does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.assessment.agreement.cells import cell_counts
from cranfield.assessment.agreement.majorities import majorities
from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Floats
from cranfield.measures.declare import mean_of_known, ratio

if TYPE_CHECKING:
    import polars

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
        return float(mean_of_known(upper))

    @property
    def mean_with_merged(self) -> float:
        """Over all pairs and over those with the majority, as printed."""
        upper = self.pairs[np.triu_indices(len(self.annotators), 1)]
        return float(mean_of_known(np.concatenate([upper, self.merged])))

    @property
    def mean_by_item(self) -> float:
        """Over items, which need not have the same annotators."""
        return float(mean_of_known(self.by_item))

    @property
    def mean_by_item_selected(self) -> float:
        """The same over cells that somebody selected."""
        return float(mean_of_known(self.by_item_selected))

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


def _shared(one: Votes, other: Votes) -> tuple[Floats, Floats]:
    """(annotators, annotators): cells tagged alike, and cells both were asked."""
    shape = (len(one.annotators), len(other.annotators))
    alike, both = np.zeros(shape), np.zeros(shape)
    for number, question in enumerate(one.questions):
        mine, theirs = _said(one, number), _said(other, number)
        same = (mine @ theirs.T).toarray()
        cells = len(question.concepts)
        met = (_asked(one, number) @ _asked(other, number).T).toarray()
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
