"""What sources of relatedness count, on disk: documents, links, and how to ask a search engine.

Counts of documents are CSV or TSV with a header `word,other,count`. A line without `other` counts
the documents with one word, a line without both counts all:

    word,other,count
    ,,4300000000
    sky,,2100
    sea,,4000
    sky,sea,700

Links between pages are a page, a tab and a page that it links to, on each line. A search engine is
TOML with the fields of an `Endpoint`, of which three are needed:

    url = "https://example.org/search?q={query}"
    number = "queries.total"
    total = 4300000000
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.delimited import Row, require_width, rows_of, text_blocks
from cranfield.formats.problems import shown
from cranfield.formats.source import legible, opened
from cranfield.knowledge.relatedness.counts import CountTable, Endpoint, Links
from cranfield.knowledge.relatedness.counts.counted import complaint

_HEADER = ["word", "other", "count"]
LONGEST = 300
"""Digits of a count, which must fit a floating-point number."""


def read_counts(path: str | Path, *, documents: int | None = None) -> CountTable:
    """Counts that somebody made.

    documents  how many there are, if the file does not say so
    """
    result: dict[tuple[str, ...], tuple[int, int]] = {}
    with opened(path) as source:
        if source.is_folder:
            raise FileError(path, "this is a folder; name one file of counts")
        is_first = True
        for rows in filter(None, rows_of(source)):
            if is_first:
                _require_header(path, rows.pop(0))
                is_first = False
            require_width(source, rows, len(_HEADER), like="header")
            for row in rows:
                _add(path, row, result)
        name = source.name
    if () in result:
        documents, _ = result.pop(())
    if documents is None:
        raise FileError(
            path, "the number of all documents is missing; add a line such as ,,1000000"
        )
    return _checked(path, result, documents, name)


def _require_header(path: str | Path, row: Row) -> None:
    if [field.strip().casefold() for field in row.fields] != _HEADER:
        raise FileError(
            path,
            f"the header is {shown(','.join(row.fields[:4]))}; write {','.join(_HEADER)}",
            line=row.line,
        )


def _add(path: str | Path, row: Row, result: dict[tuple[str, ...], tuple[int, int]]) -> None:
    one, other, text = (field.strip() for field in row.fields)
    words = tuple(sorted(filter(None, (one, other))))
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST):
        raise FileError(
            path, f"{shown(text)} is no count; write a whole number, 0 or more", line=row.line
        )
    if one == other != "":
        raise FileError(path, f"{shown(one)} stands beside itself; leave it out", line=row.line)
    if words in result:
        raise FileError(
            path, f"this was counted on line {result[words][1]} already; keep one", line=row.line
        )
    result[words] = int(text), row.line


def _checked(
    path: str | Path, result: dict[tuple[str, ...], tuple[int, int]], documents: int, name: str
) -> CountTable:
    alone = {words[0]: count for words, (count, _) in result.items() if len(words) == 1}
    for words, (count, line) in result.items():
        why = complaint(words, count, documents, alone)
        if why:
            raise FileError(path, f"{why}; mend one of the counts", line=line)
    together = {
        (words[0], words[1]): count for words, (count, _) in result.items() if len(words) == 2
    }
    return CountTable(documents, alone, together, name=name, origin=legible(Path(path).name))


class LinkFile:
    """The links of a file; in titles, underscores stand for blanks."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        with opened(path) as source:
            self.name, self.origin = source.name, legible(self._path.name)
            if source.is_folder:
                raise FileError(path, "this is a folder; name one file of links")

    def links(self) -> Iterator[Links]:
        with opened(self._path) as source:
            for first, data in text_blocks(source):
                if not _is_plain(data):
                    data = self._plain(first, data)
                ends = data.replace(b"_", b" ").replace(b"\n", b"\t").split(b"\t")
                yield Links(ends[:-1:2], ends[1::2])

    def _plain(self, first: int, data: bytes) -> bytes:
        """The lines without blank ones; every other must be a link."""
        kept = []
        for number, line in enumerate(data.split(b"\n"), first):
            ends = [end.strip() for end in line.split(b"\t")]
            if len(ends) == 2 and all(ends):
                kept.append(b"\t".join(ends) + b"\n")
            elif line.strip():
                raise FileError(
                    self._path,
                    f"{shown(line)} is no link; write a title, one tab, and another title",
                    line=number,
                )
        return b"".join(kept)


def _is_plain(data: bytes) -> bool:
    """Whether every line is two titles with one tab between."""
    raw = np.frombuffer(data, dtype=np.uint8)
    marks = np.flatnonzero((raw == ord("\t")) | (raw == ord("\n")))
    tabs = raw[marks] == ord("\t")
    alternate = bool(tabs[::2].all()) and not tabs[1::2].any()
    # Between two marks there must be a title.
    return alternate and marks[0] > 0 and bool((np.diff(marks) > 1).all())


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
        result = _LINE.search(str(error))
        line = int(result[1]) if result else None
        raise FileError(path, f"this is no TOML: {error}", line=line) from None
    try:
        return _endpoint(told)
    except InputError as error:
        raise error.in_file(path) from None


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
