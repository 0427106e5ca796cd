"""Pictures by Vega-Lite: specifications with one look, written as .svg, .png, .pdf or .json.

A specification is a plain dictionary; vl-convert, the extra `plots`, makes pictures of it without a
network. Pages and notebooks draw charts themselves (`plots`); only what is no chart, such as a
tree, comes from here, in colours that follow the page.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cranfield.core.atomic_write import replaced
from cranfield.core.chart import Drawing, Picture
from cranfield.core.plain import finite
from cranfield.core.printable import printable
from cranfield.errors import InputError
from cranfield.show.layout import columns_of
from cranfield.show.markup import Html, element
from cranfield.show.vega_charts import SERIES, ChartSpec, Spec, titles

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
HEAT = ("#f4f7fb", "#b9d3ea", "#6aa5d2", "#2a6fae", "#08306b")
"""From nothing to everything."""
_INK, _FAINT, _PALE = "#2b2f36", "#6b7280", "#e4e7eb"
_OF_PAGES = {
    _INK: "var(--plot-ink)",
    _FAINT: "var(--plot-soft)",
    _PALE: "var(--plot-grid)",
    "white": "var(--plot-paper, Canvas)",
    **{colour: f"var(--s{index})" for index, colour in enumerate(SERIES)},
}
"""What colours become on pages, which are light or dark."""
_ID = re.compile(r'\bid="([^"]+)"')
_PAINT = re.compile(r'\b(fill|stroke)="([^"]+)"')
_APART: Spec = {
    "spacing": 48,
    "resolve": {
        "scale": dict.fromkeys(("color", "stroke", "shape", "strokeDash"), "independent"),
    },
}
"""What charts of a picture have: room around them, and colours of their own."""
_SHARPNESS = 2.0
"""Pixels of a PNG for each point."""
PICTURES = (".html", ".svg", ".png", ".pdf", ".json")
"""Extensions that charts can be written to; .json is the specification."""


def theme() -> Spec:
    """The look of every chart."""
    quiet = {"labelColor": _FAINT, "titleColor": _FAINT, "titleFontWeight": "normal"}
    return {
        "background": "white",
        "font": "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif",
        "view": {"stroke": None},
        "axis": quiet
        | {
            "gridColor": _PALE,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
            "labelLimit": 220,
        },
        "legend": quiet | {"orient": "top", "columns": 4, "labelLimit": 240, "symbolOpacity": 1},
        "header": {"labelColor": _INK, "title": None, "labelFontSize": 12},
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": _INK,
            "fontSize": 15,
            "subtitleColor": _FAINT,
            "subtitleFontSize": 12,
            "subtitlePadding": 6,
            "offset": 14,
        },
        "range": {"category": list(SERIES), "heatmap": list(HEAT)},
        "rule": {"color": _FAINT},
        "tick": {"color": _INK},
        "text": {"color": _INK},
    }


def specification(picture: Picture) -> Spec:
    """A chart without a look."""
    if isinstance(picture, Drawing):
        return titles(picture) | dict(finite(picture.spec))
    return ChartSpec(picture).spec()


def drawing_html(drawing: Drawing) -> Html:
    """A drawing for a page, in the page's colours and words; it needs the extra `plots`."""
    caption = element(
        "figcaption",
        element("strong", drawing.title),
        *(element("div", line) for line in drawing.subtitle.split("\n") if line),
    )
    if find_spec("vl_convert") is None:
        lacking = element("p", "Drawings need the extra plots of cranfield.", class_="remark")
        return element("figure", caption, lacking, class_="plot")
    look = theme() | {"background": "transparent"}
    spec = {"$schema": SCHEMA, "config": look} | dict(finite(drawing.spec))
    svg = _PAINT.sub(
        lambda m: f'{m[1]}="{_OF_PAGES.get(m[2], m[2])}"', _svg(harmless(spec)).decode()
    )
    picture = _with_own_ids(svg, hashlib.sha256(_json(spec)).hexdigest()[:8])
    label = drawing.title or "drawing"
    frame = element("div", Html(picture), class_="frame", tabindex=0, role="img", aria_label=label)
    return element("figure", caption, frame, class_="plot drawing")


def _with_own_ids(svg: str, name: str) -> str:
    """Ids that no other drawing of a page has, and that are the same each time."""
    for number, old in enumerate(dict.fromkeys(_ID.findall(svg))):
        svg = svg.replace(f'id="{old}"', f'id="d{name}-{number}"')
        svg = svg.replace(f"url(#{old})", f"url(#d{name}-{number})")
    return svg


def page_of(pictures: Sequence[Picture]) -> Spec:
    """Charts as one specification: below each other, in several columns where that would be taller
    than a page."""
    columns = [_below(column) for column in columns_of([*map(specification, pictures)])]
    whole = columns[0] if len(columns) == 1 else _APART | {"hconcat": columns}
    return {"$schema": SCHEMA, "config": theme(), "padding": 24} | whole


def _below(specs: Sequence[Spec]) -> Spec:
    return _APART | {"vconcat": list(specs)}


def altair_charts(pictures: Sequence[Picture]) -> list[Any]:
    """Charts as Altair's, which notebooks show and whose methods change them further."""
    try:
        import altair
    except ImportError:
        raise InputError("Altair is not installed; run pip install altair") from None
    return [altair.Chart.from_dict(specification(picture)) for picture in pictures]


def require_writable(path: Path) -> None:
    """Refuse what could not be written in the end, before any work is done for it."""
    ending = path.suffix.lower()
    if ending not in PICTURES:
        raise InputError(
            f"{path}: the extension {ending!r} is no picture; use {' '.join(PICTURES)}"
        )
    if ending != ".json" and find_spec("vl_convert") is None:
        raise InputError(
            f"{path}: pictures need the extra plots; pip install 'cranfield[plots]', or write the "
            "specification as .json"
        )


def write_charts(pictures: Sequence[Picture], path: Path) -> None:
    """Write charts as one picture (.svg .png .pdf) or as a specification (.json)."""
    require_writable(path)
    if not pictures:
        raise InputError(f"{path}: there is nothing to draw")
    ending, spec = path.suffix.lower(), page_of(pictures)
    content = _WRITERS[ending](spec if ending == ".json" else harmless(spec))
    with replaced(path) as stream:
        stream.write(content)


def harmless(part: Any) -> Any:
    """A specification whose texts hold nothing that a picture or a page could not show."""
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, Mapping):
        return {printable(str(name)): harmless(value) for name, value in part.items()}
    return [harmless(value) for value in part] if isinstance(part, (list, tuple)) else part


def _svg(spec: Spec) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_svg(spec).encode()


def _png(spec: Spec) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_png(spec, scale=_SHARPNESS)


def _pdf(spec: Spec) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_pdf(spec)


def _json(spec: Spec) -> bytes:
    return (json.dumps(spec, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


_WRITERS: dict[str, Callable[[Spec], bytes]] = {
    ".json": _json,
    ".svg": _svg,
    ".png": _png,
    ".pdf": _pdf,
}
