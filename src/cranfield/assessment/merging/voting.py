"""Voting: every annotator counts the same, or as much as is known of them.

majority           the share of votes; an even split is a no, or the smallest label of a choice
weighted_majority  votes weigh what is given for each annotator or, if nothing is, the share of
                   their votes that is with the majority
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.assessment.merging.fitted import Fitted, fitted, votes_for
from cranfield.assessment.votes import Ballot
from cranfield.core.matrices import Floats


def majority(ballot: Ballot) -> Fitted:
    return replace(fitted(ballot, np.nan_to_num(ballot.shares)), answer=ballot.majority)


def weighted_majority(ballot: Ballot, *, weights: Floats | None = None) -> Fitted:
    """weights: (annotators,), none negative."""
    if weights is None:
        weights = with_majority(ballot)
    cells = votes_for(ballot, weights[ballot.annotator])
    total = cells.sum(axis=1, keepdims=True)
    # Where nobody who voted has any weight, all have the same.
    belief = np.where(total > 0, cells / np.where(total > 0, total, 1.0), ballot.shares)
    return fitted(ballot, np.nan_to_num(belief))


def with_majority(ballot: Ballot) -> Floats:
    """(annotators,): the share of votes that is with the majority; 0 for who cast none."""
    right = ballot.answer == ballot.majority[ballot.item]
    count = np.bincount(ballot.annotator[right], minlength=ballot.annotators)
    return np.asarray(count / np.maximum(ballot.work, 1))
