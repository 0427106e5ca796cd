"""Confusion matrices on disk: CSV, TSV or columns cut by blanks; also packed.

    true,woman,man,child        a matrix: a line for each true class, a column for each predicted
    woman,13,2,5

    13,2,5                      a matrix without names: its classes are numbered
    4,15,1

    predicted,woman,man,child   the other way round; `classes.layout` says which words count
    woman,13,4,2

    true,said,count             a list of its cells, in either order; those not listed are 0
    woman,man,2

    item,true,said              a line for each item (`class_labels`); without ids: true,said
    photo1,woman,man

    item,label                  two such files, one with true labels and one with a system's

What Weka, R and pandas print is read too (`printed_tables`). Costs of one's own stand in either
form of matrix; they may be below 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.contingency import require_few
from cranfield.core.matrices import Floats
from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.cells import report
from cranfield.formats.class_labels import (
    names_labels,
    of_two_files,
    read_pairs,
    require_file,
    separator_of,
)
from cranfield.formats.delimited import line_of
from cranfield.formats.gather import Items, Stack
from cranfield.formats.lines import Layout, complaint, looks_like_numbers, number
from cranfield.formats.maps import is_map, read_costs
from cranfield.formats.printed_tables import (
    is_printed_table,
    is_weka,
    read_printed_table,
    read_weka,
)
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened, written
from cranfield.formats.table import SEMICOLONS, Chunk, Table
from cranfield.tasks.classes.layout import Rows, TitledMatrix, side_of

if TYPE_CHECKING:
    from cranfield.tasks.classes.confusion import Confusion

COUNT_RULE = "write a count or a probability, 0 where nothing was said"


def read_cells(source: Source, problems: Problems) -> Callable[[str], Confusion]:
    """A line for each cell; cells that stand twice are an error."""
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="true class")
    header = table.header()
    true, said = (-3, -2) if side_of(header[-3]) == "truth" else (-2, -3)
    counts: dict[tuple[str, str], float] = {}
    lines: dict[tuple[str, str], int] = {}

    def where(names: list[str], position: int) -> str:
        return f"true class {shown(names[true + 1])}, said {shown(names[said + 1])}"

    columns = len(header) - 1
    for chunk in table.chunks(Layout(separator, columns, 1), where=where, expected="one count"):
        wrong = ~(chunk.values >= 0)
        report(wrong, chunk, problems, where=where, rule=COUNT_RULE)
        for names, count, line in zip(
            zip(chunk.names[true + 1], chunk.names[said + 1], strict=True),
            chunk.values[:, 0].tolist(),
            chunk.lines.tolist(),
            strict=True,
        ):
            if names in counts:
                problems.add(
                    f"true class {shown(names[0])}, said {shown(names[1])} stands on line "
                    f"{lines[names]} already; keep one of the two lines",
                    line=line,
                )
            counts[names], lines[names] = count, line
    problems.settle()
    return lambda name: _from_counts(counts, name)


def _from_counts(counts: dict[tuple[str, str], float], name: str) -> Confusion:
    from cranfield.tasks.classes.confusion import Confusion

    classes = _in_order(counts)
    require_few(classes)
    positions = {known: position for position, known in enumerate(classes)}
    matrix = np.zeros((len(classes), len(classes)))
    for (true, said), count in counts.items():
        matrix[positions[true], positions[said]] = count
    return Confusion(matrix, classes, name=name)


def _in_order(cells: dict[tuple[str, str], float]) -> tuple[str, ...]:
    """Classes as they come up: true ones first, then those that are only said."""
    return tuple(dict.fromkeys([*(true for true, _ in cells), *(said for _, said in cells)]))


_WORDS_FOR_COUNTS = {
    *("count", "counts", "n", "number", "freq", "frequency", "size", "value", "weight"),
    "0",  # a stacked table of pandas
}
"""What people call a column of counts, in lower case."""
_CORNER = "true/said"
"""What stands above the rows of a written matrix; no list begins so, whatever its classes are."""
_FORMS = (
    "write a matrix with the header true,<class>,…, a matrix of numbers only, or a list with the "
    "header true,said,count or item,true,said"
)


def read_confusion(
    path: str | Path,
    said: str | Path | None = None,
    *,
    name: str | None = None,
    rows: Rows | None = None,
) -> Confusion:
    """A confusion matrix from a file, or from two: true labels, and those that a system said.

    name  of the system; default: the file's name without its extension
    rows  what the rows of a matrix are, "truth" or "system"; default: what its titles say, and
          "truth" if they say nothing
    """
    if said is not None:
        if rows is not None:
            raise InputError("rows= is for a matrix; two files of labels say whose they are")
        return of_two_files(path, said, name)
    problems = Problems(path)
    with opened(path) as source:
        require_file(source)
        called = source.name if name is None else name
        read = _recognised(source, rows)(source, problems)
    return problems.build(lambda: read(called))


def read_loss(path: str | Path, confusion: Confusion) -> Confusion:
    """The same confusion matrix, with the costs of a file for loss(kind=custom); cost maps too."""
    problems = Problems(path)
    if is_map(path):
        costs = read_costs(path)
        ids = costs.axis.ids
        matrix = TitledMatrix(costs.values, ids, ids, "predicted", "true")
        return problems.build(lambda: confusion.priced(matrix))
    with opened(path) as source:
        require_file(source)
        is_plain = looks_like_numbers(_first_fields(source))
        matrix = (_plain_matrix if is_plain else _named_matrix)(source, problems, costs=True)
    return problems.build(lambda: confusion.priced(matrix))


def write_confusion(confusion: Confusion, path: str | Path) -> None:
    """Write a matrix with the names of its classes if it has any, wholly or not at all; .tsv is cut
    by tabs."""
    from cranfield.tasks.classes.confusion import Confusion

    if not isinstance(confusion, Confusion):
        raise InputError(f"confusion: got {type(confusion).__name__}; give a Confusion")
    named = confusion.table.named
    odd = [name for name in confusion.classes if not name or "\r" in name or "\0" in name]
    if odd:
        raise InputError(f"class {shown(odd[0])} cannot be written to a file; give it another name")
    with written(Path(path)) as target:
        separator = _separator(target.extension, confusion.said)
        if named:
            target.stream.write(line_of((_CORNER, *confusion.said), (), separator))
        for name, row in zip(confusion.true, confusion.counts.tolist(), strict=True):
            cells = (repr(value).removesuffix(".0") for value in row)
            target.stream.write(line_of((name,) if named else (), cells, separator))


def _separator(extension: str, said: tuple[str, ...]) -> str:
    """As reading will find it: a tab on the first line tells if the extension does not."""
    if extension in (".csv", ".tsv"):
        return "," if extension == ".csv" else "\t"
    return "\t" if any("\t" in name for name in said) else ","


# ── which form it is ──────────────────────────────────────────────────────────────────────────

_Read = Callable[[str], "Confusion"]
_Reader = Callable[[Source, Problems], _Read]


def _recognised(source: Source, rows: Rows | None) -> _Reader:
    fields = _first_fields(source)
    header = [field.decode("utf-8", errors="replace").casefold() for field in fields]
    if is_weka(source):
        return lambda source, problems: _confusion(read_weka(source), rows)
    if is_printed_table(source):
        return lambda source, problems: _confusion(read_printed_table(source), rows)
    listed = _list_reader(header)
    if listed is not None:
        if rows is not None:
            raise FileError(
                source.path,
                "rows is for a matrix, but this is a list whose header says which labels are true; "
                "leave it out",
                line=1,
            )
        return listed
    match header:
        case [item, label] if item in WORDS_FOR_ITEMS - {""} and names_labels(label):
            raise FileError(
                source.path,
                "there is one label for each item",
                mend="give two such files, the true labels ({truth}) and those of a system, or the "
                "header item,true,said",
                line=1,
            )
        case [only] if ";" in only:
            raise FileError(source.path, f"the first line has one field; {SEMICOLONS}", line=1)
    if looks_like_numbers(fields):
        return lambda source, problems: _confusion(_plain_matrix(source, problems), rows)
    if len(header) < 2:
        raise FileError(source.path, f"the first line has one field; {_FORMS}", line=1)
    return lambda source, problems: _confusion(_named_matrix(source, problems), rows)


def _list_reader(header: list[str]) -> _Reader | None:
    """How to read a file with this header if it is a list of cells or of items."""
    match header:
        case [*first, one, other, count] if (
            count in _WORDS_FOR_COUNTS and _are_labels(one, other) and first in ([], [""])
        ):
            return read_cells
        case [*first, one, other] if _are_labels(one, other) and (
            not first or (len(first) == 1 and first[0] in WORDS_FOR_ITEMS)
        ):
            return read_pairs
    return None


def _are_labels(one: str, other: str) -> bool:
    return {side_of(one), side_of(other)} == {"truth", "system"}


def _confusion(matrix: TitledMatrix, rows: Rows | None) -> _Read:
    from cranfield.tasks.classes.confusion import Confusion

    return lambda name: Confusion(matrix, name=name, rows=rows)


def _first_fields(source: Source) -> list[bytes]:
    """The first line cut into fields, roughly: quotes hide no separators from this glance."""
    line, separator = source.first_line, separator_of(source)
    return [field.strip(b' \t"') for field in line.split(separator or None)]


# ── matrices ──────────────────────────────────────────────────────────────────────────────────


def _named_matrix(source: Source, problems: Problems, *, costs: bool = False) -> TitledMatrix:
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="class")
    corner, *columns = table.header()
    twice = [name for name, count in Counter(columns).items() if count > 1]
    if "" in columns or twice:
        what = (
            f"names {first_ten(twice)} more than once" if twice else "leaves a class without name"
        )
        raise FileError(
            source.path, f"the header {what}; name each class once", line=table.header_line
        )
    rows, cells = Items(problems, rows="class"), Stack(len(columns), np.float64)

    def where(names: list[str], position: int) -> str:
        return f"row {shown(names[0])}, column {shown(columns[position])}"

    for chunk in table.chunks(
        Layout(separator, 1, len(columns)),
        where=where,
        expected=f"{len(columns)} as the header names",
    ):
        chunk = rows.add(chunk)
        _require_values(chunk.values, chunk, problems, where=where, costs=costs)
        cells.add(chunk.values)
    problems.settle()
    _require_classes(source, corner, columns, tuple(rows.lines), line=table.header_line)
    return TitledMatrix(cells.finished(), tuple(rows.lines), tuple(columns), corner)


def _require_classes(
    source: Source, corner: str, columns: list[str], rows: tuple[str, ...], *, line: int
) -> None:
    """Refuse what looks like a matrix but is a list, or has no names for its rows."""
    sides = {side_of(name): name for name in (corner, *columns) if name not in rows}
    if {"truth", "system"} <= sides.keys():
        raise FileError(
            source.path,
            f"the header names columns of labels, {shown(sides['truth'])} and "
            f"{shown(sides['system'])}, and others; write true,said,count or item,true,said",
            line=line,
        )
    numbered = all(number(name.encode()) is not None for name in rows)
    if (
        numbered
        and len(rows) == len(columns) + 1
        and not (corner.casefold() in WORDS_FOR_ITEMS or names_labels(corner))
        and not any(number(name.encode()) is not None for name in columns)
    ):
        raise FileError(
            source.path,
            f"the header names {len(rows)} classes for {len(rows)} rows of numbers; begin it with "
            "true, and each row with its class, or leave the header out",
            line=line,
        )


def _plain_matrix(source: Source, problems: Problems, *, costs: bool = False) -> TitledMatrix:
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="row")
    width = table.usual_width()
    cells = Stack(width + 1, np.float64)

    def where(names: list[str], position: int) -> str:
        return f"value {position + 1}"

    # The first number of a line is read as its name, since every line must have one.
    for chunk in table.chunks(
        Layout(separator, 1, width),
        where=lambda names, position: where(names, position + 1),
        expected=f"{width} more, as most rows have",
    ):
        first = _numbers(chunk, problems)
        values = np.column_stack([first, chunk.values])
        _require_values(values, chunk._replace(values=values), problems, where=where, costs=costs)
        cells.add(values)
    problems.settle()
    return TitledMatrix(cells.finished(), None, None)


def _numbers(chunk: Chunk, problems: Problems) -> Floats:
    """The first field of each line as a number."""
    result = [number(name.encode("utf-8", errors="surrogateescape")) for name in chunk.names[0]]
    for value, name, line in zip(result, chunk.names[0], chunk.lines.tolist(), strict=True):
        if value is None:
            what = complaint(name.encode("utf-8", errors="surrogateescape"), "row")
            problems.add(f"value 1: {what}", line=line)
    return np.array([0.0 if value is None else value for value in result])


def _require_values(
    values: Floats,
    chunk: Chunk,
    problems: Problems,
    *,
    where: Callable[[list[str], int], str],
    costs: bool,
) -> None:
    wrong = np.isnan(values) if costs else ~(values >= 0)
    rule = "write a cost for every cell" if costs else COUNT_RULE
    report(wrong, chunk, problems, where=where, rule=rule)
