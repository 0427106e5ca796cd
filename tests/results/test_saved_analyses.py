"""Analyses of runs and classes: saved, loaded and shown again they say the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.result import Analysis, load
from cranfield.show import FORMS, rendered
from cranfield.statistics import reliability, roc_table
from cranfield.statistics.gating import Baseline, record
from cranfield.statistics.intervals import IntervalScores
from cranfield.tasks import monte_carlo
from cranfield.tasks.classes.score_tables import ClassScores, score_confusions

RANDOM = np.random.default_rng(2)
LABELS = (RANDOM.random((60, 5)) < 0.4).astype(int)
TRUTH = cf.Truth(LABELS)
RUNS = [
    cf.Run(np.clip(RANDOM.normal(0.3 + 0.1 * k * LABELS, 0.2), 0, 1), name=f"s{k}")
    for k in range(3)
]
RESULT = cf.evaluate(TRUTH, RUNS, ["concept.AP", "example.F"])
MATRICES = [
    cf.Confusion(counts, ["woman", "man"], name=name)
    for name, counts in (("a", [[13, 2], [4, 15]]), ("b", [[10, 5], [0, 19]]))
]
JUDGED = np.random.default_rng(3).random((60, 5)) < 0.8
GAPS = cf.Truth(LABELS * JUDGED, judged=JUDGED)
ANALYSES: dict[str, Analysis] = {
    "evaluate": RESULT,
    "evaluate-units": RESULT.by_unit(),
    "evaluate-intervals": IntervalScores(RESULT, cf.intervals(RESULT)),
    "intervals": cf.intervals(RESULT, method="percentile", samples=40),
    "plan": cf.plan(RESULT, "example.F", run="s0", margin=0.01),
    "explain": RESULT.explanations(["0", "3"]),
    "explanation": RESULT.explain("s0", "example.F", "0"),
    "slices": cf.slices(RESULT, "frequency", samples=100),
    "bounds": cf.bounds(GAPS, RUNS, ["example.F", "micro.P"]),
    "estimates": cf.estimate(GAPS, RUNS, "example.F", draws=20),
    "compare": cf.compare(RESULT, "example.F", samples=200),
    "compare-ranks": cf.compare(RESULT, "concept.AP", test="nemenyi"),
    "cross-validation": monte_carlo(
        ["majority", "naive_bayes"], LABELS[:, :4], LABELS[:, 4], folds=3, repeats=2
    ),
    "gate": cf.gate(RESULT, "s0", run="s1", margin=0.01),
    "thresholds": cf.tune(TRUTH, RUNS[2]),
    "threshold": cf.tune(TRUTH, RUNS[2], "example.F", per="run"),
    "roc": roc_table(TRUTH, RUNS[2]),
    "reliability": reliability(TRUTH, RUNS[2]),
    "confusion": MATRICES[0],
    "confusions": score_confusions(MATRICES),
    "confusion-intervals": score_confusions(MATRICES, interval="dirichlet", samples=50),
    "classes": ClassScores(MATRICES),
    "one-vs-rest": ClassScores(MATRICES, "man", "heat"),
    "baseline": Baseline([record(RESULT.score("s0", "concept.AP"))]),
}


@pytest.mark.parametrize("name", ANALYSES)
def test_saved_loaded_and_shown_again_they_say_the_same(name: str, tmp_path: Path) -> None:
    analysis = ANALYSES[name]
    analysis.save(tmp_path / "saved.json")
    again = load(tmp_path / "saved.json")
    for form in FORMS.values():
        assert rendered(again, form) == rendered(analysis.full_result, form), form
    assert repr(again) == repr(analysis)
