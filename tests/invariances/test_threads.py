"""Threads and chunks change no bit."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.kernels import limited_to
from invariances.registered import ALL, CASES, PLAIN, all_same, all_scored, scored
from problems import Problem, problem, sparse


@pytest.fixture(scope="module")
def large() -> Problem:
    """Enough rows for several blocks."""
    return problem(11, items=9_000, concepts=24, values=50)


def everything(case: Problem) -> list[bytes]:
    return [
        score.by_unit.tobytes() + repr(score.value).encode()
        for score in cf.evaluate(case.truth(), case.run(), PLAIN, **case.knowledge)
    ]


def test_the_number_of_threads_changes_no_bit(
    large: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    with limited_to(1):
        alone = everything(large)
    for workers in (2, 5):
        with limited_to(workers):
            assert everything(large) == alone
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    assert everything(large) == alone


def test_many_runs_at_once_score_as_each_alone() -> None:
    cases = [problem(seed) for seed in range(7)]
    truth = cases[0].truth()
    runs = [case.run(name=f"run {n}") for n, case in enumerate(cases)]
    with limited_to(4):
        together = cf.evaluate(truth, runs, PLAIN, **cases[0].knowledge)
    for run in runs:
        alone = cf.evaluate(truth, run, PLAIN, **cases[0].knowledge)
        for name in PLAIN:
            assert np.array_equal(together.units(run.name, name), alone.units(run.name, name), True)
            assert repr(together[run.name, name]) == repr(alone[run.name, name])


@pytest.mark.parametrize("form", ["dense", "sparse", "with unjudged cells"])
def test_measures_asked_for_together_score_as_each_alone(form: str) -> None:
    case = CASES["heavy ties"]
    truth, run = case.truth(), case.run()
    if form == "sparse":
        stored = sparse(case.scores, np.ones(case.shape, bool))
        run = cf.Run(stored, threshold=run.threshold, **case.ids)
    elif form == "with unjudged cells":
        hidden = np.random.default_rng(5).random(case.shape) < 0.4
        truth = case.truth(judged=case.labels | ~hidden, unjudged="exclude")
    together = all_scored(truth, run)
    all_same(together, {name: scored(truth, run, name) for name in ALL})
