"""MACE (Hovy et al. 2013): an annotator either knows the answer, or spams.

On each vote annotator a knows the right answer with probability θ_a and gives it, or else answers l
with probability ξ_a(l), whatever is right. Every answer is as likely as any other beforehand.
Fitted by variational Bayes with the priors of Hovy et al., Beta(½, ½) on θ and Dirichlet(10) on ξ,
from several starts: the shares of votes and, after them, random ones; the best is kept.

The prior of ξ matters where one answer is frequent. Without it, as with maximum likelihood,
annotators who rightly give that answer most of the time pass for spammers who always do, and the
result is worse than the majority.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.assessment.merging.fitted import (
    Climbed,
    Fitted,
    Stopping,
    believed,
    climb,
    fitted,
    log,
    votes_for,
)
from cranfield.assessment.votes import Ballot
from cranfield.core.matrices import Floats

_KNOWING = 0.5
_STRATEGY = 10.0
"""Priors of θ and ξ, as counts of votes that nobody cast."""


class _State(NamedTuple):
    """Beliefs, and how annotators answer: θ and the share of spam, (annotators,), and ξ,
    (annotators, answers).
    """

    belief: Floats
    knows: Floats
    spams: Floats
    strategy: Floats


def mace(ballot: Ballot, *, restarts: int, seed: int, stopping: Stopping) -> Fitted:
    random = np.random.default_rng(seed)
    starts = [np.nan_to_num(ballot.shares)]
    while len(starts) < restarts:
        mixed = votes_for(ballot, random.random(len(ballot))) + 1e-9
        starts.append(mixed / mixed.sum(axis=1, keepdims=True))
    best = max(
        (_climbed(ballot, start, stopping) for start in starts),
        key=lambda climbed: climbed.likelihoods[-1],
    )
    return fitted(ballot, best.state.belief, best)


def _climbed(ballot: Ballot, start: Floats, stopping: Stopping) -> Climbed[_State]:
    def step(state: _State) -> tuple[_State, float]:
        belief, likelihood = believed(ballot, _logs(ballot, state))
        known = belief[ballot.item, ballot.answer] * _knew(ballot, state)
        return _learned(ballot, belief, known), likelihood

    return climb(_learned(ballot, start, start[ballot.item, ballot.answer] * 0.5), step, stopping)


def _spam(ballot: Ballot, state: _State) -> Floats:
    """(votes,): the probability of each vote as spam."""
    there = ballot.annotator
    return state.spams[there] * state.strategy[there, ballot.answer]


def _knew(ballot: Ballot, state: _State) -> Floats:
    """(votes,): the probability that who gave the right answer knew it."""
    knows = state.knows[ballot.annotator]
    return np.asarray(knows / np.maximum(knows + _spam(ballot, state), 1e-300))


def _logs(ballot: Ballot, state: _State) -> Floats:
    spam = _spam(ballot, state)
    if_right = log(state.knows[ballot.annotator] + spam)
    base = np.bincount(ballot.item, log(spam), minlength=ballot.items)
    gain = votes_for(ballot, if_right - log(spam))
    return np.asarray(base[:, None] + gain - np.log(ballot.question.size))


def _learned(ballot: Ballot, belief: Floats, known: Floats) -> _State:
    """How annotators answer, given the probability that each vote was known."""
    from scipy.special import digamma

    size, annotators = ballot.question.size, ballot.annotators
    know = np.bincount(ballot.annotator, known, minlength=annotators)
    place = ballot.annotator * size + ballot.answer
    spam = np.bincount(place, 1.0 - known, minlength=annotators * size).reshape(-1, size)
    spams = spam.sum(axis=1)
    all_votes = digamma(know + spams + 2 * _KNOWING)
    return _State(
        belief,
        np.exp(digamma(know + _KNOWING) - all_votes),
        np.exp(digamma(spams + _KNOWING) - all_votes),
        np.exp(digamma(spam + _STRATEGY) - digamma(spams + size * _STRATEGY)[:, None]),
    )
