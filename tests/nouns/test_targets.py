"""Targets: real numbers as a truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from nouns.small import refused

NUMBERS = np.array([[0.5, -1.0], [2.0, 3.25], [1e6, 0.0]])
IDS = {"items": ["a", "b", "c"], "concepts": ["x", "y"]}


def test_a_truth_of_targets_says_so() -> None:
    truth = cf.Truth(targets=NUMBERS, **IDS)
    assert repr(truth) == "Truth(3 items, 2 concepts, targets only)"
    assert not truth.has_labels
    assert repr(cf.Truth(NUMBERS > 0, targets=NUMBERS)) == "Truth(3 items, 2 concepts)"


def test_parts_keep_targets_and_what_is_judged() -> None:
    judged = np.array([[1, 1], [0, 1], [1, 0]])
    part = cf.Truth(targets=NUMBERS, judged=judged, **IDS).part([2, 0])
    assert part.items == ("c", "a")
    assert np.array_equal(part.targets, NUMBERS[[2, 0]])
    assert np.array_equal(part.judged, judged[[2, 0]])
    assert not part.has_labels


def test_the_digest_covers_targets_whatever_their_order() -> None:
    truth = cf.Truth(targets=NUMBERS, **IDS)
    moved = cf.Truth(targets=NUMBERS[::-1], items=IDS["items"][::-1], concepts=IDS["concepts"])
    other = cf.Truth(targets=NUMBERS * 2, **IDS)
    assert truth.digest == moved.digest
    assert truth.digest != other.digest
    assert (
        cf.Truth(NUMBERS > 0, **IDS).digest != cf.Truth(NUMBERS > 0, targets=NUMBERS, **IDS).digest
    )


def test_scores_of_targets_do_not_depend_on_the_order_of_rows() -> None:
    run = cf.Run(NUMBERS + 1, **IDS)
    moved = cf.Truth(targets=NUMBERS[::-1, ::-1], items=["c", "b", "a"], concepts=["y", "x"])
    assert cf.evaluate(moved, run, "MSE")["run", "MSE"] == 1.0


def test_bad_targets_are_refused() -> None:
    with refused("targets: item 'b', concept 'x' holds nan; give finite numbers"):
        cf.Truth(targets=[[1.0], [np.nan]], items=["a", "b"], concepts=["x"])
    with refused("an open truth has no targets"):
        cf.Truth(targets=NUMBERS, open=True, **IDS)
    with pytest.raises(cf.InputError, match="must hold numbers"):
        cf.Truth(targets=[["a"]])


@pytest.mark.parametrize("labels", [None, NUMBERS > 0], ids=["targets only", "labels too"])
def test_targets_come_back_from_npz_and_nothing_else_may_lose_them(
    labels: object, tmp_path: Path
) -> None:
    judged = np.array([[1, 1], [1, 1], [1, 0]])
    truth = cf.Truth(labels, targets=NUMBERS, judged=judged, **IDS)
    cf.write_truth(truth, tmp_path / "t.npz")
    read = cf.read_truth(tmp_path / "t.npz")
    assert read.digest == truth.digest
    assert (read.has_labels, read.unjudged) == (truth.has_labels, truth.unjudged)
    with pytest.raises(cf.FileError, match=r"the format text would lose .*targets"):
        cf.write_truth(truth, tmp_path / "t.txt")
    if labels is None:
        with pytest.raises(cf.FileError, match=r"t\.txt: the truth holds targets, which are numb"):
            cf.write_truth(truth, tmp_path / "t.txt", lossy=True)
    else:
        cf.write_truth(truth, tmp_path / "t.csv", lossy=True)
        assert cf.read_truth(tmp_path / "t.csv").targets is None
