"""Label matrices for splits: a few frequent concepts, many rare ones, some that hang together."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray


def labels(items: int, concepts: int, seed: int = 0) -> NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    frequencies = np.minimum(0.5, 1.2 / np.arange(1, concepts + 1))
    topics = rng.normal(size=(items, 3)) @ rng.normal(size=(3, concepts))
    logits = np.log(frequencies / (1 - frequencies)) + 0.7 * topics
    return rng.random((items, concepts)) < 1 / (1 + np.exp(-logits))


matrices = st.builds(labels, st.integers(2, 150), st.integers(1, 12), st.integers(0, 2**32 - 1))


@st.composite
def share_lists(draw: st.DrawFn) -> list[float]:
    weights = np.array(draw(st.lists(st.integers(1, 20), min_size=2, max_size=6)), dtype=float)
    return list(weights / weights.sum())
