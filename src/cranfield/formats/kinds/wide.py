"""Wide CSV and TSV: a header `item,<concept>,…`, then a line for each item.

Fields may be quoted (RFC 4180). In a truth a cell is 0, 1 or a whole-number grade; an empty one
was not judged; under a header `item targets,…` it is any number. In a run an empty cell was not
retrieved. The first cell of the header may have
any name; where all others are numbers it must be a word for items, lest data be read as a header.
In a truth `item level=6` says that grades are relevant from 6 on.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import dense, sparse_where_empty
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several
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
from cranfield.formats.delimited import line_of, stored_cells
from cranfield.formats.gather import Items, Stack
from cranfield.formats.lines import (
    Layout,
    MalformedError,
    field_count,
    looks_like_numbers,
)
from cranfield.formats.problems import Problems
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target
from cranfield.formats.table import Table, concept_columns, heading, with_level, with_targets


def _read_truth(
    source: Source, problems: Problems, concepts: tuple[str, ...] | None, *, separator: bytes
) -> Truth:
    table = Table(source, separator, problems)
    header, level, targets = heading(table, problems)
    require_known_concepts(header, concepts, problems, line=table.header_line)
    where = where_in(header)
    items, cells = Items(problems), Stack(len(header), np.float64 if targets else np.int8)
    for chunk in table.chunks(_layout(header, separator), where=where, expected=_words(header)):
        chunk = items.add(chunk)
        given = chunk.values
        cells.add(given if targets else judgements(chunk, problems, where=where, graded=True))

    def make() -> Truth:
        if targets:
            return truth_of_targets(*_in_order(cells.finished(), items, header, concepts))
        return truth_of(*_in_order(cells.finished(), items, header, concepts), level=level)

    return problems.build(make)


def _in_order(cells: Any, items: Items, header: tuple[str, ...], concepts: Any) -> tuple[Any, ...]:
    """Columns in the order of the concepts that were asked for."""
    if concepts is None or header == concepts:
        return cells, items.ids, header
    lacking = [name for name in concepts if name not in header]
    if lacking:
        raise InputError(
            f"the header lacks {several(len(lacking), 'concept')}: {first_ten(lacking)}; "
            "add their columns"
        )
    positions = {name: position for position, name in enumerate(header)}
    return cells[:, [positions[name] for name in concepts]], items.ids, concepts


def _read_run(
    source: Source, problems: Problems, expected: Expected, options: Options, *, separator: bytes
) -> Run:
    table = Table(source, separator, problems)
    header = concept_columns(table, problems)
    require_known_concepts(header, expected.known_concepts, problems, line=table.header_line)
    items = Items(problems, known=expected.item_ids)
    cells = Stack(len(header), np.float64, likely=source.likely_rows(len(header)))
    gaps = False
    for chunk in table.chunks(
        _layout(header, separator), where=where_in(header), expected=_words(header)
    ):
        chunk = items.add(chunk)
        gaps = gaps or bool(np.isnan(chunk.values).any())
        cells.add(chunk.values)
    if not items.all_known:
        require_known_items(items.lines, expected, problems)

    def make() -> Run:
        scores: Any = cells.finished()
        return Run(
            sparse_where_empty(scores, np.isnan(scores)) if gaps else scores,
            items=items.ids,
            concepts=header,
            name=options.name,
            threshold=options.threshold,
            copy=None,
        )

    return problems.build(make)


def _layout(header: tuple[str, ...], separator: bytes) -> Layout:
    return Layout(separator, 1, len(header))


def _words(header: tuple[str, ...]) -> str:
    return f"{len(header)} as the header names"


# -- Writing -----------------------------------------------------------------------------------


def _write_truth(collection: Collection, target: Target, *, separator: bytes) -> None:
    truth = collection.truth
    cells = written_cells(truth)
    stored = None if truth.judged is None else dense(truth.judged)
    _write(target, separator, truth, cells, stored)


def _write_run(run: Run, target: Target, *, separator: bytes) -> None:
    matrix = run.labels if run.scores is None else run.scores
    assert matrix is not None
    _write(target, separator, run, dense(matrix), stored_cells(matrix))


def _write(target: Target, separator: bytes, thing: Truth | Run, cells: Any, stored: Any) -> None:
    between = separator.decode()
    word = "item"
    if isinstance(thing, Truth):
        word = with_level(word, thing.level) if thing.has_labels else with_targets(word)
    target.stream.write(line_of((word, *thing.concepts), (), between))
    for position, item in enumerate(thing.items):
        row = cells[position]
        texts = list(map(repr, (row.astype(np.int8) if row.dtype == np.bool_ else row).tolist()))
        if stored is not None:
            texts = [t if there else "" for t, there in zip(texts, stored[position], strict=True)]
        target.stream.write(line_of((item,), texts, between))


# -- The two formats ---------------------------------------------------------------------------


def _separator(source: Source) -> bytes:
    """What separates the columns: as the extension says, else as the first two lines do."""
    if source.extension in (".csv", ".tsv"):
        return b"," if source.extension == ".csv" else b"\t"
    header, line = source.first_lines
    tabs, commas = header.count(b"\t"), header.count(b",")
    if tabs and commas:
        fits = [
            mark for mark in (b"\t", b",") if _columns(header, mark) == _columns(line, mark) > 1
        ]
        if len(fits) == 1:
            return fits[0]
    return b"\t" if tabs > commas else b","


def _columns(line: bytes, separator: bytes) -> int:
    try:
        return field_count(line, separator)
    except MalformedError:
        return 0


def _is_csv(source: Source) -> bool:
    if _separator(source) != b"," or source.extension == ".csv":
        return source.extension == ".csv"
    # A text file may have commas in its items, or decimal ones, but it has numbers after blanks.
    values = source.first_line.split()[1:]
    return b"," in source.first_line and not (values and looks_like_numbers(values))


def _is_tsv(source: Source) -> bool:
    if _separator(source) != b"\t" or source.extension == ".tsv":
        return source.extension == ".tsv"
    first, tab, rest = source.first_line.partition(b"\t")
    word = first.strip().decode("utf-8", errors="replace").casefold() in WORDS_FOR_ITEMS
    return bool(tab) and (word or not looks_like_numbers(rest.split()))


def _format(name: str, separator: bytes, recognises: Any) -> Format:
    return Format(
        name=name,
        extensions=(f".{name}",),
        priority=2,
        holds=IDS
        | JUDGEMENTS
        | {Content.TARGETS, Content.LEVEL, Content.AS_NEGATIVE, Content.ABSENT},
        recognises=recognises,
        read_truth=partial(_read_truth, separator=separator),
        read_run=partial(_read_run, separator=separator),
        write_truth=partial(_write_truth, separator=separator),
        write_run=partial(_write_run, separator=separator),
    )


register(_format("csv", b",", _is_csv), _format("tsv", b"\t", _is_tsv))
