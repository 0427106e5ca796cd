"""Whatever arrays come in, scores are the literal ones or refused; `tests/fuzz_arrays.py`
tries for long."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz_arrays import attempt


@settings(max_examples=250)
@given(seed=st.integers(0, 10**9))
def test_any_arrays_give_the_literal_scores_or_are_refused(seed: int) -> None:
    attempt(seed)


def test_most_arrays_are_scored() -> None:
    assert sum(map(attempt, range(100))) > 60


@pytest.mark.slow
def test_many_arrays_give_the_literal_scores_or_are_refused() -> None:
    for seed in range(20_000):
        attempt(seed)
