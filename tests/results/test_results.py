"""Results: saved, loaded and shown again they say the same."""

from __future__ import annotations

import functools
import json
import math
import operator
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.core.chart import Axis, Chart, Drawing
from cranfield.core.result import SCHEMA, Analysis, Result, load
from cranfield.core.table import Column, Table
from cranfield.errors import FileError, InputError
from cranfield.show import FORMS, rendered


class Example(Analysis):
    """One number of each kind that JSON has trouble with."""

    title = "An example"

    def __init__(self) -> None:
        self.values = np.array([1.0, math.nan, math.inf])

    def _facts(self) -> dict[str, object]:
        return {"values": self.values, "count": np.int64(3), "nested": {"least": -math.inf}}

    def _tables(self) -> list[Table]:
        rows = [{"name": f"v{i}", "value": float(v)} for i, v in enumerate(self.values)]
        return [Table("values", rows, (Column("name", key=True), Column("value", better="higher")))]

    def _charts(self) -> list[Chart | Drawing]:
        rows = [{"x": 1.0, "y": 2.0, "low": 1.0, "high": 3.0, "who": "a.b[0]"}]
        return [
            Chart(kind="lines", rows=rows, x=Axis("x"), y=Axis("y"), series="who",
                  ends=("low", "high")),
            Drawing({"mark": "point", "data": {"values": []}}, "a drawing"),
        ]  # fmt: skip

    def _remarks(self) -> list[str]:
        return ["a remark"]

    def _signature(self) -> str:
        return "version=1"


def test_json_has_null_for_what_it_cannot_write() -> None:
    assert json.loads(Example().to_json()) == {
        "values": [1.0, None, None],
        "count": 3,
        "nested": {"least": None},
    }


@pytest.mark.parametrize("form", list(FORMS.values()))
def test_a_saved_result_is_shown_as_the_one_that_was_saved(form: str, tmp_path: Path) -> None:
    example = Example()
    example.save(tmp_path / "example.json")
    assert rendered(load(tmp_path / "example.json"), form) == rendered(example.full_result, form)


def test_loading_keeps_undefined_and_infinite_numbers(tmp_path: Path) -> None:
    Example().save(tmp_path / "example.json")
    values = load(tmp_path / "example.json").facts["values"]
    assert math.isnan(values[1])
    assert values[2] == math.inf


def test_saved_files_name_their_schema_and_are_strict_json(tmp_path: Path) -> None:
    Example().save(tmp_path / "example.json")

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    content = json.loads((tmp_path / "example.json").read_text(), parse_constant=refuse)
    assert content["schema"] == SCHEMA == "cranfield.result/1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"scores": []}', "--save"),
        ("not json", "--save"),
        ("[1]", "--save"),
        ("[" * 100_000, "--save"),
        ('{"schema": "cranfield.result/9"}', "update cranfield"),
        ('{"schema": "cranfield.result/1", "name": "x"}', "damaged"),
        ('{"schema": "cranfield.result/1", "name": "x", "facts": 1, "tables": [{"a": 1}], '
         '"charts": [], "remarks": [], "signature": ""}', "damaged"),
    ],
)  # fmt: skip
def test_what_is_no_saved_result_is_refused_with_advice(
    content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(FileError, match=message):
        load(path)


def positions(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a saved result, facts apart, which may hold anything."""
    if path[:1] == ("facts",):
        return
    if path:
        yield path
    if isinstance(content, dict | list):
        names = content if isinstance(content, dict) else range(len(content))
        for name in names:
            yield from positions(content[name], (*path, name))


@pytest.mark.parametrize("damage", [None, "x", 5, [], {}, ["a"], {"a": 1}], ids=repr)
def test_a_damaged_result_is_refused_when_read_not_when_shown(damage: Any, tmp_path: Path) -> None:
    path = tmp_path / "damaged.json"
    Example().save(path)
    saved = path.read_text()
    for *way, last in positions(json.loads(saved)):
        content = json.loads(saved)
        functools.reduce(operator.getitem, way, content)[last] = damage
        path.write_text(json.dumps(content))
        try:
            result = load(path)
        except FileError:
            continue
        for form in ("text", "csv", "latex", "markdown", "json"):
            rendered(result, form)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.json: there is no such file"):
        load(tmp_path / "nowhere.json")


def test_a_result_shows_itself_in_terminals_and_notebooks() -> None:
    assert "v0" in repr(Example())
    assert "∞" in repr(Example())
    notebook = Example()._repr_html_()
    assert "<table>" in notebook
    assert "<svg" in notebook
    assert "<script" not in notebook
    assert "<figure" in notebook
    assert 'class="plot drawing"' in notebook  # not left to .to_altair()
    assert "more chart" not in notebook


def test_what_a_notebook_keeps_is_bounded() -> None:
    rows = [{"x": float(i), "y": 1.0} for i in range(4000)]
    column = Column("x", better="higher")
    chart = Chart(kind="dots", rows=rows, x=Axis("x"), y=Axis("y"))
    small = Chart(kind="dots", rows=rows[:9], x=Axis("x"), y=Axis("y"))
    result = Result("many", tables=[Table("t", rows, (column,))], charts=[chart, *[small] * 20])
    notebook = result._repr_html_()
    assert len(notebook) < 200_000
    assert "the first 300 of 4,000 rows; .frame has all" in notebook
    assert "15 more charts" in notebook


def test_a_page_shows_the_first_rows_of_a_long_table_and_hands_out_all() -> None:
    rows = [{"x": f"row {i}"} for i in range(4000)]
    shown = rendered(Result("many", tables=[Table("t", rows)]), "html")
    body = shown[shown.index("<tbody") : shown.index("</tbody>")]
    assert body.count("<tr") == 1000
    assert "the first 1,000 of 4,000 rows; CSV has all" in shown
    csv = re.search(r'<template data-file="t.csv">(.*?)</template>', shown, re.DOTALL)
    assert csv is not None
    assert csv[1].split("\n")[-2:] == ["row 3999", ""]


def test_tables_become_frames_of_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "pyarrow.lib"):
        monkeypatch.setitem(sys.modules, name, None)
    frame = Example().to_pandas()
    assert frame["name"].tolist() == ["v0", "v1", "v2"]
    assert frame["value"].tolist()[::2] == [1.0, math.inf]
    assert Example().result.to_pandas().equals(frame)
    assert Example().to_polars().equals(Example().frame, null_equal=True)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="to_pandas needs pandas: pip install pandas"):
        Example().to_pandas()


def test_objects_are_no_plain_data() -> None:
    with pytest.raises(TypeError, match="plain data"):
        Result("x", facts={"a": object()}).to_dict()
