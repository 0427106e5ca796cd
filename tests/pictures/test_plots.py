"""Charts as SVG for pages: right places, shared scales, words escaped, nothing inline."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser import Browser
from cranfield.core.chart import Axis, Chart, Drawing
from cranfield.core.result import Result
from cranfield.core.table import Table
from cranfield.show.document import page, picture_html
from cranfield.show.plots import plot

ROWS = [
    {"x": 0.0, "y": 0.0, "run": "a", "part": "p"},
    {"x": 0.5, "y": 1.0, "run": "a", "part": "p"},
    {"x": 1.0, "y": 0.25, "run": "b", "part": "q"},
]
UNIT = (0.0, 1.0)


def chart(kind: str, **options: object) -> Chart:
    axes = {"x": Axis("x", domain=UNIT), "y": Axis("y", domain=UNIT)}
    return Chart(**{"kind": kind, "rows": ROWS, "series": "run"} | axes | options)  # type: ignore[arg-type]


def test_lines_and_dots_stand_where_their_numbers_say() -> None:
    drawn = plot(chart("lines"))
    assert 'd="M0 1000L500 0"' in drawn
    dots = plot(chart("dots"))
    assert 'x="50%" y="0%"' in dots
    assert 'x="100%" y="75%"' in dots
    assert "<title>run: b; y: 0.2500; x: 1.0000</title>" in dots


def test_bars_of_series_stand_on_top_of_each_other() -> None:
    rows = [{"name": "n", "count": 3, "kind": "a"}, {"name": "n", "count": 1, "kind": "b"}]
    bars = plot(
        Chart(
            kind="bars",
            rows=rows,
            series="kind",
            x=Axis("count", zero=True),
            y=Axis("name", scale="names"),
        )
    )
    places = re.findall(r'<rect class="bar s\d" x="([\d.]+)%" .*?width="([\d.]+)%"', bars)
    assert places == [("0", "75"), ("75", "25")]


def test_panels_share_their_scales_unless_an_axis_is_free() -> None:
    free = Chart(kind="dots", rows=ROWS, x=Axis("x"), y=Axis("y"), panels="part", free_x=True)
    assert len(re.findall('class="panel-title"', plot(free))) == 2
    ticks = re.findall(r'class="tick x[^"]*"[^>]*>([^<]+)<', plot(free))
    assert ticks[0] == "0"
    assert "0.5" in ticks
    shared = re.findall(
        r'class="tick y"[^>]*>([^<]+)<',
        plot(Chart(kind="dots", rows=ROWS, x=Axis("x"), y=Axis("y"), panels="part")),
    )
    assert shared[: len(shared) // 2] == shared[len(shared) // 2 :]


def test_things_by_the_same_things_have_one_order() -> None:
    rows = [{"a": i, "b": j, "v": 0.5} for i in "xyz" for j in "xyz" if i != j]
    heat = Chart(
        kind="heat",
        rows=rows,
        value="v",
        x=Axis("b", scale="names"),
        y=Axis("a", scale="names"),
    )
    assert heat.names(heat.x) == heat.names(heat.y) == ["x", "y", "z"]


@pytest.mark.parametrize("kind", ["lines", "dots", "ranges", "bars", "heat", "spread"])
def test_every_kind_is_drawn_without_styles_scripts_or_hostile_words(kind: str) -> None:
    hostile = '<script>"'
    rows = [{**row, "run": hostile, "v": 1.0} for row in ROWS]
    names = {"y": Axis("run", scale="names")} if kind in ("ranges", "bars", "heat") else {}
    drawn = plot(chart(kind, rows=rows, value="v", title=hostile, **names))
    assert "<script" not in drawn
    assert "style=" not in drawn
    assert "NaN" not in drawn
    assert "nan%" not in drawn


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_of_charts_is_quiet_and_fits(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    pytest.importorskip("vl_convert")
    names = {"y": Axis("run", scale="names")}
    charts = [
        *(chart(kind, title=kind) for kind in ("lines", "dots", "spread")),
        *(chart(kind, title=kind, **names) for kind in ("ranges", "bars")),
        chart("heat", x=Axis("part", scale="names"), value="y", **names),
        chart("dots", panels="part"),
    ]
    spec = {"data": {"values": [{"x": 1}]}, "mark": "bar", "encoding": {"x": {"field": "x"}}}
    result = Result("r", tables=[Table("t", ROWS)], charts=[*charts, Drawing(spec, "Drawn")])
    path = tmp_path / "page.html"
    path.write_text(page(result))
    browser.open(path, width=width, scheme=scheme)
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.complaints == []
    assert browser.requests == [path.as_uri()]
    area = "document.querySelector('.dots .area').getBoundingClientRect().width"
    assert browser.ask(area) > 0.7 * min(width, 1180)


def test_a_drawing_is_the_same_each_time_and_takes_the_colours_of_the_page() -> None:
    pytest.importorskip("vl_convert")
    x = {"field": "x", "type": "quantitative"}
    layer = {"mark": {"type": "line", "clip": True}, "encoding": {"x": x, "y": x}}
    drawing = Drawing({"data": {"values": [{"x": 1}]}, "layer": [layer]}, "Drawn")
    assert picture_html(drawing) == picture_html(drawing)
    assert "var(--plot-grid)" in picture_html(drawing)
