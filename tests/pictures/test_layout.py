"""Several charts in one picture: in columns, so that it is no endless strip."""

from __future__ import annotations

import pytest

from cranfield.core.chart import Axis, Chart
from cranfield.show.layout import columns_of, size_of
from cranfield.show.vega import page_of, specification


def chart(rows: int = 0, title: str = "") -> Chart:
    """One of 320 points, or with so many rows of names."""
    if not rows:
        return Chart(kind="dots", rows=[{"a": 1, "b": 2}], x=Axis("a"), y=Axis("b"), title=title)
    names = [{"a": 1, "b": f"name {row}"} for row in range(rows)]
    return Chart(kind="bars", rows=names, x=Axis("a"), y=Axis("b", scale="names"), title=title)


def columns(*charts: Chart) -> list[list[str]]:
    specs = [specification(part) for part in charts]
    return [[spec["title"]["text"] for spec in column] for column in columns_of(specs)]


def test_two_charts_stand_below_each_other() -> None:
    assert columns(chart(title="a"), chart(title="b")) == [["a", "b"]]


def test_what_would_be_taller_than_a_page_is_broken_into_columns_read_downwards() -> None:
    assert columns(*(chart(title=name) for name in "abcd")) == [["a", "b"], ["c", "d"]]


def test_columns_are_as_equally_tall_as_can_be() -> None:
    tall, low = chart(36, title="tall"), [chart(title=name) for name in "abc"]
    assert columns(tall, *low) == [["tall"], ["a", "b", "c"]]


@pytest.mark.parametrize("count", [1, 2, 5, 12, 13, 40])
def test_every_chart_stays_and_the_whole_is_no_taller_than_a_page(count: int) -> None:
    names = [str(number) for number in range(count)]
    broken = columns(*(chart(title=name) for name in names))
    assert [name for column in broken for name in column] == names
    each = size_of(specification(chart(title="a")))
    assert max(map(len, broken)) * each.height <= 1.5 * len(broken) * each.width


def test_many_rows_are_lower_so_that_they_fit_a_page() -> None:
    assert specification(chart(10))["height"]["step"] == 22
    assert specification(chart(50))["height"]["step"] == 16
    assert specification(chart(500))["height"]["step"] == 13


def test_rows_count_for_the_size_however_many_series_share_them() -> None:
    rows = [{"a": 1, "b": f"{n}", "who": who} for n in range(10) for who in ("x", "y", "z")]
    ranges = Chart(kind="ranges", rows=rows, x=Axis("a"), y=Axis("b", scale="names"), series="who")
    assert size_of(specification(ranges)).height == size_of(specification(chart(10))).height


def test_a_picture_of_columns_can_be_drawn() -> None:
    vl_convert = pytest.importorskip("vl_convert")
    spec = page_of([chart(title=name) for name in "abcde"])
    assert len(spec["hconcat"]) == 2
    assert vl_convert.vegalite_to_svg(spec).startswith("<svg")
