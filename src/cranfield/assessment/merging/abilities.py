"""GLAD (Whitehill et al. 2009): able annotators are right on easy items.

Annotator a is right on item i with probability 1 / (1 + exp(−α_a β_i)), ability times easiness
β_i = exp(b_i), and gives every wrong answer with the same probability. α and b are drawn from
normal distributions around 1. Expectation–maximisation; each maximisation is a few steps of L-BFGS.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.assessment.merging.fitted import (
    Fitted,
    Stopping,
    believed,
    climb,
    fitted,
    log_priors,
    votes_for,
)
from cranfield.assessment.votes import Ballot
from cranfield.matrices import Floats

_STEPS = 10
"""Of L-BFGS in each maximisation."""
_PRIOR_MEAN = 1.0


class _State(NamedTuple):
    belief: Floats
    parameters: Floats
    """α of every annotator, then b of every item."""


def glad(ballot: Ballot, *, stopping: Stopping) -> Fitted:
    def step(state: _State) -> tuple[_State, float]:
        parameters = _maximised(ballot, state)
        sure = _certainty(ballot, parameters)
        others = max(ballot.question.size - 1, 1)
        # log σ(x) = −log(1 + exp(−x)) and log(1 − σ(x)) = −log(1 + exp(x))
        wrong = -np.logaddexp(0.0, sure) - np.log(others)
        gain = votes_for(ballot, -np.logaddexp(0.0, -sure) - wrong)
        base = np.bincount(ballot.item, wrong, minlength=ballot.items)
        logs = base[:, None] + gain + log_priors(ballot, state.belief)
        belief, likelihood = believed(ballot, logs)
        return _State(belief, parameters), likelihood + _log_prior(parameters)

    start = np.full(ballot.annotators + ballot.items, _PRIOR_MEAN)
    climbed = climb(_State(np.nan_to_num(ballot.shares), start), step, stopping)
    return fitted(ballot, climbed.state.belief, climbed)


def _certainty(ballot: Ballot, parameters: Floats) -> Floats:
    """(votes,): ability times easiness."""
    ability, easiness = np.split(parameters, [ballot.annotators])
    return np.asarray(ability[ballot.annotator] * np.exp(easiness)[ballot.item])


def _maximised(ballot: Ballot, state: _State) -> Floats:
    from scipy.optimize import minimize

    right = state.belief[ballot.item, ballot.answer]

    def loss(parameters: Floats) -> tuple[float, Floats]:
        sure = _certainty(ballot, parameters)
        fit = -(right * np.logaddexp(0.0, -sure) + (1.0 - right) * np.logaddexp(0.0, sure)).sum()
        pull = right - 1.0 / (1.0 + np.exp(-np.clip(sure, -700, 700)))
        easy = np.exp(parameters[ballot.annotators :])[ballot.item]
        slope = np.concatenate(
            [
                np.bincount(ballot.annotator, pull * easy, minlength=ballot.annotators),
                np.bincount(ballot.item, pull * sure, minlength=ballot.items),
            ]
        )
        return -(fit + _log_prior(parameters)), -(slope - (parameters - _PRIOR_MEAN))

    found = minimize(
        loss, state.parameters, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}
    )
    return np.asarray(found.x)


def _log_prior(parameters: Floats) -> float:
    return float(-0.5 * ((parameters - _PRIOR_MEAN) ** 2).sum())
