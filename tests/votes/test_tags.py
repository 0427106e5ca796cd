"""Users' tags, filtered by what items look like."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.tags import filter_tags, judge

pytest.importorskip("sklearn")


def tagged(seed: int = 0, wrong: float = 0.25) -> tuple[cf.Truth, cf.Truth, np.ndarray]:
    """Two tags, each described by a direction of the features; some users are wrong."""
    rng = np.random.default_rng(seed)
    gold = rng.random((1500, 2)) < 0.5
    features = rng.normal(size=(1500, 4))
    features[:, :2] += 6.0 * gold
    given = np.where(rng.random(gold.shape) < 0.3, gold, False)
    given |= ~gold & (rng.random(gold.shape) < 0.3 * wrong / (1 - wrong))
    names = {"items": [f"i{n}" for n in range(1500)], "concepts": ["cat", "dog"]}
    return cf.Truth(given, **names), cf.Truth(gold, **names), features


def test_outliers_go_and_targets_stay() -> None:
    tags, gold, features = tagged()
    judged = judge(filter_tags(tags, features, outliers=0.3), gold)
    assert (judged.after > judged.before).all()
    assert (judged.outliers_removed > 1 - judged.targets_kept).all()
    assert (judged.auc > 0.6).all()


def test_the_share_of_outliers_is_about_what_was_asked_for() -> None:
    tags, _, features = tagged()
    for share in (0.1, 0.5):
        frame = filter_tags(tags, features, outliers=share).frame
        assert (frame["removed"] / frame["items"]).to_list() == pytest.approx([share] * 2, abs=0.1)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "sigmoid"])
@pytest.mark.parametrize("size", [10, 20, 150])
def test_no_more_items_go_than_was_allowed_however_equal_they_are(kernel: str, size: int) -> None:
    rng = np.random.default_rng(size)
    tags = cf.Truth(np.ones((size, 1), dtype=bool))
    for features in (np.ones((size, 2)), rng.integers(0, 2, size=(size, 2)), np.eye(size)):
        found = filter_tags(tags, features, outliers=0.2, kernel=kernel)
        assert found.removed.sum() <= 0.2 * size


def test_judgement_counts_what_one_counts() -> None:
    tags, gold, features = tagged(3)
    found = filter_tags(tags, features)
    judged = judge(found, gold)
    given, right, removed = tags.labels[:, 0], gold.labels[:, 0], found.removed[:, 0]
    assert judged.before[0] == pytest.approx(right[given].mean())
    assert judged.after[0] == pytest.approx(right[given & ~removed].mean())
    assert judged.targets_kept[0] == pytest.approx(1 - removed[given & right].mean())
    assert judged.outliers_removed[0] == pytest.approx(removed[given & ~right].mean())
    assert (found.kept.labels == (tags.labels & ~found.removed)).all()


def test_the_scale_of_features_does_not_matter() -> None:
    tags, _, features = tagged()
    scaled = features * np.array([1, 1000, 1, 0.001]) + 7
    assert (filter_tags(tags, features).removed == filter_tags(tags, scaled).removed).all()


def test_rare_tags_are_left_as_they_are() -> None:
    labels = np.zeros((20, 2), dtype=bool)
    labels[:15, 0] = labels[:3, 1] = True
    found = filter_tags(cf.Truth(labels, concepts=["often", "rare"]), np.eye(20))
    assert found.rare == ("rare",)
    assert found.kept.labels[:, 1].sum() == 3


def test_wrong_features_are_refused() -> None:
    tags, gold, features = tagged()
    with pytest.raises(cf.InputError, match="a row for each of the 1500 items"):
        filter_tags(tags, features[:5])
    features[4, 2] = np.nan
    with pytest.raises(cf.InputError, match="features must be finite; look at items 'i4'"):
        filter_tags(tags, features)
    with pytest.raises(cf.InputError, match="outliers=0"):
        filter_tags(tags, features, outliers=0)
    with pytest.raises(cf.InputError, match="the truth lacks item 'i10'"):
        judge(filter_tags(tags, np.nan_to_num(features)), gold.part(range(10)))
