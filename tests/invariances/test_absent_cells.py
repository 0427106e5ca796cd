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
    PLAIN,
    VALUES,
    all_same,
    all_scored,
    at,
    close,
    same,
    scored,
    shuffled,
)
from problems import Problem, problem, sparse, threshold_of


def holes(case: Problem, seed: int, share: float = 0.4) -> NDArray[np.bool_]:
    """Which cells are kept; drawn from another stream than the problem of the same seed."""
    return np.random.default_rng([seed, 1]).random(case.shape) >= share


def test_a_sparse_run_that_stores_every_cell_is_the_dense_run() -> None:
    case = CASES["heavy ties"]
    full = case.run()
    stored = cf.Run(
        sparse(case.scores, np.ones(case.shape, bool)), threshold=full.threshold, **case.ids
    )
    assert stored.sparse
    all_same(all_scored(case.truth(), full), all_scored(case.truth(), stored))


NO_CREDIT_BELOW = (".AUC", "EER", "dprime", "ranking_loss", "coverage")
"""Measures of whole lists: absent cells are one tie at the bottom."""


def test_absent_cells_are_negative_decisions_and_one_tie_at_the_bottom() -> None:
    case = CASES["heavy ties"]
    whole_lists = [name for name in ALL if any(part in name for part in NO_CREDIT_BELOW)]
    # trec breaks the tie at the bottom of a dense run by id.
    names = [name for name in (*DECIDED, *whole_lists) if "trec" not in name]
    stored = holes(case, 1)
    bottom = np.where(stored, case.scores, case.scores.min() - 1)
    options: dict[str, Any] = {"threshold": case.run().threshold, **case.ids}
    runs = (cf.Run(sparse(case.scores, stored), **options), cf.Run(bottom, **options))
    all_same(*(all_scored(case.truth(), run, names) for run in runs))


@pytest.mark.parametrize("dense", [True, False])
def test_what_a_run_does_not_mention_is_absent(dense: bool) -> None:
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
    names = [name for name in ALL if not needs_every_cell(name)]
    missing = all_scored(case.truth(), lacking, names, missing="absent")
    all_same(missing, all_scored(case.truth(), absent, names))
    for name in filter(needs_every_cell, ALL):
        for run in (lacking, absent):
            with pytest.raises(cf.InputError, match=r"run 'run' says nothing of item 'i\d+', conc"):
                scored(case.truth(), run, name, missing="absent")


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
    assert silent.notes == (f"{(~stored).sum()} absent cells taken as 0", *zero.notes)
    assert not any("absent" in note for note in zero.notes)


def run_as(form: str, case: Problem, cut: float) -> cf.Run:
    """A run without ids, its confidences or its decisions, dense or sparse."""
    every = np.ones(case.shape, dtype=bool)
    matrix = case.scores >= cut if "labels" in form else case.scores
    given = sparse(matrix, every) if "sparse" in form else matrix
    return cf.Run(labels=given) if "labels" in form else cf.Run(given, threshold=cut)


def looks_at_unjudged_cells(name: str) -> bool:
    """Rules hold for everything that a run assigns, judged or not; infAP infers from what nobody
    judged, and judged@k counts it."""
    return name.startswith("OS") or "infAP" in name or "judged@" in name


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", ["dense", "sparse", "labels", "sparse labels"])
@pytest.mark.parametrize("direction", ["example", "concept"])
def test_excluding_unjudged_cells_is_deleting_them(direction: str, form: str, seed: int) -> None:
    names = [
        name
        for name in ALL
        if (cf.measure(name).traits.direction == "example") is (direction == "example")
        and not looks_at_unjudged_cells(name)
    ]
    shape = {"items": 1, "concepts": 14} if direction == "example" else {"items": 14, "concepts": 1}
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
    excluded = all_scored(truth, run_as(form, case, cut), names)
    fewer = cf.Truth(less.labels, **ids)
    deleted = all_scored(fewer, run_as(form, less, cut), names, about=case.concepts)
    for name in names:
        assert close(excluded[name].value, deleted[name].value), name


def test_a_label_that_nobody_judged_may_be_what_another_needs() -> None:
    names = ["animal", "dog", "fish"]
    onto = Ontology({"animal": (), "dog": ("animal",), "fish": ("animal",)})
    truth = cf.Truth([[0, 1, 0]], concepts=names, judged=[[0, 1, 1]], unjudged="exclude")
    for said, wanted in (([1, 1, 0], 1.0), ([0, 1, 0], 0.0)):
        run = cf.Run(labels=[said], concepts=names)
        assert cf.evaluate(truth, run, "OS", ontology=onto)["run", "OS"] == wanted


@pytest.mark.parametrize("direction", ["concept", "example"])
def test_units_with_unjudged_cells_do_not_depend_on_each_other(direction: str) -> None:
    case = CASES["heavy ties"]
    judged = case.labels | holes(case, 5)
    names = [
        name
        for name in ALL
        if cf.measure(name).traits.direction == direction and name not in LOOKS_AT_OTHER_UNITS
    ]
    options = {"unjudged": "exclude"}
    every = all_scored(case.truth(judged=judged, **options), case.run(), names)
    side, axis = ("concepts", 1) if direction == "concept" else ("items", 0)
    for place in range(case.shape[axis]):
        index = (slice(None), [place]) if direction == "concept" else ([place], slice(None))
        one = Problem(case.labels[index], case.scores[index])
        ids = case.ids | {side: [case.ids[side][place]]}
        truth = cf.Truth(one.labels, judged=judged[index], **options, **ids)
        run = cf.Run(one.scores, threshold=case.run().threshold, **ids)
        alone = all_scored(truth, run, names, about=case.concepts)
        for name in names:
            assert close(alone[name].value, every[name].by_unit[place]), name


@pytest.mark.parametrize(("mode", "other"), [("negative", "exclude"), ("exclude", "negative")])
def test_a_measure_may_overrule_how_the_truth_treats_unjudged_cells(mode: str, other: str) -> None:
    case = CASES["heavy ties"]
    judged = case.labels | holes(case, 5)
    by_truth = all_scored(case.truth(judged=judged, unjudged=mode), case.run(), PLAIN)
    overruled = [f"{name}(unjudged={mode})" for name in PLAIN]
    truth = case.truth(judged=judged, unjudged=other)
    by_measure = all_scored(truth, case.run(), overruled)
    for name, spelled in zip(PLAIN, overruled, strict=True):
        assert same(by_truth[name], by_measure[spelled]), name
        assert f"unjudged={mode}" in by_truth[name].signature
        assert f"unjudged={mode}" in by_measure[spelled].signature
