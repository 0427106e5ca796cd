"""Analyses that no command returns: saved, loaded and shown again they say the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.result import Analysis, load
from cranfield.show import FORMS, rendered
from cranfield.statistics import reliability

RANDOM = np.random.default_rng(2)
LABELS = (RANDOM.random((60, 5)) < 0.4).astype(int)
TRUTH = cf.Truth(LABELS)
RUNS = [
    cf.Run(np.clip(RANDOM.normal(0.3 + 0.1 * k * LABELS, 0.2), 0, 1), name=f"s{k}")
    for k in range(3)
]
RESULT = cf.evaluate(TRUTH, RUNS, ["concept.AP", "example.F"])
ANALYSES: dict[str, Analysis] = {
    "intervals": cf.intervals(RESULT, method="percentile", samples=40),
    "explanation": RESULT.explain("s0", "example.F", "0"),
    "threshold": cf.tune(TRUTH, RUNS[2], "example.F", per="run"),
    "reliability": reliability(TRUTH, RUNS[2]),
    "confusion": cf.Confusion([[13, 2], [4, 15]], ["woman", "man"], name="a"),
}


@pytest.mark.parametrize("name", ANALYSES)
def test_saved_loaded_and_shown_again_they_say_the_same(name: str, tmp_path: Path) -> None:
    analysis = ANALYSES[name]
    analysis.save(tmp_path / "saved.json")
    again = load(tmp_path / "saved.json")
    for form in FORMS.values():
        assert rendered(again, form) == rendered(analysis.full_result, form), form
    assert repr(again) == repr(analysis)
