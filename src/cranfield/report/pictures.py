"""Pictures: Vega-Lite specifications, written to files.

A specification is a plain dict. As .json it is written as it is, for any tool that knows Vega-Lite;
.svg, .png, .pdf and .html are rendered without a network by vl-convert, the extra `plots`. Whatever
draws something here returns the parts of a picture; `page` gives all of them the same look.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cranfield.core.printable import printable
from cranfield.errors import CranfieldError, FileError
from cranfield.formats.source import written

Spec = dict[str, Any]

COLOURS = ("#3a6ea5", "#e08a3c", "#5a9e6f", "#b0567a")
"""Of series, in this order."""
INK, FAINT, PALE = "#2b2f36", "#6b7280", "#e4e7eb"
_FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
_LOOK: Spec = {
    "background": "white",
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": FAINT,
        "titleColor": FAINT,
        "titleFontWeight": "normal",
        "gridColor": PALE,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
    },
    "legend": {"labelColor": FAINT, "titleColor": FAINT, "titleFontWeight": "normal"},
    "title": {
        "anchor": "start",
        "frame": "group",
        "color": INK,
        "fontSize": 15,
        "subtitleColor": FAINT,
        "subtitleFontSize": 12,
        "subtitlePadding": 6,
        "offset": 14,
    },
    "range": {"category": list(COLOURS)},
}
_SERIES_CHANNELS = ("color", "stroke", "shape", "strokeDash")
_LESS_THAN = "\ue000lt\ue000"
"""Stands for < until the page around it is written."""
_SHARPNESS = 2.0
"""Pixels of a PNG for each point."""


def page(*parts: Spec) -> Spec:
    """A picture of several parts, one below the other."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "config": _LOOK,
        "padding": 24,
        "spacing": 48,
        "resolve": {"scale": dict.fromkeys(_SERIES_CHANNELS, "independent")},
        "vconcat": list(parts),
    }


def write_picture(spec: Spec, path: str | Path) -> None:
    """Write a picture, wholly or not at all; the extension says how."""
    path = Path(path)
    require_writable(path)
    ending = path.suffix.lower()
    content = _WRITERS[ending](spec if ending == ".json" else _printable(spec))
    with written(path) as target:
        target.stream.write(content)


def require_writable(path: Path) -> None:
    """Refuse what could not be written in the end, before any work is done for it."""
    if path.suffix.lower() not in _WRITERS:
        raise FileError(
            path, f"the extension {path.suffix!r} is no picture; use {', '.join(_WRITERS)}"
        )
    if path.suffix.lower() != ".json" and find_spec("vl_convert") is None:
        raise CranfieldError(
            f"{path}: pictures need the extra plots; pip install 'cranfield[plots]', or write the "
            "specification as .json"
        )


def _printable(part: Any) -> Any:
    """A specification whose texts hold nothing that a picture or a page could not show."""
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, dict):
        return {printable(str(name)): _printable(value) for name, value in part.items()}
    return [_printable(value) for value in part] if isinstance(part, list | tuple) else part


def _as_json(spec: Spec) -> bytes:
    return (json.dumps(spec, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _as_svg(spec: Spec) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_svg(spec).encode()


def _as_png(spec: Spec) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_png(spec, scale=_SHARPNESS)


def _as_pdf(spec: Spec) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_pdf(spec)


def _as_html(spec: Spec) -> bytes:
    import vl_convert

    # The specification stands in a script, which a name with "</script>" in it would end.
    text = json.dumps(spec, allow_nan=False).replace("<", _LESS_THAN)
    return vl_convert.vegalite_to_html(text, bundle=True).replace(_LESS_THAN, r"\u003c").encode()


_WRITERS: dict[str, Callable[[Spec], bytes]] = {
    ".json": _as_json,
    ".svg": _as_svg,
    ".png": _as_png,
    ".pdf": _as_pdf,
    ".html": _as_html,
}
PICTURES = tuple(_WRITERS)
"""The extensions that pictures have."""
