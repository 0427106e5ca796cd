"""Splits and groups on disk: CSV or TSV with a header `item,split` or `item,group`.

Every item of the truth stands in the file once. The parts of a split are groups too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cranfield.errors import FileError, first_ten, several
from cranfield.formats.delimited import line_of
from cranfield.formats.lines import Layout
from cranfield.formats.problems import KEPT, Findings, Problems, shown
from cranfield.formats.source import opened, written
from cranfield.formats.table import Table


def read_splits(path: str | Path, items: Iterable[str]) -> dict[str, str]:
    """The part that each item belongs to."""
    return _read(path, "split", items, Problems(path))


def check_splits(path: str | Path, items: Iterable[str]) -> Findings:
    """Everything that is wrong with a file of splits."""
    problems = Problems(path, keep=KEPT)
    try:
        _read(path, "split", items, problems)
    except FileError as error:
        problems.add_error(error)
    return problems.findings()


def read_groups(path: str | Path, items: Iterable[str]) -> dict[str, str]:
    """The group that each item belongs to."""
    return _read(path, "group", items, Problems(path), also="split")


def write_splits(by_item: Mapping[str, str], path: str | Path) -> None:
    """Write the part of each item, wholly or not at all; .tsv is cut by tabs."""
    path = Path(path)
    with written(path) as target:
        target.stream.write(as_csv(by_item, separator="\t" if target.extension == ".tsv" else ","))


def as_csv(by_item: Mapping[str, str], *, separator: str = ",") -> bytes:
    """The part of each item, as it stands in a file."""
    rows = (("item", "split"), *by_item.items())
    return b"".join(line_of(row, (), separator) for row in rows)


def _read(
    path: str | Path, what: str, items: Iterable[str], problems: Problems, *, also: str = ""
) -> dict[str, str]:
    """also  what the second column may be called as well"""
    known = set(items)
    result: dict[str, str] = {}
    lines: dict[str, int] = {}
    with opened(path) as source:
        separator = b"\t" if b"\t" in source.first_line else b","
        table = Table(source, separator, problems)
        header = table.header()
        if [name.casefold() for name in header] not in (["item", what], ["item", also or what]):
            raise FileError(
                path,
                f"the header is {shown(','.join(header[:4]))}; write item,{what}",
                line=1,
            )
        for chunk in table.chunks(
            Layout(separator, 2, 0),
            where=lambda names, position: f"item {shown(names[0])}",
            expected=f"item,{what} on each line",
        ):
            for item, name, line in zip(*chunk.names, chunk.lines.tolist(), strict=True):
                if item in result:
                    problems.add(
                        f"item {shown(item)} stands on line {lines[item]} already; "
                        "keep one of the two lines",
                        line=line,
                    )
                elif item not in known:
                    problems.add(
                        f"item {shown(item)} is not in the truth; remove it, or check that the ids "
                        "are written alike in both files",
                        line=line,
                    )
                else:
                    result[item], lines[item] = name, line
            problems.settle()
    _require_all(result, known, what, problems)
    return result


def _require_all(result: Mapping[str, str], known: set[str], what: str, problems: Problems) -> None:
    lacking = sorted(known - result.keys())
    if lacking:
        problems.add(
            f"{several(len(lacking), 'item')} without a {what}: {first_ten(lacking)}; "
            "add a line for each"
        )
        problems.settle()
