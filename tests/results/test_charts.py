"""Charts: every kind becomes Vega-Lite that renders without a warning, with the same look."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from cranfield.core.chart import Axis, Chart, Drawing, Kind, picture_from_dict
from cranfield.core.result import Result
from cranfield.errors import InputError
from cranfield.show.vega import page_of, specification, write_charts

ROWS = [
    {"run": run, "measure": m, "x.y": x, "score": s, "low": s - 0.1, "high": s + 0.1, "ref": 0.5}
    for run, s in (("a [1]", 0.4), ("b", 0.6))
    for m, x in (("AP", 0.1), ("EER", 0.2))
]
CHARTS: dict[Kind, Chart] = {
    "lines": Chart(kind="lines", rows=ROWS, x=Axis("x.y", scale="sqrt", percent=True),
                   y=Axis("score"), series="run", ends=("low", "high")),
    "dots": Chart(kind="dots", rows=ROWS, x=Axis("x.y"), y=Axis("score"), series="run",
                  diagonal=True),
    "ranges": Chart(kind="ranges", rows=ROWS, x=Axis("score"), y=Axis("run"), series="measure",
                    ends=("low", "high"), tick="ref", rules=(0.5,)),
    "bars": Chart(kind="bars", rows=ROWS, x=Axis("run", scale="names"), y=Axis("score", zero=True),
                  ends=("low", "high")),
    "heat": Chart(kind="heat", rows=ROWS, x=Axis("measure"), y=Axis("run"), value="score"),
    "spread": Chart(kind="spread", rows=ROWS, x=Axis("score"), y=Axis("", "runs"), series="run"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_renders(kind: Kind, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    write_charts([CHARTS[kind]], tmp_path / "chart.svg")
    svg = (tmp_path / "chart.svg").read_text()
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert "undefined" not in svg


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_survives_json(kind: Kind) -> None:
    content = json.loads(json.dumps(CHARTS[kind].to_dict(), allow_nan=False))
    assert specification(picture_from_dict(content)) == specification(CHARTS[kind])


def test_a_drawing_survives_json() -> None:
    drawing = Drawing({"mark": "point"}, "title")
    assert picture_from_dict(drawing.to_dict()) == drawing


def test_panels_share_their_scales_unless_told_otherwise() -> None:
    chart = Chart(kind="dots", rows=ROWS, x=Axis("x.y"), y=Axis("score"), panels="measure")
    assert "resolve" not in specification(chart)
    free = Chart(
        kind="dots", rows=ROWS, x=Axis("x.y"), y=Axis("score"), panels="measure", free_y=True
    )
    assert specification(free)["resolve"] == {"scale": {"y": "independent"}}


def test_lines_join_points_in_the_order_told_and_highlights_stand_out() -> None:
    chart = Chart(
        kind="lines", rows=ROWS, x=Axis("x.y"), y=Axis("score"), series="run", panels="measure",
        along="low", stairs=True, dots=ROWS[1:3], highlights=ROWS[:1], label="measure",
    )  # fmt: skip
    spec = specification(chart)
    line, small, large, words = spec["spec"]["layer"]
    assert line["encoding"]["order"] == {"field": "low"}
    assert line["mark"]["interpolate"] == "step-before"
    assert small["transform"] == [{"filter": "datum.role === 'dots'"}]
    assert large["transform"] == words["transform"] == [{"filter": "datum.role === 'highlights'"}]
    roles = [row.get("role", "") for row in spec["data"]["values"]]
    assert roles == [""] * 4 + ["dots"] * 2 + ["highlights"]
    json.dumps(chart.to_dict())


def test_long_lines_have_no_dots() -> None:
    rows = [{"x": float(n), "y": 0.0} for n in range(100)]
    (line,) = specification(Chart(kind="lines", rows=rows, x=Axis("x"), y=Axis("y")))["layer"]
    assert line["mark"]["point"] == "transparent"


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        write_charts([], tmp_path / "chart.json")


def test_fields_that_look_alike_stay_apart() -> None:
    rows = [{"a.b": 1.0, "a_b": 2.0}]
    spec = specification(Chart(kind="dots", rows=rows, x=Axis("a.b"), y=Axis("a_b")))
    encoding = spec["layer"][0]["encoding"]
    values = spec["data"]["values"][0]
    assert values[encoding["x"]["field"]] == 1.0
    assert values[encoding["y"]["field"]] == 2.0


def test_undefined_values_are_null_in_specifications() -> None:
    rows = [{"x": 1.0, "y": math.nan}, {"x": 2.0, "y": math.inf}]
    spec = page_of([Chart(kind="dots", rows=rows, x=Axis("x"), y=Axis("y"))])
    json.dumps(spec, allow_nan=False)


def test_an_extension_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no picture"):
        write_charts([], tmp_path / "chart.txt")


def test_dots_may_stand_for_several_things() -> None:
    rows = [{"x": 1.0, "y": 2.0, "items": 3}, {"x": 1.0, "y": 1.0, "items": 1}]
    spec = specification(Chart(kind="dots", rows=rows, x=Axis("x"), y=Axis("y"), size="items"))
    assert spec["layer"][0]["encoding"]["size"]["field"] == "items"


def test_nothing_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        write_charts([], tmp_path / "chart.json")


def test_squares_of_heat_are_framed_where_a_field_says_so() -> None:
    rows = [{"x": "a", "y": "b", "v": 0.5, "odd.one": True}]
    chart = Chart(kind="heat", rows=rows, x=Axis("x"), y=Axis("y"), value="v", framed="odd.one")
    squares, _ = specification(chart)["layer"]
    assert squares["encoding"]["stroke"]["condition"]["test"] == 'datum["odd_one"]'


def test_charts_become_altairs() -> None:
    altair = pytest.importorskip("altair")
    charts = tuple(CHARTS.values())
    made = Result("all kinds", charts=charts).to_altair()
    assert all(isinstance(chart, altair.TopLevelMixin) for chart in made)
    assert [chart.to_dict()["$schema"] for chart in made] == [made[0].to_dict()["$schema"]] * len(
        charts
    )
