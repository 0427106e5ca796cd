"""A function of two arrays is a measure, wherever measures are taken."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import cranfield as cf

Array = Any
RNG = np.random.default_rng(5)
LABELS = RNG.random((30, 4)) < 0.4
SCORES = np.round(RNG.random((30, 4)), 2)
OTHER = np.round(0.5 * SCORES + 0.5 * LABELS, 2)


def right_cells(y: Array, s: Array) -> float:
    """The share of right cells."""
    return float(((s >= 0.5) == y).mean())


def right_by_item(y: Array, s: Array, *, cut: float = 0.5) -> Array:
    return ((s >= cut) == y).mean(axis=1)


def right_by_concept(y: Array, s: Array) -> Array:
    return ((s >= 0.5) == y).mean(axis=0)


def undefined(y: Array, s: Array) -> float:
    return math.nan


def fails(y: Array, s: Array) -> float:
    if len(y) > 10:
        raise ZeroDivisionError("nothing to divide by")
    return 1.0


def evaluation(*measures: Any) -> cf.Evaluation:
    truth = cf.Truth(LABELS)
    runs = [cf.Run(SCORES, name="a"), cf.Run(OTHER, name="b", threshold=0.5)]
    return cf.evaluate(truth, runs, measures)


@pytest.mark.parametrize("function", [right_cells, right_by_item, right_by_concept])
def test_a_function_scores_what_it_returns(function: Any) -> None:
    expected = np.mean(function(LABELS, SCORES))
    assert cf.score(LABELS, SCORES, function) == pytest.approx(expected, abs=1e-15)
    assert expected == pytest.approx(1 - cf.score(LABELS, SCORES, "example.hamming"))


def test_functions_of_scikit_learn_are_measures_as_they_are() -> None:
    assert cf.score(LABELS, SCORES, metrics.roc_auc_score) == pytest.approx(
        cf.score(LABELS, SCORES, "concept.AUC")
    )


@pytest.mark.parametrize(
    ("function", "direction", "units"),
    [(right_cells, "micro", 1), (right_by_item, "example", 30), (right_by_concept, "concept", 4)],
)
def test_what_a_function_returns_says_what_its_units_are(
    function: Any, direction: str, units: int
) -> None:
    scored = evaluation(function).score("a", function)
    assert cf.measure(function).traits.direction == direction
    assert (scored.units, scored.skipped) == (units, 0)


def test_a_square_collection_is_read_by_concept_or_by_item_all_the_same() -> None:
    labels, scores = LABELS[:4], SCORES[:4]
    truth, run = cf.Truth(labels), cf.Run(scores, name="a")
    for function in (right_by_item, right_by_concept):
        by_unit = cf.evaluate(truth, run, function).units("a", function)
        assert by_unit.tolist() == function(labels, scores).tolist()


def test_options_of_a_function_are_those_of_its_measure() -> None:
    name = str(cf.measure(right_by_item))
    assert name.endswith("test_functions_as_measures:right_by_item")
    expected = right_by_item(LABELS, SCORES, cut=0.3).mean()
    assert cf.score(LABELS, SCORES, f"{name}(cut=0.3)") == pytest.approx(expected)
    assert str(cf.measure(f"{name}( cut = 0.5 )")) == name


def test_a_run_of_decisions_hands_over_booleans_and_one_of_confidences_numbers() -> None:
    kinds = []

    def look(y: Array, s: Array) -> float:
        kinds.append((y.dtype.kind, s.dtype.kind, y.flags.writeable or s.flags.writeable))
        return 0.0

    truth = cf.Truth(LABELS)
    runs = [cf.Run(SCORES, name="scores"), cf.Run(labels=SCORES > 0.5, name="labels")]
    cf.evaluate(truth, runs[0], look)
    cf.evaluate(truth, runs[1], look)
    assert kinds[1:] == [("b", "f", False), ("b", "b", False)]  # the first look is at small arrays


def test_rows_in_another_order_come_in_that_of_the_truth() -> None:
    items = [f"i{n}" for n in range(30)]
    truth = cf.Truth(LABELS, items=items)
    order = RNG.permutation(30)
    run = cf.Run(SCORES[order], name="a", items=[items[n] for n in order])
    result = cf.evaluate(truth, run, right_by_item)
    assert result.units("a", right_by_item).tolist() == right_by_item(LABELS, SCORES).tolist()


def test_what_a_run_does_not_mention_is_below_everything() -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=["x", "y"], concepts=["p", "q"])
    run = cf.Run([[0.7, 0.2]], name="a", items=["x"], concepts=["p", "q"])
    lowest = cf.evaluate(truth, run, _lowest, missing="absent").units("a", _lowest)
    assert lowest.tolist() == [0.2, -math.inf]


def _lowest(y: Array, s: Array) -> Array:
    return s.min(axis=1)


def test_intervals_and_comparisons_take_functions() -> None:
    result = evaluation(right_cells, right_by_item)
    found = cf.intervals(result, samples=200)
    for function in (right_cells, right_by_item):
        interval = found["a", function]
        assert interval.low < result["a", function] < interval.high
    assert cf.compare(result, right_by_item).runs[0] == "b"


def test_a_draw_in_which_a_function_is_undefined_is_left_out() -> None:
    def share_of_rare(y: Array, s: Array) -> float:
        rare = y[:, 0]
        return float((s[rare, 0] > 0.5).mean()) if rare.any() else math.nan

    labels = np.zeros((12, 2), dtype=bool)
    labels[:2, 0] = True
    run = cf.Run(SCORES[:12, :2], name="a")
    result = cf.evaluate(cf.Truth(labels), run, share_of_rare)
    found = cf.intervals(result, samples=100)["a", share_of_rare]
    assert math.isfinite(found.low)


def test_a_number_can_be_traced_to_the_code_that_made_it() -> None:
    signature = evaluation(right_cells).score("a", right_cells).signature
    assert "code=" in signature
    assert "test_functions_as_measures@" in signature
    assert "code=" not in evaluation("concept.AP").score("a", "concept.AP").signature


def test_an_evaluation_by_a_function_can_be_pickled() -> None:
    result = pickle.loads(pickle.dumps(evaluation(right_by_item)))
    assert result["a", right_by_item] == evaluation(right_by_item)["a", right_by_item]


def test_two_functions_of_one_name_are_refused() -> None:
    first, second = (lambda y, s: 0.0), (lambda y, s: 1.0)
    with pytest.raises(cf.InputError, match=r"2 functions are called .*<lambda>; give each a name"):
        evaluation(first, second)
    assert (cf.score(LABELS, SCORES, first), cf.score(LABELS, SCORES, second)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (fails, "fails failed: ZeroDivisionError: nothing to divide by"),
        (undefined, "undefined returned NaN for 1 unit of run 'run'"),
        (lambda y, s: y, r"returned an array of shape \(7, 4\) for 7 items and 4 concepts"),
        (lambda y, s: s[:5, 0] if len(y) > 7 else 1.0, "and one number was expected"),
        (lambda y, s: "high", "returned str; return numbers"),
        (cf.evaluate, "is a function of cranfield"),
    ],
)
def test_what_is_wrong_with_a_function_is_said_with_file_and_line(
    function: Any, message: str
) -> None:
    with pytest.raises(cf.InputError, match=message) as caught:
        cf.score(LABELS, SCORES, function)
    if function is not cf.evaluate:
        assert "test_functions_as_measures.py:" in str(caught.value)


def test_the_line_is_the_one_that_failed() -> None:
    with pytest.raises(cf.FileError) as caught:
        cf.score(LABELS, SCORES, fails)
    assert caught.value.line == fails.__code__.co_firstlineno + 2
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_truths_that_leave_cells_out_need_to_be_told_what_they_are() -> None:
    judged = np.ones(LABELS.shape, dtype=bool)
    judged[0, 0] = False
    truth = cf.Truth(LABELS, judged=judged, unjudged="exclude")
    name = str(cf.measure(right_cells))
    with pytest.raises(cf.InputError, match="takes whole arrays, and 1 cells are not judged"):
        cf.evaluate(truth, cf.Run(SCORES, name="a"), right_cells)
    cf.evaluate(truth, cf.Run(SCORES, name="a"), f"{name}(unjudged=negative)")
