"""Groups of items that stay together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from splits.drawn import labels, matrices, share_lists

ORDERS = pytest.mark.parametrize("order", [1, 2])


@given(
    y=matrices,
    shares=share_lists(),
    order=st.sampled_from([1, 2]),
    seed=st.integers(0, 99),
    most=st.integers(1, 40),
)
def test_items_of_a_group_are_in_the_same_part(
    y: np.ndarray, shares: list[float], order: int, seed: int, most: int
) -> None:
    groups = np.random.default_rng(seed).integers(0, most, len(y))
    split = cf.split(y, shares, order=order, seed=seed, groups=groups)
    for group in set(groups.tolist()):
        assert len(set(split.assignment[groups == group].tolist())) == 1
    assert (split.assignment >= 0).all()


@given(y=matrices, shares=share_lists(), order=st.sampled_from([1, 2]), seed=st.integers(0, 99))
def test_groups_of_one_item_are_no_groups(
    y: np.ndarray, shares: list[float], order: int, seed: int
) -> None:
    alone = np.random.default_rng(seed).permutation(len(y))
    split = cf.split(y, shares, order=order, seed=seed, groups=alone)
    assert (split.assignment == cf.split(y, shares, order=order, seed=seed).assignment).all()


@ORDERS
def test_small_groups_leave_sizes_exact_and_frequencies_close(order: int) -> None:
    y = labels(3000, 20)
    groups = np.random.default_rng(0).integers(0, 1500, len(y))
    split = cf.split(y, [0.7, 0.3], order=order, groups=groups)
    assert np.abs(split.report.items - [2100, 900]).max() <= 1
    assert split.report.differences.max() < 0.03
    assert split.notes == ()


def test_the_names_of_groups_do_not_matter() -> None:
    y, groups = labels(200, 6), np.random.default_rng(1).integers(0, 50, 200)
    split = cf.split(y, [0.5, 0.5], groups=groups)
    renamed = [f"group {(7 * group) % 53}" for group in groups.tolist()]
    assert (cf.split(y, [0.5, 0.5], groups=renamed).assignment == split.assignment).all()


def test_groups_may_be_given_by_item() -> None:
    truth = cf.Truth(labels(4, 2), items=list("abcd"))
    split = cf.split(truth, [0.5, 0.5], groups={"a": "x", "c": "x", "d": "y", "b": "y"})
    assert split.by_item["a"] == split.by_item["c"] != split.by_item["b"] == split.by_item["d"]


def test_a_group_larger_than_every_part_is_reported() -> None:
    y = labels(100, 5)
    groups = [0] * 90 + list(range(1, 11))
    split = cf.split(y, [0.5, 0.5], groups=groups)
    assert sorted(split.report.items.tolist()) == [10, 90]
    (note,) = split.report.notes
    assert note.startswith("1 group found no part with room enough")


def test_few_large_groups_fill_the_part_that_lacks_most() -> None:
    groups = np.repeat([0, 1, 2, 3], 25)
    split = cf.split(np.zeros((100, 2)), [0.75, 0.25], groups=groups)
    assert split.report.items.tolist() == [75, 25]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], "groups: 2 values for 3 items of the truth; give one for each"),
        ([1, None, 2], "groups: 1 item without a value: 'b'"),
        ([1.0, float("nan"), 2.0], "groups: 1 item without a value: 'b'"),
        ({"a": 1, "b": 2}, "groups: 1 item of the truth without a value: 'c'"),
        ({"a": 1, "b": 2, "c": 3, "z": 4}, "groups: 1 item not in the truth: 'z'; remove"),
        (np.zeros((3, 2)), "groups: an array of shape (3, 2); give one value for each item"),
        ([[1], [2], [3]], "a group is named by a text or a number"),
        (7, "groups: got int; give one value for each item"),
    ],
)
def test_bad_groups_are_refused(groups: object, message: str) -> None:
    truth = cf.Truth(np.eye(3), items=list("abc"))
    with pytest.raises(cf.InputError) as caught:
        cf.split(truth, [0.5, 0.5], groups=groups)
    assert message in str(caught.value)
