"""Small graphics that stand in the rows of tables, and how strong a colour is.

Each is an SVG that stretches with its cell: strokes keep their width, and words stay outside, so
that the same table reads well on a phone and on paper. Colours are classes; the style sheet has
them for light and for dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.core.table import Better, Column, Row, Table
from cranfield.show.cells import number
from cranfield.show.markup import Html, element, joined

LEVELS = 10
"""Strengths of a colour, from 0."""
_WIDTH = 1000
_EQUAL = 1e-9
"""Values that differ by a smaller share than this stand on one spot."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """From numbers to places along a row, with round numbers to write above it."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def over(cls, values: Iterable[float], *, steps: int = 4) -> Scale:
        """Of round numbers around some values."""
        known = [value for value in values if math.isfinite(value)]
        least, most = (min(known), max(known)) if known else (0.0, 1.0)
        size = max(abs(least), abs(most))
        if most - least <= _EQUAL * max(1.0, size):
            room = max(0.5, 1e-6 * size)
            least, most = least - room, most + room
        rough = (most - least) / steps
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(step * unit for step in _STEPS if step * unit >= rough * (1 - 1e-9))
        first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
        ticks = tuple(round(index * step, 10) for index in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    def at(self, value: float) -> int:
        """Where a value stands; beyond the ends at the ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(_WIDTH * min(1.0, max(0.0, share)))

    @property
    def axis(self) -> Html:
        """The round numbers, for the head of a column."""
        return element("span", *(element("i", f"{tick:g}") for tick in self.ticks), class_="axis")

    @property
    def grid(self) -> Html:
        """Faint lines at the round numbers."""
        return Html(f'<path class="grid" d="{_bars(self.at(tick) for tick in self.ticks)}"/>')


def _bars(positions: Iterable[int]) -> str:
    return "".join(f"M{at} 0V24" for at in positions)


def drawing(label: str, *parts: Html, css: str = "") -> Html:
    """A graphic of one row; the label says what it shows to those who cannot see it."""
    return element(
        "svg", *parts, viewBox=f"0 0 {_WIDTH} 24", preserveAspectRatio="none", role="img",
        aria_label=label, class_=f"row {css}".strip(),
    )  # fmt: skip


def graphic_cell(column: Column, row: Row, scale: Scale) -> Html:
    """The drawing of one row."""
    graphic = column.graphic
    assert graphic is not None
    if graphic.kind == "lanes":
        return _lanes(row.get(graphic.fields[0]) or ())
    value = _number(row.get(column.field))
    if graphic.kind == "bar":
        return _bar(scale, value, column)
    if graphic.kind == "spread":
        return _histogram(row.get(graphic.fields[0]) or (), value, scale, column)
    others = [_number(row.get(field)) for field in graphic.fields]
    if graphic.kind == "gain" and math.isfinite(others[0]):
        return _gain(scale, others[0], value, column)
    low, high = others if graphic.kind == "interval" else (math.nan, math.nan)
    return _interval(scale, value, low, high, column)


def scale_of(table: Table, column: Column) -> Scale:
    """The scale that all rows share."""
    graphic = column.graphic
    assert graphic is not None
    if graphic.domain is not None:
        return Scale.over(graphic.domain)
    fields = (column.field, *graphic.fields)
    return Scale.over(
        value
        for row in table.rows
        for field in fields
        if math.isfinite(value := _number(row.get(field)))
    )


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan


def _interval(scale: Scale, value: float, low: float, high: float, column: Column) -> Html:
    """A dot for a score, and a line from end to end of its interval."""
    if not math.isfinite(value):
        return drawing("undefined", scale.grid)
    known = math.isfinite(low) and math.isfinite(high)
    label = number(value, column)
    label += f", from {number(low, column)} to {number(high, column)}" if known else ""
    line = f'<path class="reach" d="M{scale.at(low)} 12H{scale.at(high)}"/>' if known else ""
    dot = f'<path class="dot" d="M{scale.at(value)} 12h0"/>'
    return drawing(label, scale.grid, Html(line + dot))


def _bar(scale: Scale, value: float, column: Column) -> Html:
    if not math.isfinite(value):
        return drawing("undefined", scale.grid)
    bar = f'<path class="bar" d="M0 5H{scale.at(value)}V19H0Z"/>'
    return drawing(number(value, column), scale.grid, Html(bar))


def _gain(scale: Scale, before: float, after: float, column: Column) -> Html:
    """From a small dot to a large one."""
    a, b = scale.at(before), scale.at(after)
    return drawing(
        f"from {number(before, column)} to {number(after, column)}",
        scale.grid,
        Html(f'<path class="reach" d="M{a} 12H{b}"/><path class="from" d="M{a} 12h0"/>'),
        Html(f'<path class="dot" d="M{b} 12h0"/>'),
    )


def _histogram(shares: Sequence[float], median: float, scale: Scale, column: Column) -> Html:
    """Shares of units in bins of equal width, and where the middle one stands."""
    top = max(shares, default=0.0) or 1.0
    edges = [round(_WIDTH * (index + 1) / len(shares)) for index in range(len(shares))]
    steps = "".join(
        f"V{23 - 21 * share / top:.1f}H{edge}" for share, edge in zip(shares, edges, strict=True)
    )
    middle = f'<path class="middle" d="M{scale.at(median)} 0V24"/>' if math.isfinite(median) else ""
    label = f"the middle at {number(median, column)}"
    return drawing(label, Html(f'<path class="hill" d="M0 23{steps}V23Z"/>{middle}'))


def _lanes(bars: Sequence[Sequence[Any]]) -> Html:
    """Vertical bars beside a row; ends are set off, so that a bar does not run into the next."""
    lines = "".join(
        f"M{7 * lane + 4} {6 if begins else 0}V{18 if ends else 24}" for lane, begins, ends in bars
    )
    width = 7 * max((lane + 1 for lane, _, _ in bars), default=1) + 1
    return Html(
        f'<svg class="lanes" width="{width}" height="24" viewBox="0 0 {width} 24" '
        f'preserveAspectRatio="none" aria-hidden="true"><path d="{lines}"/></svg>'
    )


# ── heat ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Heat:
    """How strong the colour of a number is: the better, the stronger."""

    worst: float
    best: float

    @classmethod
    def of(cls, table: Table) -> Heat | None:
        """Over the numbers of all columns that are shaded, but for the few at either end."""
        shaded = [column for column in table.columns if column.shade]
        if not shaded:
            return None
        numbers = (_number(row.get(column.field)) for column in shaded for row in table.rows)
        known = sorted(filter(math.isfinite, numbers))
        few = len(known) // 50
        low, high = (known[few], known[-few - 1]) if known else (0.0, 1.0)
        better: Better = shaded[0].shade
        return cls(high, low) if better == "lower" else cls(low, high)

    def level(self, value: Any) -> str:
        """The class of a cell."""
        known = _number(value)
        if not math.isfinite(known):
            return "hx"
        share = (known - self.worst) / (self.best - self.worst) if self.best != self.worst else 0.5
        return f"h{round(LEVELS * min(1.0, max(0.0, share)))}"

    @property
    def legend(self) -> Html:
        """All strengths in a row, with the numbers at both ends."""
        boxes = joined(Html(f'<i class="h{level}"></i>') for level in range(LEVELS + 1))
        worst, best = (f"{end:.2f}".replace("-", "−") for end in (self.worst, self.best))
        return element(
            "p", element("span", worst), element("span", boxes, class_="boxes"),
            element("span", best), " the stronger, the better", class_="legend",
        )  # fmt: skip
