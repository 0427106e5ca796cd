"""Random data of every kind that a name of another tool may be used on: ties, empty rows and
columns, full ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SEEDS = range(4)
Labels = NDArray[np.bool_]
Confidences = NDArray[np.float64]


@dataclass(frozen=True)
class Data:
    """Labels, and confidences in [0, 1] of few values, so that many are equal."""

    y: Labels
    s: Confidences

    @property
    def decided(self) -> Labels:
        return self.s >= 0.5


def several_labels(seed: int, *, empty: bool = True, ties: bool = True) -> Data:
    """Items with several labels; with `empty` also one without any, one with all, a concept that
    no item has and one that neither truth nor run have."""
    draw = np.random.default_rng(seed)
    y, s = draw.random((30, 6)) < 0.3, _confidences(draw, (30, 6), ties)
    y[0], y[1] = [1, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 1]
    y[2, :] = y[3, :] = True
    if empty:
        y[4:7] = False
        s[5] = 0.1
        y[7] = True
        y[:, 4:] = False
        s[:, 5] = s[:, 5] / 4
    return Data(y, s)


def one_concept(seed: int, *, ties: bool = True) -> Data:
    draw = np.random.default_rng(seed)
    y = draw.random((40, 1)) < 0.4
    y[:2, 0] = [True, False]
    return Data(y, _confidences(draw, (40, 1), ties))


def one_class(seed: int, *, ties: bool = True) -> Data:
    """One of six classes for each item and confidences that add up to 1; class 4 is never true, and
    class 5 neither true nor said. Equal highest confidences are left to the smallest id."""
    draw = np.random.default_rng(seed)
    s = _confidences(draw, (50, 6), ties) + 0.01
    s[:, 5] = 0.001
    return Data(np.eye(6, dtype=bool)[draw.integers(0, 4, 50)], s / s.sum(axis=1, keepdims=True))


def _confidences(draw: Any, shape: tuple[int, int], ties: bool) -> Confidences:
    if ties:
        return np.asarray(draw.integers(0, 11, shape) / 10)
    return np.asarray(
        draw.permutation(np.linspace(0.001, 0.999, shape[0] * shape[1])).reshape(shape)
    )
