"""A small evaluation that tests of tables and pictures share."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf


@pytest.fixture(scope="session")
def six() -> cf.Evaluation:
    """Six runs, two of them alike; a1 is the best."""
    random = np.random.default_rng(8)
    labels = (random.random((150, 6)) < 0.35).astype(int)
    means = {"a1": 0.5, "a2": 0.3, "b&1": 0.3, "c_1": 0.2, "d": 0.1, "e": 0.0}
    noise = random.normal(size=labels.shape) * 0.12
    runs = [
        cf.Run(
            scores=np.clip(
                0.3 + mean * labels + noise + random.normal(0, 0.12, labels.shape), 0, 1
            ),
            name=name,
        )
        for name, mean in means.items()
    ]
    return cf.evaluate(cf.Truth(labels), runs, ["concept.AP", "concept.EER", "example.F"])
