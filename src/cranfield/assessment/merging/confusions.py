"""Models of who takes which answer for which other, fitted by expectation–maximisation.

Dawid & Skene 1979: the answer j of an item is drawn from priors p_j, and annotator a then says l
with probability π_a(j, l). One coin: an annotator is right with one probability whatever j is, and
every wrong answer is as likely as any other. Both start from the shares of votes. `smoothing` is
added to every count of votes, so that nothing is impossible only because it was not seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cranfield.assessment.merging.fitted import (
    Fitted,
    Stopping,
    believed,
    climb,
    fitted,
    log,
    log_priors,
    right,
    votes_for,
)
from cranfield.assessment.votes import Ballot
from cranfield.core.matrices import Floats


class _State(NamedTuple):
    belief: Floats
    confusions: Floats
    """[a, l, j]: how likely annotator a says l where j is right."""


def dawid_skene(ballot: Ballot, *, smoothing: float, stopping: Stopping) -> Fitted:
    size, annotators = ballot.question.size, ballot.annotators
    said = _said(ballot)
    heard = said.T.tocsr()

    def state_of(belief: Floats) -> _State:
        counts = (said @ belief).reshape(annotators, size, size) + smoothing
        return _State(belief, np.exp(log(counts) - log(counts.sum(axis=1, keepdims=True))))

    def step(state: _State) -> tuple[_State, float]:
        logs = heard @ log(state.confusions).reshape(annotators * size, size)
        belief, likelihood = believed(ballot, logs + log_priors(ballot, state.belief))
        return state_of(belief), likelihood

    climbed = climb(state_of(np.nan_to_num(ballot.shares)), step, stopping)
    return fitted(ballot, climbed.state.belief, climbed)


def one_coin(ballot: Ballot, *, smoothing: float, stopping: Stopping) -> Fitted:
    others = max(ballot.question.size - 1, 1)

    # Shares of right answers are means of beliefs and stand still with them.
    def step(state: tuple[Floats]) -> tuple[tuple[Floats], float]:
        (belief,) = state
        share = (right(ballot, belief) + smoothing) / (ballot.work + (1 + others) * smoothing)
        wrong = log((1.0 - share) / others)
        # All votes as if wrong, and what each answer gains by those that name it.
        base = np.bincount(ballot.item, wrong[ballot.annotator], minlength=ballot.items)
        gain = votes_for(ballot, (log(share) - wrong)[ballot.annotator])
        logs = base[:, None] + gain + log_priors(ballot, belief)
        belief, likelihood = believed(ballot, logs)
        return (belief,), likelihood

    climbed = climb((np.nan_to_num(ballot.shares),), step, stopping)
    return fitted(ballot, climbed.state[0], climbed)


def _said(ballot: Ballot) -> Any:
    """(annotators × answers, items): 1 where an annotator gave an answer on an item."""
    from scipy.sparse import csr_array

    size = ballot.question.size
    rows = ballot.annotator * size + ballot.answer
    shape = (ballot.annotators * size, ballot.items)
    return csr_array((np.ones(len(ballot)), (rows, ballot.item)), shape=shape)
