"""The four classifiers of Holt et al. 2010, Figure 1: eight classes, equally frequent.

A spreads its errors over all other classes, B over three of them, C over one; D is torn between two
classes. The figure is a picture; these matrices follow from all numbers printed beside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import cranfield as cf

CLASSES = 8


def spread(error: float, others: int) -> NDArray[np.float64]:
    """Joint probabilities of a system that errs towards so many other classes."""
    matrix = np.eye(CLASSES) * (1 - error)
    for true in range(CLASSES):
        for step in range(1, others + 1):
            matrix[true, (true + step) % CLASSES] += error / others
    return matrix / CLASSES


A, B, C, D = (
    cf.Confusion(spread(error, others), name=name)
    for name, error, others in (("A", 0.2, 7), ("B", 0.2, 3), ("C", 0.2, 1), ("D", 0.5, 1))
)
