"""The same number always, to the last bit: the order of rows, columns and runs, threads, blocks and
backends change no digit of a score, of a unit's score, or of a note.

Items and concepts have ids, by which some measures break ties. Random draws are not meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield as cf
from cranfield.collections import comparison as comparisons
from cranfield.engine.evaluation import Evaluation
from cranfield.kernels import limited_to, numpy_only
from cranfield.measures import cell_losses
from cranfield.statistics.influence import NoItemValuesError
from invariances.registered import ALL, VALUES, plain, varied
from ontologies import knowledge
from problems import Problem, problem, sparse

Order = NDArray[np.int64]

TABULATED = [
    name
    for one in cf.measures()
    if one.table is not None
    for name in (plain(one), *varied(one))
    if "custom" not in name
]
VALUES_OF_SPARSE = [name for name in VALUES if "absent=zero" in name]


@dataclass(frozen=True)
class Situation:
    """A truth and two runs by their matrices, so that they can be had in any order."""

    labels: NDArray[np.bool_]
    scores: tuple[NDArray[Any], ...]
    names: list[str]
    grades: NDArray[np.int64] | None = None
    targets: NDArray[np.float64] | None = None
    judged: NDArray[np.bool_] | None = None
    stored: NDArray[np.bool_] | None = None
    """Cells that runs mention; None = all."""
    threshold: float | NDArray[np.float64] = 0.5
    weights: tuple[NDArray[np.float64], ...] | None = None
    """Of items and of concepts."""

    def evaluated(
        self, rows: Order | None = None, columns: Order | None = None, *, runs: int = 1
    ) -> dict[tuple[str, str], cf.Score]:
        """All scores, with rows, columns and runs in some order."""
        case = Problem(self.labels, self.scores[0])
        rows = np.arange(case.shape[0]) if rows is None else rows
        columns = np.arange(case.shape[1]) if columns is None else columns
        cells = np.ix_(rows, columns)
        ids: dict[str, Any] = {
            "items": [case.items[row] for row in rows],
            "concepts": [case.concepts[column] for column in columns],
        }
        told = {"grades": self.grades, "targets": self.targets, "judged": self.judged}
        told = {name: matrix[cells] for name, matrix in told.items() if matrix is not None}
        if "grades" not in told:
            told["labels"] = self.labels[cells]
        cut = self.threshold
        listed = [
            cf.Run(
                scores[cells] if self.stored is None else sparse(scores[cells], self.stored[cells]),
                threshold=cut[columns] if isinstance(cut, np.ndarray) else cut,
                name=f"run{number}",
                **ids,
            )
            for number, scores in enumerate(self.scores)
        ]
        weights = None
        if self.weights is not None:
            weights = {"items": self.weights[0][rows], "concepts": self.weights[1][columns]}
        result = cf.evaluate(
            cf.Truth(**told, **ids, unjudged="negative" if self.judged is None else "exclude"),
            listed[::runs],
            self.names,
            weights=weights,
            **knowledge(ids["concepts"]),
        )
        return {
            (run.name, name): result.score(run.name, name) for run in listed for name in self.names
        }


def drawn(seed: int, *, items: int = 61, concepts: int = 19, **options: Any) -> dict[str, Any]:
    """Labels and the scores of two runs."""
    one = problem(seed, items=items, concepts=concepts, **options)
    other = problem(seed + 1, items=items, concepts=concepts, **options)
    return {"labels": one.labels, "scores": (one.scores, other.scores)}


def one_label(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    labels = np.eye(9, dtype=bool)[rng.choice(9, 200, p=np.arange(1, 10) / 45)]
    scores = tuple(np.round(rng.random((200, 9)) + 0.4 * labels, 2) for _ in range(2))
    return {"labels": labels, "scores": scores}


def situations() -> dict[str, Situation]:
    rng = np.random.default_rng(0)
    shape = (61, 19)
    grades = rng.integers(0, 5, shape)
    some = rng.random(shape) < 0.7
    ranked = [name for name in ALL if name not in VALUES]
    return {
        "no ties": Situation(**drawn(1, values=None), names=ALL),
        "ties": Situation(**drawn(2, values=7), names=ALL),
        "float32": Situation(**drawn(3, values=None, dtype=np.float32), names=ALL),
        "float32 with ties": Situation(**drawn(4, values=9, dtype=np.float32), names=ALL),
        "wide": Situation(**drawn(5, items=9, concepts=70, values=None), names=ALL),
        "weights": Situation(
            **drawn(6, values=None), names=ALL, weights=(rng.random(61), rng.random(19))
        ),
        "thresholds": Situation(**drawn(7, values=None), names=ALL, threshold=rng.random(19)),
        "grades": Situation(
            **drawn(8, values=11) | {"labels": grades > 0}, names=ALL, grades=grades
        ),
        "targets": Situation(
            **drawn(9, values=None),
            names=[name for name in ALL if "cross_entropy" not in name],
            targets=rng.standard_normal(shape) ** 5,
        ),
        "unjudged": Situation(
            **(unjudged := drawn(10, values=11)), names=ALL, judged=unjudged["labels"] | some
        ),
        "sparse": Situation(
            **drawn(11, values=None), names=[*ranked, *VALUES_OF_SPARSE], stored=some
        ),
        "sparse with ties and grades": Situation(
            **drawn(12, values=9) | {"labels": grades > 0},
            names=[*ranked, *VALUES_OF_SPARSE],
            stored=some,
            grades=grades,
        ),
        "one label": Situation(**one_label(13), names=TABULATED),
    }


SITUATIONS = situations()


def differing(
    some: dict[tuple[str, str], cf.Score],
    others: dict[tuple[str, str], cf.Score],
    rows: Order | None = None,
    columns: Order | None = None,
) -> set[str]:
    """The measures by which scores differ in any bit, or in a note."""
    order = {"example": rows, "concept": columns}
    return {
        name
        for (run, name), score in some.items()
        if told(score, order.get(score.measure.traits.direction)) != told(others[run, name], None)
    }


def told(score: cf.Score, order: Order | None) -> tuple[Any, ...]:
    by_unit = score.by_unit if order is None else score.by_unit[order]
    bits = np.float64(score.value).tobytes(), by_unit.tobytes()
    return bits, score.units, score.skipped, score.notes, score.signature


@pytest.fixture(scope="module", params=SITUATIONS)
def situation(request: pytest.FixtureRequest) -> Situation:
    return SITUATIONS[request.param]


@pytest.fixture(scope="module")
def scores(situation: Situation) -> dict[tuple[str, str], cf.Score]:
    return situation.evaluated()


Scores = dict[tuple[str, str], cf.Score]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_rows_and_columns_changes_no_bit(
    situation: Situation, scores: Scores, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = (rng.permutation(size) for size in situation.labels.shape)
    assert differing(scores, situation.evaluated(rows, columns), rows, columns) == set()


def test_the_order_of_runs_and_the_number_of_threads_change_no_bit(
    situation: Situation, scores: Scores
) -> None:
    for threads in (1, 2):
        with limited_to(threads):
            assert differing(scores, situation.evaluated(runs=-1)) == set()


def test_the_backend_changes_no_bit(situation: Situation, scores: Scores) -> None:
    with numpy_only():
        assert differing(scores, situation.evaluated()) == set()


def intervals(scores: Scores) -> dict[str, tuple[Any, ...]]:
    """Intervals of one run that rest on no draws, by measure."""
    result = {}
    for (run, name), score in scores.items():
        if run == "run0":
            try:
                (one,) = cf.intervals(Evaluation(score.truth, [score]), method="analytic")
            except NoItemValuesError:
                continue
            result[name] = (one.method, repr((one.low, one.high, one.error)), one.notes)
    return result


@pytest.mark.parametrize("name", ["no ties", "weights", "unjudged", "sparse", "one label"])
def test_intervals_without_draws_are_the_same_to_the_bit(name: str) -> None:
    situation, rng = SITUATIONS[name], np.random.default_rng(3)
    before = intervals(situation.evaluated())
    rows, columns = (rng.permutation(size) for size in situation.labels.shape)
    assert intervals(situation.evaluated(rows, columns)) == before
    with numpy_only():
        assert intervals(situation.evaluated()) == before


@contextmanager
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as changed:
        changed.setattr(comparisons, "_BLOCK", 50)
        changed.setattr(comparisons, "_KEPT", 0)
        changed.setattr(cell_losses, "_BLOCK", 50)
        changed.setattr(comparisons.Comparison, "_parts", _short_parts)
        yield


def _short_parts(self: comparisons.Comparison) -> Iterator[slice]:
    return (slice(first, first + 7) for first in range(0, self.truth.shape[0], 7))


def test_the_size_of_blocks_changes_no_bit(
    situation: Situation, scores: Scores, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_blocks(monkeypatch):
        assert differing(scores, situation.evaluated()) == set()


@pytest.mark.parametrize(
    "form",
    [np.asfortranarray, lambda m: np.repeat(m, 2, axis=1)[:, ::2]],
    ids=["turned", "strided"],
)
def test_the_layout_of_memory_changes_no_bit(
    form: Callable[[NDArray[Any]], NDArray[Any]],
) -> None:
    situation = SITUATIONS["no ties"]
    other = Situation(
        form(situation.labels), tuple(map(form, situation.scores)), names=situation.names
    )
    assert differing(situation.evaluated(), other.evaluated()) == set()
