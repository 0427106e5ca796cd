"""Small graphics that stand in the rows of tables, and how strong a colour is.

Each is an SVG that stretches with its cell: strokes keep their width, and words stay outside, so
that the same table reads well on a phone and on paper. Colours are classes; the style sheet has
them for light and for dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.measures import Measure
from cranfield.reports.tables import written
from cranfield.show.markup import Html, element, joined

LEVELS = 10
"""Strengths of a colour, from 0."""
_WIDTH = 1000
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """From numbers to places along a row, with round numbers to write above it."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def over(cls, values: Iterable[float], *, wanted: int = 4) -> Scale:
        """Of round numbers around some values."""
        known = [value for value in values if math.isfinite(value)]
        least, most = (min(known), max(known)) if known else (0.0, 1.0)
        if most == least:
            least, most = least - 0.5, most + 0.5
        rough = (most - least) / wanted
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(step * unit for step in _STEPS if step * unit >= rough * (1 - 1e-9))
        first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
        ticks = tuple(round(place * step, 10) for place in range(first, last + 1))
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


def _bars(places: Iterable[int]) -> str:
    return "".join(f"M{place} 0V24" for place in places)


def drawing(label: str, *parts: Html, css: str = "") -> Html:
    """A graphic of one row; the label says what it shows to those who cannot see it."""
    return element(
        "svg", *parts, viewBox=f"0 0 {_WIDTH} 24", preserveAspectRatio="none", role="img",
        aria_label=label, class_=f"row {css}".strip(),
    )  # fmt: skip


def interval(scale: Scale, value: float, low: float, high: float) -> Html:
    """A dot for a score, and a line from end to end of its interval."""
    if not math.isfinite(value):
        return drawing("undefined", scale.grid)
    place, known = scale.at(value), math.isfinite(low) and math.isfinite(high)
    label = written(value) + (f", from {written(low)} to {written(high)}" if known else "")
    line = f'<path class="reach" d="M{scale.at(low)} 12H{scale.at(high)}"/>' if known else ""
    dot = f'<path class="dot" d="M{place} 12h0"/>'
    return drawing(label, scale.grid, Html(line + dot))


def gain(scale: Scale, before: float, after: float) -> Html:
    """From a small dot to a large one."""
    if not math.isfinite(before):
        return interval(scale, after, math.nan, math.nan)
    a, b = scale.at(before), scale.at(after)
    return drawing(
        f"from {written(before)} to {written(after)}",
        scale.grid,
        Html(f'<path class="reach" d="M{a} 12H{b}"/><path class="from" d="M{a} 12h0"/>'),
        Html(f'<path class="dot" d="M{b} 12h0"/>'),
    )


def histogram(shares: Floats, median: float, scale: Scale, label: str) -> Html:
    """Shares of units in bins of equal width, and where the middle one stands."""
    top = float(shares.max(initial=0.0)) or 1.0
    edges = np.linspace(0, _WIDTH, len(shares) + 1).round().astype(int)
    steps = "".join(
        f"V{23 - 21 * share / top:.1f}H{edge}"
        for share, edge in zip(shares.tolist(), edges[1:].tolist(), strict=True)
    )
    middle = f'<path class="middle" d="M{scale.at(median)} 0V24"/>' if math.isfinite(median) else ""
    return drawing(label, Html(f'<path class="hill" d="M0 23{steps}V23Z"/>{middle}'))


def lanes(stretches: Sequence[Sequence[range]], row: int) -> Html:
    """Vertical bars beside a row, one for each lane that has a stretch there; ends are set off, so
    that a stretch does not run into the next."""
    lines = "".join(
        f"M{7 * lane + 4} {6 if row == one.start else 0}V{18 if row == one[-1] else 24}"
        for lane, stretch in enumerate(stretches)
        for one in stretch
        if row in one
    )
    width = 7 * len(stretches) + 1
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
    def of(cls, values: Floats, measure: Measure) -> Heat:
        """Over the numbers at hand, but for the few at either end."""
        known = values[np.isfinite(values)]
        low, high = np.quantile(known, [0.02, 0.98]).tolist() if known.size else (0.0, 1.0)
        return cls(high, low) if measure.traits.better == "lower" else cls(low, high)

    def level(self, value: float) -> str:
        """The class of a cell."""
        if not math.isfinite(value):
            return "hx"
        share = (value - self.worst) / (self.best - self.worst) if self.best != self.worst else 0.5
        return f"h{round(LEVELS * min(1.0, max(0.0, share)))}"

    @property
    def legend(self) -> Html:
        """All strengths in a row, with the numbers at both ends."""
        boxes = joined(Html(f'<i class="h{level}"></i>') for level in range(LEVELS + 1))
        return element(
            "p", element("span", written(self.worst, 2)), element("span", boxes, class_="boxes"),
            element("span", written(self.best, 2)), " the stronger, the better", class_="legend",
        )  # fmt: skip


def short(value: float) -> Html:
    """A number in two digits, as narrow as can be: .52"""
    if not math.isfinite(value):
        return Html("–")
    text = f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    return Html(text.replace("0.", ".", 1) if abs(value) < 1 else text)
