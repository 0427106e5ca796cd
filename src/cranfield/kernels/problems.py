"""What is handed to a backend: cells to rank, what the truth says of them, and what to compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class Decisions(NamedTuple):
    """A matrix of decisions: `assigned`, or `scores >= cut` where that is None."""

    scores: Scores | None
    cut: float | Floats
    assigned: Bools | None
    labels: Bools
    include: Bools | None
