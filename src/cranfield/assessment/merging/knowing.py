"""MACE (Hovy et al. 2013): an annotator either knows the answer, or spams.

On each vote annotator a knows the right answer with probability θ_a and gives it, or else answers l
with probability ξ_a(l), whatever is right. Every answer is as likely as any other beforehand.
Fitted by variational Bayes with priors Beta(½, ½) on θ and Dirichlet(½) on ξ, from several starts:
the shares of votes and, after them, random ones; the best is kept.
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
from cranfield.matrices import Floats

_PRIOR = 0.5


class _Annotators(NamedTuple):
    """How each answers: θ and the share of spam, (annotators,), and ξ, (annotators, answers)."""

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
        (_climbed(ballot, start, stopping) for start in starts), key=lambda one: one.likelihoods[-1]
    )
    belief, _ = believed(ballot, _logs(ballot, best.state))
    return fitted(ballot, belief, best)


def _climbed(ballot: Ballot, belief: Floats, stopping: Stopping) -> Climbed[_Annotators]:
    def step(state: _Annotators) -> tuple[_Annotators, float]:
        belief, likelihood = believed(ballot, _logs(ballot, state))
        known = belief[ballot.item, ballot.answer] * _knew(ballot, state)
        return _learned(ballot, known), likelihood

    return climb(_learned(ballot, belief[ballot.item, ballot.answer] * 0.5), step, stopping)


def _spam(ballot: Ballot, state: _Annotators) -> Floats:
    """(votes,): the probability of each vote as spam."""
    there = ballot.annotator
    return state.spams[there] * state.strategy[there, ballot.answer]


def _knew(ballot: Ballot, state: _Annotators) -> Floats:
    """(votes,): the probability that who gave the right answer knew it."""
    knows = state.knows[ballot.annotator]
    return np.asarray(knows / np.maximum(knows + _spam(ballot, state), 1e-300))


def _logs(ballot: Ballot, state: _Annotators) -> Floats:
    spam = _spam(ballot, state)
    if_right = log(state.knows[ballot.annotator] + spam)
    base = np.bincount(ballot.item, log(spam), minlength=ballot.items)
    gain = votes_for(ballot, if_right - log(spam))
    return np.asarray(base[:, None] + gain - np.log(ballot.question.size))


def _learned(ballot: Ballot, known: Floats) -> _Annotators:
    """How annotators answer, given the probability that each vote was known."""
    from scipy.special import digamma

    size, annotators = ballot.question.size, ballot.annotators
    know = np.bincount(ballot.annotator, known, minlength=annotators)
    place = ballot.annotator * size + ballot.answer
    spam = np.bincount(place, 1.0 - known, minlength=annotators * size).reshape(-1, size)
    spams = spam.sum(axis=1)
    all_votes = digamma(know + spams + 2 * _PRIOR)
    return _Annotators(
        np.exp(digamma(know + _PRIOR) - all_votes),
        np.exp(digamma(spams + _PRIOR) - all_votes),
        np.exp(digamma(spam + _PRIOR) - digamma(spams + size * _PRIOR)[:, None]),
    )
