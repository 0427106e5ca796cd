"""Charts: what is drawn, as plain data. `show.vega` draws all of them with one look.

A handful of kinds say what studies have to say. What is no chart, such as a tree, a diagram of
critical differences or a coverage plane, is a `Drawing`: a Vega-Lite specification written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cranfield.core.plain import changed, checked, restored, stored
from cranfield.core.table import Row
from cranfield.core.terms import CONCEPTS, Terms

Kind = Literal["lines", "dots", "ranges", "bars", "heat", "spread"]
"""lines   a line for each series, with a dot at each value (of short ones) and its range
dots    a dot for each row
ranges  a dot with its range for each row, rows below each other: intervals of scores
bars    a bar for each row
heat    a square for each row, the darker the more, with its number
spread  a histogram of x"""
Scale = Literal["linear", "sqrt", "log", "names"]


@dataclass(frozen=True)
class Axis:
    """A field along a side."""

    field: str
    title: str = ""
    scale: Scale = "linear"
    domain: Sequence[float] | None = None
    ticks: Sequence[float] | None = None
    percent: bool = False
    reverse: bool = False
    zero: bool = False
    """Whether the axis must reach zero."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Rows drawn along two axes; series differ in colour, and in shape or dash besides."""

    kind: Kind
    rows: Sequence[Row]
    x: Axis
    y: Axis
    title: str = ""
    subtitle: str = ""
    series: str = ""
    """The field that colours tell apart."""
    order: Sequence[str] = ()
    """Of the series; default: as they come."""
    tooltip: Sequence[str] = ()
    """Fields to name at a mark; default: series and both axes."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What fields are called at a mark; default: as they are, with blanks for underscores."""
    ends: tuple[str, str] | None = None
    """Of lines, ranges and bars: fields with the ends of the range around a value."""
    along: str = ""
    """Of lines: a field in whose order points are joined; default: by x."""
    stairs: bool = False
    """Of lines: whether a value holds from the point before it on."""
    dots: Sequence[Row] = ()
    """Of lines: further rows, drawn as small dots in the colours of their series."""
    highlights: Sequence[Row] = ()
    """Of lines and dots: rows that stand out as large dots, such as decisions on a curve."""
    label: str = ""
    """Of highlights: a field to write beside each of them; of heat: instead of the number."""
    size: str = ""
    """Of dots: a field with how many things a dot stands for."""
    tick: str = ""
    """Of ranges: a field with something to compare with, drawn as a tick."""
    rules: Sequence[float] = ()
    """Values of x (of ranges) or y (of lines and dots), each drawn as a dashed line."""
    square: bool = False
    """Whether both axes are of one length, as those of curves are."""
    diagonal: bool = False
    """Whether x = y is drawn, dashed."""
    value: str = ""
    """Of heat: the field that shades."""
    digits: int = 2
    """Of heat: of the numbers in the squares."""
    framed: str = ""
    """Of heat: a field, true where a square has a frame."""
    bins: int = 30
    """Of spread."""
    panels: str = ""
    """A field: a panel for each of its values, all with the same scales."""
    free_x: bool = False
    """Whether every panel has an x axis of its own."""
    free_y: bool = False
    """Whether every panel has a y axis of its own."""

    def names(self, axis: Axis) -> list[str]:
        """Names along an axis, in the order of rows; things by the same things have one order."""
        across, down = (
            dict.fromkeys(str(row.get(side.field)) for row in self.rows)
            for side in (self.x, self.y)
        )
        return list(down if axis is self.y or across.keys() == down.keys() else across)

    def word(self, name: str) -> str:
        """What a field is called at a mark."""
        return self.words.get(name, name.replace("_", " ").strip())

    def in_terms(self, terms: Terms) -> Chart:
        """The same chart, whose marks call concepts and items by these words."""
        if terms == CONCEPTS:
            return self
        return replace(self, words={**terms.to_dict(), **self.words})

    def to_dict(self) -> dict[str, Any]:
        content = changed(self) | {"x": changed(self.x), "y": changed(self.y)}
        return dict(stored(content))


@dataclass(frozen=True)
class Drawing:
    """A Vega-Lite specification without a look of its own."""

    spec: Mapping[str, Any]
    title: str = ""
    subtitle: str = ""

    def in_terms(self, terms: Terms) -> Drawing:
        """Itself: whoever writes a specification writes its words."""
        return self

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "drawing", **stored(changed(self))}


Picture = Chart | Drawing


def picture_from_dict(content: Mapping[str, Any]) -> Picture:
    """The chart or drawing that `to_dict` described."""
    members = restored(content)
    if members.get("kind") == "drawing":
        del members["kind"]
        return checked(Drawing(**members))
    ends = members.get("ends")
    axes = {side: checked(Axis(**members[side])) for side in ("x", "y")}
    return checked(Chart(**members | axes | {"ends": tuple(ends) if ends else None}))
