"""Things of a wrong kind handed to public functions are errors that say what was expected."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.progress import Step

RANDOM = np.random.default_rng(0)
LABELS = RANDOM.random((30, 4)) < 0.5
SCORES = RANDOM.random((30, 4))
TRUTH = cf.Truth(LABELS, items=[f"i{row}" for row in range(30)], concepts="abcd")
RUNS = [
    cf.Run(scores, name=name, items=TRUTH.items, concepts=TRUTH.concepts)
    for name, scores in (("r", SCORES), ("s", 1 - 0.9 * SCORES), ("t", SCORES**2))
]
RESULT = cf.evaluate(TRUTH, RUNS, ["concept.AP", "example.F"])
ONTOLOGY = cf.Ontology({"a": (), "b": ("a",), "c": (), "d": ()})
MATRIX = cf.Confusion([[3, 1], [2, 4]])
COSTS = cf.CostMap(np.zeros((2, 2)), ["a", "b"])
FILE = Path("nowhere/t.csv")

ODD = (
    *(None, 3, -1.5, float("nan"), True, "nonsense", "", b"bytes", Path("nowhere")),
    *([], [{"a": 1}], {}, {"a": object()}, (1, 2, 3), {1, 2}, object()),
    *(np.array([]), np.array(["x", "y"]), np.array([object()], dtype=object)),
    *(TRUTH, RUNS[0], RUNS, ONTOLOGY, MATRIX),
)

CALLS: dict[str, tuple[Any, ...]] = {
    **{name: (FILE,) for name in cf.__all__ if name.startswith("read_")},
    "read_attributes": (FILE, TRUTH.items),
    "Truth": (LABELS,),
    "Run": (SCORES,),
    "Ontology": ({"a": ()},),
    "Confusion": ([[1, 2], [3, 4]],),
    "Collection": (TRUTH,),
    "Cycle": (TRUTH, RUNS),
    "CostMap": (np.zeros((2, 2)), ["a", "b"]),
    "RelatednessMap": (np.eye(2), ["a", "b"]),
    "AgreementMap": (np.ones(2), ["a", "b"]),
    "Provenance": ("somewhere",),
    "Comparison": (TRUTH, RUNS[0]),
    "Report": (RESULT,),
    "scorer": ("concept.AP",),
    "measure": ("concept.AP",),
    "score": (LABELS, SCORES, "concept.AP"),
    "evaluate": (TRUTH, RUNS, ["concept.AP"]),
    "describe": (TRUTH,),
    "overlap": (TRUTH, TRUTH),
    "split": (TRUTH, [0.5, 0.5]),
    "folds": (TRUTH, 3),
    "intervals": (RESULT,),
    "plan": (RESULT, "example.F"),
    "compare": (RESULT, "concept.AP"),
    "gate": (RESULT, "r"),
    "bounds": (TRUTH, RUNS, ["example.F"]),
    "estimate": (TRUTH, RUNS, ["example.F"]),
    "slices": (RESULT, "frequency"),
    "tune": (TRUTH, RUNS[0], "concept.F"),
    "roc_table": (TRUTH, RUNS[0]),
    "reliability": (TRUTH, RUNS[0]),
    "curves": (TRUTH, RUNS),
    "search": (TRUTH, ["a"]),
    "correlate": (TRUTH, RUNS, ["concept.AP", "example.F"]),
    "random_guessing": (TRUTH, RUNS, ["example.F"]),
    "label_density": (TRUTH, RUNS, ["example.F"]),
    "collection_study": (TRUTH, RUNS, ["concept.AP"]),
    "compare_cycles": (
        cf.studies.Cycle(TRUTH, RUNS[:2]),
        cf.studies.Cycle(TRUTH, RUNS[1:]),
        ["concept.AP"],
    ),
    "pool": (RUNS,),
    "leave_one_out": (TRUTH, RUNS, "concept.AP"),
    "missed_relevant": (TRUTH, RUNS),
    "write_truth": (TRUTH, FILE),
    "write_run": (RUNS[0], FILE),
    "write_confusion": (MATRIX, FILE),
    "write_map": (COSTS, FILE),
    "write_thresholds": (cf.tune(TRUTH, RUNS[0], "concept.F"), FILE),
}


REQUIRED: dict[str, dict[str, Any]] = {"gate": {"margin": 0.1, "run": "s"}}


def only_our_errors(call: Callable[..., object], *args: Any, **options: Any) -> None:
    with suppress(cf.CranfieldError):
        call(*args, **options)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_odd_arguments_meet_our_own_errors_or_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, args = getattr(cf, name), CALLS[name]
    for place in range(len(args)):
        for odd in ODD:
            changed = (*args[:place], odd, *args[place + 1 :])
            only_our_errors(call, *changed, **REQUIRED.get(name, {}))


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"collection_study", "compare_cycles"}))
def test_odd_options_meet_our_own_errors_or_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, args = getattr(cf, name), CALLS[name]
    options = [
        option.name
        for option in inspect.signature(call).parameters.values()
        if option.kind is option.KEYWORD_ONLY
    ]
    for option in options:
        for odd in (None, -1.5, "nonsense", [{"a": 1}], object(), np.array([])):
            only_our_errors(call, *args, **REQUIRED.get(name, {}) | {option: odd})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: cf.intervals(None),
            "intervals takes an Evaluation, or truth, runs and measures; for example "
            'cf.intervals(y, {"a": scores_a, "b": scores_b}, "concept.AP")',
        ),
        (
            lambda: cf.studies.correlate(3, RUNS, ["concept.AP"]),  # type: ignore[arg-type]
            "the truth is a int; give an array or a frame",
        ),
        (
            lambda: cf.read_truth(None),  # type: ignore[arg-type]
            "read_truth: path is None; give the name of a file",
        ),
        (
            lambda: cf.intervals(RESULT, seed="x"),  # type: ignore[arg-type]
            "intervals: seed is 'x'; give a whole number",
        ),
        (
            lambda: cf.Run(SCORES, tags=3),  # type: ignore[arg-type]
            "Run: tags is 3; give a dict or None",
        ),
    ],
)
def test_the_message_names_the_argument_and_what_was_expected(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(cf.InputError) as caught:
        call()
    assert str(caught.value) == message


def test_a_wrong_call_stays_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        cf.evaluate(TRUTH, RUNS, "concept.AP", colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing"):
        cf.score(LABELS)  # type: ignore[call-arg]


def test_an_error_of_a_callback_is_left_alone() -> None:
    def fail(stage: str, total: float) -> AbstractContextManager[Step]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cf.evaluate(TRUTH, RUNS, "concept.AP", progress=fail)
