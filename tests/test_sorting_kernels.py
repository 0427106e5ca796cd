"""Keys sorted in C against NumPy's sort, on every set of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield.kernels import Order, Strand

native = pytest.importorskip("cranfield.kernels.native")

LENGTHS = [
    0,
    1,
    2,
    *(n + d for n in (16, 32, 64, 128, 256, 1000) for d in (-1, 0, 1)),
    5000,
    70_000,
]
"""Those at which another network, or quicksort, takes over."""

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]
DRAWS: dict[str, Draw] = {
    "uniform": lambda rng, n: rng.random(n),
    "normal": lambda rng, n: rng.normal(size=n),
    "few values": lambda rng, n: rng.integers(0, 3, n) / 2,
    "constant": lambda rng, n: np.zeros(n),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.95, 0.0, rng.random(n)),
    "ascending": lambda rng, n: np.sort(rng.random(n)),
    "descending": lambda rng, n: -np.sort(-rng.random(n)),
    "extremes": lambda rng, n: rng.choice([0.0, -0.0, 1e-40, -1e-40, 3e38, -3e38], n),
}


@pytest.fixture(params=["baseline", "avx2", "avx512"], autouse=True)
def loops(request: pytest.FixtureRequest) -> Iterator[None]:
    try:
        native._native.use_loops(request.param)
    except ValueError:
        pytest.skip(f"this machine has no {request.param}")
    yield
    native._native.use_loops("best")


def sorted_keys(
    scores: NDArray[np.floating], labels: NDArray[np.bool_]
) -> NDArray[np.unsignedinteger]:
    length = len(scores)
    ones, none = np.ones(1, dtype=np.int64), np.empty((0, 1))
    order = Order.room(scores, 1)
    offsets = np.array([0, length], dtype=np.int64)
    native.rank_lists(Strand(scores, labels, offsets, ones, ones, ()), order, none, range(1))
    return order.keys.view(np.uint32 if scores.itemsize == 4 else np.uint64)


def expected_keys(
    scores: NDArray[np.floating], labels: NDArray[np.bool_]
) -> NDArray[np.unsignedinteger]:
    """Descending scores are ascending keys, labels in the last bit; negative scores apart."""
    kind = np.uint32 if scores.itemsize == 4 else np.uint64
    bits = scores.view(kind) << kind(1)
    positive, negative = (~bits | kind(1)) ^ ~labels, bits | labels
    parts = (positive[scores >= 0], negative[scores < 0])
    return np.concatenate([np.sort(part) for part in parts])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_keys_are_sorted_as_numpy_sorts_them(draw: Draw, kind: type[np.floating]) -> None:
    rng = np.random.default_rng(1)
    for length in LENGTHS:
        scores, labels = draw(rng, length).astype(kind), rng.random(length) < 0.3
        assert (sorted_keys(scores, labels) == expected_keys(scores, labels)).all(), length


@pytest.mark.parametrize("sample", [32, 64])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_pivots_that_are_always_wrong_do_no_harm(kind: type[np.floating], sample: int) -> None:
    """Whatever a pivot is chosen from holds the least keys that are left: bytes sort in the end."""
    length = 20_000
    rank = np.full(length, -1)
    left = np.arange(length)
    while len(left) > sample * 4:
        step = len(left) // sample
        drawn = left[np.arange(sample) * step + step // 2]
        fresh = drawn[rank[drawn] < 0]
        rank[fresh] = np.arange(len(fresh)) + rank.max() + 1
        left = left[~((rank[left] >= 0) & (rank[left] < np.sort(rank[drawn])[sample // 2]))]
    rank[rank < 0] = np.arange((rank < 0).sum()) + rank.max() + 1
    scores = (length - rank).astype(kind)
    labels = np.zeros(length, dtype=bool)
    assert (sorted_keys(scores, labels) == expected_keys(scores, labels)).all()
