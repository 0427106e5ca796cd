"""Kernels for sets of labels against Python sets, SciPy and all permutations, in both backends.

Sizes are where words end: 1, 5, 53, 64, 65, 93, 128, 129 and 600 concepts. Costs come with and
without the triangle inequality, and in few values, so that there are ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from cranfield import kernels
from cranfield.kernels import Rules, reference
from problems import EXACT

try:
    from cranfield.kernels import native
except ImportError:
    native = None

CONCEPTS = (1, 5, 53, 64, 65, 93, 128, 129, 600)
COSTS = ("distances", "any", "few")

Matrix = NDArray[np.bool_]
Sets = list[list[int]]


@pytest.fixture(params=["numpy", "native"])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with each backend."""
    if request.param == "native" and native is None:
        pytest.skip("the C extension was not built")
    monkeypatch.setattr(kernels, "_backend", native if request.param == "native" else reference)


@pytest.fixture(params=["baseline", "avx2", "avx512"])
def loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a test with each set of loops that this machine has."""
    if native is None:
        pytest.skip("the C extension was not built")
    try:
        native._native.use_loops(request.param)
    except ValueError as error:
        pytest.skip(str(error))
    yield
    native._native.use_loops("best")


every_backend = pytest.mark.usefixtures("backend")
by_size = pytest.mark.parametrize("concepts", CONCEPTS)


def draw_sets(rng: np.random.Generator, items: int, concepts: int) -> Matrix:
    """Empty, small, about ten, many, and (of up to 130 concepts) full ones."""
    mean = min(1.0, 10 / concepts)
    density = rng.choice([0.0, mean / 3, mean, mean, min(0.5, 3 * mean)], (items, 1))
    matrix = rng.random((items, concepts)) < density
    if items > 5:
        matrix[5, :130] = True
    return matrix


def draw_costs(rng: np.random.Generator, concepts: int, kind: str) -> NDArray[np.float64]:
    if kind == "distances":
        points = rng.random((concepts, 3))
        return np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    costs = rng.random((concepts, concepts))
    if kind == "few":
        costs = np.floor(costs * 4) / 4
    np.fill_diagonal(costs, 0.0)
    return costs


def members(matrix: Matrix) -> Sets:
    return [np.flatnonzero(row).tolist() for row in matrix]


def unpacked(words: NDArray[np.uint64], concepts: int) -> Sets:
    """Members of packed sets, read bit by bit; bits behind the last concept would be found."""
    assert words.dtype == np.uint64
    assert words.shape[1] == -(-concepts // 64)
    return [
        [64 * w + b for w, word in enumerate(row) for b in range(64) if word >> b & 1]
        for row in words.tolist()
    ]


def backends(work: Callable[[], Any]) -> tuple[Any, Any]:
    """What NumPy and C answer."""
    if native is None:
        pytest.skip("the C extension was not built")
    answers = []
    for backend in (reference, native):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernels, "_backend", backend)
            answers.append(work())
    return answers[0], answers[1]


# ── packing ─────────────────────────────────────────────────────────────────────────────────────


@every_backend
@by_size
def test_packing_keeps_every_member_and_adds_none(concepts: int) -> None:
    matrix = draw_sets(np.random.default_rng(concepts), 700, concepts)
    assert unpacked(kernels.pack(matrix), concepts) == members(matrix)


@every_backend
def test_any_layout_can_be_packed() -> None:
    matrix = draw_sets(np.random.default_rng(1), 40, 70)
    assert np.array_equal(kernels.pack(np.asfortranarray(matrix)), kernels.pack(matrix))
    assert np.array_equal(kernels.pack(matrix[::2, ::3]), kernels.pack(matrix[::2, ::3].copy()))


@every_backend
@pytest.mark.parametrize("shape", [(0, 5), (0, 100), (3, 0)])
def test_nothing_packs_to_nothing(shape: tuple[int, int]) -> None:
    words = kernels.pack(np.zeros(shape, dtype=bool))
    assert words.shape == (shape[0], -(-shape[1] // 64))


# ── rules ───────────────────────────────────────────────────────────────────────────────────────


def draw_rules(
    rng: np.random.Generator, concepts: int
) -> tuple[Rules, list[set[int]], list[list[set[int]]]]:
    """Rules packed, and as plain sets: conflicts and needs of each concept."""
    clash = rng.random((concepts, concepts)) < 1 / concepts
    needs = [
        [set(rng.integers(0, concepts, rng.integers(1, 5)).tolist()) for _ in range(count)]
        for count in rng.choice([0, 0, 1, 2], concepts).tolist()
    ]
    flat = [alternatives for each in needs for alternatives in each]
    rows = np.zeros((len(flat), concepts), dtype=bool)
    for row, alternatives in zip(rows, flat, strict=True):
        row[list(alternatives)] = True
    starts = np.cumsum([0, *map(len, needs)])
    rules = Rules(kernels.pack(clash), kernels.pack(rows), starts)
    return rules, [set(row) for row in members(clash)], needs


@every_backend
@by_size
def test_violators_are_those_of_plain_sets(concepts: int) -> None:
    rng = np.random.default_rng(concepts)
    matrix = draw_sets(rng, 600, concepts)
    rules, conflicts, needs = draw_rules(rng, concepts)
    expected = [
        [c for c in row if conflicts[c] & set(row) or any(not n & set(row) for n in needs[c])]
        for row in members(matrix)
    ]
    assert unpacked(kernels.violators(kernels.pack(matrix), rules), concepts) == expected
    if concepts > 1:
        assert any(expected)
        assert expected != members(matrix)


@every_backend
def test_a_concept_in_conflict_with_itself_is_never_allowed() -> None:
    sets = kernels.pack(np.eye(3, 70, 1, dtype=bool))
    nothing = np.zeros((0, 2), dtype=np.uint64)
    rules = Rules(kernels.pack(np.eye(70, dtype=bool)), nothing, np.zeros(71, dtype=np.int64))
    assert np.array_equal(kernels.violators(sets, rules), sets)


@every_backend
def test_without_rules_there_are_no_violators() -> None:
    sets = kernels.pack(draw_sets(np.random.default_rng(3), 50, 93))
    free = Rules(
        np.zeros((93, 2), dtype=np.uint64),
        np.zeros((0, 2), dtype=np.uint64),
        np.zeros(94, dtype=np.int64),
    )
    assert not kernels.violators(sets, free).any()


# ── nearest ─────────────────────────────────────────────────────────────────────────────────────


def nearest_by_sets(
    sources: Sets,
    targets: Sets,
    costs: NDArray[np.float64],
    target_scale: NDArray[np.float64],
    source_scale: NDArray[np.float64],
) -> list[float]:
    def price(s: int, wanted: list[int]) -> float:
        if not wanted:
            return 1.0
        t = min(wanted, key=lambda t: (costs[s, t], -target_scale[t]))
        return float(costs[s, t] * target_scale[t] * source_scale[s])

    return [
        math.fsum(price(s, wanted) for s in given)
        for given, wanted in zip(sources, targets, strict=True)
    ]


@every_backend
@by_size
@pytest.mark.parametrize("kind", COSTS)
@pytest.mark.parametrize("scaled", ["neither", "targets", "sources", "both"])
def test_nearest_is_that_of_plain_sets(concepts: int, kind: str, scaled: str) -> None:
    rng = np.random.default_rng(concepts)
    sources, targets = (draw_sets(rng, 120, concepts) for _ in range(2))
    costs = draw_costs(rng, concepts, kind)
    scales = {
        name: rng.choice([0.25, 0.5, 0.7, 1.0], concepts) if scaled in (side, "both") else None
        for name, side in (("target_scale", "targets"), ("source_scale", "sources"))
    }
    plain = [np.ones(concepts) if scale is None else scale for scale in scales.values()]
    found = kernels.nearest(kernels.pack(sources), kernels.pack(targets), costs, **scales)
    assert found.tolist() == nearest_by_sets(members(sources), members(targets), costs, *plain)


@every_backend
def test_costs_may_lie_in_memory_in_any_order() -> None:
    rng = np.random.default_rng(9)
    sources, targets = (kernels.pack(draw_sets(rng, 100, 70)) for _ in range(2))
    costs = draw_costs(rng, 70, "any")
    turned = kernels.nearest(sources, targets, costs.T)
    assert np.array_equal(turned, kernels.nearest(sources, targets, costs.T.copy()))
    assert not np.array_equal(turned, kernels.nearest(sources, targets, costs))


@every_backend
def test_of_equally_near_targets_the_one_with_the_larger_scale_counts() -> None:
    costs = np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])
    sources, targets = kernels.pack(np.array([[True, False, False], [False, True, True]])).reshape(
        2, 1, 1
    )
    for scale in ([9.0, 0.3, 0.8], [9.0, 0.8, 0.3]):
        found = kernels.nearest(sources, targets, costs, target_scale=np.array(scale))
        assert found.tolist() == [0.5 * 0.8]


@every_backend
def test_without_a_target_every_member_costs_one() -> None:
    sources = np.array([[True, True, False], [False, False, False]])
    found = kernels.nearest(
        kernels.pack(sources),
        kernels.pack(np.zeros_like(sources)),
        np.zeros((3, 3)),
        source_scale=np.full(3, 0.1),
    )
    assert found.tolist() == [2.0, 0.0]


# ── assignment ──────────────────────────────────────────────────────────────────────────────────


def square(
    given: list[int], wanted: list[int], costs: NDArray[np.float64], unmatched: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Costs of one item, the smaller side filled up with partners of the left over."""
    size = max(len(given), len(wanted))
    out = np.empty((size, size))
    out[:] = unmatched[given][:, None] if len(given) == size else unmatched[wanted]
    out[: len(given), : len(wanted)] = costs[np.ix_(given, wanted)]
    return out


def check_with_scipy(
    sources: Matrix, targets: Matrix, costs: NDArray[np.float64], unmatched: NDArray[np.float64]
) -> None:
    found = kernels.assign(kernels.pack(sources), kernels.pack(targets), costs, unmatched=unmatched)
    expected = []
    for given, wanted in zip(members(sources), members(targets), strict=True):
        matrix = square(given, wanted, costs, unmatched)
        expected.append(matrix[linear_sum_assignment(matrix)].sum())
    np.testing.assert_allclose(found, expected, rtol=EXACT, atol=EXACT)


@every_backend
@by_size
@pytest.mark.parametrize("kind", COSTS)
def test_assignment_costs_what_scipys_does(concepts: int, kind: str) -> None:
    rng = np.random.default_rng(concepts)
    sources, targets = (draw_sets(rng, 60, concepts) for _ in range(2))
    sources[5, concepts // 3 :] = False
    check_with_scipy(sources, targets, draw_costs(rng, concepts, kind), rng.random(concepts))


@every_backend
@pytest.mark.parametrize("kind", COSTS)
def test_sets_of_equal_size_are_assigned_as_scipy_does(kind: str) -> None:
    rng = np.random.default_rng(4)
    sizes = rng.integers(0, 20, 400)
    sources, targets = (
        rng.random((400, 53)).argsort(axis=1).argsort(axis=1) < sizes[:, None] for _ in range(2)
    )
    check_with_scipy(sources, targets, draw_costs(rng, 53, kind), np.ones(53))


@every_backend
@pytest.mark.parametrize("low", [0.0, -0.5])
def test_costs_of_any_sign_and_with_any_diagonal_are_assigned_exactly(low: float) -> None:
    rng = np.random.default_rng(6)
    sources, targets = (draw_sets(rng, 300, 30) for _ in range(2))
    costs = rng.uniform(low, 1.0, (30, 30))
    check_with_scipy(sources, targets, costs, rng.uniform(low, 1.0, 30))
    np.fill_diagonal(costs, 0.0)
    check_with_scipy(sources, targets, costs, rng.uniform(low, 1.0, 30))


@every_backend
@pytest.mark.parametrize("kind", COSTS)
def test_no_permutation_is_cheaper_than_the_assignment(kind: str) -> None:
    rng = np.random.default_rng(8)
    costs, unmatched = draw_costs(rng, 9, kind), rng.random(9)
    sources, targets = (rng.random((200, 9)) < 0.4 for _ in range(2))
    found = kernels.assign(kernels.pack(sources), kernels.pack(targets), costs, unmatched=unmatched)
    for given, wanted, cost in zip(members(sources), members(targets), found, strict=True):
        matrix = square(given, wanted, costs, unmatched)
        size = len(matrix)
        if size < 7:
            cheapest = min(
                sum(matrix[i, j] for i, j in enumerate(order))
                for order in permutations(range(size))
            )
            assert cost == pytest.approx(cheapest, rel=EXACT, abs=EXACT)


@every_backend
def test_an_exact_pair_is_given_up_where_two_others_cost_less() -> None:
    costs = np.array([[0.0, 0.1, 1.0], [1.0, 0.0, 0.1], [1.0, 1.0, 0.0]])
    sources, targets = kernels.pack(np.array([[True, True, False], [False, True, True]])).reshape(
        2, 1, 1
    )
    found = kernels.assign(sources, targets, costs, unmatched=np.ones(3))
    assert found.tolist() == [0.1 + 0.1]


@every_backend
def test_what_is_left_over_is_what_costs_least() -> None:
    sources, targets = kernels.pack(np.array([[True, True, False], [False, False, True]])).reshape(
        2, 1, 1
    )
    costs = np.array([[0.0, 1.0, 0.3], [1.0, 0.0, 0.4], [0.5, 0.6, 0.0]])
    unmatched = np.array([0.9, 0.2, 0.0])
    assert kernels.assign(sources, targets, costs, unmatched=unmatched).tolist() == [0.3 + 0.2]
    assert kernels.assign(targets, sources, costs, unmatched=unmatched).tolist() == [0.5 + 0.2]


# ── the best of each row ────────────────────────────────────────────────────────────────────────


@every_backend
@by_size
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("values", [None, (-2.0, -1.0, -0.0, 0.0, 1e-3, 3.0), (-3e38, 1e-45, 3e38)])
def test_the_best_are_those_of_a_sorted_list(
    concepts: int, kind: Any, masked: bool, values: tuple[float, ...] | None
) -> None:
    rng = np.random.default_rng(concepts)
    shape = (100, concepts)
    scores = rng.normal(size=shape) if values is None else rng.choice(np.array(values), shape)
    scores = scores.astype(kind)
    include = rng.random(shape) < 0.7 if masked else None
    sizes = rng.integers(0, min(concepts + 3, 40), len(scores))
    places = rng.permutation(concepts)
    words, hung = kernels.top(scores, include, sizes, places)
    best, expected = [], []
    for i, row in enumerate(scores.tolist()):
        listed = [c for c in range(concepts) if include is None or include[i, c]]
        order = sorted(listed, key=lambda c: (-row[c], places[c]))
        k = int(sizes[i])
        best.append(sorted(order[:k]))
        expected.append(0 < k < len(order) and row[order[k - 1]] == row[order[k]])
    assert unpacked(words, concepts) == best
    assert hung.tolist() == expected


# ── whatever the question ───────────────────────────────────────────────────────────────────────


@every_backend
@pytest.mark.parametrize("concepts", [5, 93, 300])
def test_bits_behind_the_last_concept_are_ignored(concepts: int) -> None:
    rng = np.random.default_rng(concepts)
    sets, others = (kernels.pack(draw_sets(rng, 50, concepts)) for _ in range(2))
    behind = ~kernels.pack(np.ones((1, concepts), dtype=bool))
    costs, (rules, _, _) = draw_costs(rng, concepts, "any"), draw_rules(rng, concepts)
    for ask in (
        lambda one, other: kernels.violators(one, rules),
        lambda one, other: kernels.nearest(one, other, costs),
        lambda one, other: kernels.assign(one, other, costs, unmatched=np.ones(concepts)),
    ):
        assert np.array_equal(ask(sets, others), ask(sets | behind, others | behind))


# ── both backends, any number of threads ────────────────────────────────────────────────────────


def answers(concepts: int, kind: str, items: int) -> list[NDArray[Any]]:
    rng = np.random.default_rng(concepts)
    sources, targets = (kernels.pack(draw_sets(rng, items, concepts)) for _ in range(2))
    costs, scale = draw_costs(rng, concepts, kind), rng.random(concepts)
    scores, places = rng.random((items, concepts)).round(1), rng.permutation(concepts)
    rules, _, _ = draw_rules(rng, concepts)
    return [
        sources,
        kernels.violators(sources, rules),
        kernels.nearest(sources, targets, costs, target_scale=scale, source_scale=scale[::-1]),
        kernels.assign(sources, targets, costs, unmatched=scale),
        *kernels.top(scores, None, rng.integers(0, 12, items), places),
    ]


@pytest.mark.usefixtures("loops")
@by_size
@pytest.mark.parametrize("kind", COSTS)
def test_the_backends_agree_to_the_last_bit(concepts: int, kind: str) -> None:
    for one, other in zip(*backends(lambda: answers(concepts, kind, 60)), strict=True):
        assert np.array_equal(one, other)


@every_backend
def test_neither_threads_nor_blocks_change_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads, grain in (("1", 600), ("3", 70)):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        monkeypatch.setattr(kernels, "set_grain", lambda items, concepts, grain=grain: grain)
        found.append(answers(20, "few", 600))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
