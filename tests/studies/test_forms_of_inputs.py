"""Every study takes what people have in memory, or an evaluation, and comes to the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield as cf

RNG = np.random.default_rng(5)
LABELS = (RNG.random((60, 4)) < 0.4).astype(int)
SCORES = {f"run{n}": 0.6 * RNG.random((60, 4)) + 0.1 * n * LABELS for n in range(1, 5)}
TRUTH, RUNS = cf.Truth(LABELS), [cf.Run(scores, name=name) for name, scores in SCORES.items()]
MEASURES = ["concept.F", "example.F", "example.AP"]
OPTIONS: dict[str, dict[str, Any]] = {
    "stability": {"repeats": 2, "levels": [0.05]},
    "power": {"draws": 20, "samples": 100},
    "correlate": {"resamples": 10},
    "compare_cycles": {"samples": 100},
}
OF_SOMETHING_ELSE = {"audit", "audits", "preferences"}
"""Studies of measures, and of judgements about pairs of runs."""


def studies() -> list[str]:
    public = {
        name: getattr(cf.studies, name) for name in dir(cf.studies) if name in cf.studies.__all__
    }
    return sorted(
        name
        for name, value in public.items()
        if inspect.isfunction(value) and name not in OF_SOMETHING_ELSE
    )


def result_of(name: str, truth: Any, runs: Any = None) -> cf.Result:
    """The result of a study; an evaluation stands alone."""
    study: Callable[..., Any] = getattr(cf.studies, name)
    options = OPTIONS.get(name, {})
    evaluated = runs is None
    if name == "compare_cycles":
        cycle = truth if evaluated else cf.studies.Cycle(truth, runs)
        return study(cycle, cycle, *([] if evaluated else [MEASURES]), **options).result
    arguments = [truth] if evaluated else [truth, runs]
    if name != "threshold_effect" and not evaluated:
        arguments.append(MEASURES[:2] if name == "label_density" else MEASURES)
    return study(*arguments, **options).result


@pytest.mark.parametrize("name", studies())
def test_studies_take_arrays_frames_and_evaluations(name: str) -> None:
    ids = [f"item{n}" for n in range(60)]
    concepts = list("abcd")
    measures = MEASURES[:2] if name == "label_density" else MEASURES
    named = cf.Truth(LABELS, items=ids, concepts=concepts)
    runs = [cf.Run(s, name=n, items=ids, concepts=concepts) for n, s in SCORES.items()]
    expected = result_of(name, named, runs).to_json()
    frames = {n: pd.DataFrame(s, ids, concepts) for n, s in SCORES.items()}
    forms = {
        "frames": result_of(name, pd.DataFrame(LABELS, ids, concepts), frames),
        "evaluation": result_of(name, cf.evaluate(named, runs, measures)),
    }
    if name != "compare_cycles":  # which needs ids of concepts
        plain = result_of(name, TRUTH, RUNS).to_json()
        assert result_of(name, LABELS, SCORES).to_json() == plain
    for form, result in forms.items():
        assert result.to_json() == expected, form


def test_no_study_is_forgotten() -> None:
    assert set(studies()) == {
        *("collection_study", "compare_cycles", "correlate", "label_density", "power"),
        *("random_guessing", "stability", "threshold_effect"),
    }
