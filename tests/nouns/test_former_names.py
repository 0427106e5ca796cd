"""Names that changed: the old one works for one version more, and says what to write."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.collections.comparison import Comparison

TRUTH = cf.Truth(np.array([[1, 0], [0, 1]]))
RUN = cf.Run(np.array([[0.9, 0.1], [0.2, 0.8]]))
VOTES = cf.Votes.from_columns(list("aabb"), list("xyxy"), ["sky"] * 4, [1, 1, 0, 1])


def test_votes_are_filtered() -> None:
    some = np.array([True, False, True, True])
    with pytest.warns(DeprecationWarning, match=r"Votes\.kept is now filter") as warned:
        former = VOTES.kept(some)
    assert (former.answer == VOTES.filter(some).answer).all()
    assert warned[0].filename == __file__


def test_ballots_know_what_was_answered() -> None:
    with pytest.warns(DeprecationWarning, match=r"Ballot\.asked is now answered"):
        assert (VOTES.ballots[0].asked == VOTES.ballots[0].answered).all()


def test_comparisons_know_judgements() -> None:
    comparison = Comparison(TRUTH, RUN)
    with pytest.warns(DeprecationWarning, match=r"Comparison\.told is now judgements"):
        former = comparison.told("concept", "matrix")
    assert former.tolist() == comparison.judgements("concept", "matrix").tolist()
