"""Where cells stand among relevant ones: both backends against counting cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import kernels


@pytest.mark.parametrize("numpy_only", [False, True])
@pytest.mark.parametrize("step", [0.3, -0.3, 2.0**-52], ids=["up", "down", "hardly"])
@pytest.mark.parametrize("distinct", [1, 3, 50, 10**6])
@pytest.mark.parametrize("density", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("cells", [0, 1, 7, 8, 61])
def test_standings_are_what_counting_gives(
    cells: int, density: float, distinct: int, step: float, numpy_only: bool
) -> None:
    random = np.random.default_rng([cells, distinct])
    scores = 1.0 + step * random.integers(0, distinct, cells)
    scores[random.random(cells) < 0.1] = random.choice([0.0, -0.0])
    scores[random.random(cells) < 0.1] = -np.inf
    relevant = random.random(cells) < density
    if numpy_only:
        with kernels.numpy_only():
            codes, counts = kernels.standings(scores, relevant)
    else:
        codes, counts = kernels.standings(scores, relevant)
    found = scores[relevant]
    for score, own, code in zip(scores.tolist(), relevant.tolist(), codes.tolist(), strict=True):
        kind, above = divmod(code, len(found) + 1)
        assert above == np.count_nonzero(found > score)
        assert kind == (2 if own else int(score in found))
    assert counts.shape == (3, len(found) + 1)
    assert counts.ravel().tolist() == np.bincount(codes, minlength=counts.size).tolist()
