"""A part of a truth: some of its items, and all that is known about their cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array

import cranfield as cf
from cranfield.core.matrices import Cells, dense

GRADES = np.array([[2, 0, 1], [0, 0, 0], [1, 1, 0], [0, 3, 0]])
POOL = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], dtype=bool)
JUDGED = POOL & ~np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]], dtype=bool)
STRATA = np.arange(12).reshape(4, 3)


@pytest.mark.parametrize("form", [np.asarray, coo_array])
@pytest.mark.parametrize("rows", [[0, 1], [3, 0], [2], [0, 1, 2, 3], [3, 2, 1, 0]])
def test_a_part_keeps_everything_about_its_items(form: Any, rows: list[int]) -> None:
    truth = cf.Truth(
        grades=form(GRADES),
        judged=form(JUDGED),
        pool=form(POOL),
        strata=form(STRATA),
        items=list("abcd"),
        concepts=list("xyz"),
        unjudged="exclude",
    )
    part = truth.part(rows)
    assert part.items == tuple("abcd"[row] for row in rows)
    assert part.concepts == truth.concepts
    assert part.unjudged == "exclude"
    assert (part.states == truth.states[rows]).all()
    for name in ("grades", "strata"):
        kept = getattr(part, name)
        assert isinstance(kept, Cells) == (form is coo_array)
        assert (dense(kept) == dense(getattr(truth, name))[rows]).all()


def test_labels_stay_sparse() -> None:
    part = cf.Truth(coo_array(np.eye(4))).part([2, 0])
    assert isinstance(part.matrix, Cells)
    assert part.labels.tolist() == [[0, 0, 1, 0], [1, 0, 0, 0]]


def test_items_without_ids_keep_the_number_of_their_row() -> None:
    assert cf.Truth(np.eye(4)).part(np.array([3, 1])).items == ("3", "1")


def test_a_part_may_be_empty() -> None:
    assert cf.Truth(np.eye(4)).part([]).shape == (0, 4)


def test_parts_of_a_truth_and_of_a_run_align_by_position() -> None:
    y, rows = np.eye(4), [3, 1]
    scores = np.random.default_rng(0).random((4, 4))
    part = cf.evaluate(cf.Truth(y).part(rows), cf.Run(scores=scores[rows]), "example.AP")
    whole = cf.evaluate(cf.Truth(y), cf.Run(scores=scores), "example.AP")
    assert part.units("run", "example.AP").tolist() == pytest.approx(
        whole.units("run", "example.AP")[rows].tolist()
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([0, 4], "there is no row 4; the 4 rows count from 0"),
        ([-1], "there is no row -1"),
        ([0, 0], "1 duplicate item id: '0'"),
        ([0.5], "rows are given by a list of whole numbers"),
        ([True, False, True, True], "rows are given by a list of whole numbers"),
        ([[0], [1]], "rows are given by a list of whole numbers"),
        ([[0], [1, 2]], "rows are given by a list of whole numbers"),
        (2, "rows are given by a list of whole numbers"),
    ],
)
def test_impossible_rows_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(cf.InputError) as caught:
        cf.Truth(np.eye(4)).part(rows)
    assert message in str(caught.value)
