"""Small files beside a truth: names of concepts, a number for each id, attributes of items.

Attributes are CSV or TSV with a header `item,site,length,…`, a column each. An empty field says
that an item has no value; items that the file does not list have none of any attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from cranfield.core.terms import Terms
from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.delimited import Row, require_width, rows_of
from cranfield.formats.gather import Items
from cranfield.formats.lines import Layout, MalformedError, decoded
from cranfield.formats.maps import is_map, read_agreement
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import opened
from cranfield.formats.table import Table

_NUMBERED = re.compile(r"([0-9]{1,9})\t\s*([^\t]+)")
"""A line of a campaign's list of concepts."""


def read_concepts(path: str | Path) -> tuple[str, ...]:
    """Ids of concepts, one a line, or as campaigns list them: a number, a tab and the name, perhaps
    below a header; then the numbers say the order. Blank lines do not count."""
    lines = _numbered(path, _lines(path))
    if not lines:
        raise FileError(path, "there are no concepts; write one id a line")
    return tuple(lines)


def read_terms(path: str | Path) -> Terms:
    """What people call concepts and items, in the one line of a file: topic,document."""
    lines = _lines(path)
    if len(lines) != 1:
        raise FileError(path, f"there are {len(lines)} lines", mend="write one: topic,document")
    [(text, line)] = lines.items()
    try:
        return Terms.of(text)
    except InputError as error:
        raise FileError(path, error.what, line=line, mend=error.mend) from None


def _lines(path: str | Path) -> dict[str, int]:
    """The texts of all lines that are not blank, each once, and their numbers."""
    lines: dict[str, int] = {}
    number = 0
    with opened(path) as source:
        for block in source.blocks():
            for raw in block.data[: block.end].splitlines():
                number += 1
                try:
                    name = decoded(raw.strip())
                except MalformedError as error:
                    raise FileError(path, str(error), line=number) from None
                if "\0" in name:
                    raise FileError(path, "there is a NUL byte; save it as UTF-8", line=number)
                if name in lines:
                    raise FileError(
                        path,
                        f"concept {shown(name)} stands on line {lines[name]} already; keep one",
                        line=number,
                    )
                if name:
                    lines[name] = number
    return lines


def _numbered(path: str | Path, lines: dict[str, int]) -> dict[str, int]:
    """Names by the numbers before them, where most lines have one; else the lines as they are."""
    parted = {line: _NUMBERED.fullmatch(text) for text, line in lines.items()}
    if 2 * sum(match is not None for match in parted.values()) <= len(lines):
        return lines
    names: dict[str, int] = {}
    orders: dict[int, str] = {}
    for position, (text, line) in enumerate(lines.items()):
        match = parted[line]
        if match is None:
            if position == 0 and "\t" in text:
                continue  # a header
            raise FileError(
                path,
                f"{shown(text)}, where other lines have a number, a tab and a name; write it so",
                line=line,
            )
        order, name = int(match[1]), match[2]
        what = (
            f"number {order}"
            if order in orders
            else f"concept {shown(name)}"
            if name in names
            else ""
        )
        if what:
            first = names[orders[order]] if order in orders else names[name]
            raise FileError(path, f"{what} stands on line {first} already; keep one", line=line)
        names[name], orders[order] = line, name
    return {orders[order]: names[orders[order]] for order in sorted(orders)}


def read_weights(path: str | Path) -> dict[str, float]:
    """A number for each concept or item, from CSV or TSV with a header `concept,value`, or from an
    agreement map."""
    if is_map(path):
        held = read_agreement(path)
        return dict(zip(held.concepts, held.values.tolist(), strict=True))
    return read_numbers(path, ("concept", "item"), None, mend="write concept,value or item,value")


def read_numbers(
    path: str | Path, first: tuple[str, ...], second: str | None, *, mend: str
) -> dict[str, float]:
    """A number for each id, from CSV or TSV with a header.

    first   what the column of ids may be called
    second  what the other must be called; None = anything
    mend    what to write if the header is another
    """
    problems = Problems(path)
    with opened(path) as source:
        separator = b"\t" if b"\t" in source.first_line else b","
        table = Table(source, separator, problems)
        given = table.header()
        header = [name.casefold() for name in given]
        if len(header) != 2 or header[0] not in first or second not in (None, header[1]):
            raise FileError(
                path,
                f"the header is {shown(','.join(given[:4]))}; {mend}",
                line=table.header_line,
            )
        ids = Items(problems, rows=header[0])
        numbers: dict[str, float] = {}
        for chunk in table.chunks(
            Layout(separator, 1, 1),
            where=lambda names, position: f"{header[0]} {shown(names[0])}",
            expected="one",
        ):
            chunk = ids.add(chunk)
            for name, value, line in zip(
                chunk.names[0], chunk.values[:, 0].tolist(), chunk.lines.tolist(), strict=True
            ):
                if value != value:
                    problems.add(f"{shown(name)} has no value; write a number", line=line)
                numbers[name] = value
    problems.settle()
    return numbers


def read_attributes(path: str | Path, items: Iterable[str]) -> dict[str, dict[str, str]]:
    """{attribute: {item: value}}, for `cf.slices`; items are those of the truth."""
    with opened(path) as source:
        rows = [row for block in rows_of(source) for row in block]
        if not rows:
            raise FileError(path, "is empty; write a header item,attribute,… and a line for items")
        require_width(source, rows, len(rows[0].fields), like="header")
    names = _attributes(path, rows[0])
    if len(rows) == 1:
        raise FileError(path, "has a header and nothing below it; write a line for each item")
    known, lines = set(items), dict[str, int]()
    result: dict[str, dict[str, str]] = {name: {} for name in names}
    for line, (item, *values) in rows[1:]:
        item = item.strip()
        if item not in known:
            raise FileError(
                path,
                f"item {shown(item)} is not in the truth; remove it, or check that the ids are "
                "written alike in both files",
                line=line,
            )
        if item in lines:
            raise FileError(
                path,
                f"item {shown(item)} stands on line {lines[item]} already; keep one of the two "
                "lines",
                line=line,
            )
        lines[item] = line
        for name, value in zip(names, values, strict=True):
            result[name][item] = value.strip()
    return result


def _attributes(path: str | Path, header: Row) -> list[str]:
    first, *names = (name.strip().lstrip("\ufeff") for name in header.fields)
    told = shown(",".join(header.fields[:4]))
    if first.casefold() != "item" or not names:
        raise FileError(
            path,
            f"the header is {told}; begin it with item, and name at least one attribute: item,site",
            line=header.line,
        )
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice or "" in names:
        what = f"attributes twice: {first_ten(twice)}" if twice else "an attribute without a name"
        raise FileError(
            path,
            f"the header has {what}; give each column a name of its own",
            line=header.line,
        )
    return names
