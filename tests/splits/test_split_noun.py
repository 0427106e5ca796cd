"""Split: what is asked for, what is refused, and what it gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.progress import part_of
from splits.drawn import labels


@pytest.fixture
def split() -> cf.collections.Split:
    truth = cf.Truth(labels(50, 6), items=[f"i{n}" for n in range(50)])
    return cf.split(truth, {"train": 0.6, "dev": 0.2, "test": 0.2}, seed=3)


@pytest.mark.parametrize(
    ("shares", "names"),
    [
        ([0.8, 0.2], ("train", "test")),
        ((0.6, 0.2, 0.2), ("train", "validation", "test")),
        (np.full(4, 0.25), ("1", "2", "3", "4")),
        ({"a": 0.5, 2: 0.5}, ("a", "2")),
    ],
)
def test_parts_have_names(shares: Any, names: tuple[str, ...]) -> None:
    assert cf.split(labels(20, 3), shares).names == names


def test_folds_are_numbered() -> None:
    assert cf.folds(labels(20, 3), 3).names == ("1", "2", "3")


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([0.8, 0.3], "the shares sum to 1.1; they must sum to 1"),
        ([0.8, 0.2 + 1e-8], "they must sum to 1"),
        ([80, 20], "the share of 'train' is 80; give a number above 0, up to 1"),
        ([1.5, -0.5], "the share of 'train' is 1.5"),
        ([1.0, 0.0], "the share of 'test' is 0.0"),
        ([float("nan"), 1], "the share of 'train' is nan"),
        (["much", 0.5], "the share of 'train' is 'much'"),
        ({"a": 0.5, "": 0.5}, "one has none"),
        ({1: 0.5, "1": 0.5}, "two parts have the same name"),
        ([1.0], "a split needs at least two parts"),
        (1.0, "a split needs at least two parts"),
        ([], "a split needs at least two parts"),
    ],
)
def test_bad_shares_are_refused(shares: Any, message: str) -> None:
    with pytest.raises(cf.InputError) as caught:
        cf.split(labels(20, 3), shares)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (1, "1 folds; ask for a whole number from 2 up"),
        (2.0, "2.0 folds"),
        (True, "True folds"),
        (21, "21 folds of 20 items leave some empty; ask for at most 20"),
    ],
)
def test_bad_numbers_of_folds_are_refused(count: Any, message: str) -> None:
    with pytest.raises(cf.InputError) as caught:
        cf.folds(labels(20, 3), count)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 3}, "3 is no order; choose 1 or 2"),
        ({"seed": -1}, "-1 is no seed; give a whole number from 0 up"),
        ({"seed": 0.5}, "0.5 is no seed"),
        ({"seed": None}, "None is no seed"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cf.InputError) as caught:
        cf.split(labels(20, 3), [0.5, 0.5], **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_nothing_cannot_be_split(shape: tuple[int, int]) -> None:
    with pytest.raises(cf.InputError, match="there is nothing to split"):
        cf.split(np.zeros(shape), [0.5, 0.5])


def test_rows_ids_and_truths_of_a_part_agree(split: cf.collections.Split) -> None:
    assert sorted(np.concatenate([split.items_of(name) for name in split.names])) == list(range(50))
    for name in split.names:
        rows = split.items_of(name)
        part = split.part(name)
        assert part.items == tuple(f"i{row}" for row in rows)
        assert (part.labels == split.truth.labels[rows]).all()
        assert {item for item, where in split.by_item.items() if where == name} == set(part.items)


def test_an_unknown_part_is_refused(split: cf.collections.Split) -> None:
    with pytest.raises(cf.InputError, match="no part 'tset'; there are 'train', 'dev', 'test'"):
        split.items_of("tset")


def test_each_part_is_the_test_once(split: cf.collections.Split) -> None:
    tests = []
    for train, test in split.indices():
        assert sorted([*train, *test]) == list(range(50))
        tests.extend(test.tolist())
    assert sorted(tests) == list(range(50))


def test_scikit_learn_validates_with_folds() -> None:
    from sklearn.model_selection import cross_val_score
    from sklearn.neighbors import KNeighborsClassifier

    y = labels(200, 4)
    features = y + 0.1 * np.random.default_rng(0).random(y.shape)
    folds = cf.folds(y, 5)
    scores = cross_val_score(KNeighborsClassifier(3), features, y, cv=list(folds.indices()))
    assert scores.shape == (5,)
    assert scores.mean() > 0.8


def test_a_split_shows_its_sizes(split: cf.collections.Split) -> None:
    assert [row["items"] for row in split.report.rows()] == [30, 10, 10]
    assert "train" in repr(split)


def test_progress_tells_of_every_item_once() -> None:
    told: list[float] = []
    cf.split(labels(300, 8), [0.5, 0.5], progress=part_of(told.append))
    assert sum(told) == 300
    assert len(told) > 1
