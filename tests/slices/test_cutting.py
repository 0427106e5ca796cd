"""Which slices an attribute makes, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.knowledge import Known
from cranfield.statistics.slices import Slice, cut

ITEMS = 40
LABELS = np.eye(ITEMS, 4, dtype=int)
TRUTH = cf.Truth(LABELS, items=[f"i{n}" for n in range(ITEMS)])


def sliced(values: Any, bins: int = 4) -> list[Slice]:
    return cut({"a": values}, TRUTH, Known(TRUTH.concept_axis), bins)


def sizes(slices: list[Slice]) -> dict[str, int]:
    return {one.value: len(one.members) for one in slices}


def test_each_value_of_a_text_is_a_slice_in_the_order_of_names() -> None:
    values = ["b", "a", "c", "a"] * 10
    assert sizes(sliced(values)) == {"a": 20, "b": 10, "c": 10}
    assert sliced(values)[1].members.tolist() == list(range(0, ITEMS, 4))


def test_ten_different_numbers_are_a_slice_each_in_their_order() -> None:
    assert list(sizes(sliced([n % 10 + 2 for n in range(ITEMS)]))) == [str(n) for n in range(2, 12)]


def test_more_numbers_are_cut_into_parts_of_as_many_items() -> None:
    values = [str(n) for n in range(ITEMS)]
    assert sizes(sliced(values)) == {"[0, 10)": 10, "[10, 20)": 10, "[20, 30)": 10, "[30, 39]": 10}
    assert len(sliced(np.arange(ITEMS), bins=5)) == 5


def test_equal_numbers_stay_together_even_if_most_are_equal() -> None:
    values = [0] * 28 + list(range(1, 13))
    assert sizes(sliced(values)) == {"[0, 1)": 28, "[1, 3)": 2, "[3, 12]": 10}


def test_numbers_that_differ_little_are_told_apart() -> None:
    names = list(sizes(sliced(1e6 + np.arange(ITEMS) / 8)))
    assert len(set(names)) == 4
    assert names[0].startswith("[1000000, ")


@pytest.mark.parametrize("gap", [None, "", float("nan")])
def test_what_has_no_value_is_a_slice_of_its_own(gap: Any) -> None:
    assert sizes(sliced(["x", gap] * 20)) == {"x": 20, "(missing)": 20}


def test_what_is_called_missing_is_missing_with_what_has_no_value() -> None:
    assert sizes(sliced(["x", "(missing)", "", "y"] * 10)) == {"x": 10, "y": 10, "(missing)": 20}


def test_equal_numbers_are_one_slice_however_they_are_written() -> None:
    assert sizes(sliced(["1", "1.0", "2", "01"] * 10)) == {"1": 30, "2": 10}
    assert sizes(sliced([1.0, 1, 2.50, "2.5"] * 10)) == {"1": 20, "2.5": 20}
    assert sizes(sliced(["1.0", "x", "1", "x"] * 10)) == {"1": 10, "1.0": 10, "x": 20}


def test_attributes_whose_names_run_together_are_told_apart() -> None:
    by = {"camera": ["pro max", "old"] * 20, "camera pro": ["max", "mini"] * 20}
    found = cut(by, TRUTH, Known(TRUTH.concept_axis), 4)
    assert [(one.attribute, one.value) for one in found] == [
        *(("camera", "old"), ("camera", "pro max")),
        *(("camera pro", "max"), ("camera pro", "mini")),
    ]


def test_branches_of_one_label_are_told_apart_by_their_ids() -> None:
    ontology = cf.Ontology(
        parents={"top": (), "left": ("top",), "right": ("top",), "a": ("left",), "b": ("right",)},
        labels={"left": "side", "right": "side"},
    )
    truth = cf.Truth(np.eye(4, 2, dtype=int), concepts=["a", "b"])
    result = cf.evaluate(truth, cf.Run(np.eye(4, 2)), "concept.AP", ontology=ontology)
    found = cf.slices(result, "branches", samples=100)
    assert [one.slice for one in found] == ["side (left)", "side (right)"]


def test_items_that_a_mapping_lacks_have_no_value() -> None:
    assert sizes(sliced({"i0": "x", "i1": "y"})) == {"x": 1, "y": 1, "(missing)": 38}


def test_truth_values_are_no_numbers() -> None:
    assert sizes(sliced(np.arange(ITEMS) < 10)) == {"False": 30, "True": 10}


def test_series_of_frames_are_taken() -> None:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    values = ["x", "y"] * 20
    for series in (polars.Series(values), pandas.Series(values)):
        assert sizes(sliced(series)) == {"x": 20, "y": 20}


def test_frames_have_a_column_for_each_attribute() -> None:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    table = {"site": ["x", "y"] * 20, "year": [n % 3 for n in range(ITEMS)]}
    known = Known(TRUTH.concept_axis)
    wanted = [(one.value, one.members.tolist()) for one in cut(table, TRUTH, known, 4)]
    named = pandas.DataFrame(table, index=TRUTH.items)
    first = polars.DataFrame({"item": TRUTH.items, **table})
    counted = polars.DataFrame({"year": table["year"], "site": table["site"]})
    for frame in (named, named[::-1], pandas.DataFrame(table), first, first.reverse(), [first]):
        slices = cut(frame, TRUTH, known, 4)
        assert [(one.value, one.members.tolist()) for one in slices] == wanted
    assert {one.attribute for one in cut(counted, TRUTH, known, 4)} == {"site", "year"}


@pytest.mark.parametrize(
    ("by", "what"),
    [
        ({"a": ["x"]}, "attribute 'a': 1 value for 40 items of the truth; give one for each"),
        ({"a": {"i0": 1, "z": 2}}, "attribute 'a': 1 item not in the truth: 'z'"),
        (
            "color",
            "by='color'; give {attribute: values of items}, a frame of attributes, 'frequency' or",
        ),
        ([np.arange(3)], "by=array([0, 1, 2]); give {attribute: values of items}, a frame of"),
        ({}, "there is nothing to slice by"),
        (["frequency", "frequency"], "attribute 'frequency' was given twice; give each"),
        ("branches", "slices by branches needs a hierarchy; give ontology="),
    ],
)
def test_what_cannot_be_sliced_by_is_said(by: Any, what: str) -> None:
    with pytest.raises(cf.InputError) as raised:
        cut(by, TRUTH, Known(TRUTH.concept_axis), 4)
    assert what in str(raised.value)


def test_an_attribute_that_names_single_items_is_refused() -> None:
    truth = cf.Truth(np.ones((60, 1), dtype=int))
    with pytest.raises(cf.InputError, match="'url' has 60 values, and 50 is the limit"):
        cut({"url": [f"u{n}" for n in range(60)]}, truth, Known(truth.concept_axis), 4)


@pytest.mark.parametrize(
    ("option", "what"),
    [({"bins": 1}, "bins=1"), ({"samples": 10}, "samples=10"), ({"level": 2.0}, "2 is no level")],
)
def test_options_out_of_range_are_refused(option: dict[str, Any], what: str) -> None:
    result = cf.evaluate(TRUTH, cf.Run(scores=LABELS * 1.0, items=TRUTH.items), "example.F")
    with pytest.raises(cf.InputError, match=what):
        cf.slices(result, "frequency", **option)


def test_a_slice_of_everything_has_no_rest_and_one_of_an_item_no_interval() -> None:
    result = cf.evaluate(TRUTH, cf.Run(scores=LABELS * 1.0, items=TRUTH.items), "example.F")
    every = cf.slices(result, {"a": ["x"] * ITEMS}, samples=100)["run", "example.F", "a", "x"]
    assert np.isnan([every.rest, every.difference, every.p]).all()
    assert not every.worst
    lone = cf.slices(result, {"a": ["x"] * 39 + ["y"]}, samples=100)["run", "example.F", "a", "y"]
    assert np.isnan(lone.low)
    assert math.isnan(lone.row()["low"])
    assert any("fewer than two items" in note for note in lone.notes)
