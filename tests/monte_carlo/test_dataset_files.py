"""Data to learn from, read from files: what they may look like, and what is wrong with others."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_data import IRIS, SPECIES, write_iris

import cranfield as cf

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "data.csv") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


def test_a_file_of_iris_holds_iris(tmp_path: Path) -> None:
    data = cf.formats.read_dataset(write_iris(tmp_path / "iris.csv"))
    np.testing.assert_array_equal(data.features, IRIS)
    assert data.classes.tolist() == SPECIES.tolist()
    assert data.names == ("sepal", "width", "petal", "broad")
    assert data.name == "iris"


def test_text_is_categories_and_numbers_are_numbers(write: Write) -> None:
    data = cf.formats.read_dataset(write("size,colour,kind\n1.5,red,a\n2,blue,b\n-1e3,red,a\n"))
    assert data.categories == {"colour": ("blue", "red")}
    assert data.features.tolist() == [[1.5, 1.0], [2.0, 0.0], [-1000.0, 1.0]]


def test_numbers_may_be_declared_categories(write: Write) -> None:
    path = write("x,y,kind\n10,7,a\n9,8,b\n")
    assert cf.formats.read_dataset(path, categorical=["x"]).categories == {"x": ("9", "10")}
    assert set(cf.formats.read_dataset(path, categorical="all").categories) == {"x", "y"}


def test_ids_of_items_are_no_feature(write: Write) -> None:
    assert cf.formats.read_dataset(write("Item,x,kind\ni1,1,a\ni2,2,b\n")).names == ("x",)


def test_the_target_may_stand_anywhere(write: Write) -> None:
    data = cf.formats.read_dataset(write("kind\tx\na\t1\nb\t2\n", "data.tsv"), target="kind")
    assert data.classes.tolist() == ["a", "b"]
    assert data.names == ("x",)


@pytest.mark.parametrize("text", ["1,1,17\n2,1,3\n", "1 1 17\n2 1 3\n", "1\t1\t17\n2\t1\t3\n"])
def test_files_without_header_number_their_columns(write: Write, text: str) -> None:
    path = write(text, "krk.data")
    data = cf.formats.read_dataset(path, header=False)
    assert data.names == ("1", "2")
    assert data.classes.tolist() == [17, 3]
    assert cf.formats.read_dataset(path, header=False, target="1").names == ("2", "3")


def test_packed_files_are_read_too(tmp_path: Path) -> None:
    plain = write_iris(tmp_path / "iris.csv")
    packed = tmp_path / "other.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert cf.formats.read_dataset(packed).digest == cf.formats.read_dataset(plain).digest


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,kind\n1,a\n,b\n", {}, "data.csv:3: field 1 is empty; fill it in"),
        ("x,kind\n1,a\n2,\n", {}, "data.csv:3: field 2 is empty; fill it in"),
        ("x,kind\n1,a\n?,b\n", {}, "data.csv:3: feature 'x': the value is missing ('?')"),
        ("x,kind\nNA,a\nu,b\n", {}, "data.csv:2: feature 'x': the value is missing ('NA')"),
        ("x,kind\n1,a\n2,?\n", {}, "data.csv:3: class (column 'kind'): the value is missing"),
        ("x,kind\n1,a\n1o,b\n3,a\n", {}, "data.csv:3: feature 'x': '1o' is not a number"),
        ('x,kind\n1,a\n"1,5",b\n3,a\n', {}, "data.csv:3: feature 'x': '1,5' has a decimal comma"),
        ("x,kind\n1,a\n2\n", {}, "data.csv:3: the line has 1 field; expected 2, as the header"),
        ("x,kind\n1,a,b\n", {}, "data.csv:2: the line has 3 fields; expected 2"),
        ("1,2\n3,4\n3\n", {"header": False}, "data.csv:3: the line has 1 field; expected 2, as on"),
        ("x,x\n1,a\n", {}, "data.csv:1: the header names 'x' more than once"),
        ("x,,kind\n1,2,a\n", {}, "data.csv:1: the header leaves a column nameless"),
        ("1,2,3\n4,5,6\n", {}, "say that there is none: header=False"),
        ("x;kind\n1;a\n", {}, "if semicolons separate the columns, write commas instead"),
        ("kind\na\n", {}, "there is one column; write features, then the class"),
        ("id,kind\ni1,a\n", {}, "there are no features"),
        ("x,kind\n", {}, "there are no lines with values"),
        ("x,kind\n1,a\n", {"target": "sort"}, "there is no column 'sort'; columns: 'x', 'kind'"),
        ("x,kind\n1,a\n", {"categorical": ["y"]}, "there is no feature 'y'; features: 'x'"),
        ("", {}, "the file is empty"),
    ],
)
def test_files_that_cannot_be_read_say_where_and_why(
    write: Write, text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(cf.FileError, match=re.escape(message)):
        cf.formats.read_dataset(write(text), **options)


def test_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="this is a folder"):
        cf.formats.read_dataset(tmp_path)
    with pytest.raises(cf.FileError, match="there is no such file"):
        cf.formats.read_dataset(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0], [2.0]], ["a"]), "the classes: 1 value for 2 items of the features"),
        (([["x"], ["y"]], ["a", "b"]), "give numbers, a row for each item"),
        (([[1.0], [np.nan]], ["a", "b"]), "row 2, column 1 holds nan"),
        (([[], []], ["a", "b"]), "there are no features"),
    ],
)
def test_arrays_that_are_no_data_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(cf.InputError, match=re.escape(message)):
        cf.tasks.Dataset(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["x", "x"]}, "name each of them once"),
        ({"categories": {"z": ["a"]}}, "categories of unknown features: 'z'"),
        ({"categories": {"1": ["a"]}}, "feature '1' has 1 categories; write their places"),
    ],
)
def test_features_must_fit_their_names(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cf.InputError, match=re.escape(message)):
        cf.tasks.Dataset([[1.0, 2.0], [0.0, 1.0]], ["a", "b"], **options)
