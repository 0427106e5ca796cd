"""Comparisons, intervals, studies take an evaluation, or a truth and runs in any form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield as cf
from nouns.small import refused

RANDOM = np.random.default_rng(8)
Y = (RANDOM.random((60, 4)) < 0.4).astype(int)
S1 = np.clip(0.5 * Y + 0.6 * RANDOM.random((60, 4)), 0, 1)
S2 = np.clip(0.2 * Y + 0.8 * RANDOM.random((60, 4)), 0, 1)
RUNS = {"lr": S1, "mlp": pd.DataFrame(S2)}
NAMES = ["concept.AP", "example.F"]
RESULT = cf.evaluate(Y, RUNS, NAMES)
BINS = {"half": ["a", "b"] * 30}


@pytest.mark.parametrize(
    ("direct", "staged"),
    [
        (lambda: cf.compare(Y, RUNS, "concept.AP"), lambda: cf.compare(RESULT, "concept.AP")),
        (lambda: cf.compare(Y, RUNS, NAMES, seed=3), lambda: cf.compare(RESULT, NAMES, seed=3)),
        (lambda: cf.compare(Y, runs=RUNS, measures=NAMES), lambda: cf.compare(RESULT, NAMES)),
        (lambda: cf.intervals(Y, RUNS, NAMES, level=0.9), lambda: cf.intervals(RESULT, level=0.9)),
        (
            lambda: cf.slices(Y, RUNS, NAMES, BINS, samples=200),
            lambda: cf.slices(RESULT, BINS, samples=200),
        ),
        (
            lambda: cf.gate(Y, RUNS, NAMES, "lr", margin=0.1),
            lambda: cf.gate(RESULT, "lr", margin=0.1),
        ),
        (
            lambda: cf.plan(Y, {"lr": S1}, "example.F", margin=0.05),
            lambda: cf.plan(RESULT, "example.F", run="lr", margin=0.05),
        ),
        (lambda: cf.bounds(Y, RUNS, "example.F"), lambda: cf.bounds(RESULT, measures="example.F")),
        (lambda: cf.tune(Y, S1), lambda: cf.tune(cf.Truth(Y), cf.Run(S1))),
        (lambda: cf.curves(Y, RUNS), lambda: cf.curves(RESULT)),
        (
            lambda: cf.studies.stability(Y, RUNS, NAMES, repeats=2),
            lambda: cf.studies.stability(RESULT, repeats=2),
        ),
        (
            lambda: cf.studies.power(Y, RUNS, NAMES, samples=200, draws=20),
            lambda: cf.studies.power(RESULT, samples=200, draws=20),
        ),
        (
            lambda: cf.studies.label_density(Y, RUNS, NAMES[1:]),
            lambda: cf.studies.label_density(RESULT, measures=NAMES[1:]),
        ),
    ],
)
def test_a_truth_and_runs_come_to_the_same_as_an_evaluation(direct: Any, staged: Any) -> None:
    assert direct().to_json() == staged().to_json()


def test_options_of_evaluate_go_along() -> None:
    with refused("outside [0, 1]"):
        cf.compare(Y, {"a": S1 * 9, "b": S2}, "example.F")
    made = cf.compare(Y, {"a": S1 * 9, "b": S2}, "example.F", threshold={"a": 5, "b": 0.5})
    cut = {"a": cf.Run(S1 * 9, threshold=5), "b": cf.Run(S2, threshold=0.5)}
    assert made.to_json() == cf.compare(Y, cut, "example.F").to_json()
    named = cf.bounds(Y, S1, "example.F", classes=["sky", "sea", "sand", "sun"])
    assert named.to_json() == cf.bounds(Y, S1, "example.F").to_json()


def test_a_study_of_an_evaluation_rests_on_what_it_knew() -> None:
    ontology = cf.Ontology({"0": (), "1": ("0",), "2": (), "3": ()})
    result = cf.evaluate(cf.Truth(Y, concepts="0123"), RUNS, ["HS", "OS"], ontology=ontology)
    studied = cf.studies.stability(result, repeats=1)
    assert studied.measures == result.measures


def test_functions_of_one_run_take_one() -> None:
    with refused("tune takes one run, not 'lr', 'mlp'"):
        cf.tune(Y, RUNS)
