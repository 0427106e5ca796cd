"""Confusion matrices on disk: CSV, TSV or columns cut by blanks; also packed.

    true,woman,man,child        a matrix: a line for each true class, a column for each said one
    woman,13,2,5

    13,2,5                      a matrix without names: its classes are numbered
    4,15,1

    true,said,count             a list of its cells; those that are not listed are 0
    woman,man,2

    item,true,said              a line for each item; without ids: true,said
    photo1,woman,man

    item,label                  two such files, one with true labels and one with a system's

What Weka prints is read too (`weka`); lists of labels are read by `class_labels`. Costs of one's
own stand in either form of matrix; they may be below 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cranfield.axes import WORDS_FOR_ITEMS, Axis
from cranfield.classes import Confusion
from cranfield.contingency import require_few
from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.cells import report
from cranfield.formats.class_labels import (
    WORDS_FOR_LABELS,
    WORDS_FOR_SAID,
    WORDS_FOR_TRUE,
    of_two_files,
    read_pairs,
    require_file,
    separator_of,
)
from cranfield.formats.delimited import line_of
from cranfield.formats.gather import Items, Stack
from cranfield.formats.lines import Layout, complaint, looks_like_numbers, number
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source, opened
from cranfield.formats.table import SEMICOLONS, Chunk, Table
from cranfield.formats.weka import is_weka, read_weka
from cranfield.formats.writing import written
from cranfield.frames import Frame
from cranfield.matrices import Floats

_WORDS_FOR_COUNTS = {"count", "counts", "n", "number", "frequency", "value", "weight"}
"""What people call a column of counts, in lower case."""
_CORNER = "true/said"
"""What stands above the rows of a written matrix; no list begins so, whatever its classes are."""
_FORMS = (
    "write a matrix with the header true,<class>,…, a matrix of numbers only, or a list with the "
    "header true,said,count or item,true,said"
)


@dataclass(frozen=True)
class _Matrix:
    """Numbers with the names of their rows and columns, if the file has any."""

    values: Floats
    true: tuple[str, ...] | None
    said: tuple[str, ...] | None


def read_confusion(
    path: str | Path, said: str | Path | None = None, *, name: str | None = None
) -> Confusion:
    """A confusion matrix from a file, or from two: true labels, and those that a system said.

    name  of the system; default: the file's name without its extension
    """
    if said is not None:
        return of_two_files(path, said, name)
    problems = Problems(path)
    with opened(path) as source:
        require_file(source)
        called = source.name if name is None else name
        read = _recognised(source)(source, problems)
    return problems.build(lambda: read(called))


def read_loss(path: str | Path, confusion: Confusion) -> Confusion:
    """The same confusion matrix, with the costs of a file for loss(kind=custom)."""
    problems = Problems(path)
    with opened(path) as source:
        require_file(source)
        is_plain = looks_like_numbers(_first_fields(source))
        matrix = (_plain_matrix if is_plain else _named_matrix)(source, problems, costs=True)
    if matrix.true is None or matrix.said is None:
        return problems.build(lambda: confusion.priced(matrix.values))
    rows = Axis("item", len(matrix.true), matrix.true)
    columns = Axis("concept", len(matrix.said), matrix.said)
    frame = Frame(matrix.values, None, rows, columns, is_series=False)
    return problems.build(lambda: confusion.priced(frame))


def write_confusion(confusion: Confusion, path: str | Path) -> None:
    """Write a matrix with the names of its classes if it has any, wholly or not at all; .tsv is cut
    by tabs."""
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

_Read = Callable[[str], Confusion]
_Reader = Callable[[Source, Problems], _Read]


def _recognised(source: Source) -> _Reader:
    header = [field.decode("utf-8", errors="replace").casefold() for field in _first_fields(source)]
    if is_weka(source):
        return _read_weka
    match header:
        case [true, said, count] if _are_labels(true, said) and count in _WORDS_FOR_COUNTS:
            return _read_list
        case [item, true, said] if item in WORDS_FOR_ITEMS and _are_labels(true, said):
            return read_pairs
        case [true, said] if _are_labels(true, said):
            return read_pairs
        case [item, label] if item in WORDS_FOR_ITEMS - {""} and label in WORDS_FOR_LABELS:
            raise FileError(
                source.path,
                "there is one label for each item; give two such files, the true labels and those "
                "of a system (on the command line --truth FILE), or the header item,true,said",
                line=1,
            )
        case [only] if ";" in only:
            raise FileError(source.path, f"the first line has one field; {SEMICOLONS}", line=1)
    if looks_like_numbers(_first_fields(source)):
        return lambda source, problems: _confusion(_plain_matrix(source, problems))
    if len(header) < 2:
        raise FileError(source.path, f"the first line has one field; {_FORMS}", line=1)
    return lambda source, problems: _confusion(_named_matrix(source, problems))


def _are_labels(true: str, said: str) -> bool:
    return true in WORDS_FOR_TRUE and said in WORDS_FOR_SAID


def _confusion(matrix: _Matrix) -> _Read:
    return lambda name: Confusion(matrix.values, matrix.true, said=matrix.said, name=name)


def _read_weka(source: Source, problems: Problems) -> _Read:
    counts, classes = read_weka(source)
    return lambda name: Confusion(counts, classes, name=name)


def _first_fields(source: Source) -> list[bytes]:
    """The first line cut into fields, roughly: quotes hide no separators from this glance."""
    line, separator = source.first_line, separator_of(source)
    return [field.strip(b' \t"') for field in line.split(separator or None)]


# ── matrices ──────────────────────────────────────────────────────────────────────────────────


def _named_matrix(source: Source, problems: Problems, *, costs: bool = False) -> _Matrix:
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="class")
    _, *said = table.header()
    twice = [name for name, count in Counter(said).items() if count > 1]
    if "" in said or twice:
        what = (
            f"names {first_ten(twice)} more than once" if twice else "leaves a class without name"
        )
        raise FileError(
            source.path, f"the header {what}; name each class once", line=table.header_line
        )
    rows, cells = Items(problems, rows="class"), Stack(len(said), np.float64)

    def where(names: list[str], place: int) -> str:
        return f"true class {shown(names[0])}, said {shown(said[place])}"

    for chunk in table.chunks(
        Layout(separator, 1, len(said)), where=where, expected=f"{len(said)} as the header names"
    ):
        chunk = rows.add(chunk)
        _require_values(chunk.values, chunk, problems, where=where, costs=costs)
        cells.add(chunk.values)
    problems.settle()
    return _Matrix(cells.finished(), tuple(rows.lines), tuple(said))


def _plain_matrix(source: Source, problems: Problems, *, costs: bool = False) -> _Matrix:
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="row")
    width = table.usual_width()
    cells = Stack(width + 1, np.float64)

    def where(names: list[str], place: int) -> str:
        return f"value {place + 1}"

    # The first number of a line is read as its name, since every line must have one.
    for chunk in table.chunks(
        Layout(separator, 1, width),
        where=lambda names, place: where(names, place + 1),
        expected=f"{width} more, as most rows have",
    ):
        first = _numbers(chunk, problems)
        values = np.column_stack([first, chunk.values])
        _require_values(values, chunk._replace(values=values), problems, where=where, costs=costs)
        cells.add(values)
    problems.settle()
    return _Matrix(cells.finished(), None, None)


def _numbers(chunk: Chunk, problems: Problems) -> Floats:
    """The first field of each line as a number."""
    found = [number(name.encode("utf-8", errors="surrogateescape")) for name in chunk.names[0]]
    for value, name, line in zip(found, chunk.names[0], chunk.lines.tolist(), strict=True):
        if value is None:
            what = complaint(name.encode("utf-8", errors="surrogateescape"), "row")
            problems.add(f"value 1: {what}", line=line)
    return np.array([0.0 if value is None else value for value in found])


def _require_values(
    values: Floats,
    chunk: Chunk,
    problems: Problems,
    *,
    where: Callable[[list[str], int], str],
    costs: bool,
) -> None:
    wrong = np.isnan(values) if costs else ~(values >= 0)
    rule = (
        "write a cost for every cell"
        if costs
        else "write a count or a probability, 0 where nothing was said"
    )
    report(wrong, chunk, problems, where=where, rule=rule)


# ── lists ─────────────────────────────────────────────────────────────────────────────────────


def _read_list(source: Source, problems: Problems) -> _Read:
    """true,said,count; cells that stand twice are an error."""
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="true class")
    table.header()
    counts: dict[tuple[str, str], float] = {}
    lines: dict[tuple[str, str], int] = {}

    def where(names: list[str], place: int) -> str:
        return f"true class {shown(names[0])}, said {shown(names[1])}"

    for chunk in table.chunks(Layout(separator, 2, 1), where=where, expected="one count"):
        _require_values(chunk.values, chunk, problems, where=where, costs=False)
        for true, said, count, line in zip(
            *chunk.names, chunk.values[:, 0].tolist(), chunk.lines.tolist(), strict=True
        ):
            if (true, said) in counts:
                problems.add(
                    f"{where([true, said], 0)} stands on line {lines[true, said]} already; keep "
                    "one of the two lines",
                    line=line,
                )
            counts[true, said], lines[true, said] = count, line
    problems.settle()

    def made(name: str) -> Confusion:
        classes = _in_order(counts)
        require_few(classes)
        places = {known: place for place, known in enumerate(classes)}
        matrix = np.zeros((len(classes), len(classes)))
        for (true, said), count in counts.items():
            matrix[places[true], places[said]] = count
        return Confusion(matrix, classes, name=name)

    return made


def _in_order(cells: dict[tuple[str, str], float]) -> tuple[str, ...]:
    """Classes as they come up: true ones first, then those that are only said."""
    return tuple(dict.fromkeys([*(true for true, _ in cells), *(said for _, said in cells)]))
