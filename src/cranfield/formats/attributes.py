"""What is known about items: CSV or TSV with a header `item,site,length,…`.

Any number of attributes, a column each. An empty field says that an item has no value; items that
the file does not list have none of any attribute.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cranfield.errors import FileError, first_ten
from cranfield.formats.problems import shown
from cranfield.formats.relatedness.rows import Row, require_width, rows_of
from cranfield.formats.source import opened


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
    found: dict[str, dict[str, str]] = {name: {} for name in names}
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
            found[name][item] = value.strip()
    return found


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
