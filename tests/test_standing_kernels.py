"""Where cells stand among relevant ones and lists are cut: both backends against counting."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from cranfield import kernels
from cranfield.kernels import Kinds, Levels, SortedLists, Statistic

_LENGTHS = [0, 1, 7, 8, 61, 0, 20]


def _lists(density: float, distinct: int, step: float) -> tuple[SortedLists, np.random.Generator]:
    random = np.random.default_rng([distinct, int(10 * density)])
    cells = sum(_LENGTHS)
    scores = 1.0 + step * random.integers(0, distinct, cells)
    scores[random.random(cells) < 0.1] = random.choice([0.0, -0.0])
    scores[random.random(cells) < 0.1] = -np.inf
    offsets = np.append(0, np.cumsum(_LENGTHS))
    return kernels.sorted_lists(scores, random.random(cells) < density, offsets), random


@pytest.mark.parametrize("step", [0.3, -0.3, 2.0**-52], ids=["up", "down", "hardly"])
@pytest.mark.parametrize("distinct", [1, 3, 50, 10**6])
@pytest.mark.parametrize("numpy_only", [False, True])
def test_lists_are_sorted(distinct: int, step: float, numpy_only: bool) -> None:
    with kernels.numpy_only() if numpy_only else nullcontext():
        lists, _ = _lists(0.2, distinct, step)
    for place, length in enumerate(_LENGTHS):
        own = slice(lists.offsets[place], lists.offsets[place] + length)
        assert sorted(lists.order[own]) == list(range(own.start, own.stop))
        ranked = lists.scores[lists.order[own]]
        assert (ranked[1:] <= ranked[:-1]).all()
        assert lists.last[own].tolist() == [*(ranked[1:] != ranked[:-1]), True][:length]


@pytest.mark.parametrize("distinct", [1, 3, 50, 10**6])
@pytest.mark.parametrize("density", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("numpy_only", [False, True])
def test_standings_are_what_counting_gives(density: float, distinct: int, numpy_only: bool) -> None:
    with kernels.numpy_only() if numpy_only else nullcontext():
        lists, _ = _lists(density, distinct, 0.3)
        sums = np.append(0, np.cumsum(lists.relevant))
        starts, counts, codes = kernels.standings(lists, np.diff(sums[lists.offsets]))
    for place, length in enumerate(_LENGTHS):
        own = slice(lists.offsets[place], lists.offsets[place] + length)
        scores, relevant = lists.scores[own], lists.relevant[own]
        hits = scores[relevant]
        assert starts[place + 1] - starts[place] == len(hits) + 1
        for score, mine, code in zip(scores, relevant, codes[own], strict=True):
            kind, above = divmod(int(code), len(hits) + 1)
            assert above == np.count_nonzero(hits > score)
            assert kind == (2 if mine else int(score in hits))
        table = counts[3 * starts[place] : 3 * starts[place + 1]]
        assert table.tolist() == np.bincount(codes[own], minlength=len(table)).tolist()


@pytest.mark.parametrize("widened", [False, True])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    "statistic",
    [
        Statistic("AUC", "expected"),
        Statistic("AUC", "worst"),
        Statistic("AP", "grouped"),
        Statistic("AP_at_prevalence", "grouped", parameter=0.3),
    ],
    ids=lambda one: f"{one.name}-{one.ties}",
)
@pytest.mark.parametrize("distinct", [1, 3, 50, 10**6])
@pytest.mark.parametrize("density", [0.1, 0.5])
def test_both_backends_find_the_same_influence(
    density: float, distinct: int, statistic: Statistic, named: bool, widened: bool
) -> None:
    random = np.random.default_rng([distinct, int(10 * density)])
    lists, items = 5, 40
    scores = random.integers(0, distinct, lists * items) / 7
    relevant = random.random(lists * items) < density
    offsets = np.arange(lists + 1) * items
    relevant[offsets[:-1]], relevant[offsets[1:] - 1] = True, False
    if named:  # then some cells may be silent
        for end in offsets[1:]:
            scores[end - 6 : end] = -np.inf
    positives = relevant.reshape(lists, items).sum(axis=1)
    retrieved = relevant.reshape(lists, items)[:, : items - 6 * named].sum(axis=1)

    def found() -> np.ndarray:
        sums = np.zeros((3, items))
        kernels.standing_sums(
            offsets,
            kernels.standings(kernels.sorted_lists(scores, relevant, offsets), positives),
            Kinds(positives, items - positives, retrieved),
            statistic,
            np.array([0.5, 0.0, 1.0, 2.0, 0.1]),
            np.tile(np.arange(items), lists) if named else None,
            sums,
            widened=widened,
        )
        return kernels.rounded(list(sums))

    with kernels.numpy_only():
        expected = found()
    np.testing.assert_allclose(found(), expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("ties", ["grouped", "best", "worst"])
@pytest.mark.parametrize("distinct", [1, 3, 50, 10**6])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_both_backends_cut_lists_at_the_same_place(
    density: float, distinct: int, ties: str
) -> None:
    lists, random = _lists(density, distinct, 0.3)
    count = len(_LENGTHS)
    levels = Levels(
        random.integers(1, 9, count).astype(float),
        random.integers(1, 9, count).astype(float),
        *np.sort(4 * random.random((3, count)), axis=0),
    )
    lengths = np.array(_LENGTHS) - random.integers(0, 2, count) * (np.array(_LENGTHS) > 2)
    found = kernels.cuts(lists, lengths, levels, ties)
    with kernels.numpy_only():
        expected = kernels.cuts(lists, lengths, levels, ties)
        counts = kernels.count_sides(lists, found.threshold)
    some = lengths > 0
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one[some], other[some], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(kernels.count_sides(lists, found.threshold), counts)


@pytest.mark.parametrize("named", [False, True])
def test_both_backends_add_up_sides(named: bool) -> None:
    random = np.random.default_rng(8)
    scores, relevant = random.integers(0, 5, 60) / 4, random.random(60) < 0.5
    lists = kernels.sorted_lists(scores, relevant, np.array([0, 20, 40, 60]))
    items = random.permuted(np.tile(np.arange(20), (3, 1)), axis=1).ravel() if named else None
    thresholds, table = np.array([0.5, 0.25, 9.0]), random.random((3, 2, 3))
    found, expected = np.zeros((2, 3, 20))
    kernels.side_sums(lists, thresholds, table, items, found)
    with kernels.numpy_only():
        kernels.side_sums(lists, thresholds, table, items, expected)
    found, expected = kernels.rounded(list(found)), kernels.rounded(list(expected))
    assert found.tobytes() == expected.tobytes()
    assert found.sum() == pytest.approx((table * kernels.count_sides(lists, thresholds)).sum())


def test_a_cut_lies_in_the_group_that_reaches_the_level() -> None:
    scores = np.array([9.0, 7.0, 7.0, 7.0, 5.0, 4.0, 3.0, 2.0])
    relevant = np.array([1, 0, 1, 1, 0, 1, 0, 0], dtype=bool)
    lists = kernels.sorted_lists(scores, relevant, np.array([0, 8]))
    one, eight = np.ones(1), np.array([8])
    levels = Levels(one, one, 0.5 * one, 3 * one, 6 * one)
    grouped = kernels.cuts(lists, eight, levels, "grouped")
    found = [place.ravel().tolist() for place in grouped[:4]]
    assert found == [[0.5, 0.5], [1, 1], [4, 3], [6, 4]]
    assert grouped.kind.tolist() == [-1]
    assert grouped.threshold.tolist() == [7.0]
    near = kernels.cuts(lists, eight, levels._replace(high=5.5 * one), "grouped")
    assert near.low.tolist() == near.before.tolist()  # the group is longer than 2.5
    assert near.high.tolist() == near.after.tolist()
    worst = kernels.cuts(lists, eight, levels, "worst")
    assert [worst.before.tolist(), worst.after.tolist()] == [[[2, 1]], [[4, 3]]]
    assert worst.kind.tolist() == [1]
