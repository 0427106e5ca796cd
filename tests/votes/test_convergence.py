"""Models of votes beside literal fits of the same models, run until nothing changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import digamma

import cranfield as cf

MODELS = ("one_coin", "dawid_skene", "mace", "glad")


@dataclass(frozen=True)
class Crowd:
    """Votes of a simulated crowd, as numbers, and what is right."""

    item: np.ndarray
    annotator: np.ndarray
    answer: np.ndarray
    right: np.ndarray
    answers: int

    @property
    def votes(self) -> cf.Votes:
        names = [f"{number:04}" for number in range(len(self.right))]
        return cf.Votes.from_choices(
            [names[item] for item in self.item],
            [f"{number:04}" for number in self.annotator],
            [f"{number:04}" for number in self.answer],
        )

    @property
    def shares(self) -> np.ndarray:
        counts = np.zeros((len(self.right), self.answers))
        np.add.at(counts, (self.item, self.answer), 1.0)
        return counts / counts.sum(axis=1, keepdims=True)

    def accuracy(self, answer: np.ndarray) -> float:
        return float((answer == self.right).mean())


def guessing_crowd() -> Crowd:
    """Annotators who mostly guess: the likelihood is nearly flat on the way to its top."""
    rng = np.random.default_rng(215)
    right = rng.integers(3, size=150)
    knows = rng.random((150, 10)) < rng.uniform(0.02, 0.52, size=10)
    said = np.where(knows, right[:, None], rng.integers(3, size=knows.shape))
    voted = rng.random(said.shape) < 0.5
    voted[:, 0] |= ~voted.any(axis=1)
    item, annotator = np.nonzero(voted)
    return Crowd(item, annotator, said[item, annotator], right, 3)


def crowd_with_a_frequent_answer(seed: int) -> Crowd:
    """Good annotators, five votes on each item; four of five items have the same answer."""
    rng = np.random.default_rng(seed)
    right = rng.choice(4, size=400, p=[0.8, 0.1, 0.06, 0.04])
    skill = rng.beta(4, 2, size=60)
    item = np.repeat(np.arange(400), 5)
    annotator = np.concatenate([rng.choice(60, size=5, replace=False) for _ in range(400)])
    knows = rng.random(len(item)) < skill[annotator]
    answer = np.where(knows, right[item], rng.integers(4, size=len(item)))
    return Crowd(item, annotator, answer, right, 4)


def normalised(logs: np.ndarray) -> np.ndarray:
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def literal_dawid_skene(crowd: Crowd, smoothing: float) -> np.ndarray:
    belief = crowd.shares
    for _ in range(20_000):
        counts = np.full((10, crowd.answers, crowd.answers), smoothing)
        np.add.at(counts, (crowd.annotator, slice(None), crowd.answer), belief[crowd.item])
        confusions = counts / counts.sum(axis=2, keepdims=True)
        logs = np.tile(np.log(belief.mean(axis=0)), (len(belief), 1))
        np.add.at(logs, crowd.item, np.log(confusions[crowd.annotator, :, crowd.answer]))
        before, belief = belief, normalised(logs)
        if np.abs(belief - before).max() < 1e-11:
            return belief
    raise AssertionError("the literal fit does not converge")


def literal_mace(crowd: Crowd, *, variational: bool) -> np.ndarray:
    """Hovy et al. 2013 from random parameters, ten times; the largest likelihood wins."""
    rng = np.random.default_rng(1)
    annotators = crowd.annotator.max() + 1
    item, annotator, answer = crowd.item, crowd.annotator, crowd.answer
    results = []
    for _ in range(10):
        knows = rng.uniform(0.4, 0.6, size=annotators)
        spams = 1.0 - knows
        strategy = rng.dirichlet(np.full(crowd.answers, 20.0), size=annotators)
        belief = crowd.shares
        for _ in range(2000):
            spam = spams[annotator] * strategy[annotator, answer]
            logs = np.full((len(crowd.right), crowd.answers), -np.log(crowd.answers))
            for label in range(crowd.answers):
                told = np.log(spam + knows[annotator] * (answer == label))
                logs[:, label] += np.bincount(item, told, minlength=len(logs))
            before, belief = belief, normalised(logs)
            known = belief[item, answer] * knows[annotator] / (knows[annotator] + spam)
            know = np.bincount(annotator, known, minlength=annotators)
            guess = np.zeros_like(strategy)
            np.add.at(guess, (annotator, answer), 1.0 - known)
            if variational:
                total = digamma(know + guess.sum(axis=1) + 1.0)
                knows = np.exp(digamma(know + 0.5) - total)
                spams = np.exp(digamma(guess.sum(axis=1) + 0.5) - total)
                sums = digamma(guess.sum(axis=1) + 10.0 * crowd.answers)
                strategy = np.exp(digamma(guess + 10.0) - sums[:, None])
            else:
                little = 0.01 / crowd.answers
                knows = (know + little) / (know + guess.sum(axis=1) + 2 * little)
                spams = 1.0 - knows
                strategy = (guess + little) / (guess + little).sum(axis=1, keepdims=True)
            if np.abs(belief - before).max() < 1e-8:
                break
        likelihood = np.logaddexp.reduce(logs, axis=1).sum()
        results.append((float(likelihood), belief))
    return max(results, key=lambda result: result[0])[1]


def test_dawid_skene_ends_where_the_literal_fit_ends() -> None:
    crowd = guessing_crowd()
    fit = crowd.votes.consensus("dawid_skene").fits[0]
    expected = literal_dawid_skene(crowd, smoothing=0.01)
    assert fit.converged
    np.testing.assert_array_equal(fit.answer, expected.argmax(axis=1))
    np.testing.assert_allclose(fit.belief, expected, atol=1e-3)


@pytest.mark.parametrize("method", MODELS)
def test_a_model_that_has_converged_stays_where_it_is(method: str) -> None:
    votes = crowd_with_a_frequent_answer(2).votes
    fit = votes.consensus(method, restarts=1).fits[0]
    longer = votes.consensus(method, restarts=1, tolerance=1e-10).fits[0]
    assert fit.converged
    np.testing.assert_array_equal(fit.answer, longer.answer)
    np.testing.assert_allclose(fit.belief, longer.belief, atol=2e-3)
    assert fit.likelihoods[-1] == pytest.approx(longer.likelihoods[-1], abs=1e-3)


@pytest.mark.parametrize("method", MODELS)
def test_running_out_of_iterations_is_said(method: str) -> None:
    consensus = guessing_crowd().votes.consensus(method, iterations=3, restarts=1)
    assert not consensus.fits[0].converged
    assert not consensus.frame["converged"].any()
    (remark,) = consensus.remarks
    assert f"{method} did not converge within 3 iterations" in remark


@pytest.mark.parametrize("method", ["majority", *MODELS])
def test_there_is_nothing_to_remark_when_a_model_converged(method: str) -> None:
    assert crowd_with_a_frequent_answer(2).votes.consensus(method, restarts=1).remarks == ()


@pytest.mark.parametrize("seed", [0, 1])
def test_mace_ends_where_the_literal_variational_fit_ends(seed: int) -> None:
    crowd = crowd_with_a_frequent_answer(seed)
    fit = crowd.votes.consensus("mace").fits[0]
    np.testing.assert_allclose(fit.belief, literal_mace(crowd, variational=True), atol=1e-3)


def test_the_prior_of_mace_keeps_who_gives_a_frequent_answer_from_passing_for_a_spammer() -> None:
    crowd = crowd_with_a_frequent_answer(0)
    majority, mace = (
        crowd.accuracy(crowd.votes.consensus(method).fits[0].answer)
        for method in ("majority", "mace")
    )
    likely = crowd.accuracy(literal_mace(crowd, variational=False).argmax(axis=1))
    assert mace > majority - 0.02
    assert likely < majority - 0.1, "maximum likelihood of the same model"


def test_glad_stands_on_a_top_of_the_likelihood_written_out() -> None:
    crowd = guessing_crowd()
    votes = crowd.votes
    fit = votes.consensus("glad").fits[0]
    from cranfield.assessment.merging.models import _loss, _start

    ballot = votes.by_name.ballots[0]
    point = _start(ballot) + np.random.default_rng(0).normal(scale=0.3, size=len(_start(ballot)))
    value, slope = _loss(ballot, point)
    ability, easiness, weights = np.split(point, [10, 160])
    priors = np.exp(weights) / np.exp(weights).sum()
    sure = 1.0 / (1.0 + np.exp(-ability[crowd.annotator] * np.exp(easiness[crowd.item])))
    total = -0.5 * ((point[:160] - 1.0) ** 2).sum()
    for item in range(150):
        here = crowd.item == item
        terms = [
            priors[label]
            * np.where(crowd.answer[here] == label, sure[here], (1 - sure[here]) / 2).prod()
            for label in range(3)
        ]
        total += np.log(sum(terms))
    assert -value == pytest.approx(total)
    step = 1e-6 * np.eye(len(point))[7]
    assert slope[7] == pytest.approx(
        (_loss(ballot, point + step)[0] - _loss(ballot, point - step)[0]) / 2e-6, rel=1e-5
    )
    assert fit.likelihoods[-1] > total
    assert (np.diff(fit.likelihoods) > -1e-9).all()
