"""C kernels take any byte but 0 for a mark: none is an index, a count or a part of a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.kernels import Decisions, Grid, Levels, Statistic, Strand

native = pytest.importorskip("cranfield.kernels.native")

PLAN = [
    Statistic("AP", "grouped"),
    Statistic("AUC", "expected"),
    Statistic("coverage", "expected"),
    Statistic("nDCG", "expected", 5),
]
RANDOM = np.random.default_rng(3)
ITEMS, CONCEPTS = 37, 70
LABELS = RANDOM.random((ITEMS, CONCEPTS)) < 0.4
INCLUDE = RANDOM.random((ITEMS, CONCEPTS)) < 0.7
BYTES = RANDOM.integers(1, 256, LABELS.shape, dtype=np.uint8)

Marks = NDArray[np.bool_]
Stain = Callable[[Marks], Marks]


@pytest.fixture(params=["baseline", "avx2", "avx512"], autouse=True)
def loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run every test with each set of loops that this machine has."""
    try:
        native._native.use_loops(request.param)
    except ValueError as error:
        pytest.skip(str(error))
    yield
    native._native.use_loops("best")


def plain(marks: Marks) -> Marks:
    return marks


def stained(marks: Marks) -> Marks:
    """The same marks, each of a byte of its own."""
    octets = BYTES.ravel()[: marks.size].reshape(marks.shape)
    return (marks.view(np.uint8) * octets).view(np.bool_)


def same(work: Callable[[Stain], Any]) -> bool:
    one, other = work(plain), work(stained)
    return all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        for a, b in zip(*map(_listed, (one, other)), strict=True)
    )


def _listed(arrays: Any) -> list[NDArray[Any]]:
    return list(arrays) if isinstance(arrays, tuple) else [arrays]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("low", [0.0, -1.0])
@pytest.mark.parametrize("masked", [False, True])
def test_ranked_lists(kind: Any, low: float, masked: bool) -> None:
    scores = RANDOM.uniform(low, 1.0, LABELS.shape).round(1).astype(kind)
    counted = INCLUDE if masked else np.ones_like(INCLUDE)

    def totals(axis: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        positives = (LABELS & counted).sum(axis=axis)
        return positives, counted.sum(axis=axis) - positives

    def grid(stain: Stain, axis: int) -> Grid:
        include = stain(INCLUDE) if masked else None
        return Grid(scores, stain(LABELS), include, *totals(axis), PLAN)

    assert same(lambda stain: kernels.rank_columns(grid(stain, 0)))
    assert same(lambda stain: kernels.rank_rows(grid(stain, 1)))
    offsets = np.array([0, 5, 5, 900, LABELS.size])
    whole = np.array([LABELS.ravel()[a:b].sum() for a, b in pairwise(offsets)])
    assert same(
        lambda stain: kernels.rank_lists(
            Strand(
                scores.ravel(),
                stain(LABELS.ravel()),
                offsets,
                whole,
                np.diff(offsets) - whole,
                PLAN,
            )
        )
    )


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_decisions_and_the_best_of_rows(kind: Any) -> None:
    scores = RANDOM.random(LABELS.shape).round(1).astype(kind)
    assigned, sizes, order = scores > 0.5, LABELS.sum(axis=1), np.arange(CONCEPTS)
    for said in (None, assigned):
        assert same(
            lambda stain, said=said: kernels.count(
                Decisions(
                    scores,
                    0.5,
                    None if said is None else stain(said),
                    stain(LABELS),
                    stain(INCLUDE),
                )
            )
        )
    assert same(lambda stain: kernels.top(scores, stain(INCLUDE), sizes, order))
    assert same(lambda stain: kernels.pack(stain(LABELS)))


def side_sums(lists: kernels.SortedLists, *thresholds_and_table: NDArray[Any]) -> NDArray[Any]:
    sums = np.zeros((3, ITEMS))
    kernels.side_sums(lists, *thresholds_and_table, None, sums)
    return sums


def test_whole_lists() -> None:
    marks, scores = LABELS.ravel(), RANDOM.random(LABELS.size).round(2)
    offsets = np.arange(CONCEPTS + 1) * ITEMS
    hits = marks.reshape(CONCEPTS, ITEMS).sum(axis=1)
    thresholds = np.full(CONCEPTS, 0.5)
    levels = Levels(*np.ones((2, CONCEPTS)), *np.repeat([[2.0], [5.0], [9.0]], CONCEPTS, axis=1))
    table = RANDOM.random((CONCEPTS, 2, 3))
    owner = np.repeat(np.arange(CONCEPTS), ITEMS)

    def lists(stain: Stain) -> Any:
        return kernels.sorted_lists(scores, stain(marks), offsets)

    assert same(lambda stain: tuple(kernels.standings(lists(stain), hits)))
    for ties in ("grouped", "best", "worst"):
        assert same(
            lambda stain, ties=ties: tuple(
                kernels.cuts(lists(stain), np.full(CONCEPTS, ITEMS), levels, ties)
            )
        )
    assert same(lambda stain: kernels.count_sides(lists(stain), thresholds))
    assert same(lambda stain: side_sums(lists(stain), thresholds, table))
    assert same(lambda stain: kernels.running_counts(owner, owner, stain(marks)))
