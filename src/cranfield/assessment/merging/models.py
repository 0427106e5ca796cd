"""What every method of merging finds for a question, and how iterations stop.

Voting: every annotator counts the same, or as much as is known of them.

majority           the share of votes; an even split is a no, or the smallest label of a choice
weighted_majority  votes weigh what is given for each annotator or, if nothing is, the share of
                   their votes that is with the majority

Models of who takes which answer for which other, fitted by expectation–maximisation.

Dawid & Skene 1979: the answer j of an item is drawn from priors p_j, and annotator a then says l
with probability π_a(j, l). One coin: an annotator is right with one probability whatever j is, and
every wrong answer is as likely as any other. Both start from the shares of votes. `smoothing` is
added to every count of votes, so that nothing is impossible only because it was not seen.

MACE (Hovy et al. 2013): an annotator either knows the answer, or spams.

On each vote annotator a knows the right answer with probability θ_a and gives it, or else answers l
with probability ξ_a(l), whatever is right. Every answer is as likely as any other beforehand.
Fitted by variational Bayes with the priors of Hovy et al., Beta(½, ½) on θ and Dirichlet(10) on ξ,
from several starts: the shares of votes and, after them, random ones; the best is kept.

The prior of ξ matters where one answer is frequent. Without it, as with maximum likelihood,
annotators who rightly give that answer most of the time pass for spammers who always do, and the
result is worse than the majority.

GLAD (Whitehill et al. 2009): able annotators are right on easy items.

Annotator a is right on item i with probability 1 / (1 + exp(−α_a β_i)), ability times easiness
β_i = exp(b_i), and gives every wrong answer with the same probability. α and b are drawn from
normal distributions around 1; answers have priors p. The likelihood of the votes, times that of α
and b, is maximised by L-BFGS: expectation–maximisation ends at the same place, but takes thousands
of iterations to get there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Generic, NamedTuple, TypeVar

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
        np.where(ballot.answered[:, None], belief, np.nan),
        np.where(ballot.answered, answer, -1),
        reliability,
        *(() if climbed is None else (climbed.likelihoods, climbed.converged)),
    )


def right(ballot: Ballot, belief: Floats) -> Floats:
    """(annotators,): how many of their votes are believed to be right."""
    beliefs = belief[ballot.item, ballot.answer]
    return np.asarray(
        np.bincount(ballot.annotator, beliefs, minlength=ballot.annotators), np.float64
    )


def votes_for(ballot: Ballot, weight: Floats) -> Floats:
    """(items, answers): the sum of the weights of the votes for each."""
    size = ballot.question.size
    cell = ballot.item * size + ballot.answer
    cells = np.bincount(cell, weight, minlength=ballot.items * size)
    return np.asarray(cells.reshape(-1, size), dtype=np.float64)


def believed(ballot: Ballot, logs: Floats) -> tuple[Floats, float]:
    """Beliefs from log-probabilities (items, answers), 0 where nobody voted; log-likelihood."""
    # Answers are few and items many, so whole columns are much faster than rows.
    top = reduce(np.maximum, logs.T)[:, None]
    weights = np.exp(logs - top)
    sums = reduce(np.add, weights.T)[:, None]
    likelihood = (top + np.log(sums))[ballot.answered].sum()
    return np.where(ballot.answered[:, None], weights / sums, 0.0), float(likelihood)


def log_priors(ballot: Ballot, belief: Floats) -> Floats:
    """(answers,): how often each is believed to be right."""
    return log(np.einsum("ij->j", belief) / max(np.count_nonzero(ballot.answered), 1))


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


# ── models of who takes which answer for which other, fitted by expectation–maximisation ──────────


class _Confusions(NamedTuple):
    belief: Floats
    confusions: Floats
    """[a, l, j]: how likely annotator a says l where j is right."""


def dawid_skene(ballot: Ballot, *, smoothing: float, stopping: Stopping) -> Fitted:
    size, annotators = ballot.question.size, ballot.annotators
    votes = _said(ballot)
    heard = votes.T.tocsr()

    def state_of(belief: Floats) -> _Confusions:
        counts = (votes @ belief).reshape(annotators, size, size) + smoothing
        return _Confusions(belief, np.exp(log(counts) - log(counts.sum(axis=1, keepdims=True))))

    def step(state: _Confusions) -> tuple[_Confusions, float]:
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


# ── MACE ──────────────────────────────────────────────────────────────────────────────


_KNOWING = 0.5
_STRATEGY = 10.0
"""Priors of θ and ξ, as counts of votes that nobody cast."""


class _Spamming(NamedTuple):
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


def _climbed(ballot: Ballot, start: Floats, stopping: Stopping) -> Climbed[_Spamming]:
    def step(state: _Spamming) -> tuple[_Spamming, float]:
        belief, likelihood = believed(ballot, _logs(ballot, state))
        known = belief[ballot.item, ballot.answer] * _knew(ballot, state)
        return _learned(ballot, belief, known), likelihood

    return climb(_learned(ballot, start, start[ballot.item, ballot.answer] * 0.5), step, stopping)


def _spam(ballot: Ballot, state: _Spamming) -> Floats:
    """(votes,): the probability of each vote as spam."""
    there = ballot.annotator
    return state.spams[there] * state.strategy[there, ballot.answer]


def _knew(ballot: Ballot, state: _Spamming) -> Floats:
    """(votes,): the probability that who gave the right answer knew it."""
    knows = state.knows[ballot.annotator]
    return np.asarray(knows / np.maximum(knows + _spam(ballot, state), 1e-300))


def _logs(ballot: Ballot, state: _Spamming) -> Floats:
    spam = _spam(ballot, state)
    if_right = log(state.knows[ballot.annotator] + spam)
    base = np.bincount(ballot.item, log(spam), minlength=ballot.items)
    gain = votes_for(ballot, if_right - log(spam))
    return np.asarray(base[:, None] + gain - np.log(ballot.question.size))


def _learned(ballot: Ballot, belief: Floats, known: Floats) -> _Spamming:
    """How annotators answer, given the probability that each vote was known."""
    from scipy.special import digamma

    size, annotators = ballot.question.size, ballot.annotators
    know = np.bincount(ballot.annotator, known, minlength=annotators)
    cell = ballot.annotator * size + ballot.answer
    spam = np.bincount(cell, 1.0 - known, minlength=annotators * size).reshape(-1, size)
    spams = spam.sum(axis=1)
    all_votes = digamma(know + spams + 2 * _KNOWING)
    return _Spamming(
        belief,
        np.exp(digamma(know + _KNOWING) - all_votes),
        np.exp(digamma(spams + _KNOWING) - all_votes),
        np.exp(digamma(spam + _STRATEGY) - digamma(spams + size * _STRATEGY)[:, None]),
    )


# ── GLAD ─────────────────────────────────────────────────────────────────────────


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
    shares = np.nan_to_num(ballot.shares).sum(axis=0) / max(np.count_nonzero(ballot.answered), 1)
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
