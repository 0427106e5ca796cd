"""Merging a million votes of five thousand people: majority and Dawid–Skene against crowd-kit.

Both make the same number of iterations, and their beliefs are compared first.
"""

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np

import cranfield as cf
from benchmarks.timing import Ratio, best_of, seconds
from cranfield.assessment.votes import Question

ITEMS, ANNOTATORS, VOTES, ANSWERS = 200_000, 5_000, 1_000_000, 4
_ITERATIONS = 5


def ratios() -> Iterator[Ratio]:
    from crowdkit.aggregation import DawidSkene, MajorityVote

    votes, frame = _drawn()
    options = {"smoothing": 0.0, "tolerance": 0.0, "iterations": _ITERATIONS}
    theirs = DawidSkene(n_iter=_ITERATIONS, tol=-np.inf)
    slow = seconds(lambda: theirs.fit(frame))
    mine = votes.consensus("dawid_skene", **options).fits[0].belief
    expected = theirs.probas_.sort_index().sort_index(axis=1).to_numpy()
    assert np.allclose(mine, expected, atol=1e-6)
    fast = best_of(3, lambda: votes.consensus("dawid_skene", **options))
    yield Ratio(
        f"Dawid–Skene, {VOTES:,} votes, {_ITERATIONS} iterations", "crowd-kit", slow, fast, 5
    )
    slow = seconds(lambda: MajorityVote().fit(frame))
    fast = best_of(5, lambda: _again(votes).merge("majority"))
    yield Ratio(f"majority, {VOTES:,} votes", "crowd-kit", slow, fast, 5)


def _drawn() -> tuple[cf.Votes, Any]:
    """Votes, and the same as crowd-kit takes them."""
    import pandas

    rng = np.random.default_rng(0)
    right = rng.integers(ANSWERS, size=ITEMS)
    skill = rng.uniform(0.4, 0.95, size=ANNOTATORS)
    # Every item has five voters, all different: steps round a circle of people.
    item = np.repeat(np.arange(ITEMS), VOTES // ITEMS)
    start, step = rng.integers(ANNOTATORS, size=(2, ITEMS))
    turn = np.tile(np.arange(VOTES // ITEMS), ITEMS)
    annotator = (start[item] + turn * (1 + step[item] % (ANNOTATORS // 5))) % ANNOTATORS
    guess = rng.integers(ANSWERS, size=VOTES)
    answer = np.where(rng.random(VOTES) < skill[annotator], right[item], guess)
    votes = cf.Votes(
        item, annotator, np.zeros_like(item), answer,
        items=range(ITEMS), annotators=range(ANNOTATORS),
        questions=[Question("label", "choice", tuple("0123"))],
    )  # fmt: skip
    return votes, pandas.DataFrame({"task": item, "worker": annotator, "label": answer})


def _again(votes: cf.Votes) -> cf.Votes:
    """The same votes, of which nothing is counted yet."""
    fresh = copy(votes)
    vars(fresh).pop("ballots", None)
    return fresh
