"""Ids: how a run is aligned with a truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from nouns.small import S, Y, refused
from problems import scored


def test_differing_ids_are_listed_up_to_ten_with_their_number() -> None:
    items = [f"photo{n}" for n in range(14)]
    truth = cf.Truth(np.eye(14, 2), items=items)
    short = cf.Run(np.eye(2), items=items[:2], name="short")
    with refused("run 'short' lacks 12 items of the truth: 'photo2', 'photo3', ") as caught:
        scored(truth, short, "concept.AP")
    assert "'photo11' and 2 more" in str(caught.value)
    assert 'missing="absent"' in str(caught.value)
    assert scored(truth, short, "concept.AP", missing="absent").value == 1.0


@pytest.mark.parametrize("missing", ["error", "absent"])
def test_ids_that_the_truth_does_not_know_are_refused(missing: Any) -> None:
    run = cf.Run(S, concepts=["a", "b", "X"], items="pq")
    truth = cf.Truth(Y, concepts=["a", "b", "c"], items="pq")
    with refused("run 'run' has 1 concept that the truth does not know: 'X'"):
        scored(truth, run, "concept.AP", missing=missing)


def test_without_ids_on_one_side_rows_align_by_position_and_sizes_must_agree() -> None:
    truth = cf.Truth(Y, items=["b", "a"], concepts="zyx")
    assert scored(truth, cf.Run(S), "concept.AP").value == 1.0
    with refused("run 'run' has 1 item and the truth 2; without ids on both sides they align"):
        scored(truth, cf.Run(S[:1]), "concept.AP")
    with refused("run 'run' has 2 concepts and the truth 3"):
        scored(truth, cf.Run(S[:, :2]), "concept.AP")


def test_ids_may_be_any_objects_and_become_text() -> None:
    truth = cf.Truth(Y, items=np.array([7, 8]), concepts=(c for c in "abc"))
    assert truth.items == ("7", "8")
    assert truth.concepts == ("a", "b", "c")
    assert scored(truth, cf.Run(S[::-1], items=[8, 7]), "concept.AP").value == 1.0


def test_a_run_that_mentions_no_item_retrieves_nothing() -> None:
    truth = cf.Truth(Y, items=["x", "y"], concepts=list("abc"))
    silent = cf.Run(S[:0], items=[], concepts=list("abc"))
    result = cf.evaluate(truth, silent, ["concept.AP", "example.R"], missing="absent")
    assert result["run", "concept.AP"] == result["run", "example.R"] == 0.0


def test_half_a_character_is_no_id() -> None:
    with pytest.raises(cf.InputError, match="half of a character"):
        cf.Truth([[1]], items=["a\ud800"])


def test_ids_of_bytes_are_texts() -> None:
    """As HDF5 and NumPy's type S hold them."""
    truth = cf.Truth([[1], [0]], items=np.array(["a", "b"], dtype="S"), concepts=[b"cat"])
    assert truth.items == ("a", "b")
    assert truth.concepts == ("cat",)
    with pytest.raises(cf.InputError, match="not UTF-8"):
        cf.Truth([[1]], items=[b"\xff"])
