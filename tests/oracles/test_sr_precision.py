"""SRP against every assignment of small sets, and against SciPy for larger ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

import cranfield as cf
from oracles.meaning import sr_precision
from problems import EXACT, sparse

KINDS = ("metric", "any", "few", "lopsided")


def draw_relatedness(rng: np.random.Generator, concepts: int, kind: str) -> NDArray[np.float64]:
    """1 − a distance in the plane, any numbers, few of them, or other ones on the way back."""
    if kind == "metric":
        points = rng.random((concepts, 2))
        apart = np.linalg.norm(points[:, None] - points[None, :], axis=2)
        return 1 - apart / max(1.0, apart.max(initial=0.0))
    related = rng.random((concepts, concepts))
    if kind == "few":
        related = np.round(related * 2) / 2
    return related if kind == "lopsided" else (related + related.T) / 2


class Drawn:
    """Items with about as many labels as wanted, and confidences with ties."""

    def __init__(self, seed: int, kind: str, concepts: int, labels: float) -> None:
        rng = np.random.default_rng([seed, KINDS.index(kind), concepts])
        shape = (40, concepts)
        self.columns = [f"c{n:03}" for n in rng.permutation(concepts)]
        self.true = rng.random(shape) < labels / concepts
        self.scores = np.floor(20 * (rng.random(shape) + 0.3 * self.true)) / 20
        self.retrieved = rng.random(shape) < rng.choice([0.1, 1.0])
        self.given = draw_relatedness(rng, concepts, kind)
        np.fill_diagonal(self.given, rng.random(concepts))
        self.related = np.where(np.eye(concepts, dtype=bool), 1.0, self.given)

    def ranked(self, row: int) -> list[int]:
        """Columns of what was retrieved, best first; ties by id."""
        found = np.flatnonzero(self.retrieved[row]).tolist()
        return sorted(found, key=lambda j: (-self.scores[row, j], self.columns[j]))

    def units(self) -> NDArray[np.float64]:
        scores = self.scores if self.retrieved.all() else sparse(self.scores, self.retrieved)
        truth = cf.Truth(self.true, concepts=self.columns)
        run = cf.Run(scores, concepts=self.columns)
        return cf.evaluate(truth, run, "SRP", relatedness=self.given).units("run", "SRP")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("concepts", [1, 2, 4, 9, 70])
@pytest.mark.parametrize("seed", range(4))
def test_srp_is_the_best_of_all_assignments(seed: int, concepts: int, kind: str) -> None:
    drawn = Drawn(seed, kind, concepts, labels=2.0)
    drawn.true &= np.cumsum(drawn.true, axis=1) <= 6
    pairs = {
        (a, b): drawn.related[i, j]
        for i, a in enumerate(drawn.columns)
        for j, b in enumerate(drawn.columns)
    }
    for row, found in enumerate(drawn.units()):
        true = {drawn.columns[j] for j in np.flatnonzero(drawn.true[row])}
        ranked = [drawn.columns[j] for j in drawn.ranked(row)]
        wanted = sr_precision(true, ranked, pairs) if true else np.nan
        assert found == pytest.approx(wanted, abs=EXACT, nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("concepts", [20, 53, 64, 93, 200])
def test_srp_is_the_assignment_that_scipy_finds(concepts: int, kind: str) -> None:
    drawn = Drawn(0, kind, concepts, labels=12.0)
    for row, found in enumerate(drawn.units()):
        true = np.flatnonzero(drawn.true[row])
        chosen = drawn.ranked(row)[: len(true)]
        related = drawn.related[np.ix_(chosen, true)]
        best = related[linear_sum_assignment(related, maximize=True)].sum()
        wanted = best / len(true) if len(true) else np.nan
        assert found == pytest.approx(wanted, abs=EXACT, nan_ok=True)
