"""What every method of merging finds for a question, and how iterations stop.

Voting: every annotator counts the same, or as much as is known of them.

majority           the share of votes; an even split is a no, or the smallest label of a choice
weighted_majority  votes weigh what is given for each annotator or, if nothing is, the share of
                   their votes that is with the majority
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Generic, TypeVar

import numpy as np

from cranfield.assessment.votes import Ballot
from cranfield.core.matrices import Floats, Ints

_State = TypeVar("_State", bound=Sequence[Floats])


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is believed about the answer to a question.

    belief       (items, answers): the probability, or weight, of each; NaN where nobody voted
    answer       (items,): what is decided; −1 where nobody voted
    reliability  (annotators,): the share of their votes that is believed right; NaN: no votes
    likelihoods  the log-likelihood after each iteration; none for methods without a model
    converged    whether beliefs and parameters stood still in the end
    """

    belief: Floats
    answer: Ints
    reliability: Floats
    likelihoods: tuple[float, ...] = ()
    converged: bool = True

    def moved(self, items: Ints, annotators: Ints) -> Fitted:
        """The same for items and annotators in another order: where each stood."""
        return replace(
            self,
            belief=self.belief[items],
            answer=self.answer[items],
            reliability=self.reliability[annotators],
        )


@dataclass(frozen=True)
class Stopping:
    """When to stop: no belief and no parameter changes by more than the tolerance, or after so many
    iterations. The log-likelihood would not do: it hardly grows long before answers stand still.
    """

    tolerance: float = 1e-6
    iterations: int = 10_000


@dataclass(frozen=True)
class Climbed(Generic[_State]):
    """Where iterations ended, and the log-likelihood on the way."""

    state: _State
    likelihoods: tuple[float, ...]
    converged: bool


def climb(
    state: _State, step: Callable[[_State], tuple[_State, float]], stopping: Stopping
) -> Climbed[_State]:
    """Repeat a step, which returns a new state and a log-likelihood, until the state stands still.

    state  beliefs and whatever parameters may change although beliefs do not
    """
    likelihoods: list[float] = []
    for _ in range(stopping.iterations):
        before = state
        state, likelihood = step(before)
        likelihoods.append(likelihood)
        if _change(before, state) <= stopping.tolerance:
            return Climbed(state, tuple(likelihoods), converged=True)
    return Climbed(state, tuple(likelihoods), converged=False)


def _change(before: Sequence[Floats], after: Sequence[Floats]) -> float:
    parts = zip(before, after, strict=True)
    return max(float(np.abs(new - old).max(initial=0.0)) for old, new in parts)


def fitted(ballot: Ballot, belief: Floats, climbed: Climbed[_State] | None = None) -> Fitted:
    """What follows from beliefs (items, answers), 0 where nobody voted."""
    top = reduce(np.maximum, belief.T)[:, None]
    # Beliefs that differ by a rounding are equal: no order of sums may decide.
    answer = (belief >= top - 1e-9).argmax(axis=1)
    with np.errstate(invalid="ignore"):
        reliability = right(ballot, belief) / ballot.work
    return Fitted(
        np.where(ballot.asked[:, None], belief, np.nan),
        np.where(ballot.asked, answer, -1),
        reliability,
        *(() if climbed is None else (climbed.likelihoods, climbed.converged)),
    )


def right(ballot: Ballot, belief: Floats) -> Floats:
    """(annotators,): how many of their votes are believed to be right."""
    said = belief[ballot.item, ballot.answer]
    return np.asarray(np.bincount(ballot.annotator, said, minlength=ballot.annotators), np.float64)


def votes_for(ballot: Ballot, weight: Floats) -> Floats:
    """(items, answers): the sum of the weights of the votes for each."""
    size = ballot.question.size
    place = ballot.item * size + ballot.answer
    cells = np.bincount(place, weight, minlength=ballot.items * size)
    return np.asarray(cells.reshape(-1, size), dtype=np.float64)


def believed(ballot: Ballot, logs: Floats) -> tuple[Floats, float]:
    """Beliefs from log-probabilities (items, answers), 0 where nobody voted; log-likelihood."""
    # Answers are few and items many, so whole columns are much faster than rows.
    top = reduce(np.maximum, logs.T)[:, None]
    weights = np.exp(logs - top)
    sums = reduce(np.add, weights.T)[:, None]
    likelihood = (top + np.log(sums))[ballot.asked].sum()
    return np.where(ballot.asked[:, None], weights / sums, 0.0), float(likelihood)


def log_priors(ballot: Ballot, belief: Floats) -> Floats:
    """(answers,): how often each is believed to be right."""
    return log(np.einsum("ij->j", belief) / max(np.count_nonzero(ballot.asked), 1))


def log(values: Floats) -> Floats:
    """The logarithm; that of 0 is very small."""
    return np.asarray(np.log(np.maximum(values, 1e-300)))


# ── voting ────────────────────────────────────────────────────────────────────────────────────────


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
