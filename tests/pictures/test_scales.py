"""Series that can be told apart."""

from __future__ import annotations

from cranfield.report.scales import coloured_series, shaped_series


def test_forty_two_series_differ_in_colour_or_shape() -> None:
    names = [f"s{n}" for n in range(42)]
    colours, shapes = (
        one("system", names)["scale"]["range"] for one in (coloured_series, shaped_series)
    )
    assert len(set(zip(colours, shapes, strict=True))) == 42


def test_every_shape_has_an_area_to_fill() -> None:
    assert "stroke" not in shaped_series("system", [f"s{n}" for n in range(42)])["scale"]["range"]
