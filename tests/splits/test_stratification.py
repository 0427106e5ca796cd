"""What a stratified split keeps: sizes, rare labels, frequencies, pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array

import cranfield as cf
from cranfield.collections.splits import stratification
from cranfield.collections.splits.stratification import Wishes, in_turns, one_by_one
from splits.drawn import labels, matrices, share_lists

ORDERS = pytest.mark.parametrize("order", [1, 2])


def random_split(items: int, sizes: list[int], seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.permutation(np.repeat(np.arange(len(sizes)), sizes))


def mean_difference(y: np.ndarray, assignment: np.ndarray) -> float:
    parts = [y[assignment == part].mean(axis=0) for part in range(assignment.max() + 1)]
    return float(np.abs(parts - y.mean(axis=0)).mean())


# ── sizes ─────────────────────────────────────────────────────────────────────────────────────────


@given(y=matrices, shares=share_lists(), order=st.sampled_from([1, 2]), seed=st.integers(0, 99))
def test_sizes_are_exact_up_to_rounding(
    y: np.ndarray, shares: list[float], order: int, seed: int
) -> None:
    split = cf.split(y, shares, order=order, seed=seed)
    assert np.abs(split.report.items - np.array(shares) * len(y)).max() < 1
    assert split.report.items.sum() == len(y)
    assert set(split.assignment.tolist()) <= set(range(len(shares)))


@ORDERS
def test_sizes_are_exact_where_every_item_has_labels(order: int) -> None:
    y = labels(997, 30)
    y[:, 0] |= ~y.any(axis=1)
    assert cf.split(y, [0.7, 0.2, 0.1], order=order).report.items.tolist() == [698, 199, 100]


def test_items_without_labels_fill_the_parts_up() -> None:
    assert cf.split(np.zeros((10, 3)), [0.5, 0.3, 0.2]).report.items.tolist() == [5, 3, 2]


def test_folds_differ_by_one_item_at_most() -> None:
    for count in (2, 3, 7, 50):
        items = cf.folds(labels(50, 8), count).report.items
        assert items.max() - items.min() <= 1


# ── rare labels ───────────────────────────────────────────────────────────────────────────────────


@given(y=matrices.filter(lambda y: bool(y.any())), count=st.integers(2, 5), seed=st.integers(0, 99))
def test_the_rarest_label_is_spread_as_evenly_as_can_be(
    y: np.ndarray, count: int, seed: int
) -> None:
    count = min(count, len(y))
    carriers = y.sum(axis=0)
    rarest = int(np.argmin(np.where(carriers > 0, carriers, len(y) + 1)))
    if (carriers == carriers[rarest]).sum() > 1:  # another one may be dealt out first
        return
    got = cf.folds(y, count, seed=seed).report.positives[:, rarest]
    assert got.max() - got.min() <= 1


def test_the_rarest_pair_is_spread_with_second_order_only() -> None:
    rng = np.random.default_rng(3)
    y = rng.random((600, 4)) < 0.4
    y[:, 0] &= ~y[:, 1]
    y[:10, :2] = True  # the only items that carry both

    def lacking(order: int) -> int:
        splits = [cf.folds(y, 5, order=order, seed=seed) for seed in range(10)]
        together = [np.bincount(split.assignment[:10], minlength=5) for split in splits]
        return int((np.array(together) != 2).sum())

    assert lacking(2) == 0
    assert lacking(1) > 10


def test_no_fold_lacks_a_label_that_all_could_have() -> None:
    y = labels(400, 30, seed=5)
    y = y[:, y.sum(axis=0) >= 10]
    for seed in range(5):
        assert cf.folds(y, 5, seed=seed).report.concepts_without == 0


# ── frequencies ───────────────────────────────────────────────────────────────────────────────────


@ORDERS
@pytest.mark.parametrize("shares", [[0.8, 0.2], [0.9, 0.1], [0.7, 0.15, 0.15], [0.25] * 4])
def test_frequencies_are_kept_better_than_by_chance(order: int, shares: list[float]) -> None:
    y = labels(2000, 40, seed=1)
    ours, chance = [], []
    for seed in range(5):
        split = cf.split(y, shares, order=order, seed=seed)
        ours.append(mean_difference(y, split.assignment))
        by_chance = random_split(len(y), split.report.items.tolist(), seed)
        chance.append(mean_difference(y, by_chance))
    assert np.mean(ours) < (0.6 if order == 1 else 0.8) * np.mean(chance)


def test_second_order_keeps_pairs_better() -> None:
    y = labels(3000, 25, seed=2)
    pairs = {
        order: np.mean(
            [
                cf.folds(y, 5, order=order, seed=seed).report.label_pairs_distribution
                for seed in range(3)
            ]
        )
        for order in (1, 2)
    }
    assert pairs[2] < 0.9 * pairs[1]


@pytest.mark.parametrize(("items", "concepts"), [(300, 6), (1000, 40), (1500, 20)])
def test_folds_are_no_worse_than_those_of_iterative_stratification(
    items: int, concepts: int
) -> None:
    stratifiers = pytest.importorskip("iterstrat.ml_stratifiers")
    ours, theirs = [], []
    for seed in range(20):
        y = labels(items, concepts, seed=seed % 4)
        peer = stratifiers.MultilabelStratifiedKFold(5, shuffle=True, random_state=seed)
        assignment = np.empty(items, dtype=np.int64)
        for fold, (_, test) in enumerate(peer.split(y, y)):
            assignment[test] = fold
        theirs.append(mean_difference(y, assignment))
        ours.append(mean_difference(y, cf.folds(y, 5, seed=seed).assignment))
    assert np.mean(ours) < 1.1 * np.mean(theirs)  # the same but for the draw


# ── the turns ─────────────────────────────────────────────────────────────────────────────────────


@st.composite
def wishes(draw: st.DrawFn) -> tuple[int, Wishes]:
    parts = draw(st.integers(2, 6))
    count = draw(st.integers(0, 60))
    numbers = st.lists(st.integers(0, 50), min_size=parts, max_size=parts)
    limit = np.array(draw(numbers))
    limit[0] += max(0, count - limit.sum())
    shares = np.array(draw(numbers)) + 1
    taken = np.array(draw(numbers))
    return count, Wishes(
        quota=shares / shares.sum() * (count + taken.sum()),
        taken=taken,
        room=limit + np.array(draw(numbers)),
        limit=limit,
        lot=np.array(draw(st.permutations(range(parts)))),
    )


@settings(max_examples=200)
@given(drawn=wishes(), many=st.sampled_from([0, 4096]))
def test_taking_turns_is_choosing_one_by_one(drawn: tuple[int, Wishes], many: int) -> None:
    count, wished = drawn
    ones = np.ones(count, dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stratification, "_MANY", many)
        chosen, without_room = one_by_one(ones, ones, wished)
        assert in_turns(count, wished).tolist() == chosen.tolist()
        assert without_room == 0


# ── what counts ───────────────────────────────────────────────────────────────────────────────────


@ORDERS
def test_dense_and_sparse_labels_give_the_same_split(order: int) -> None:
    y = labels(300, 20)
    split = cf.split(y, [0.8, 0.2], order=order)
    sparse = cf.split(cf.Truth(coo_array(y)), [0.8, 0.2], order=order)
    assert (split.assignment == sparse.assignment).all()


def test_unjudged_cells_are_no_labels() -> None:
    y = labels(200, 10)
    judged = np.random.default_rng(0).random(y.shape) < 0.7
    partial = cf.split(cf.Truth(y & judged, judged=judged), [0.5, 0.5])
    assert (partial.assignment == cf.split(y & judged, [0.5, 0.5]).assignment).all()


def test_grades_count_as_labels() -> None:
    y = labels(200, 10)
    graded = cf.split(cf.Truth(grades=3 * y), [0.5, 0.5])
    assert (graded.assignment == cf.split(y, [0.5, 0.5]).assignment).all()


def test_a_collection_is_split_like_its_truth() -> None:
    truth = cf.Truth(labels(100, 5))
    split = cf.split(cf.Collection(truth), [0.5, 0.5])
    assert (split.assignment == cf.split(truth, [0.5, 0.5]).assignment).all()


def test_many_concepts_need_no_dense_matrix() -> None:
    rng = np.random.default_rng(0)
    rows, columns = np.repeat(np.arange(5000), 4), rng.integers(0, 50_000, 20_000)
    cells = coo_array((np.ones(20_000), (rows, columns)), shape=(5000, 50_000))
    cells.sum_duplicates()
    cells.data[:] = 1
    split = cf.split(cf.Truth(cells), [0.8, 0.2])
    assert split.report.items.tolist() == [4000, 1000]
    with pytest.raises(cf.InputError, match="counts pairs, of which 50000 concepts"):
        cf.split(cf.Truth(cells), [0.8, 0.2], order=2)


def test_second_order_counts_pairs_the_same_in_few_and_in_many_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from cranfield.collections.splits import labels as rarest

    y = labels(500, 12)
    usual = cf.split(y, [0.8, 0.2], order=2).assignment
    for name, value in (("_PAIR_COST", 10**9), ("_PAIR_COST", 0), ("_BLOCK", 1)):
        monkeypatch.setattr(rarest, name, value)
        assert (cf.split(y, [0.8, 0.2], order=2).assignment == usual).all()
