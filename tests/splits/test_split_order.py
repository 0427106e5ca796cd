"""The same seed gives the same split, whatever the order of rows and columns with ids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from splits.drawn import labels, matrices

ORDERS = pytest.mark.parametrize("order", [1, 2])


def test_a_seed_says_which_split() -> None:
    y = labels(300, 10)
    one, again, other = (cf.split(y, [0.5, 0.5], seed=seed).assignment for seed in (4, 4, 5))
    assert (one == again).all()
    assert (one != other).any()


def test_a_split_stays_the_same_from_version_to_version() -> None:
    y = np.arange(60).reshape(12, 5) % 7 % 3 == 0
    splits = {order: cf.folds(y, 3, seed=1, order=order).assignment.tolist() for order in (1, 2)}
    assert splits == {
        1: [2, 0, 0, 1, 0, 0, 2, 1, 1, 1, 2, 2],
        2: [0, 2, 0, 1, 1, 1, 0, 2, 2, 2, 0, 1],
    }


@given(y=matrices, order=st.sampled_from([1, 2]), seed=st.integers(0, 99), grouped=st.booleans())
def test_the_order_of_rows_and_columns_does_not_matter(
    y: np.ndarray, order: int, seed: int, grouped: bool
) -> None:
    rng = np.random.default_rng(seed)
    items = [f"item {n}" for n in rng.permutation(len(y))]
    concepts = [f"concept {n}" for n in rng.permutation(y.shape[1])]
    groups = {item: int(n) for item, n in zip(items, rng.integers(0, 9, len(y)), strict=True)}

    def split(rows: np.ndarray, columns: np.ndarray) -> dict[str, str]:
        truth = cf.Truth(
            y[rows][:, columns],
            items=[items[row] for row in rows],
            concepts=[concepts[column] for column in columns],
        )
        given = groups if grouped else None
        return cf.split(truth, [0.6, 0.4], order=order, seed=seed, groups=given).by_item

    rows, columns = rng.permutation(len(y)), rng.permutation(y.shape[1])
    assert split(np.arange(len(y)), np.arange(y.shape[1])) == split(rows, columns)


def test_the_order_of_parts_may_be_any() -> None:
    split = cf.split(labels(100, 5), {"test": 0.2, "train": 0.8})
    assert split.names == ("test", "train")
    assert split.report.items.tolist() == [20, 80]
