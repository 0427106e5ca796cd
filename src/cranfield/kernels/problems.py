"""What is handed to a backend: cells to rank, what the truth says of them, and what to compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.kernels.groups import Bools, Floats, Ints, Scores
from cranfield.kernels.statistics import Statistic


class Grid(NamedTuple):
    """A matrix of items by concepts; its columns or its rows are the lists."""

    scores: Scores
    labels: Bools
    include: Bools | None
    """Cells that count; None = all."""
    positives: Ints
    """Of each list, as the truth has them, retrieved or not; likewise the negatives."""
    negatives: Ints
    plan: Sequence[Statistic]


class Strand(NamedTuple):
    """Lists stored one after the other: list i is the cells offsets[i] … offsets[i + 1]."""

    scores: Scores
    labels: Bools
    offsets: Ints
    positives: Ints
    negatives: Ints
    plan: Sequence[Statistic]


class Order(NamedTuple):
    """The order of lists, kept when they are ranked, for those who ask where a score stands."""

    keys: NDArray[Any]
    """What the backend sorted, list after list."""
    spans: Ints
    """(lists, 3): where the keys of a list begin, how many they are, how many without a sign."""

    @classmethod
    def room(cls, scores: Scores, lists: int) -> Order:
        """Where the order of lists of these scores may be kept."""
        return cls(np.empty(scores.size, scores.dtype), np.empty((lists, 3), dtype=np.int64))


class Lists(NamedTuple):
    """Cells of a sparse matrix by column or by row: list i is offsets[i] … offsets[i + 1]."""

    offsets: Ints
    places: Ints
    """The row or the column, ascending in a list."""
    values: NDArray[Any]


class Decisions(NamedTuple):
    """A matrix of decisions: `assigned`, or `scores >= cut` where that is None."""

    scores: Scores | None
    cut: float | Floats
    assigned: Bools | None
    labels: Bools
    include: Bools | None
