"""Layout: charts of a picture in columns, so that the whole has the proportions of a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

Spec = dict[str, Any]

_TALLEST = math.sqrt(2)
"""Height of a page by its width: that of A4."""
_MARGIN = 100
"""What title, legend and axes of a chart take on each side, about."""
_DEFAULT = 300
"""Of charts that name no size."""
_MOST = 10
"""Charts up to which all ways to break them into columns are tried."""


class Size(NamedTuple):
    width: float
    height: float


def columns_of(specs: Sequence[Spec]) -> list[list[Spec]]:
    """Charts in columns, read downwards: as few as make the whole no taller than a page."""
    sizes = [size_of(spec) for spec in specs]
    for count in range(1, len(specs) + 1):
        breaks = _breaks([size.height for size in sizes], count)
        columns = [sizes[start:end] for start, end in breaks]
        height = max(sum(size.height for size in column) for column in columns)
        width = sum(max(size.width for size in column) for column in columns)
        if height <= _TALLEST * width:
            break
    return [list(specs[start:end]) for start, end in breaks]


def _breaks(heights: Sequence[float], count: int) -> list[tuple[int, int]]:
    """Where columns begin and end that are as equally tall as can be."""
    total = len(heights)
    if total > _MOST:
        each = math.ceil(total / count)
        return [(start, min(total, start + each)) for start in range(0, total, each)]
    ways = (
        list(zip((0, *inner), (*inner, total), strict=True))
        for inner in combinations(range(1, total), count - 1)
    )

    def tallest(way: list[tuple[int, int]]) -> tuple[float, list[int]]:
        """Of equal ways, that whose first columns hold most."""
        return max(sum(heights[start:end]) for start, end in way), [-end for _, end in way]

    return min(ways, key=tallest)


def size_of(spec: Mapping[str, Any]) -> Size:
    """About how large a specification is drawn, with what stands around it."""
    for key in ("vconcat", "hconcat"):
        if key in spec:
            widths, heights = zip(*map(size_of, spec[key]), strict=True)
            down = key == "vconcat"
            return Size(
                max(widths) if down else sum(widths), sum(heights) if down else max(heights)
            )
    if "facet" in spec:
        across = int(spec.get("columns", 1))
        panels = max(1, len(_values(spec, spec["facet"].get("field"))))
        panel = size_of(spec["spec"])
        return Size(min(across, panels) * panel.width, math.ceil(panels / across) * panel.height)
    return Size(
        *(_side(spec, name, axis) + _MARGIN for name, axis in (("width", "x"), ("height", "y")))
    )


def _side(spec: Mapping[str, Any], name: str, axis: str) -> float:
    """The width or height of a chart; of one with a step for each value, of all of them."""
    parts = [spec, *spec.get("layer", ())]
    side = next((part[name] for part in parts if name in part), _DEFAULT)
    if not isinstance(side, Mapping):
        return float(side) if isinstance(side, (int, float)) else _DEFAULT
    fields = (part.get("encoding", {}).get(axis, {}).get("field") for part in parts)
    field = next(filter(None, fields), None)
    return float(side["step"]) * max(1, len(_values(spec, field)))


def _values(spec: Mapping[str, Any], field: str | None) -> set[Any]:
    rows = spec.get("data", {}).get("values", ())
    return {str(row.get(field)) for row in rows}
