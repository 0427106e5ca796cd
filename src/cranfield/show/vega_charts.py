"""Charts as Vega-Lite specifications: every kind drawn once, without a look of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.core.chart import Axis, Chart, Picture
from cranfield.core.plain import finite
from cranfield.core.table import Row

Spec = dict[str, Any]

SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#4d4d4d")
"""Okabe & Ito 2008: people with any colour vision can tell them apart."""
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""One fewer than colours, so that colour and shape together repeat late."""
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
_WIDTH, _HEIGHT, _SQUARE, _PANEL, _ROW = 560, 320, 420, 200, 22
_LOWEST_ROW, _TALLEST = 13, 800
_PANELS_ABREAST = 3
_MOST_NUMBERED = 24
"""Columns of a heat map up to which its squares hold their numbers."""
_NAMED = 30
"""Series that a legend names; of more, only tooltips do."""
_DOTTED = 60
"""Lines of more points than this have no dots."""
_ROLE = "role"
"""The field that tells dots and highlights from other rows."""


def titles(picture: Picture) -> Spec:
    """Title and subtitle, whose lines stand below each other."""
    lines = picture.subtitle.split("\n")
    subtitle = {"subtitle": lines if len(lines) > 1 else lines[0]} if picture.subtitle else {}
    return {"title": {"text": picture.title} | subtitle} if picture.title or subtitle else {}


class ChartSpec:
    """One chart on its way to Vega-Lite."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        rows = (*chart.rows, *chart.dots, *chart.highlights)
        names = dict.fromkeys(name for row in rows for name in row)
        self._safe = _safe_names(names)
        self._words = {
            name for name in names if any(isinstance(row.get(name), str) for row in rows)
        }

    def spec(self) -> Spec:
        chart = self.chart
        layers = {
            "lines": self._lines,
            "dots": self._dots,
            "ranges": self._ranges,
            "bars": self._bars,
            "heat": self._heat,
            "spread": self._spread,
        }[chart.kind]()
        if chart.dots or chart.highlights:  # of the same data, so that panels share them out
            layers = [
                *(_only(layer, "") for layer in layers),
                *(_only(layer, "dots") for layer in self._dots() if chart.dots),
                *(_only(layer, "highlights") for layer in self._highlights() if chart.highlights),
            ]
        if chart.diagonal:
            layers = [self._diagonal(), *layers]
        layers += [self._rule(value) for value in chart.rules]
        spec: Spec = {"data": {"values": self._values()}} | titles(chart)
        if not chart.panels:
            # A step is that of a name, however many series share its row.
            height: Any = {"step": self._row, "for": "position"} if self._down_names else _HEIGHT
            width: Any = _WIDTH
            if chart.square:
                height = width = _SQUARE
            if chart.kind == "heat":
                width = {"step": 2 * _ROW if self._numbered else self._square}
                height = {"step": _ROW if self._numbered else self._square}
            return spec | {"width": width, "height": height, "layer": layers}
        panels = list(dict.fromkeys(row[chart.panels] for row in chart.rows))
        spec |= {
            "facet": {"field": self._field(chart.panels), "type": "nominal", "sort": panels},
            "columns": _PANELS_ABREAST,
            "spec": {"width": _PANEL, "height": _PANEL, "layer": layers},
        }
        free = {"x": chart.free_x, "y": chart.free_y}
        if any(free.values()):
            spec["resolve"] = {"scale": {side: "independent" for side in free if free[side]}}
        return spec

    @property
    def _down_names(self) -> bool:
        return self.chart.kind in ("ranges", "heat") or self.chart.y.scale == "names"

    @property
    def _row(self) -> int:
        """The height of a row: lower where there are many, as long as names can be read."""
        rows = len({row.get(self.chart.y.field) for row in self.chart.rows})
        return max(_LOWEST_ROW, min(_ROW, _TALLEST // max(1, rows)))

    # ── kinds ─────────────────────────────────────────────────────────────────────────────────

    def _lines(self) -> list[Spec]:
        chart = self.chart
        lengths = Counter((row.get(chart.series), row.get(chart.panels)) for row in chart.rows)
        dotted = max(lengths.values(), default=0) <= _DOTTED
        # Invisible dots bring the tooltips of long lines.
        mark: Spec = {
            "type": "line",
            "point": {"filled": True, "size": 40} if dotted else "transparent",
        }
        if self._exceeds(chart.x) or self._exceeds(chart.y):
            mark["clip"] = True
        line: Spec = {
            "mark": mark | ({"interpolate": "step-before"} if chart.stairs else {}),
            "encoding": self._position()
            | self._colour()
            | self._dash()
            | ({"order": {"field": self._field(chart.along)}} if chart.along else {})
            | {"tooltip": self._tooltip()},
        }
        if chart.ends is None:
            return [line]
        low, high = chart.ends
        encoding = {
            "x": self._axis(chart.x),
            "y": self._axis(chart.y, low),
            "y2": {"field": self._field(high)},
        }
        ranges = {"mark": {"type": "rule", "opacity": 0.35}, "encoding": encoding | self._colour()}
        return [ranges, line]

    def _dots(self) -> list[Spec]:
        encoding = self._position() | self._colour() | self._shape()
        if self.chart.size:
            size = {"field": self._field(self.chart.size), "type": "quantitative", "legend": None}
            encoding["size"] = size | {"scale": {"range": [8, 120]}}
        return [
            {
                "mark": {"type": "point", "filled": True, "size": 42, "opacity": 0.8},
                "encoding": encoding | {"tooltip": self._tooltip()},
            }
        ]

    def _highlights(self) -> list[Spec]:
        chart = self.chart
        mark = {"type": "point", "filled": True, "size": 110, "stroke": "white", "opacity": 1}
        encoding = self._position() | self._colour() | self._shape()
        dots = {"mark": mark, "encoding": encoding | {"tooltip": self._tooltip()}}
        if not chart.label:
            return [dots]
        text = {"text": {"field": self._field(chart.label)}}
        words = {"mark": {"type": "text", "align": "left", "dx": 10, "dy": -8}}
        return [dots, words | {"encoding": self._position() | text}]

    def _ranges(self) -> list[Spec]:
        chart = self.chart
        down = self._names(chart.y) | ({"axis": {"grid": True}})
        names = {row.get(chart.y.field) for row in chart.rows}
        beside = {}
        if chart.series and len(names) < len(chart.rows):
            beside = {"yOffset": {"field": self._field(chart.series), "sort": self._order()}}
        common = {"y": down} | beside
        layers: list[Spec] = []
        if chart.ends is not None:
            low, high = chart.ends
            span = {"x": self._axis(chart.x, low), "x2": {"field": self._field(high)}}
            layers.append(
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": span | common | self._colour(),
                }
            )
        layers.append(
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {"x": self._axis(chart.x)}
                | common
                | self._colour()
                | self._shape()
                | {"tooltip": self._tooltip()},
            }
        )
        if chart.tick:
            at = {"x": self._axis(chart.x, chart.tick)}
            layers.append(
                {"mark": {"type": "tick", "thickness": 1.5, "size": 9}, "encoding": at | common}
            )
        return layers

    def _bars(self) -> list[Spec]:
        chart = self.chart
        encoding = self._position() | self._colour() | {"tooltip": self._tooltip()}
        bars: Spec = {"mark": {"type": "bar"}, "encoding": encoding}
        if chart.ends is None:
            return [bars]
        along, across = ("x", chart.y) if self._down_names else ("y", chart.x)
        axis = chart.x if self._down_names else chart.y
        low, high = chart.ends
        span = {along: self._axis(axis, low), f"{along}2": {"field": self._field(high)}}
        other = "y" if along == "x" else "x"
        return [bars, {"mark": {"type": "rule"}, "encoding": span | {other: self._axis(across)}}]

    @property
    def _numbered(self) -> bool:
        """Whether the squares of a heat map have room for their numbers."""
        return self._columns <= _MOST_NUMBERED

    @property
    def _columns(self) -> int:
        return len({row.get(self.chart.x.field) for row in self.chart.rows})

    @property
    def _square(self) -> int:
        return max(7, min(_ROW, 2 * _HEIGHT // max(1, self._columns)))

    def _heat(self) -> list[Spec]:
        chart = self.chart
        value = self._field(chart.value)
        values = [row.get(chart.value) for row in chart.rows]
        highest = max((v for v in values if isinstance(v, (int, float)) and v == v), default=1.0)
        angle = (
            -55 if max((len(str(row[chart.x.field])) for row in chart.rows), default=0) > 5 else 0
        )
        position = {
            "x": self._names(chart.x) | {"axis": {"orient": "top", "labelAngle": angle}},
            "y": self._names(chart.y),
        }
        ink = {
            "condition": {
                "test": f"datum[{json.dumps(value)}] > {0.6 * highest}",
                "value": "white",
            },
            "value": "#2b2f36",
        }
        shade: Spec = {"field": value, "type": "quantitative", "title": None}
        if self._numbered:
            shade["legend"] = None
        text: Spec = {"field": value, "type": "quantitative", "format": f".{chart.digits}f"}
        if chart.label:
            text = {"field": self._field(chart.label), "type": "nominal"}
        frame: Spec = {}
        if chart.framed:
            test = f"datum[{json.dumps(self._field(chart.framed))}]"
            frame = {"stroke": {"condition": {"test": test, "value": SERIES[1]}, "value": None}}
        squares: Spec = {
            "mark": {"type": "rect", "strokeWidth": 2} if frame else {"type": "rect"},
            "encoding": position | frame | {"color": shade, "tooltip": self._tooltip()},
        }
        if not self._numbered:
            return [squares]
        return [
            squares,
            {
                "mark": {"type": "text", "fontSize": 10},
                "encoding": position | {"text": text, "color": ink},
            },
        ]

    def _spread(self) -> list[Spec]:
        chart = self.chart
        x = self._axis(chart.x) | {"bin": {"maxbins": chart.bins}}
        y = {"aggregate": "count", "type": "quantitative", "title": chart.y.title or None}
        mark = {"type": "bar", "opacity": 0.7} if chart.series else {"type": "bar"}
        stacked = y | {"stack": None} if chart.series else y
        return [{"mark": mark, "encoding": {"x": x, "y": stacked} | self._colour()}]

    def _rule(self, value: float) -> Spec:
        side = "x" if self.chart.kind == "ranges" else "y"
        return {
            "data": {"values": [{side: value}]},
            "mark": {"type": "rule", "strokeDash": [3, 3]},
            "encoding": {side: {"field": side, "type": "quantitative"}},
        }

    def _diagonal(self) -> Spec:
        domain = self.chart.x.domain or (0.0, 1.0)
        ends = [{"x": end, "y": end} for end in (domain[0], domain[-1])]
        return {
            "data": {"values": ends},
            "mark": {"type": "line", "strokeDash": [3, 3], "color": "#9aa3af", "strokeWidth": 1},
            "encoding": {
                "x": {"field": "x", "type": "quantitative"},
                "y": {"field": "y", "type": "quantitative"},
            },
        }

    # ── parts ─────────────────────────────────────────────────────────────────────────────────

    def _values(self) -> list[Spec]:
        def value(row: Row) -> Spec:
            return {self._field(name): finite(member) for name, member in row.items()}

        values = [value(row) for row in self.chart.rows]
        for role in ("dots", "highlights"):
            values += [value(row) | {_ROLE: role} for row in getattr(self.chart, role)]
        return values

    def _exceeds(self, axis: Axis) -> bool:
        """Whether some values lie outside what an axis shows."""
        if axis.domain is None:
            return False
        values = (row.get(axis.field) for row in self.chart.rows)
        low, high = axis.domain[0], axis.domain[-1]
        return any(isinstance(v, (int, float)) and not low <= v <= high for v in values)

    def _field(self, name: str) -> str:
        return self._safe.get(name, name)

    def _position(self) -> Spec:
        return {"x": self._axis(self.chart.x), "y": self._axis(self.chart.y)}

    def _axis(self, axis: Axis, field: str = "") -> Spec:
        if axis.scale == "names":
            return self._names(axis)
        scale: Spec = {"zero": axis.zero, "nice": axis.domain is None}
        if axis.scale != "linear":
            scale["type"] = axis.scale
        if axis.domain is not None:
            scale["domain"] = list(axis.domain)
        if axis.reverse:
            scale["reverse"] = True
        look: Spec = {"labelFlush": False}
        if axis.ticks is not None:
            look["values"] = list(axis.ticks)
        if axis.percent:
            look["format"] = "~%"
        return {
            "field": self._field(field or axis.field),
            "type": "quantitative",
            "title": axis.title or None,
            "scale": scale,
            "axis": look,
        }

    def _names(self, axis: Axis) -> Spec:
        few = axis is self.chart.x and len({row.get(axis.field) for row in self.chart.rows}) <= 5
        return {
            "field": self._field(axis.field),
            "type": "nominal",
            "title": axis.title or None,
            "sort": self.chart.names(axis),
        } | ({"axis": {"labelAngle": 0}} if few else {})

    def _order(self) -> list[str]:
        present = dict.fromkeys(str(row[self.chart.series]) for row in self.chart.rows)
        return list(self.chart.order or present)

    def _series(self, values: Sequence[Any] | None) -> Spec:
        names = self._order()
        scale: Spec = {"domain": names}
        if values is not None:
            scale["range"] = list(values)
        encoding: Spec = {
            "field": self._field(self.chart.series),
            "type": "nominal",
            "title": None,
            "scale": scale,
        }
        return encoding if 1 < len(names) <= _NAMED else encoding | {"legend": None}

    def _colour(self) -> Spec:
        return {"color": self._series(None)} if self.chart.series else {}

    def _shape(self) -> Spec:
        if not self.chart.series:
            return {}
        count = len(self._order())
        return {"shape": self._series([_SHAPES[i % len(_SHAPES)] for i in range(count)])}

    def _dash(self) -> Spec:
        """Colours must have come round before dashes change."""
        if not self.chart.series:
            return {}
        count = len(self._order())
        dashes = [_DASHES[i // len(SERIES) % len(_DASHES)] for i in range(count)]
        return {"strokeDash": self._series(dashes)}

    def _tooltip(self) -> list[Spec]:
        chart = self.chart
        fields = chart.tooltip or dict.fromkeys(
            name for name in (chart.series, chart.y.field, chart.x.field, chart.value) if name
        )
        return [
            {
                "field": self._field(name),
                "type": "nominal" if name in self._words else "quantitative",
                "title": chart.word(name),
            }
            for name in fields
        ]


def _only(layer: Spec, role: str) -> Spec:
    """A layer of those rows that have a role, or of those that have none."""
    test = f"datum.{_ROLE} === '{role}'" if role else f"!datum.{_ROLE}"
    return layer | {"transform": [{"filter": test}]}


def _safe_names(names: Mapping[str, None]) -> dict[str, str]:
    """Names of fields as Vega-Lite takes them, to which . and [ mean something."""
    safe: dict[str, str] = {}
    for name in names:
        text = "".join(sign if sign.isalnum() else "_" for sign in name)
        while text == _ROLE or text in safe.values():
            text += "_"
        safe[name] = text
    return safe
