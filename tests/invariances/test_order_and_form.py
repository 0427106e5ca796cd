"""Order of rows and columns, form of the matrices and precision of scores change no score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield as cf
from invariances.registered import (
    ALL,
    CASES,
    DECIDED,
    PLAIN,
    RANKED,
    all_same,
    all_scored,
    at,
    close,
    shuffled,
)
from problems import Problem, sparse


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_order_of_rows_and_columns_does_not_matter(case: Problem) -> None:
    rows, columns = shuffled(case, 0)
    moved = at(case, rows, columns)
    ids = {
        "items": [case.items[i] for i in rows],
        "concepts": [case.concepts[j] for j in columns],
    }
    before = all_scored(case.truth(), case.run())
    after = all_scored(cf.Truth(moved.labels, **ids), moved.run(**ids))
    run_only = all_scored(case.truth(), moved.run(**ids))
    all_same(before, run_only)
    for name, score in before.items():
        assert close(score.value, after[name].value), name
        assert score.signature == after[name].signature == run_only[name].signature
    nameless = all_scored(
        cf.Truth(moved.labels),
        moved.run(items=None, concepts=None),
        [name for name in ALL if not any(by_id in name for by_id in ("trec", "SRP"))],
        about=ids["concepts"],
    )
    for name, score in nameless.items():
        assert close(before[name].value, score.value), name


def labels_as(kind: str, labels: NDArray[np.bool_]) -> Any:
    if kind == "list":
        return labels.tolist()
    if kind.startswith("sparse"):
        stored = np.ones_like(labels) if kind == "sparse with zeros" else None
        return sparse(labels.astype(np.int8), stored)
    if kind == "fortran":
        return np.asfortranarray(labels)
    return labels.astype(kind)


@pytest.mark.parametrize(
    "kind",
    ["list", "sparse", "sparse with zeros", "fortran", "int8", "uint64", "float32"],
)
def test_the_form_of_the_truth_does_not_matter(kind: str) -> None:
    case = CASES["heavy ties"]
    other = cf.Truth(labels_as(kind, case.labels), **case.ids)
    all_same(all_scored(case.truth(), case.run(), PLAIN), all_scored(other, case.run(), PLAIN))
    assert other.digest == case.truth().digest


def test_float32_and_float64_of_the_same_scores_agree() -> None:
    case = CASES["float32"]
    wide = Problem(case.labels, case.scores.astype(np.float64))
    assert wide.run().scores.dtype != case.run().scores.dtype
    all_same(all_scored(case.truth(), case.run()), all_scored(wide.truth(), wide.run()))


@pytest.mark.parametrize("form", [np.asfortranarray, lambda m: np.repeat(m, 2, axis=1)[:, ::2]])
def test_the_memory_layout_of_scores_does_not_matter(
    form: Callable[[NDArray[Any]], NDArray[Any]],
) -> None:
    case = CASES["no ties"]
    other = Problem(case.labels, form(case.scores))
    all_same(
        all_scored(case.truth(), case.run(), PLAIN), all_scored(case.truth(), other.run(), PLAIN)
    )


MONOTONE: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "exp": np.exp,
    "affine": lambda s: 250.0 * s + 1000.0,
    "into the negatives": lambda s: s - 7.0,
    "tiny": lambda s: s * 2.0**-900,
}


@pytest.mark.parametrize("transform", MONOTONE)
def test_rank_measures_look_at_the_order_of_scores_only(transform: str) -> None:
    case = CASES["heavy ties"]
    other = Problem(case.labels, MONOTONE[transform](case.scores))
    names = [name for name in RANKED if "trec" not in name]
    all_same(*(all_scored(case.truth(), one.run(), names) for one in (case, other)))


def test_set_measures_look_at_decisions_only() -> None:
    case = CASES["heavy ties"]
    decided = cf.Run(labels=case.scores >= case.run().threshold, **case.ids)
    all_same(*(all_scored(case.truth(), run, DECIDED) for run in (case.run(), decided)))


@pytest.mark.parametrize("kept", [slice(None), slice(2, None)], ids=["all", "some missing"])
@pytest.mark.parametrize("by", ["concept", "cell"])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_thresholds_travel_with_their_concepts_and_cells(form: str, by: str, kept: slice) -> None:
    case = CASES["no ties"]
    cut = np.random.default_rng(8).random(case.shape[1:] if by == "concept" else case.shape)
    rows, columns = (order[kept] for order in shuffled(case, 4))
    moved = at(case, rows, columns)
    mentioned = np.zeros(case.shape, dtype=bool)
    mentioned[np.ix_(rows, columns)] = True
    every = np.ones(moved.shape, dtype=bool)
    run = cf.Run(
        moved.scores if form == "dense" else sparse(moved.scores, every),
        items=[case.items[i] for i in rows],
        concepts=[case.concepts[j] for j in columns],
        threshold=cut[columns] if by == "concept" else cut[np.ix_(rows, columns)],
    )
    decided = cf.Run(labels=(case.scores >= cut) & mentioned, **case.ids)
    names = ("concept.F", "example.F")
    found = all_scored(case.truth(), run, names, missing="absent")
    all_same(found, all_scored(case.truth(), decided, names))
    if mentioned.all():
        still = sparse(case.scores, mentioned) if form == "sparse" else case.scores
        assert run.digest == cf.Run(still, threshold=cut, **case.ids).digest
