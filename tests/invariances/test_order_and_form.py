"""Order of rows and columns, form of the matrices and precision of scores change no score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield as cf
from invariances.registered import (
    CASES,
    DECIDED,
    RANKED,
    at,
    close,
    each_plain_measure,
    every_measure,
    same,
    scored,
    shuffled,
)
from problems import Problem, sparse


@every_measure
def test_the_order_of_rows_and_columns_does_not_matter(name: str) -> None:
    for case in CASES.values():
        order_does_not_matter(name, case)


def order_does_not_matter(name: str, case: Problem) -> None:
    rows, columns = shuffled(case, 0)
    moved = at(case, rows, columns)
    ids = {
        "items": [case.items[i] for i in rows],
        "concepts": [case.concepts[j] for j in columns],
    }
    before = scored(case.truth(), case.run(), name)
    after = scored(cf.Truth(moved.labels, **ids), moved.run(**ids), name)
    assert close(before.value, after.value)
    assert before.signature == after.signature
    run_only = scored(case.truth(), moved.run(**ids), name)
    assert same(before, run_only)
    assert before.signature == run_only.signature
    if not any(by_id in name for by_id in ("trec", "SRP")):
        run = moved.run(items=None, concepts=None)
        nameless = scored(cf.Truth(moved.labels), run, name, about=ids["concepts"])
        assert close(before.value, nameless.value)


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
@each_plain_measure
def test_the_form_of_the_truth_does_not_matter(name: str, kind: str) -> None:
    case = CASES["heavy ties"]
    before = scored(case.truth(), case.run(), name)
    other = cf.Truth(labels_as(kind, case.labels), **case.ids)
    assert same(before, scored(other, case.run(), name))
    assert other.digest == case.truth().digest


@every_measure
def test_float32_and_float64_of_the_same_scores_agree(name: str) -> None:
    case = CASES["float32"]
    wide = Problem(case.labels, case.scores.astype(np.float64))
    assert wide.run().scores.dtype != case.run().scores.dtype
    assert same(scored(case.truth(), case.run(), name), scored(wide.truth(), wide.run(), name))


@pytest.mark.parametrize("form", [np.asfortranarray, lambda m: np.repeat(m, 2, axis=1)[:, ::2]])
@each_plain_measure
def test_the_memory_layout_of_scores_does_not_matter(
    name: str, form: Callable[[NDArray[Any]], NDArray[Any]]
) -> None:
    case = CASES["no ties"]
    other = Problem(case.labels, form(case.scores))
    assert same(scored(case.truth(), case.run(), name), scored(case.truth(), other.run(), name))


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
    before, after = (
        cf.evaluate(case.truth(), p.run(), names, **case.knowledge) for p in (case, other)
    )
    for one, two in zip(before, after, strict=True):
        assert same(one, two), one.measure


@pytest.mark.parametrize("name", DECIDED)
def test_set_measures_look_at_decisions_only(name: str) -> None:
    case = CASES["heavy ties"]
    decided = cf.Run(labels=case.scores >= case.run().threshold, **case.ids)
    assert same(scored(case.truth(), case.run(), name), scored(case.truth(), decided, name))


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
    for name in ("concept.F", "example.F"):
        found = scored(case.truth(), run, name, missing="absent")
        assert same(found, scored(case.truth(), decided, name))
    if mentioned.all():
        still = sparse(case.scores, mentioned) if form == "sparse" else case.scores
        assert run.digest == cf.Run(still, threshold=cut, **case.ids).digest
