"""Counts of documents on disk: CSV or TSV with a header `word,other,count`.

A line without `other` counts the documents with one word, a line without both counts all:

    word,other,count
    ,,4300000000
    sky,,2100
    sea,,4000
    sky,sea,700
"""

from __future__ import annotations

from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.rows import Row, require_width, rows_of
from cranfield.formats.source import legible, opened
from cranfield.knowledge.relatedness.counts import CountTable
from cranfield.knowledge.relatedness.counts.counted import complaint

_HEADER = ["word", "other", "count"]
LONGEST = 300
"""Digits of a count, which must fit a floating-point number."""


def read_counts(path: str | Path, *, documents: int | None = None) -> CountTable:
    """Counts that somebody made.

    documents  how many there are, if the file does not say so
    """
    found: dict[tuple[str, ...], tuple[int, int]] = {}
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
                _add(path, row, found)
        name = source.name
    if () in found:
        documents, _ = found.pop(())
    if documents is None:
        raise FileError(
            path, "the number of all documents is missing; add a line such as ,,1000000"
        )
    return _checked(path, found, documents, name)


def _require_header(path: str | Path, row: Row) -> None:
    if [field.strip().casefold() for field in row.fields] != _HEADER:
        raise FileError(
            path,
            f"the header is {shown(','.join(row.fields[:4]))}; write {','.join(_HEADER)}",
            line=row.line,
        )


def _add(path: str | Path, row: Row, found: dict[tuple[str, ...], tuple[int, int]]) -> None:
    one, other, text = (field.strip() for field in row.fields)
    words = tuple(sorted(filter(None, (one, other))))
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST):
        raise FileError(
            path, f"{shown(text)} is no count; write a whole number, 0 or more", line=row.line
        )
    if one == other != "":
        raise FileError(path, f"{shown(one)} stands beside itself; leave it out", line=row.line)
    if words in found:
        raise FileError(
            path, f"this was counted on line {found[words][1]} already; keep one", line=row.line
        )
    found[words] = int(text), row.line


def _checked(
    path: str | Path, found: dict[tuple[str, ...], tuple[int, int]], documents: int, name: str
) -> CountTable:
    alone = {words[0]: count for words, (count, _) in found.items() if len(words) == 1}
    for words, (count, line) in found.items():
        why = complaint(words, count, documents, alone)
        if why:
            raise FileError(path, f"{why}; mend one of the counts", line=line)
    together = {
        (words[0], words[1]): count for words, (count, _) in found.items() if len(words) == 2
    }
    return CountTable(documents, alone, together, name=name, origin=legible(Path(path).name))
