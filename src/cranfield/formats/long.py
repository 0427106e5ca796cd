"""Long CSV and TSV: a header `item,concept,value`, then a line for each cell.

A run lists the cells it retrieved; the others are absent. A truth lists judged cells, 0, 1 or a
whole-number grade. If it lists any 0, cells it does not list were not judged; if it lists
positives only, as many do, cells it does not list are negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from cranfield.collection import Collection
from cranfield.errors import FileError, InputError
from cranfield.formats.cells import judgements, report, require_known_concepts
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.delimited import line_of, stored_cells
from cranfield.formats.lines import Layout, MalformedError, decoded, fields
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, Target, register
from cranfield.formats.source import Source
from cranfield.formats.table import Chunk, Table
from cranfield.matrices import dense
from cranfield.run import Run
from cranfield.truth import Truth

_HEADER = ["item", "concept", "value"]


def _chunks(source: Source, problems: Problems) -> Iterable[Chunk]:
    separator = b"\t" if b"\t" in source.first_line else b","
    table = Table(source, separator, problems)
    header = table.header()
    if [name.casefold() for name in header] != _HEADER:
        raise FileError(
            source.path,
            f"the header is {shown(','.join(header[:4]))}; a long file has item,concept,value",
            line=1,
        )
    yield from table.chunks(
        Layout(separator, 2, 1), where=where_listed, expected="item,concept,value"
    )


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    listing = Listing(problems, concepts=concepts)
    negatives = False
    for chunk in _chunks(source, problems):
        _require_values(chunk, problems)
        values = judgements(chunk, problems, where=where_listed, graded=True)[:, 0]
        negatives = negatives or not values.all()
        listing.add(chunk.names[0], chunk.names[1], values, chunk.lines)
    require_known_concepts(listing.concepts, concepts, problems, line=None)
    return listing.truth(absent="unjudged" if negatives else "negative", unjudged="negative")


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    listing = Listing(problems)
    for chunk in _chunks(source, problems):
        _require_values(chunk, problems)
        listing.add(chunk.names[0], chunk.names[1], chunk.values[:, 0], chunk.lines)
    return listing.run(expected, options)


def _require_values(chunk: Chunk, problems: Problems) -> None:
    report(
        np.isnan(chunk.values),
        chunk,
        problems,
        where=where_listed,
        rule="the value is missing; write a number or leave the line out",
    )


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    cells = truth.labels.astype(np.int8) if truth.grades is None else dense(truth.grades)
    judged = None if truth.judged is None else dense(truth.judged)
    if judged is not None and not (judged & (cells == 0)).any():
        raise InputError(
            "a long file that lists no 0 says that all other cells are negative, but cells of this "
            "truth are unjudged; write .csv or .npz instead"
        )
    if judged is not None and not (judged.any(axis=1).all() and judged.any(axis=0).all()):
        raise InputError(
            "the long form lists judged cells, so it loses items and concepts without any; "
            "write .csv or .npz instead"
        )
    _write(target, truth.items, truth.concepts, cells, judged)


def _write_run(run: Run, target: Target) -> None:
    matrix = run.labels if run.scores is None else run.scores
    assert matrix is not None
    values = dense(matrix)
    values = values.astype(np.int8) if values.dtype == np.bool_ else values
    _write(target, run.items, run.concepts, values, stored_cells(matrix))


def _write(target: Target, items: Any, concepts: Any, cells: Any, stored: Any) -> None:
    separator = "\t" if target.extension == ".tsv" else ","
    target.stream.write(line_of(_HEADER, (), separator))
    for row, item in enumerate(items):
        values = cells[row].tolist()
        for column in range(len(concepts)) if stored is None else np.flatnonzero(stored[row]):
            line = line_of((item, concepts[column]), (repr(values[column]),), separator)
            target.stream.write(line)


def _is_long(source: Source) -> bool:
    for separator in (b",", b"\t"):
        try:
            header = [decoded(field) for field in fields(source.first_line, separator)]
        except MalformedError:
            continue
        if [name.casefold() for name in header] == _HEADER:
            return True
    return False


register(
    Format(
        name="long",
        extensions=(),
        asked=1,
        holds=IDS | JUDGEMENTS | {Content.AS_NEGATIVE, Content.ABSENT},
        recognises=_is_long,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)
