"""Files of queries: one on each line, under an id.

`id<TAB>query` or `id: query`, or CSV or TSV with a header `id,query` or `id,query,title`. Lines
that begin with # say nothing. In CSV a query with commas or double quotes is quoted like any field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.collections.collection import Collection, as_collection
from cranfield.core.truth import Truth
from cranfield.errors import FileError
from cranfield.formats.delimited import line_of
from cranfield.formats.lines import MalformedError, decoded, fields
from cranfield.formats.problems import shown
from cranfield.formats.source import Source, opened, written

if TYPE_CHECKING:
    from cranfield.tasks.retrieval.queries import NamedQuery

_HEADERS = (["id", "query"], ["id", "query", "title"])
_LINE = re.compile(r"(?P<id>.*?)(?:\t|:\s|:$)(?P<query>.*)")


def read_queries(
    path: str | Path, collection: Collection | Truth | None = None
) -> tuple[NamedQuery, ...]:
    """The queries of a file.

    collection  what they will be asked: concepts that it lacks are errors, and names become its own
    """
    from cranfield.tasks.retrieval.queries import NamedQuery, Names, Query
    from cranfield.tasks.retrieval.query_language import QueryError

    names = None
    if collection is not None:
        known = as_collection(collection)
        names = Names(known.concepts, known.descriptions)
    result: list[NamedQuery] = []
    lines: dict[str, int] = {}
    with opened(path) as source:
        for number, (name, text, title) in _rows(source):
            if not name:
                raise FileError(path, "the id of a query is missing; write one", line=number)
            if name in lines:
                raise FileError(
                    path,
                    f"query {shown(name)} stands on line {lines[name]} already; give it another id",
                    line=number,
                )
            lines[name] = number
            try:
                query = Query(text)
                result.append(NamedQuery(name, query.resolved(names) if names else query, title))
            except QueryError as error:
                raise error.in_file(path, line=number) from None
    if not result:
        raise FileError(path, "there are no queries; write lines such as 1: sea AND NOT person")
    return tuple(result)


def has_query_header(path: str | Path) -> bool:
    """Whether a file is a table of queries, as `write_queries` makes it."""
    with opened(path) as source:
        line = source.first_line
        return any(_header(line, separator) is not None for separator in (b",", b"\t"))


def write_queries(queries: tuple[NamedQuery, ...], path: Path) -> None:
    """Write queries as CSV."""
    with written(path) as target:
        for row in (_HEADERS[1], *((one.id, str(one.query), one.title) for one in queries)):
            target.stream.write(line_of(row, (), ","))


def _rows(source: Source) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """The number of each line that says something, and its id, query and title."""
    lines = list(_lines(source))
    separator = b"\t" if lines and b"\t" in lines[0][1] else b","
    header = _header(lines[0][1], separator) if lines else None
    for number, line in lines if header is None else lines[1:]:
        try:
            if header is None:
                yield number, _plain(line)
            else:
                yield number, _row(_cells(line, separator), header)
        except MalformedError as error:
            raise FileError(source.path, str(error), line=number) from None


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    number = 0
    for block in source.blocks():
        for line in block.data[: block.end].split(b"\n")[:-1]:
            number += 1
            if line.strip() and not line.startswith(b"#"):
                yield number, line


def _header(line: bytes, separator: bytes) -> list[str] | None:
    try:
        names = [name.casefold() for name in _cells(line, separator)]
    except MalformedError:
        return None
    return names if names in _HEADERS else None


def _cells(line: bytes, separator: bytes) -> list[str]:
    """Quotes between tabs belong to the query; between commas, to the table."""
    cut = line.split(separator) if separator == b"\t" else fields(line, separator)
    return [decoded(cell.strip()) for cell in cut]


def _row(cells: list[str], header: list[str]) -> tuple[str, str, str]:
    if len(cells) != len(header):
        raise MalformedError(
            f"{len(cells)} fields; the header has {len(header)}: {','.join(header)}; "
            "quote a query that holds a comma"
        )
    return cells[0], cells[1], cells[2] if len(cells) > 2 else ""


def _plain(line: bytes) -> tuple[str, str, str]:
    result = _LINE.fullmatch(decoded(line.rstrip()))
    if result is None:
        raise MalformedError(
            f"{shown(line)} has no id; write id: query, or the two with a tab between them"
        )
    return result["id"].strip(), result["query"], ""
