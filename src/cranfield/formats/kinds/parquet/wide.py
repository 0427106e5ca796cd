"""Parquet, wide: a column for each concept, and one of item ids; a row for each item.

The first column names the items if it holds text, or whole numbers under a word for items; else
the index of a pandas frame does, or a column of text under a word for items; else items align by
position. In a truth a cell is true, false, 0, 1 or a whole-number grade; null was not judged. In a
run null was not retrieved; columns of true and false only are decisions, and float32 stays
float32. A column of items called `item level=6` says that grades are relevant from 6 on, and one
called `item targets` that the others hold targets. Columns
are read a few at a time, so that no matrix is held twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Bools, dense, sparse_where_empty
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.formats.cells import (
    judgements,
    require_known_concepts,
    require_known_items,
    truth_of,
    truth_of_targets,
    where_in,
    written_cells,
)
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.delimited import stored_cells
from cranfield.formats.kinds.parquet.columns import (
    Columns,
    ids_in,
    is_text,
    numbers_in,
    opened_columns,
    require_numbers,
    write_frame,
)
from cranfield.formats.kinds.parquet.survey import MAGIC
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target
from cranfield.formats.table import Chunk, split_level, split_targets, with_level, with_targets

if TYPE_CHECKING:
    import polars

_BLOCK = 1 << 23
"""Cells to decode at a time."""
_ABSENT = -1
_LONG = {"concept", "value"}
"""With a column `item`, these would be a long file."""


# -- Reading -----------------------------------------------------------------------------------


class _Table:
    """A wide file: its items, and its concepts in the order they are wanted in."""

    def __init__(
        self, columns: Columns, problems: Problems, concepts: tuple[str, ...] | None = None
    ) -> None:
        self._columns = columns
        self._problems = problems
        ids = _id_column(columns)
        positions = {
            name: position
            for position, name in enumerate(columns.names)
            if position != ids and name not in columns.index
        }
        if not positions:
            raise FileError(columns.path, "no column is a concept; add one for each of them")
        require_known_concepts(positions, concepts, problems, line=None)
        require_numbers(columns, positions.values(), problems)
        self.concepts = tuple(positions) if concepts is None else concepts
        lacking = [name for name in self.concepts if name not in positions]
        if lacking:
            problems.add(
                f"lacks {several(len(lacking), 'concept')}: {first_ten(lacking)}; add their columns"
            )
        # Without them there is nothing to read.
        problems.build(lambda: None)
        self._places = [positions[name] for name in self.concepts]
        self.types = {columns.types[position] for position in self._places}
        self.shape = (columns.rows, len(self.concepts))
        self.items = None if ids is None else _items(columns, ids, problems)
        named = "" if ids is None else columns.names[ids]
        self.level, self.targets = split_level(named)[1], split_targets(named)[1]
        self._names = list(map(str, range(columns.rows))) if self.items is None else self.items

    @property
    def item_rows(self) -> dict[str, int]:
        return dict(zip(self.items or (), range(1, self.shape[0] + 1), strict=False))

    def blocks(self, *, single: bool = False) -> Iterator[tuple[slice, Chunk]]:
        """All rows of some concepts at a time."""
        width = max(1, _BLOCK // self.shape[0])
        for first in range(0, len(self._places), width):
            block = slice(first, first + width)
            yield (
                block,
                numbers_in(
                    self._columns.read(self._places[block]),
                    [self._names],
                    self._problems,
                    where=where_in(self.concepts[block]),
                    single=single,
                ),
            )


def _id_column(columns: Columns) -> int | None:
    """The place of the column that names the items."""
    bare = (split_level(split_targets(name.strip())[0])[0] for name in columns.names)
    words = [name.casefold() in WORDS_FOR_ITEMS for name in bare]
    text = [is_text(dtype) for dtype in columns.types]
    if text[0] or (words[0] and columns.types[0].is_integer()):
        return 0
    for position, name in enumerate(columns.names):
        if name in columns.index and (text[position] or columns.types[position].is_integer()):
            return position
    return next((position for position, word in enumerate(words) if word and text[position]), None)


def _items(columns: Columns, position: int, problems: Problems) -> list[str]:
    items = ids_in(columns.read([position]).to_series(), problems)
    if len(set(items)) < len(items):
        rows: dict[str, int] = {}
        for row, item in enumerate(items, 1):
            before = rows.setdefault(item, row)
            if before != row and item:
                problems.add(
                    f"item {shown(item)} stands on row {before} already; keep one of the two rows",
                    line=row,
                )
    return items


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    with opened_columns(source) as columns:
        table = _Table(columns, problems, concepts)
        kind = np.float64 if table.targets else np.int8
        cells: NDArray[Any] = np.empty(table.shape, dtype=kind)
        for block, chunk in table.blocks():
            if table.targets:
                cells[:, block] = chunk.values
                continue
            where = where_in(table.concepts[block])
            result = judgements(chunk, problems, where=where, graded=True)
            if result.dtype != cells.dtype:
                cells = cells.astype(np.int64)
            cells[:, block] = result
    if table.targets:
        return problems.build(lambda: truth_of_targets(cells, table.items, table.concepts))
    return problems.build(lambda: truth_of(cells, table.items, table.concepts, level=table.level))


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    import polars

    with opened_columns(source) as columns:
        table = _Table(columns, problems)
        require_known_concepts(table.concepts, expected.known_concepts, problems, line=None)
        kinds = table.types - {polars.Null()}
        decided = kinds == {polars.Boolean()}
        single = kinds == {polars.Float32()}
        cells: NDArray[Any] = np.empty(
            table.shape, dtype=np.int8 if decided else np.float32 if single else np.float64
        )
        some_absent = False
        for block, chunk in table.blocks(single=single):
            values = chunk.values
            absent = np.isnan(values)
            some_absent = some_absent or bool(absent.any())
            cells[:, block] = np.where(absent, _ABSENT, values) if decided else values
    require_known_items(table.item_rows, expected, problems)

    def make() -> Run:
        said: Any = cells == 1 if decided else cells
        if some_absent:
            said = sparse_where_empty(said, cells == _ABSENT if decided else np.isnan(cells))
        return Run(
            None if decided else said,
            labels=said if decided else None,
            items=table.items,
            concepts=table.concepts,
            name=options.name,
            threshold=options.threshold,
            copy=None,
        )

    return problems.build(make)


# -- Writing -----------------------------------------------------------------------------------


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    _write(
        truth, written_cells(truth), None if truth.judged is None else dense(truth.judged), target
    )


def _write_run(run: Run, target: Target) -> None:
    matrix = run.labels if run.scores is None else run.scores
    assert matrix is not None
    _write(run, dense(matrix), stored_cells(matrix), target)


def _write(thing: Truth | Run, cells: NDArray[Any], stored: Bools | None, target: Target) -> None:
    import polars

    columns = [
        _column(name, cells[:, position], None if stored is None else stored[:, position])
        for position, name in enumerate(thing.concepts)
    ]
    level = thing.level if isinstance(thing, Truth) else 1
    targets = isinstance(thing, Truth) and not thing.has_labels
    if thing.item_axis.ids is not None:
        word = _word_for_items(thing.concepts)
        word = with_targets(word) if targets else with_level(word, level)
        columns.insert(0, polars.Series(word, thing.items))
    elif level > 1 or targets:
        what = "targets" if targets else f"level {level}"
        raise InputError(
            f"Parquet tells {what} beside the ids of items, and these have none; give the truth "
            "items=, or write npz instead"
        )
    write_frame(polars.DataFrame(columns), target)


def _column(name: str, values: NDArray[Any], stored: Bools | None) -> polars.Series:
    import polars

    column = polars.Series(name, np.ascontiguousarray(values))
    return column if stored is None else column.set(polars.Series(~stored), None)


def _word_for_items(concepts: tuple[str, ...]) -> str:
    """What to call the column of items, so that it is neither a concept nor makes a long file."""
    if set(concepts) == _LONG:
        return "id"
    word = "item"
    while word in concepts:
        word += "_"
    return word


register(
    Format(
        name="parquet",
        extensions=(".parquet", ".pq"),
        priority=1,
        holds=IDS
        | JUDGEMENTS
        | {Content.TARGETS, Content.LEVEL, Content.AS_NEGATIVE, Content.ABSENT, Content.DECIDED},
        recognises=lambda file: (
            file.head.startswith(MAGIC) or file.extension in (".parquet", ".pq")
        ),
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)
