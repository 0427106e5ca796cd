"""GLAD (Whitehill et al. 2009): able annotators are right on easy items.

Annotator a is right on item i with probability 1 / (1 + exp(−α_a β_i)), ability times easiness
β_i = exp(b_i), and gives every wrong answer with the same probability. α and b are drawn from
normal distributions around 1; answers have priors p. The likelihood of the votes, times that of α
and b, is maximised by L-BFGS: expectation–maximisation ends at the same place, but takes thousands
of iterations to get there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.assessment.merging.fitted import (
    Climbed,
    Fitted,
    Stopping,
    believed,
    fitted,
    log,
    votes_for,
)
from cranfield.assessment.votes import Ballot
from cranfield.core.matrices import Floats

_PRIOR_MEAN = 1.0
_MEMORY = 20
"""Steps that L-BFGS keeps in mind."""


class _Parameters(NamedTuple):
    ability: Floats
    """α of every annotator."""
    easiness: Floats
    """b of every item."""
    weights: Floats
    """Of answers: p = softmax(weights)."""


def glad(ballot: Ballot, *, stopping: Stopping) -> Fitted:
    from scipy.optimize import OptimizeResult, minimize

    likelihoods: list[float] = []

    def record(intermediate_result: OptimizeResult) -> None:
        likelihoods.append(-float(intermediate_result.fun))

    result = minimize(
        lambda flat: _loss(ballot, flat),
        _start(ballot),
        jac=True,
        method="L-BFGS-B",
        callback=record,
        options={
            "maxiter": stopping.iterations,
            # A line search takes a few evaluations at most; iterations are what is limited.
            "maxfun": 100 * stopping.iterations,
            "maxcor": _MEMORY,
            "gtol": stopping.tolerance,
            "ftol": np.finfo(np.float64).eps,
        },
    )
    belief, _ = _believed(ballot, _parameters(ballot, result.x))
    ran_out = result.nit >= stopping.iterations and not result.success
    climbed = Climbed((belief,), tuple(likelihoods), converged=not ran_out)
    return fitted(ballot, belief, climbed)


def _start(ballot: Ballot) -> Floats:
    shares = np.nan_to_num(ballot.shares).sum(axis=0) / max(np.count_nonzero(ballot.asked), 1)
    means = np.full(ballot.annotators + ballot.items, _PRIOR_MEAN)
    return np.concatenate([means, log(shares)])


def _parameters(ballot: Ballot, flat: Floats) -> _Parameters:
    ends = (ballot.annotators, ballot.annotators + ballot.items)
    return _Parameters(*np.split(flat, ends))


def _certainty(ballot: Ballot, parameters: _Parameters) -> Floats:
    """(votes,): ability times easiness."""
    easiness = np.exp(parameters.easiness)
    return np.asarray(parameters.ability[ballot.annotator] * easiness[ballot.item])


def _believed(ballot: Ballot, parameters: _Parameters) -> tuple[Floats, float]:
    sure = _certainty(ballot, parameters)
    others = max(ballot.question.size - 1, 1)
    # log σ(x) = −log(1 + exp(−x)) and log(1 − σ(x)) = −log(1 + exp(x))
    wrong = -np.logaddexp(0.0, sure) - np.log(others)
    gain = votes_for(ballot, -np.logaddexp(0.0, -sure) - wrong)
    base = np.bincount(ballot.item, wrong, minlength=ballot.items)
    return believed(ballot, base[:, None] + gain + _log_softmax(parameters.weights))


def _loss(ballot: Ballot, flat: Floats) -> tuple[float, Floats]:
    """What is minimised, and its slope: that of the likelihood given the answers, by belief."""
    parameters = _parameters(ballot, flat)
    belief, likelihood = _believed(ballot, parameters)
    sure = _certainty(ballot, parameters)
    pull = belief[ballot.item, ballot.answer] - 1.0 / (1.0 + np.exp(-np.clip(sure, -700, 700)))
    easy = np.exp(parameters.easiness)[ballot.item]
    off = [part - _PRIOR_MEAN for part in (parameters.ability, parameters.easiness)]
    slope = np.concatenate(
        [
            np.bincount(ballot.annotator, pull * easy, minlength=ballot.annotators) - off[0],
            np.bincount(ballot.item, pull * sure, minlength=ballot.items) - off[1],
            belief.sum(axis=0) - belief.sum() * np.exp(_log_softmax(parameters.weights)),
        ]
    )
    penalty = 0.5 * sum(float((part**2).sum()) for part in off)
    return penalty - likelihood, -slope


def _log_softmax(weights: Floats) -> Floats:
    return np.asarray(weights - np.logaddexp.reduce(weights))
