"""Evaluation: what evaluate wants, and what its result says."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.progress import part_of
from nouns.small import S, Y, refused
from ontologies import knowledge
from problems import sparse


def test_run_names_must_be_distinct() -> None:
    with refused("1 run name more than once: 'run'; give each run a name of its own"):
        cf.evaluate(cf.Truth(Y), [cf.Run(S), cf.Run(S)], "concept.AP")


def test_an_unknown_choice_for_missing_is_refused() -> None:
    with refused("missing='ignore'; choose 'error' or 'absent'"):
        cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP", missing="ignore")  # type: ignore[arg-type]


def test_a_score_that_was_not_asked_for_names_those_that_were() -> None:
    result = cf.evaluate(cf.Truth(Y), cf.Run(S), ["concept.AP"])
    with refused("there is no score of run 'run' by concept.P; runs: run; measures: concept.AP"):
        result["run", "concept.P"]
    with refused("there is no score of run 'other'"):
        result["other", "concept.AP"]


def test_progress_hears_of_every_run() -> None:
    heard: list[float] = []
    runs = [cf.Run(S, name=f"run {n}") for n in range(5)]
    cf.evaluate(cf.Truth(Y), runs, "concept.AP", progress=part_of(heard.append))
    assert heard == [1] * 5


def test_a_collection_stands_for_its_truth() -> None:
    collection = cf.Collection(cf.Truth(Y))
    assert cf.evaluate(collection, cf.Run(S), "concept.AP")["run", "concept.AP"] == 1.0
    assert (collection.items, collection.concepts) == (("0", "1"), ("0", "1", "2"))


def test_the_one_liner_takes_vectors_decisions_and_thresholds() -> None:
    assert cf.score([1, 0, 1], [0.9, 0.1, 0.8], "concept.AP") == 1.0
    assert cf.score([1, 0, 1], np.array([True, True, True]), "concept.P") == pytest.approx(2 / 3)
    assert cf.score([1, 0, 1], [3.0, 1.0, 2.0], "concept.P", threshold=2) == 1.0
    assert cf.score(sparse(Y), sparse(S), "concept.AP") == 1.0
    with refused("labels already are decisions"):
        cf.score([1, 0], np.array([True, False]), "concept.P", threshold=0.5)


def test_frames_and_json_hold_one_row_for_each_score() -> None:
    runs = [cf.Run(S, name="one"), cf.Run(1 - S, name="two")]
    result = cf.evaluate(cf.Truth(Y), runs, ["topic.ap", "micro.F", "concept.AP"])
    columns = ["run", "measure", "score", "units", "skipped", "notes", "signature"]
    assert result.frame.columns == columns
    assert result.frame["measure"].to_list() == ["concept.AP", "micro.F"] * 2
    rows = json.loads(result.to_json())["scores"]
    assert [list(row) for row in rows] == [columns] * 4
    assert rows == result.frame.to_dicts()
    assert [row["score"] for row in rows] == [score.value for score in result]
    assert rows[0]["signature"].startswith("concept.AP(missing=error,ties=grouped,undefined=skip,")


def test_a_measure_skipped_wholly_is_nan_and_null() -> None:
    nothing = cf.Truth(np.zeros((2, 3)))
    result = cf.evaluate(
        nothing, cf.Run(S), ["concept.AP", "example.AP", "micro.AP", "concept.Acc"]
    )
    assert math.isnan(result["run", "concept.AP"])
    assert result.frame["score"].is_null().to_list() == [True, True, True, False]
    assert [row["score"] for row in json.loads(result.to_json())["scores"]][:3] == [None] * 3
    assert result.frame["units"].to_list() == [0, 0, 0, 3]
    assert result.frame["skipped"].to_list()[:2] == [3, 2]


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
def test_empty_collections_have_scores_that_are_null(shape: tuple[int, int]) -> None:
    names = [d.name.replace("@k", "@2") for d in cf.measures() if d.traits.direction != "micro"]
    concepts = ["a", "b", "c"]
    known = {"concepts": concepts[: shape[1]]}
    for scores in (np.zeros(shape), sparse(np.zeros(shape))):
        truth, run = cf.Truth(np.zeros(shape), **known), cf.Run(scores, **known)
        result = cf.evaluate(truth, run, names, **knowledge(concepts))
        assert result.frame["units"].sum() == 0 or shape == (2, 0)
        assert len(result.units("run", "concept.AP")) == shape[1]


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_micro_measures_have_no_unit_scores_but_keep_counts_by_item(form: str) -> None:
    run = cf.Run(S if form == "dense" else sparse(S))
    result = cf.evaluate(cf.Truth(Y), run, ["micro.F", "micro.AP"])
    assert result.units("run", "micro.F").shape == (2,)
    assert np.isnan(result.units("run", "micro.F")).all()
    counts = result.score("run", "micro.F").counts
    assert counts is not None
    assert (counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist()) == ([2, 1], [0, 0], [0, 0])
    assert counts.cells.tolist() == [3, 3]
    assert result.score("run", "micro.F").units == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((object(), cf.Run(S), "concept.AP"), "the truth is a object; give an array or a frame"),
        ((cf.Truth(Y), [cf.Run(S), S], "concept.AP"), "a run is a ndarray; give several runs"),
        ((cf.Truth(Y), None, "concept.AP"), "runs are a NoneType; give scores, a cf.Run or a dict"),
        ((cf.Truth(Y), cf.Run(S), None), "measures are a NoneType; give names"),
    ],
)
def test_evaluate_says_what_it_wants(arguments: tuple[Any, ...], message: str) -> None:
    with refused(message):
        cf.evaluate(*arguments)


def test_score_takes_nouns_too_but_one_run() -> None:
    assert cf.score(cf.Truth(Y), cf.Run(S), "concept.AP") == cf.score(Y, S, "concept.AP")
    with refused("cf.score takes one run, not 2; call cf.evaluate"):
        cf.score(Y, {"a": S, "b": S}, "concept.AP")


def test_a_score_is_looked_up_by_run_and_measure() -> None:
    with refused(r"look scores up by run and measure, as result[run, measure]; got 'run'"):
        cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP")["run"]  # type: ignore[index]


def test_knowledge_may_be_none_and_changes_no_measure_that_does_not_ask_for_it() -> None:
    nothing = dict.fromkeys(("ontology", "costs", "relatedness", "agreement"))
    known = knowledge(["a", "b", "c"])
    scores = [
        cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP", **given).scores[0]
        for given in ({}, nothing, known)
    ]
    assert len({score.signature for score in scores}) == 1
    assert scores[0].value == scores[1].value == scores[2].value


@pytest.mark.parametrize("default", ["negative", "exclude"])
def test_what_the_truth_does_with_unjudged_cells_is_the_default(default: Any) -> None:
    truth = cf.Truth(Y, unjudged=default)
    explicit = f"concept.AP(unjudged={default})"
    result = cf.evaluate(truth, cf.Run(S), ["concept.AP", explicit])
    assert len(result) == 1
    assert result["run", explicit] == result["run", "concept.AP"]


def test_an_infinite_score_is_null_in_json() -> None:
    truth = cf.Truth([[1, 0], [0, 1], [1, 0], [0, 1]])
    run = cf.Run(labels=[[1, 0], [1, 0], [0, 1], [0, 1]])  # tells nothing about the truth
    result = cf.evaluate(truth, run, "confusion.xi")
    assert np.isinf(result.scores[0].value)
    assert json.loads(result.to_json(), parse_constant=pytest.fail)["scores"][0]["score"] is None
