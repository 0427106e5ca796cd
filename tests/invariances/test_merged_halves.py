"""Two halves of a collection, merged by what a measure declares, score as the whole does.

`Traits.merges` says how: scores of units (halves of items, or of concepts), sums of counts, or
nothing, for measures whose unit scores depend on the rest of the collection.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield as cf
from cranfield.engine.evaluation import mean
from cranfield.measures.single_labels import contingency_of
from cranfield.statistics.influence import comparison_of
from cranfield.statistics.influence.gradients import item_sums
from invariances.registered import ALL, CASES, all_scored, at, close, plain, varied
from problems import Problem

HALVED = {name: case for name, case in CASES.items() if min(case.shape) > 1}
TABLES = [
    name
    for one in cf.measures()
    if one.table is not None
    for name in (plain(one), *varied(one))
    if "custom" not in name
]


def merging_by(way: str) -> list[str]:
    return [name for name in ALL if cf.measure(name).traits.merges == way]


def halves(case: Problem, *, concepts: bool) -> list[tuple[cf.Truth, cf.Run]]:
    """Parts of uneven size, which keep their ids."""
    rows, columns = (np.arange(size) for size in case.shape)
    cut = 1 + case.shape[concepts] // 3
    parts = [(rows, columns[:cut]), (rows, columns[cut:])]
    if not concepts:
        parts = [(rows[:cut], columns), (rows[cut:], columns)]
    return [(_truth(case, *part), _run(case, *part)) for part in parts]


def _ids(case: Problem, rows: NDArray[Any], columns: NDArray[Any]) -> dict[str, list[str]]:
    return {
        "items": [case.items[row] for row in rows],
        "concepts": [case.concepts[column] for column in columns],
    }


def _truth(case: Problem, rows: NDArray[Any], columns: NDArray[Any]) -> cf.Truth:
    return at(case, rows, columns).truth(**_ids(case, rows, columns))


def _run(case: Problem, rows: NDArray[Any], columns: NDArray[Any]) -> cf.Run:
    threshold = float(np.median(case.scores))
    return at(case, rows, columns).run(**_ids(case, rows, columns), threshold=threshold)


@pytest.mark.parametrize("case", HALVED)
@pytest.mark.parametrize("way", ["items", "concepts"])
def test_scores_of_units_merge(case: str, way: str) -> None:
    given, names = HALVED[case], merging_by(way)
    whole = all_scored(given.truth(), given.run(), names)
    parts = [
        all_scored(truth, run, names, about=given.concepts)
        for truth, run in halves(given, concepts=way == "concepts")
    ]
    for name in names:
        merged = np.concatenate([part[name].by_unit for part in parts])
        assert close(merged, whole[name].by_unit), name
        assert close(mean(merged, None, whole[name].measure.traits.average)[0], whole[name].value)


@pytest.mark.parametrize("case", HALVED)
def test_sums_of_counts_merge(case: str) -> None:
    given, names = HALVED[case], merging_by("counts")
    whole = all_scored(given.truth(), given.run(), names)
    parts = [
        all_scored(truth, run, names, about=given.concepts)
        for truth, run in halves(given, concepts=False)
    ]
    for name in names:
        sums = [item_sums(part[name], comparison_of(part[name])) for part in parts]
        assert None not in sums, name
        totals = sum(part.by_item.sum(axis=1, keepdims=True) for part in sums if part is not None)
        assert sums[0] is not None
        score = sums[0].formula(totals)[0]
        if whole[name].measure.options.get("reduce") == "sum":
            # The sum over a fixed number of items, here those of the first part.
            score *= given.shape[0] / parts[0][name].truth.shape[0]
        assert close(score, whole[name].value), name


def test_confusion_matrices_merge() -> None:
    rng = np.random.default_rng(4)
    true, said = (np.eye(4, dtype=bool)[rng.integers(0, 4, 40)] for _ in range(2))

    def scores(rows: slice) -> cf.Score:
        result = cf.evaluate(cf.Truth(true[rows]), cf.Run(labels=said[rows], name="r"), TABLES[0])
        return result.score("r", TABLES[0])

    first, second, whole = (
        contingency_of(comparison_of(scores(rows)))
        for rows in (slice(0, 13), slice(13, None), slice(None))
    )
    for name in TABLES:
        measure = cf.measure(name)
        assert close(measure.tabulate(first + second), measure.tabulate(whole)), name


@pytest.mark.parametrize("concepts", [False, True])
def test_what_merges_by_nothing_differs_in_some_half(concepts: bool) -> None:
    """Otherwise it should declare by what it merges."""
    direction = "concept" if concepts else "example"
    names = [
        name for name in merging_by("nothing") if cf.measure(name).traits.direction == direction
    ]
    alike = set(names)
    for given in HALVED.values():
        grades = np.where(given.labels, 1 + np.arange(given.shape[1]), 0)
        whole = all_scored(cf.Truth(grades=grades, level=1, **given.ids), given.run(), names)
        parts: list[NDArray[Any]] = []
        scores = []
        cut = 1 + given.shape[concepts] // 3
        for part in (slice(0, cut), slice(cut, None)):
            rows, columns = (slice(None), part) if concepts else (part, slice(None))
            ids = {"items": given.items[rows], "concepts": given.concepts[columns]}
            truth = cf.Truth(grades=grades[rows, columns], level=1, **ids)
            run = cf.Run(given.scores[rows, columns], threshold=given.run().threshold, **ids)
            scores.append(all_scored(truth, run, names, about=given.concepts))
        for name in names:
            parts = [part[name].by_unit for part in scores]
            if not close(np.concatenate(parts), whole[name].by_unit):
                alike.discard(name)
    assert alike == set()
