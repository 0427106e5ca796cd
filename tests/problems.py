"""Truths and runs to test with: random problems whose hard cases can be asked for.

A `Problem` is plain arrays. `problem` makes a seeded one; `problems` is the hypothesis strategy
that goes looking for trouble: ties, empty rows and columns, signed, huge and tiny scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

import cranfield as cf
from ontologies import knowledge

EXACT = 1e-12
"""How closely two ways to one number must agree."""


@dataclass(frozen=True)
class Problem:
    """Labels and scores of one collection."""

    labels: NDArray[np.bool_]
    scores: NDArray[Any]

    @property
    def shape(self) -> tuple[int, int]:
        return self.labels.shape[0], self.labels.shape[1]

    @property
    def items(self) -> list[str]:
        return [f"i{n:03}" for n in range(self.shape[0])]

    @property
    def concepts(self) -> list[str]:
        return [f"c{n:02}" for n in range(self.shape[1])]

    @property
    def ids(self) -> dict[str, list[str]]:
        return {"items": self.items, "concepts": self.concepts}

    @property
    def knowledge(self) -> dict[str, Any]:
        """What measures may ask about its concepts."""
        return knowledge(self.concepts)

    def truth(self, **options: Any) -> cf.Truth:
        return cf.Truth(self.labels, **(self.ids | options))

    def run(self, **options: Any) -> cf.Run:
        return cf.Run(self.scores, **(self.ids | {"threshold": threshold_of(self)} | options))


def threshold_of(problem: Problem) -> float:
    """A threshold that some scores reach and some do not, if they differ."""
    return float(np.median(problem.scores)) if problem.scores.size else 0.5


def problem(
    seed: int = 0,
    *,
    items: int = 23,
    concepts: int = 7,
    density: float = 0.3,
    values: int | None = 6,
    empty: bool = True,
    dtype: Any = np.float64,
) -> Problem:
    """A random problem; `values` distinct scores (None: no ties); `empty`: with an empty row and
    column, a full row and a full column where there is room for them."""
    rng = np.random.default_rng(seed)
    labels = rng.random((items, concepts)) < density
    if empty and items > 3 and concepts > 3:
        labels[:, 1] = True
        labels[2] = True
        labels[:, 0] = False
        labels[1] = False
    scores = rng.random((items, concepts)) + 0.3 * labels
    if values is not None:
        scores = np.floor(scores * values / 1.3) / values
    return Problem(labels, (scores / max(1.0, scores.max(initial=0.0))).astype(dtype))


MAGNITUDES = (0.0, -0.0, 0.25, 0.5, 1.0, -1.0, 3.5, 1e-300, 5e-324, 1e300, -1e300, 1e-7, 1 + 2e-16)


@st.composite
def problems(
    draw: st.DrawFn,
    *,
    items: int = 8,
    concepts: int = 5,
    values: Iterable[float] = (0.0, 0.25, 0.5, 0.75, 1.0),
    least: int = 1,
) -> Problem:
    """A small problem with heavy ties; all-positive, empty and single-item ones included."""
    shape = (draw(st.integers(least, items)), draw(st.integers(1, concepts)))
    labels = draw(arrays.arrays(np.bool_, shape))
    scores = draw(arrays.arrays(np.float64, shape, elements=st.sampled_from(list(values))))
    return Problem(labels, scores)


def sparse(matrix: NDArray[Any], stored: NDArray[np.bool_] | None = None) -> Any:
    """A SciPy matrix that stores the given cells (default: the nonzero ones), zeros among them."""
    from scipy.sparse import coo_array

    rows, columns = np.nonzero(matrix if stored is None else stored)
    return coo_array((matrix[rows, columns], (rows, columns)), shape=matrix.shape)


def scored(truth: cf.Truth, run: cf.Run, measure: str | cf.Measure, **options: Any) -> cf.Score:
    """The whole score of one run by one measure."""
    return cf.evaluate(truth, run, measure, **options).score(run.name, measure)


def from_counts(tp: int, fp: int, fn: int, tn: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Labels and decisions (N, 1) with the given numbers of right and wrong decisions."""
    repeats = (tp, fp, fn, tn)
    labels = np.repeat([True, False, True, False], repeats)
    decisions = np.repeat([True, True, False, False], repeats)
    return labels[:, None], decisions[:, None]
