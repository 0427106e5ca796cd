"""Plots: charts as SVG for pages and notebooks, as wide as there is room, in the reader's colours.

Positions are shares of the width and height, so that a plot stretches while its words and dots keep
their size; lines stand in an SVG of their own that stretches with it. Colours, and all that differs
between light and dark, are classes: no style is inline and no script runs, so a page may forbid
both. Panels are small multiples that wrap.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from cranfield.core.chart import Axis, Chart
from cranfield.core.table import Column, Row
from cranfield.show.cells import number
from cranfield.show.graphics import LEVELS, Scale
from cranfield.show.markup import NOTHING, Html, element, joined

COLOURS, SHAPES, DASHES = 7, 6, 4
"""Of series; one shape fewer than colours, so that both together repeat late."""
_ROW = 24
"""Pixels of a row with a name."""
_TALLEST = 6
"""Rows' worth of height that series below each other get."""
_DOTTED = 60
"""Lines of more points than this have no dots."""
_NAMED = 30
"""Series that a key names; of more, only tooltips do."""
_MOST_NUMBERED = 24
"""Columns of a map up to which its squares hold their numbers."""
_SHAPES = (
    "M0-4A4 4 0 1 1 0 4A4 4 0 1 1 0-4Z",
    "M-3.6-3.6H3.6V3.6H-3.6Z",
    "M0-4.6L4.4 3.4H-4.4Z",
    "M0-5L5 0L0 5L-5 0Z",
    "M-1.6-4.6H1.6V-1.6H4.6V1.6H1.6V4.6H-1.6V1.6H-4.6V-1.6H-1.6Z",
    "M0 4.6L4.4-3.4H-4.4Z",
)


@cache
def style() -> str:
    """What plots look like; the page around them has the class cf."""
    return (files("cranfield.show") / "plots.css").read_text(encoding="utf-8")


def plot(chart: Chart) -> Html:
    """A chart with its title, key and panels."""
    return _Plot(chart).figure()


class _Scale:
    """From values of an axis to shares of a side, in per cent, and round numbers beside it."""

    def __init__(self, axis: Axis, values: Iterable[Any]) -> None:
        self.axis = axis
        numbers = [v for v in map(_number, values) if math.isfinite(v)]
        if axis.zero:
            numbers.append(0.0)
        low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
        if axis.domain is not None:
            low, high = axis.domain[0], axis.domain[-1]
        ticks = axis.ticks
        if ticks is None and axis.scale == "log":
            ticks = _powers(low, high)
        if ticks is None:
            scale = Scale.over((low, high))
            ticks = scale.ticks
            if axis.domain is None:
                low, high = scale.low, scale.high
        elif axis.domain is None:
            low, high = min(low, *ticks), max(high, *ticks)
        self.ticks = [tick for tick in ticks if low <= tick <= high]
        self._low, self._span = self._moved(low), (self._moved(high) - self._moved(low)) or 1.0

    def _moved(self, value: float) -> float:
        match self.axis.scale:
            case "log":
                return math.log10(max(value, 1e-300))
            case "sqrt":
                return math.copysign(math.sqrt(abs(value)), value)
        return value

    def at(self, value: Any) -> float:
        """NaN for what is no number."""
        share = 100.0 * (self._moved(_number(value)) - self._low) / self._span
        return 100.0 - share if self.axis.reverse else share

    def text(self, tick: float) -> str:
        return f"{100 * tick:g} %" if self.axis.percent else f"{tick:,.10g}".replace("-", "−")


def _powers(low: float, high: float) -> list[float]:
    """1, 10, 100 …, with 2 and 5 between them where there is room."""
    first, last = math.floor(math.log10(max(low, 1e-300))), math.ceil(math.log10(max(high, 1e-300)))
    between = (1, 2, 5) if last - first <= 2 else (1,)
    ticks = [step * 10.0**power for power in range(first, last + 1) for step in between]
    low, high = (
        max((t for t in ticks if t <= low), default=low),
        min(t for t in ticks if t >= high),
    )
    return [tick for tick in ticks if low <= tick <= high]


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan


class _Plot:
    """One chart on its way to HTML."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self._all = [*chart.rows, *chart.dots, *chart.highlights]
        present = dict.fromkeys(str(row.get(chart.series)) for row in self._all)
        self._order = list(chart.order or present) if chart.series else []
        # Names stand below each other, whichever axis they were meant for.
        self._names, self._values = (chart.y, chart.x)
        if chart.kind != "heat" and chart.x.scale == "names":
            self._names, self._values = (chart.x, chart.y)
        self._named = chart.kind in ("ranges", "bars") or "names" in (chart.x.scale, chart.y.scale)

    def figure(self) -> Html:
        chart = self.chart
        title = element("strong", chart.title) if chart.title else NOTHING
        lines = joined(element("div", line) for line in chart.subtitle.split("\n") if line)
        caption = element("figcaption", title, lines) if title or lines else NOTHING
        css = f"plot {chart.kind}" + (" square" if chart.square else "")
        return element("figure", caption, self._key(), self._panels(), class_=css)

    def _key(self) -> Html:
        """What the series are called."""
        if not 1 < len(self._order) <= _NAMED or self.chart.kind == "heat":
            return NOTHING
        lined = self.chart.kind == "lines"
        return element(
            "ul",
            *(element("li", self._sample(name, lined=lined), " ", name) for name in self._order),
            class_="key",
        )

    def _sample(self, name: str, *, lined: bool) -> Html:
        css = self._css({self.chart.series: name})
        mark = Html('<path class="line" d="M-11 0H11"/>') if lined else self._shape(name)
        return element(
            "svg", mark, width=24, height=12, viewBox="-12 -6 24 12", class_=css, aria_hidden="true"
        )

    def _panels(self) -> Html:
        chart = self.chart
        if not chart.panels:
            return self._panel(None)
        names = list(dict.fromkeys(row[chart.panels] for row in chart.rows))
        return element(
            "div",
            *(self._panel(name) for name in names),
            class_="multiples",
        )

    def _panel(self, name: Any) -> Html:
        """The rows of one panel; None: all."""
        chart, rows = self.chart, self._within(self.chart.rows, name)
        if self.chart.kind == "heat":
            drawn = self._map(rows)
        elif self._named:
            drawn = self._named_rows(rows)
        elif self.chart.kind == "spread":
            drawn = self._hills(rows)
        else:
            small, large = self._within(chart.dots, name), self._within(chart.highlights, name)
            drawn = self._plane(rows, small, large)
        if name is None:
            return drawn
        return element("div", element("div", name, class_="panel-title"), drawn)

    def _within(self, rows: Sequence[Row], panel: Any) -> Sequence[Row]:
        return rows if panel is None else [r for r in rows if r.get(self.chart.panels) == panel]

    # ── two axes ──────────────────────────────────────────────────────────────────────────────

    def _plane(self, plain: Sequence[Row], small: Sequence[Row], large: Sequence[Row]) -> Html:
        """Lines or dots between two axes of numbers; further dots, and those that stand out."""
        chart, rows = self.chart, [*plain, *small, *large]
        ends = chart.ends or ()
        x = self._scale(chart.x, rows, (chart.x.field,), free=chart.free_x)
        y = self._scale(chart.y, rows, (chart.y.field, *ends), free=chart.free_y, more=chart.rules)
        marks: list[Html] = []
        if chart.diagonal:
            low, high = (chart.x.domain or (0.0, 1.0))[:: len(chart.x.domain or (0, 1)) - 1]
            marks.append(_line((x.at(low), y.at(low)), (x.at(high), y.at(high)), "rule"))
        marks += [_line((0, y.at(value)), (100, y.at(value)), "rule") for value in chart.rules]
        if chart.kind == "lines":
            marks += self._lines(plain, x, y)
        else:
            marks += [self._dot(row, x, y, self._size(row)) for row in plain]
        marks += [self._dot(row, x, y, 0.7) for row in small]
        for row in large:
            marks.append(self._dot(row, x, y, 1.5, "high"))
            if chart.label:
                at = (x.at(row.get(chart.x.field)), y.at(row.get(chart.y.field)))
                marks.append(_text(str(row.get(chart.label)), *at, css="beside", dx=10, dy=-6))
        return self._framed(marks, x, y)

    def _framed(self, marks: Iterable[Html], x: _Scale, y: _Scale | None, height: int = 0) -> Html:
        """Marks with grid, ticks and titles of axes."""
        parts: list[Html] = []
        last = len(x.ticks) - 1
        for index, tick in enumerate(x.ticks):
            at = x.at(tick)
            parts.append(_line((at, 0), (at, 100), "grid"))
            css = "tick x" + (" odd" if index % 2 and index != last else "")
            parts.append(_text(x.text(tick), at, 0, css=css, dy=18))
        for tick in y.ticks if y else ():
            at = y.at(tick) if y else 0.0
            parts.append(_line((0, at), (100, at), "grid"))
            parts.append(_text(y.text(tick) if y else "", 0, at, css="tick y", dx=-8, dy=4))
        label = self.chart.title or "chart"
        svg = element(
            "svg", *parts, *marks, role="img", aria_label=label, class_="area",
            width="100%", height=height or None,
        )  # fmt: skip
        return joined(
            [
                element("div", y.axis.title, class_="y-title") if y and y.axis.title else NOTHING,
                element("div", svg, class_="axes" if y else "axes named"),
                element("div", x.axis.title, class_="x-title") if x.axis.title else NOTHING,
            ]
        )

    def _lines(self, rows: Sequence[Row], x: _Scale, y: _Scale) -> Iterator[Html]:
        chart = self.chart
        series: dict[str, list[Row]] = {}
        for row in rows:
            series.setdefault(str(row.get(chart.series)), []).append(row)
        dotted = max(map(len, series.values()), default=0) <= _DOTTED
        names = [name for name in self._order if name in series] or list(series)
        for name in names:
            along = chart.along or chart.x.field
            points = sorted(series[name], key=lambda row: _number(row.get(along)))
            places = [
                (x.at(row.get(chart.x.field)), y.at(row.get(chart.y.field))) for row in points
            ]
            css = self._css(series[name][0])
            for row in points if chart.ends else ():
                low, high = (y.at(row.get(end)) for end in chart.ends or ())
                at = x.at(row.get(chart.x.field))
                if math.isfinite(low) and math.isfinite(high):
                    yield _line((at, low), (at, high), f"reach {css}")
            path = _path(places, stairs=chart.stairs)
            inner = Html(f'<path class="line" d="{path}"/>')
            yield element(
                "svg", inner, viewBox="0 0 1000 1000", preserveAspectRatio="none",
                class_=f"curve {css}", width="100%", height="100%",
            )  # fmt: skip
            if dotted:
                yield from (self._dot(row, x, y, 0.8) for row in points)

    def _dot(self, row: Row, x: _Scale, y: _Scale, size: float = 1.0, css: str = "") -> Html:
        chart = self.chart
        place = (x.at(row.get(chart.x.field)), y.at(row.get(chart.y.field)))
        if not all(map(math.isfinite, place)) or not all(-1 <= at <= 101 for at in place):
            return NOTHING
        return self._mark(row, *place, size=size, css=css)

    def _mark(
        self, row: Row, across: float, up: float, *, size: float = 1.0, css: str = ""
    ) -> Html:
        """A small shape that keeps its size; what it stands for is its tooltip."""
        shape = self._shape(str(row.get(self.chart.series)), size)
        title = element("title", self._tooltip(row))
        return element(
            "svg", title, shape, x=f"{across:.5g}%", y=f"{100 - up:.5g}%",
            class_=f"mark {css} {self._css(row)}".replace("  ", " "),
        )  # fmt: skip

    def _shape(self, name: str, size: float = 1.0) -> Html:
        index = self._order.index(name) if name in self._order else 0
        moved = "" if size == 1.0 else f' transform="scale({size:.3g})"'
        lines = self.chart.kind == "lines" and size < 1.5
        return Html(f'<path d="{_SHAPES[0 if lines else index % SHAPES]}"{moved}/>')

    def _size(self, row: Row) -> float:
        """A dot that stands for many things has an area like their number."""
        if not self.chart.size:
            return 1.0
        most = max(_number(row.get(self.chart.size)) for row in self.chart.rows)
        return 0.4 + 1.4 * math.sqrt(max(0.0, _number(row.get(self.chart.size))) / (most or 1.0))

    def _hills(self, rows: Sequence[Row]) -> Html:
        """Histograms, one over the other."""
        chart = self.chart
        values = [_number(row.get(chart.x.field)) for row in rows]
        scale = Scale.over([*values, *(chart.x.domain or ())], steps=max(4, chart.bins // 2))
        edges = scale.ticks
        counts: dict[str, list[int]] = {}
        for row, value in zip(rows, values, strict=True):
            if math.isfinite(value):
                bins = counts.setdefault(str(row.get(chart.series)), [0] * (len(edges) - 1))
                step = (value - scale.low) / (scale.high - scale.low) * len(bins)
                bins[min(len(bins) - 1, max(0, int(step)))] += 1
        x = _Scale(Axis(**{**vars(chart.x), "domain": (scale.low, scale.high)}), ())
        tallest = [count for bins in counts.values() for count in bins]
        y = _Scale(Axis("count", chart.y.title, zero=True), tallest)
        marks = []
        for name, bins in counts.items():
            css = "bar" + (" over " if chart.series else " ") + self._css({chart.series: name})
            for low, high, count in zip(edges, edges[1:], bins, strict=False):
                label = f"{low:g} to {high:g}: {count:,}"
                marks.append(_rect(x.at(low), x.at(high), 0.0, y.at(count), css, label))
        return self._framed(marks, x, y)

    # ── names below each other ────────────────────────────────────────────────────────────────

    def _named_rows(self, rows: Sequence[Row]) -> Html:
        """A row for each name: dots with ranges, or bars."""
        chart = self.chart
        names = list(dict.fromkeys(str(row.get(self._names.field)) for row in rows))
        bars = chart.kind == "bars"
        beside = self._order if chart.kind == "ranges" and len(names) < len(rows) else []
        fields = (self._values.field, *(chart.ends or ()), *([chart.tick] if chart.tick else []))
        tops = self._tops()
        axis = Axis(**vars(self._values) | ({"zero": True} if bars else {}))
        free = chart.free_x if self._values is chart.x else chart.free_y
        x = self._scale(axis, rows, fields, free=free, more=(*chart.rules, *tops.values()))
        marks = [_line((x.at(value), 0), (x.at(value), 100), "rule") for value in chart.rules]
        step = 100.0 / max(1, len(names))
        lanes = max(1, len(beside))
        for row in rows:
            top = 100.0 - step * names.index(str(row.get(self._names.field)))
            lane = beside.index(str(row.get(chart.series))) if beside else 0
            up = top - step * (0.2 + 0.6 * (lane + 0.5) / lanes)
            marks += self._named_row(row, x, up, 0.6 * step / lanes, tops.get(id(row)))
        tall = min(_TALLEST, max(1, round(lanes / 1.8)))
        listed = element("ol", *(element("li", name) for name in names), class_="names")
        framed = self._framed(marks, x, None, height=_ROW * tall * len(names))
        return element("div", listed, element("div", framed), class_=f"rows tall{tall}")

    def _tops(self) -> dict[int, float]:
        """Where bars of several series end, each on top of the one before."""
        tops: dict[int, float] = {}
        sums: dict[tuple[Any, Any], float] = {}
        for row in self._all if self.chart.kind == "bars" and self.chart.series else ():
            name = (row.get(self._names.field), row.get(self.chart.panels))
            sums[name] = tops[id(row)] = sums.get(name, 0.0) + _number(row.get(self._values.field))
        return tops

    def _named_row(
        self, row: Row, x: _Scale, up: float, deep: float, top: float | None
    ) -> Iterator[Html]:
        chart, bars = self.chart, self.chart.kind == "bars"
        css, value = self._css(row), x.at(row.get(self._values.field))
        if not math.isfinite(value):
            return
        if bars:
            length = _number(row.get(self._values.field))
            ends = sorted(map(x.at, (0.0, length) if top is None else (top - length, top)))
            yield _rect(
                ends[0], ends[1], up - deep / 2, up + deep / 2, f"bar {css}", self._tooltip(row)
            )
        if chart.ends:
            low, high = (x.at(row.get(end)) for end in chart.ends)
            if math.isfinite(low) and math.isfinite(high):
                yield _line((low, up), (high, up), "whisker" if bars else f"reach {css}")
        if not bars:
            yield self._mark(row, value, up)
        if chart.tick and math.isfinite(at := x.at(row.get(chart.tick))):
            yield _line((at, up - deep / 2), (at, up + deep / 2), "compared")

    # ── maps ──────────────────────────────────────────────────────────────────────────────────

    def _map(self, rows: Sequence[Row]) -> Html:
        """Squares of a table, the darker the more."""
        chart = self.chart
        cells = {(str(r.get(chart.y.field)), str(r.get(chart.x.field))): r for r in rows}
        across, down = chart.names(chart.x), chart.names(chart.y)
        numbered = len(across) <= _MOST_NUMBERED
        values = [v for r in chart.rows if math.isfinite(v := _number(r.get(chart.value)))]
        low, high = min(0.0, *values, 0.0), max(values, default=1.0)
        head = element("tr", element("th"), *(
            element("th", element("span", name), scope="col") for name in across
        ))  # fmt: skip
        body = joined(
            element(
                "tr",
                element("th", name, scope="row"),
                *(self._square(cells.get((name, other)), low, high, numbered) for other in across),
            )
            for name in down
        )
        label = self.chart.title or "map"
        table = element(
            "table", element("caption", label, class_="unseen"), element("thead", head),
            element("tbody", body), class_="map numbered" if numbered else "map",
        )  # fmt: skip
        return element("div", table, class_="frame", tabindex=0, role="region", aria_label=label)

    def _square(self, row: Row | None, low: float, high: float, numbered: bool) -> Html:
        chart = self.chart
        value = _number(row.get(chart.value)) if row else math.nan
        if row is None or not math.isfinite(value):
            return element("td")
        level = round(LEVELS * (value - low) / (high - low)) if high > low else 0
        css = f"h{level}" + (" framed" if chart.framed and row.get(chart.framed) else "")
        text = str(row.get(chart.label)) if chart.label else f"{value:.{chart.digits}f}"
        return element("td", text if numbered else "", class_=css, title=self._tooltip(row))

    # ── parts ─────────────────────────────────────────────────────────────────────────────────

    def _scale(
        self,
        axis: Axis,
        rows: Sequence[Row],
        fields: Sequence[str],
        *,
        free: bool,
        more: Sequence[float] = (),
    ) -> _Scale:
        """Over the rows of a panel if its axis is free, else over all."""
        drawn = rows if free else self._all
        return _Scale(axis, [*(row.get(field) for row in drawn for field in fields), *more])

    def _css(self, row: Row) -> str:
        """Colours must have come round before dashes change."""
        name = str(row.get(self.chart.series)) if self.chart.series else ""
        index = self._order.index(name) if name in self._order else 0
        dash = index // COLOURS % DASHES
        return f"s{index % COLOURS}" + (f" d{dash}" if dash else "")

    def _tooltip(self, row: Row) -> str:
        chart = self.chart
        names = chart.tooltip or dict.fromkeys(
            name for name in (chart.series, chart.y.field, chart.x.field, chart.value) if name
        )
        values = {name: row.get(name) for name in names if row.get(name) is not None}
        return "; ".join(
            f"{chart.word(name)}: {number(value, Column(name, digits=4))}"
            for name, value in values.items()
        )


def _path(places: Sequence[tuple[float, float]], *, stairs: bool) -> str:
    """A line through places, broken where one is undefined."""
    path, pen = "", "M"
    for across, up in places:
        if not (math.isfinite(across) and math.isfinite(up)):
            pen = "M"
            continue
        at, down = f"{10 * across:.5g}", f"{1000 - 10 * up:.5g}"
        path += f"V{down}H{at}" if stairs and pen == "L" else f"{pen}{at} {down}"
        pen = "L"
    return path


def _line(start: tuple[float, float], end: tuple[float, float], css: str) -> Html:
    (x1, y1), (x2, y2) = start, end
    return Html(
        f'<line class="{css}" x1="{x1:.5g}%" y1="{100 - y1:.5g}%" '
        f'x2="{x2:.5g}%" y2="{100 - y2:.5g}%"/>'
    )


def _rect(left: float, right: float, low: float, high: float, css: str, title: str) -> Html:
    return element(
        "rect", element("title", title), class_=css, x=f"{left:.5g}%", y=f"{100 - high:.5g}%",
        width=f"{right - left:.5g}%", height=f"{max(0.0, high - low):.5g}%",
    )  # fmt: skip


def _text(text: str, across: float, up: float, *, css: str, dx: int = 0, dy: int = 0) -> Html:
    return element(
        "text", text, class_=css, x=f"{across:.5g}%", y=f"{100 - up:.5g}%",
        dx=dx or None, dy=dy or None,
    )  # fmt: skip
