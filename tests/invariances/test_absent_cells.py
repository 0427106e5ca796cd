"""Cells that are absent, unjudged or missing count as they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield as cf
from cranfield.knowledge import Ontology
from invariances.registered import (
    ALL,
    CASES,
    DECIDED,
    LOOKS_AT_OTHER_UNITS,
    VALUES,
    at,
    close,
    each_plain_measure,
    every_measure,
    same,
    scored,
    shuffled,
)
from problems import Problem, problem, sparse, threshold_of


def holes(case: Problem, seed: int, share: float = 0.4) -> NDArray[np.bool_]:
    """Which cells are kept; drawn from another stream than the problem of the same seed."""
    return np.random.default_rng([seed, 1]).random(case.shape) >= share


@every_measure
def test_a_sparse_run_that_stores_every_cell_is_the_dense_run(name: str) -> None:
    case = CASES["heavy ties"]
    full = case.run()
    stored = cf.Run(
        sparse(case.scores, np.ones(case.shape, bool)), threshold=full.threshold, **case.ids
    )
    assert stored.sparse
    assert same(scored(case.truth(), full, name), scored(case.truth(), stored, name))


NO_CREDIT_BELOW = (".AUC", "EER", "dprime", "ranking_loss", "coverage")
"""Measures of whole lists: absent cells are one tie at the bottom."""


@pytest.mark.parametrize(
    "name",
    [n for n in ALL if n in DECIDED or any(part in n for part in NO_CREDIT_BELOW)],
)
def test_absent_cells_are_negative_decisions_and_one_tie_at_the_bottom(name: str) -> None:
    case = CASES["heavy ties"]
    if "trec" in name:
        pytest.skip("trec breaks the tie at the bottom of a dense run by id")
    stored = holes(case, 1)
    bottom = np.where(stored, case.scores, case.scores.min() - 1)
    options: dict[str, Any] = {"threshold": case.run().threshold, **case.ids}
    absent = scored(case.truth(), cf.Run(sparse(case.scores, stored), **options), name)
    assert same(absent, scored(case.truth(), cf.Run(bottom, **options), name))


@pytest.mark.parametrize("dense", [True, False])
@every_measure
def test_what_a_run_does_not_mention_is_absent(name: str, dense: bool) -> None:
    case = CASES["heavy ties"]
    rows, columns = (order[2:] for order in shuffled(case, 3))
    part = at(case, rows, columns)
    kept = np.zeros(case.shape, dtype=bool)
    kept[np.ix_(rows, columns)] = True
    cut = case.run().threshold
    mentioned = {
        "items": [case.items[i] for i in rows],
        "concepts": [case.concepts[j] for j in columns],
        "threshold": cut,
    }
    scores = part.scores if dense else sparse(part.scores, np.ones(part.shape, bool))
    lacking = cf.Run(scores, **mentioned)
    absent = cf.Run(sparse(case.scores, kept), threshold=cut, **case.ids)
    if needs_every_cell(name):
        for run in (lacking, absent):
            with pytest.raises(cf.InputError, match=r"run 'run' says nothing of item 'i\d+', conc"):
                scored(case.truth(), run, name, missing="absent")
        return
    missing = scored(case.truth(), lacking, name, missing="absent")
    assert same(missing, scored(case.truth(), absent, name))


def needs_every_cell(name: str) -> bool:
    """Whether a measure refuses runs that leave cells out."""
    return cf.measure(name).options.get("absent") == "refuse"


@pytest.mark.parametrize("name", [name for name in VALUES if "absent=zero" in name])
def test_silence_may_mean_zero_and_is_noted(name: str) -> None:
    case = CASES["heavy ties"]
    stored = holes(case, 1)
    run = cf.Run(sparse(case.scores, stored), **case.ids)
    silent = scored(case.truth(), run, name)
    zero = scored(case.truth(), cf.Run(np.where(stored, case.scores, 0.0), **case.ids), name)
    assert same(silent, zero)
    assert silent.notes == (f"{(~stored).sum()} absent cells taken as 0",)
    assert zero.notes == ()


def run_as(form: str, case: Problem, cut: float) -> cf.Run:
    """A run without ids, its confidences or its decisions, dense or sparse."""
    every = np.ones(case.shape, dtype=bool)
    matrix = case.scores >= cut if "labels" in form else case.scores
    given = sparse(matrix, every) if "sparse" in form else matrix
    return cf.Run(labels=given) if "labels" in form else cf.Run(given, threshold=cut)


@pytest.mark.parametrize("form", ["dense", "sparse", "labels", "sparse labels"])
@every_measure
def test_excluding_unjudged_cells_is_deleting_them(name: str, form: str) -> None:
    if name.startswith("OS"):
        pytest.skip("rules hold for everything that a run assigns, judged or not")
    if "infAP" in name:
        pytest.skip("infers from what nobody judged")
    direction = cf.measure(name).traits.direction
    shape = {"items": 1, "concepts": 14} if direction == "example" else {"items": 14, "concepts": 1}
    for seed in range(3):
        case = problem(seed, **shape, density=0.5, values=4, empty=False)
        cut = threshold_of(case)
        judged = case.labels | holes(case, seed)
        assert not judged.all()
        rows, columns = np.flatnonzero(judged.any(axis=1)), np.flatnonzero(judged.any(axis=0))
        less = at(case, rows, columns)
        ids = {
            "items": [case.items[i] for i in rows],
            "concepts": [case.concepts[j] for j in columns],
        }
        truth = case.truth(judged=judged, unjudged="exclude")
        excluded = scored(truth, run_as(form, case, cut), name)
        fewer = cf.Truth(less.labels, **ids)
        deleted = scored(fewer, run_as(form, less, cut), name, about=case.concepts)
        assert close(excluded.value, deleted.value), seed


def test_a_label_that_nobody_judged_may_be_what_another_needs() -> None:
    names = ["animal", "dog", "fish"]
    onto = Ontology({"animal": (), "dog": ("animal",), "fish": ("animal",)})
    truth = cf.Truth([[0, 1, 0]], concepts=names, judged=[[0, 1, 1]], unjudged="exclude")
    for said, wanted in (([1, 1, 0], 1.0), ([0, 1, 0], 0.0)):
        run = cf.Run(labels=[said], concepts=names)
        assert cf.evaluate(truth, run, "OS", ontology=onto)["run", "OS"] == wanted


@every_measure
def test_units_with_unjudged_cells_do_not_depend_on_each_other(name: str) -> None:
    case = CASES["heavy ties"]
    judged = case.labels | holes(case, 5)
    direction = cf.measure(name).traits.direction
    if direction == "micro" or name.startswith(LOOKS_AT_OTHER_UNITS):
        pytest.skip("looks at all cells together")
    options = {"unjudged": "exclude"}
    every = scored(case.truth(judged=judged, **options), case.run(), name).by_unit
    for place in range(len(every)):
        index = (slice(None), [place]) if direction == "concept" else ([place], slice(None))
        one = Problem(case.labels[index], case.scores[index])
        side = "concepts" if direction == "concept" else "items"
        ids = case.ids | {side: [case.ids[side][place]]}
        truth = cf.Truth(one.labels, judged=judged[index], **options, **ids)
        run = cf.Run(one.scores, threshold=case.run().threshold, **ids)
        assert close(scored(truth, run, name, about=case.concepts).value, every[place])


@each_plain_measure
def test_a_measure_may_overrule_how_the_truth_treats_unjudged_cells(name: str) -> None:
    case = CASES["heavy ties"]
    judged = case.labels | holes(case, 5)
    for mode, other in (("negative", "exclude"), ("exclude", "negative")):
        by_truth = scored(case.truth(judged=judged, unjudged=mode), case.run(), name)
        truth = case.truth(judged=judged, unjudged=other)
        by_measure = scored(truth, case.run(), f"{name}(unjudged={mode})")
        assert same(by_truth, by_measure)
        assert f"unjudged={mode}" in by_truth.signature
        assert f"unjudged={mode}" in by_measure.signature
