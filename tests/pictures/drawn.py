"""What a specification draws: its layers, the data of their marks, and the SVG it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

Spec = dict[str, Any]


def layers(spec: Spec) -> Iterator[Spec]:
    """Every mark with its data, from the back to the front, part after part."""
    for key in ("vconcat", "hconcat", "layer"):
        for part in spec.get(key, ()):
            inherited = {name: spec[name] for name in ("data",) if name in spec}
            yield from layers(inherited | part)
    if "mark" in spec:
        yield spec


def marks(spec: Spec, kind: str) -> list[list[Spec]]:
    """The data of every layer of one kind of mark."""
    return [one["data"]["values"] for one in layers(spec) if one["mark"]["type"] == kind]


def titles(spec: Spec) -> list[str]:
    """All titles and subtitles."""
    found = []
    title = spec.get("title")
    if isinstance(title, dict):
        subtitle = title.get("subtitle", "")
        lines = subtitle.split("; ") if isinstance(subtitle, str) else subtitle
        found += [title["text"], *lines]
    for key in ("vconcat", "hconcat"):
        for part in spec.get(key, ()):
            found += titles(part)
    return found


def svg(spec: Spec) -> str:
    """The picture itself; a specification that is not valid raises."""
    vl_convert = pytest.importorskip("vl_convert")
    drawn: str = vl_convert.vegalite_to_svg(spec)
    assert drawn.startswith("<svg")
    return drawn
