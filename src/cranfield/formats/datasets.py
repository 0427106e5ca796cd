"""Data to learn from on disk: CSV, TSV or columns cut by blanks; also packed.

    sepal,petal,colour,species      a line for each item; one column holds its class
    5.1,1.4,blue,setosa

    1,1,2,3,3,2,17                  without header: columns are numbered from 1

A first column that is called item, id … names the items and is left out. A column of numbers is a
feature with numbers, any other one with categories; where most of a column are numbers and one is
not, that is taken for an error. A value that is missing (an empty field, ?, NA, NaN, null) is an
error too: estimators differ in what they would make of it, so whoever knows the data must say.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Floats
from cranfield.errors import FileError, first_ten
from cranfield.formats.class_labels import separator_of
from cranfield.formats.lines import Layout, complaint, looks_like_numbers, number
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened
from cranfield.formats.table import SEMICOLONS, Table

if TYPE_CHECKING:
    from cranfield.tasks.classes.monte_carlo import Dataset

_MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none"})
LAST = "last"
ALL = "all"


def read_dataset(
    path: str | Path,
    *,
    target: str = LAST,
    header: bool = True,
    categorical: Collection[str] | str = (),
    name: str | None = None,
) -> Dataset:
    """Features and classes of items.

    target       the column of the classes: its name, its number where there is no header, or last
    header       whether the first line names the columns
    categorical  columns to be taken as categories although they hold numbers; "all" for all
    name         what to call the data; default: the file's name without its extension
    """
    from cranfield.tasks.classes.monte_carlo import Dataset

    problems = Problems(path)
    with opened(path) as source:
        if source.is_folder:
            raise FileError(path, "this is a folder; name a file with a line for each item")
        table = _read(source, problems, header)
        called = source.name if name is None else name
    wanted = _place(path, target, table.names)
    positions = [position for position in _features(table.names, header) if position != wanted]
    as_categories = _categorical(
        path, categorical, [table.names[position] for position in positions]
    )
    columns = [_column(table, position, as_categories, problems) for position in positions]
    classes = _classes(table, wanted, problems)
    return problems.build(
        lambda: Dataset(
            np.array([values for values, _ in columns]).reshape(len(positions), len(classes)).T,
            classes,
            names=[table.names[position] for position in positions],
            categories={
                table.names[position]: known
                for position, (_, known) in zip(positions, columns, strict=True)
                if known is not None
            },
            name=called,
        )
    )


# ── lines ─────────────────────────────────────────────────────────────────────────────────────


class _Fields(NamedTuple):
    """All fields of a file as text, column by column."""

    names: list[str]
    columns: list[list[str]]
    lines: list[int]


def _read(source: Source, problems: Problems, header: bool) -> _Fields:
    separator = separator_of(source)
    table = Table(source, separator, problems)
    names = (
        _header(source, table)
        if header
        else [str(position + 1) for position in range(table.usual_width() + 1)]
    )
    if len(names) < 2:
        mend = SEMICOLONS if b";" in source.first_line else "write features, then the class"
        raise FileError(source.path, f"there is one column; {mend}", line=1)
    columns: list[list[str]] = [[] for _ in names]
    lines: list[int] = []
    as_where = "as the header names" if header else "as on other lines"
    for chunk in table.chunks(
        Layout(separator, len(names), 0, columns=f"{len(names)}, {as_where}"),
        where=lambda result, position: f"field {position + 1}",
    ):
        for column, fields in zip(columns, chunk.names, strict=True):
            column += fields
        lines += chunk.lines.tolist()
    problems.settle()
    return _Fields(names, columns, lines)


def _header(source: Source, table: Table) -> list[str]:
    names = table.header()
    line = table.header_line
    if looks_like_numbers([name.encode() for name in names]):
        raise FileError(
            source.path,
            "the first line holds numbers, no names of columns",
            mend="add a header, or say that there is none: {header=False}",
            line=line,
        )
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice or "" in names[1:]:
        told = f"names {first_ten(twice)} more than once" if twice else "leaves a column nameless"
        raise FileError(source.path, f"the header {told}; name each column once", line=line)
    return names


# ── columns ───────────────────────────────────────────────────────────────────────────────────


def _place(path: str | Path, target: str, names: Sequence[str]) -> int:
    if target in names:
        return names.index(target)
    if target == LAST:
        return len(names) - 1
    raise FileError(path, f"there is no column {target!r}; columns: {first_ten(names)}")


def _features(names: Sequence[str], header: bool) -> range:
    has_ids = header and names[0].casefold() in WORDS_FOR_ITEMS
    return range(1 if has_ids else 0, len(names))


def _categorical(
    path: str | Path, given: Collection[str] | str, features: Sequence[str]
) -> set[str]:
    if given == ALL:
        return set(features)
    wished = {given} if isinstance(given, str) else set(given)
    unknown = sorted(wished - set(features))
    if unknown:
        raise FileError(
            path, f"there is no feature {first_ten(unknown)}; features: {first_ten(features)}"
        )
    return wished


def _column(
    table: _Fields, position: int, categorical: set[str], problems: Problems
) -> tuple[Floats, tuple[str, ...] | None]:
    """The numbers of a feature, or the places of its categories and these."""
    name, texts = table.names[position], table.columns[position]
    _require_values(table, position, f"feature {shown(name)}", problems)
    if name in categorical:
        return _categories(texts)
    result = {text: number(text.encode()) for text in set(texts)}
    is_number = [result[text] is not None for text in texts]
    if sum(is_number) * 2 <= len(texts):
        return _categories(texts)
    for text, good, line in zip(texts, is_number, table.lines, strict=True):
        if not good:
            problems.add(
                f"feature {shown(name)}: {complaint(text.encode())}, as most of the column are",
                mend="if they are categories, say so: {categorical}",
                line=line,
            )
    return np.array([result[text] or 0.0 for text in texts], dtype=np.float64), None


def _categories(texts: Sequence[str]) -> tuple[Floats, tuple[str, ...]]:
    known = _in_order(set(texts))
    positions = {text: position for position, text in enumerate(known)}
    return np.array([positions[text] for text in texts], dtype=np.float64), known


def _in_order(texts: Collection[str]) -> tuple[str, ...]:
    """By value where all are whole numbers, else by spelling."""
    if all(text.removeprefix("-").isdecimal() for text in texts):
        return tuple(sorted(texts, key=lambda text: (int(text), text)))
    return tuple(sorted(texts))


def _classes(table: _Fields, position: int, problems: Problems) -> list[str] | list[int]:
    """Whole numbers as such, so that they stand in their order."""
    texts = table.columns[position]
    _require_values(table, position, f"class (column {shown(table.names[position])})", problems)
    if all(text == _plain_number(text) for text in set(texts)):
        return [int(text) for text in texts]
    return texts


def _plain_number(text: str) -> str:
    try:
        return str(int(text))
    except ValueError:
        return ""


def _require_values(table: _Fields, position: int, what: str, problems: Problems) -> None:
    texts = table.columns[position]
    if not any(text.casefold() in _MISSING for text in set(texts)):
        return
    for text, line in zip(texts, table.lines, strict=True):
        if text.casefold() in _MISSING:
            problems.add(
                f"{what}: the value is missing ({shown(text)}); fill it in, leave the line out, or "
                "if it means something, write it as a word",
                line=line,
            )
