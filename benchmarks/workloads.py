"""The sizes that benchmarks run at, as seeded random truths and confidences."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Workload(NamedTuple):
    name: str
    labels: NDArray[np.bool_]
    scores: NDArray[np.float32]


def imageclef_2009() -> Workload:
    return _draw("13,000 × 53", 13_000, 53, 9.06 / 53)


def imageclef_2010() -> Workload:
    return _draw("10,000 × 93", 10_000, 93, 12 / 93)


def million() -> Workload:
    return _draw("1M × 100", 1_000_000, 100, 0.09)


def _draw(name: str, items: int, concepts: int, density: float) -> Workload:
    rng = np.random.default_rng(0)
    labels = rng.random((items, concepts), dtype=np.float32) < density
    scores = rng.random((items, concepts), dtype=np.float32)
    scores[labels] = 1 - (1 - scores[labels]) * 0.7
    return Workload(name, labels, scores)
