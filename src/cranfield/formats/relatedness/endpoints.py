"""How to ask a search engine, on disk: TOML with the fields of an `Endpoint`.

These three are needed:

    url = "https://example.org/search?q={query}"
    number = "queries.total"
    total = 4300000000
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.source import opened
from cranfield.knowledge.relatedness.counts import Endpoint

_LARGEST = 1 << 20
_LINE = re.compile(r"\(at line (\d+), ")
_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "total": (int, "a whole number"),
    "pause": ((int, float), "a number of seconds"),
    "headers": (dict, "a table of texts"),
}
_TEXT = (str, "a text in quotes")
_NEEDED = ("url", "number", "total")


def read_endpoint(path: str | Path) -> Endpoint:
    """An endpoint as a file describes it."""
    with opened(path) as source:
        if source.is_folder:
            raise FileError(path, "this is a folder; name a file of TOML")
        with source.telling():
            data = source.stream.read(_LARGEST)
    try:
        told = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        found = _LINE.search(str(error))
        line = int(found[1]) if found else None
        raise FileError(path, f"this is no TOML: {error}", line=line) from None
    try:
        return _endpoint(told)
    except InputError as error:
        raise FileError(path, str(error)) from None


def _endpoint(told: dict[str, Any]) -> Endpoint:
    known = [each.name for each in fields(Endpoint)]
    unknown = [name for name in told if name not in known]
    missing = [name for name in _NEEDED if name not in told]
    if unknown or missing:
        said = f"unknown: {first_ten(unknown)}" if unknown else f"missing: {first_ten(missing)}"
        raise InputError(f"{said}; an endpoint has {', '.join(known)}")
    for name, value in told.items():
        kind, words = _KINDS.get(name, _TEXT)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(f"{name} = {value!r}; write {words}")
    headers = told.get("headers", {})
    if not all(isinstance(value, str) for value in headers.values()):
        raise InputError("headers hold something that is no text; write it in quotes")
    return Endpoint(**told)
