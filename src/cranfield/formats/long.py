"""Long CSV and TSV: a header `item,concept,value`, then a line for each cell.

A run lists the cells it retrieved; the others are absent. A truth lists judged cells, 0, 1 or a
whole-number grade. If it lists any 0, cells it does not list were not judged; if it lists
positives only, as many do, cells it does not list are negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import FileError, InputError
from cranfield.formats.cells import (
    judgements,
    report,
    require_known_concepts,
    require_known_items,
    truth_of,
)
from cranfield.formats.delimited import line_of, require_one_matrix, stored_cells
from cranfield.formats.lines import Layout, MalformedError, decoded, fields
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, Target, register
from cranfield.formats.source import Source
from cranfield.formats.table import Chunk, Table
from cranfield.matrices import Cells, Ints, dense
from cranfield.run import Run
from cranfield.truth import Truth

_HEADER = ["item", "concept", "value"]
_DENSE_ENOUGH = 1 / 16


class _List:
    """The cells of a file in the order of their lines; items and concepts in order of mention."""

    def __init__(self, problems: Problems, concepts: tuple[str, ...] | None) -> None:
        self.problems = problems
        self.items: dict[str, int] = {}
        self.item_lines: dict[str, int | None] = {}
        self.concepts = {name: place for place, name in enumerate(concepts or ())}
        self._parts: list[tuple[Ints, Ints, Ints, NDArray[Any]]] = []
        self._size = 0

    def add(self, chunk: Chunk, values: NDArray[Any]) -> None:
        rows = _places(chunk.names[0], self.items)
        columns = _places(chunk.names[1], self.concepts)
        if len(self.item_lines) < len(self.items):
            for name, line in zip(chunk.names[0], chunk.lines.tolist(), strict=True):
                self.item_lines.setdefault(name, line)
        self._parts.append((rows, columns, chunk.lines, values))
        self._size += len(rows)
        if self._size > len(self.items) * len(self.concepts):
            self._require_each_once()

    def cells(self) -> Cells:
        if not self._parts:
            return Cells((0, 0), np.empty(0, np.int64), np.empty(0))
        self._require_each_once()
        rows, columns, _, values = self._parts[0]
        return Cells.of((len(self.items), len(self.concepts)), rows, columns, values)

    def _require_each_once(self) -> None:
        """Report cells that stand twice and keep the first of each."""
        rows, columns, lines, values = map(np.concatenate, zip(*self._parts, strict=True))
        keys = (rows.astype(np.int64) << 32) | columns
        order = np.argsort(keys, kind="stable")
        again = np.concatenate(([False], keys[order][1:] == keys[order][:-1]))
        names = (list(self.items), list(self.concepts)) if again.any() else ([], [])
        for place in np.flatnonzero(again).tolist():
            this, before = order[place], order[place - 1]
            if not self.problems.wants(int(lines[this])):
                self.problems.count_only(1)
                continue
            cell = _where([names[0][rows[this]], names[1][columns[this]]], 0)
            self.problems.add(
                f"{cell} stands on line {lines[before]} already; keep one of the two lines",
                line=int(lines[this]),
            )
        kept = np.sort(order[~again])
        self._parts = [(rows[kept], columns[kept], lines[kept], values[kept])]
        self._size = len(kept)


def _places(names: list[str], known: dict[str, int]) -> Ints:
    """The place of each name, new ones at the end."""
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


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
    yield from table.chunks(Layout(separator, 2, 1), where=_where, expected="item,concept,value")


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    listed = _List(problems, concepts)
    for chunk in _chunks(source, problems):
        _require_values(chunk, problems)
        listed.add(chunk, judgements(chunk, problems, where=_where, graded=True)[:, 0])
    cells = listed.cells()
    require_known_concepts(listed.concepts, concepts, problems, line=None)
    return problems.build(lambda: _truth_of(cells, listed))


def _truth_of(cells: Cells, listed: _List) -> Truth:
    only_positives = bool((cells.values > 0).all())
    if len(cells.codes) > _DENSE_ENOUGH * cells.shape[0] * cells.shape[1]:
        matrix = np.full(cells.shape, 0 if only_positives else -1, dtype=cells.values.dtype)
        matrix.ravel()[cells.codes] = cells.values
        return truth_of(matrix, listed.items, listed.concepts)
    graded = bool((cells.values > 1).any())
    judged = None if only_positives else Cells(cells.shape, cells.codes, cells.values >= 0)
    return Truth(
        None if graded else Cells(cells.shape, cells.codes, cells.values == 1),
        grades=cells if graded else None,
        judged=judged,
        items=listed.items,
        concepts=listed.concepts,
    )


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    listed = _List(problems, None)
    for chunk in _chunks(source, problems):
        _require_values(chunk, problems)
        listed.add(chunk, chunk.values[:, 0])
    cells = listed.cells()
    require_known_items(listed.item_lines, expected, problems)
    require_known_concepts(listed.concepts, expected.concepts, problems, line=None)
    return problems.build(
        lambda: Run(
            cells.dense() if len(cells.codes) == cells.shape[0] * cells.shape[1] else cells,
            items=listed.items,
            concepts=listed.concepts,
            name=options.name,
            threshold=options.threshold,
        )
    )


def _require_values(chunk: Chunk, problems: Problems) -> None:
    report(
        np.isnan(chunk.values),
        chunk,
        problems,
        where=_where,
        rule="the value is missing; write a number or leave the line out",
    )


def _where(names: list[str], place: int) -> str:
    return f"item {shown(names[0])}, concept {shown(names[1])}"


def _write_truth(truth: Truth, target: Target) -> None:
    for name in ("pool", "strata"):
        if getattr(truth, name) is not None:
            raise InputError(f"the long form cannot hold {name}; write .npz instead")
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
    require_one_matrix(run)
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
        recognises=_is_long,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)
