"""The C extension against the NumPy reference: the same numbers, whatever the instruction set.

Scores are where C could go astray: signed zeros, subnormals, negative, huge, float32; lists of any
length; cells left out; relevant cells that were not retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.kernels import (
    ROW_STATISTICS,
    TIES_OF,
    Decisions,
    Grid,
    Lists,
    Order,
    Statistic,
    Strand,
    reference,
)
from cranfield.kernels.draws import OrderedList
from problems import EXACT

native = pytest.importorskip("cranfield.kernels.native")

CUTS = {
    "iAP": (2, 11),
    "nDCG": (0, 1, 4),
    "P@": (1, 4),
    "R@": (1, 99),
    "success": (1, 4),
    "AP@": (1, 4, 99),
}
VARIANTS = {
    "EER": ("linear", "vertex"),
    "iAP": ("exact", "trec9", "trec10"),
    "PRAUC": ("step", "trapezoid", "interpolated"),
    "AP@": ("", "ideal", "retrieved"),
}
PARAMETERS = {
    "RBP": (0.0, 0.8, 1.0),
    "P_at_recall": (0.0, 0.4, 1.0),
    "AP_at_prevalence": (0.1, 0.5, 1.0),
}
PLAN = [
    Statistic(name, ties, k, variant, parameter)
    for name, rules in TIES_OF.items()
    for ties in rules
    for k in CUTS.get(name, (0,))
    for variant in VARIANTS.get(name, ("",))
    for parameter in PARAMETERS.get(name, (0.0,))
]
ROW_PLAN = [statistic for statistic in PLAN if statistic.name in ROW_STATISTICS]

VALUES = {
    "few": (0.0, 0.5, 1.0),
    "signed": (-2.0, -1.0, -0.0, 0.0, 1e-3, 3.0),
    "extreme": (-3e38, -1e-45, -0.0, 0.0, 1e-45, 1.2e-38, 3e38),
}


@pytest.fixture(params=["baseline", "avx2", "avx512"], autouse=True)
def loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run every test with each set of loops that this machine has."""
    try:
        native._native.use_loops(request.param)
    except ValueError as error:
        pytest.skip(str(error))
    yield
    native._native.use_loops("best")


@dataclass(frozen=True)
class Cells:
    """Arguments of the kernels."""

    scores: NDArray[Any]
    labels: NDArray[np.bool_]
    include: NDArray[np.bool_] | None
    counted: NDArray[np.bool_]
    """Cells of the truth that count: those included, and some that were not retrieved."""

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.scores, self.labels, self.include

    def totals(self, axis: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        positives = np.count_nonzero(self.labels & self.counted, axis=axis)
        return positives, np.count_nonzero(self.counted, axis=axis) - positives


def cells(
    seed: int, items: int, concepts: int, values: tuple[float, ...] | None, kind: Any, masked: bool
) -> Cells:
    rng = np.random.default_rng(seed)
    shape = (items, concepts)
    scores = rng.normal(size=shape) if values is None else rng.choice(np.array(values), shape)
    labels = rng.random(shape) < rng.choice([0.05, 0.5, 1.0])
    include = rng.random(shape) < 0.7 if masked else None
    counted = np.ones(shape, dtype=bool) if include is None else include | (rng.random(shape) < 0.5)
    return Cells(scores.astype(kind), labels, include, counted)


problems = st.builds(
    cells,
    seed=st.integers(0, 10**6),
    items=st.integers(1, 70),
    concepts=st.integers(1, 70),
    values=st.sampled_from([*VALUES.values(), None]),
    kind=st.sampled_from([np.float32, np.float64]),
    masked=st.booleans(),
)


def both(work: Callable[[], Any]) -> tuple[Any, Any]:
    """What the two backends answer."""
    chosen = kernels._backend
    answers = []
    try:
        for kernels._backend in (native, reference):
            answers.append(work())
    finally:
        kernels._backend = chosen
    return answers[0], answers[1]


def agree(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return np.allclose(one, other, rtol=EXACT, atol=EXACT, equal_nan=True)


@given(case=problems)
def test_columns(case: Cells) -> None:
    assert agree(*both(lambda: kernels.rank_columns(Grid(*case.arrays, *case.totals(0), PLAN))))


@given(case=problems)
def test_rows(case: Cells) -> None:
    assert agree(*both(lambda: kernels.rank_rows(Grid(*case.arrays, *case.totals(1), ROW_PLAN))))


@given(case=problems, seed=st.integers(0, 99))
def test_lists(case: Cells, seed: int) -> None:
    scores, labels = case.scores.ravel(), case.labels.ravel()
    rng = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.sort(rng.integers(0, len(scores) + 1, 6)), [len(scores)]])
    hidden = rng.choice([0, 0, 1, 5], (2, len(offsets) - 1))
    inside = [labels[a:b] for a, b in pairwise(offsets)]
    positives = np.array([y.sum() for y in inside]) + hidden[0]
    negatives = np.array([(~y).sum() for y in inside]) + hidden[1]
    strand = Strand(scores, labels, offsets, positives, negatives, PLAN)
    assert agree(*both(lambda: kernels.rank_lists(strand)))


@given(case=problems, seed=st.integers(0, 99))
def test_the_order_of_lists_tells_where_scores_stand(case: Cells, seed: int) -> None:
    columns, concepts = case.scores.T, case.scores.shape[1]
    labels = np.zeros(case.scores.size, dtype=np.bool_)
    offsets = np.arange(concepts + 1) * len(case.scores)
    nothing = np.zeros(concepts, dtype=np.int64)
    strand = Strand(columns.ravel(), labels, offsets, nothing, nothing, ())
    grid = Grid(*case.arrays, nothing, nothing, ())
    rng = np.random.default_rng(seed)
    asked = [rng.choice(column, rng.integers(0, 9)) for column in columns]
    where = np.concatenate([[0], np.cumsum([len(own) for own in asked])])

    def bounds(rank: Any, problem: Any) -> NDArray[Any]:
        order = Order.room(case.scores, concepts)
        rank(problem, order)
        return kernels.bounds(order, np.concatenate(asked), where)

    listed = np.ones_like(case.labels) if case.include is None else case.include
    pairs = list(zip(columns, listed.T, strict=True))
    for rank, problem, lists in (
        (kernels.rank_lists, strand, columns),
        (kernels.rank_columns, grid, [column[mask] for column, mask in pairs]),
    ):
        ours, theirs = both(lambda rank=rank, problem=problem: bounds(rank, problem))
        assert (ours == theirs).all()
        wanted = [
            ((own > score).sum(), (own >= score).sum())
            for own, scores in zip(lists, asked, strict=True)
            for score in scores
        ]
        assert [tuple(pair) for pair in ours.T.tolist()] == wanted


@given(seed=st.integers(0, 999), crowded=st.booleans())
def test_cells_of_one_sparse_matrix_are_found_in_another(seed: int, crowded: bool) -> None:
    rng = np.random.default_rng(seed)
    stored = rng.random((2, 70, 9)) < ([[[0.1]], [[0.9]]] if crowded else [[[0.5]], [[0.1]]])
    lists = [
        Lists(np.concatenate([[0], np.cumsum(mask.sum(axis=0))]), np.nonzero(mask.T)[1], mask)
        for mask in stored
    ]
    numbers = np.full(stored.shape[1:], -1).T
    numbers[stored[1].T] = np.arange(stored[1].sum())
    ours, theirs = both(lambda: kernels.locate(*lists))
    assert (ours == theirs).all()
    assert (ours == numbers[stored[0].T]).all()


@given(case=problems)
def test_columns_are_the_rows_of_the_transpose(case: Cells) -> None:
    turned = [None if m is None else np.ascontiguousarray(m.T) for m in case.arrays]
    by_column = kernels.rank_columns(Grid(*turned, *case.totals(1), ROW_PLAN))
    assert agree(by_column, kernels.rank_rows(Grid(*case.arrays, *case.totals(1), ROW_PLAN)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("decided", ["number", "by concept", "by cell", "labels"])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (9, 3), (700, 67), (3, 1000), (3000, 64)])
def test_counts(kind: Any, decided: str, masked: bool, shape: tuple[int, int]) -> None:
    case = cells(5, *shape, VALUES["signed"], kind, masked)
    cut: Any = {"by concept": case.scores[0], "by cell": case.scores[::-1]}.get(decided, 0.0)
    cut = np.ascontiguousarray(cut, dtype=np.float64) if np.ndim(cut) else cut
    assigned = case.scores >= 0.5 if decided == "labels" else None
    one, other = both(
        lambda: kernels.count(Decisions(case.scores, cut, assigned, case.labels, case.include))
    )
    assert np.array_equal(one[0], other[0])
    assert np.array_equal(one[1], other[1])
    assert one[0].sum() == one[1].sum() > 0 or shape == (1, 1)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_examination_finds_what_is_not_finite(kind: Any, bad: float, size: int) -> None:
    scores = np.linspace(-3, 5, size * 3).reshape(size, 3).astype(kind)
    assert native.examine(scores) == reference.examine(scores) == (True, -3.0, 5.0)
    for place in {0, size // 2, size * 3 - 1}:
        broken = scores.copy()
        broken.ravel()[place] = bad
        assert native.examine(broken)[0] is reference.examine(broken)[0] is False


@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("numpy_only", [False, True])
def test_running_counts_are_what_counting_gives(numpy_only: bool, above: bool) -> None:
    random = np.random.default_rng(4)
    for cells in (0, 1, 40):
        owner = np.sort(random.integers(0, 6, cells))
        start = random.integers(0, 4, cells)
        order = np.lexsort((start, owner))
        owner, start, marks = owner[order], start[order], random.random(cells) < 0.4
        with kernels.numpy_only() if numpy_only else nullcontext():
            found = kernels.running_counts(owner, start, marks, above=above)
        expected = [
            int(marks[(owner == owner[i]) & (start < start[i] + (not above))].sum())
            for i in range(cells)
        ]
        assert found.tolist() == expected


def test_draws_have_the_statistics_of_repeated_items() -> None:
    """One order and many draws, tied and long enough that sums are shared: C equals NumPy."""
    rng = np.random.default_rng(3)
    for cells in (1, 40, 2500):
        scores = np.sort(np.round(rng.random(cells), 3))[::-1]
        listed = cells - cells // 20
        last = np.append(scores[1:] != scores[:-1], True)
        last[listed - 1] = True
        items = rng.permutation(cells).astype(np.uint32)
        ordered = OrderedList(items, rng.random(cells) < 0.4, last, listed)
        times = rng.poisson(1, (6, cells)).astype(np.uint16)
        plan = [statistic for statistic in PLAN if statistic.variant != "vertex"]
        fast, plain = np.empty((2, len(plan), 6))
        native.rank_draws(ordered, times, plan, fast, range(6))
        reference.rank_draws(ordered, times, plan, plain, range(6))
        np.testing.assert_allclose(fast, plain, rtol=EXACT, atol=EXACT)
