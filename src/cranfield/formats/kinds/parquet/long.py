"""Parquet, long: columns item, concept and value; a row for each cell, as in long CSV.

A run lists the cells it retrieved; where the value is true or false they are decisions. A truth
lists judged cells. If it lists any 0, cells it does not list were not judged; if it lists positives
only, they are negative. `value level=6` says that grades are relevant from 6 on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells, Ints, at
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.cells import judgements, report, require_known_concepts, require_listed
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.kinds.parquet.columns import (
    Columns,
    ids_in,
    numbers_in,
    opened_columns,
    require_ids,
    require_numbers,
    write_frame,
)
from cranfield.formats.kinds.parquet.survey import MAGIC, mentions, survey
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target, seekable
from cranfield.formats.table import Chunk, split_level, with_level

_HEADER = ["item", "concept", "value"]


# -- Reading -----------------------------------------------------------------------------------


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    listing = Listing(problems, concepts=concepts, unit="row")
    negatives = False
    with opened_columns(source) as columns:
        _, level = split_level(columns.names[_places(columns)[2]])
        for chunk in _chunks(columns, problems):
            values = judgements(chunk, problems, where=where_listed, graded=True)[:, 0]
            negatives = negatives or not values.all()
            listing.add(chunk.names[0], chunk.names[1], values, chunk.lines)
    require_known_concepts(listing.concepts, concepts, problems, line=None)
    return listing.truth(
        absent="unjudged" if negatives else "negative", unjudged="negative", level=level
    )


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    import polars

    listing = Listing(problems, unit="row")
    with opened_columns(source) as columns:
        decided = columns.types[_places(columns)[2]] == polars.Boolean
        for chunk in _chunks(columns, problems):
            listing.add(chunk.names[0], chunk.names[1], chunk.values[:, 0], chunk.lines)
    if not decided:
        return listing.run(expected, options)
    run = listing.run(expected, replace(options, threshold=None))
    return problems.build(lambda: _as_decisions(run, options))


def _as_decisions(run: Run, options: Options) -> Run:
    cells = run.scores
    return Run(
        labels=Cells(cells.shape, cells.codes, cells.values == 1)
        if isinstance(cells, Cells)
        else cells == 1,
        items=run.items,
        concepts=run.concepts,
        name=options.name,
        threshold=options.threshold,
        copy=None,
    )


def _chunks(columns: Columns, problems: Problems) -> Iterator[Chunk]:
    import polars

    positions = _places(columns)
    for position in positions[:2]:
        require_ids(columns, position, problems)
    require_numbers(columns, positions[2:], problems)
    problems.build(lambda: None)
    single = columns.types[positions[2]] == polars.Float32
    for first, frame in columns.slices([columns.names[position] for position in positions]):
        ids = [ids_in(frame.to_series(position), problems, first=first) for position in (0, 1)]
        values = frame.select(polars.nth(2))
        chunk = numbers_in(values, ids, problems, where=where_listed, first=first, single=single)
        report(
            values.select(polars.all().is_null()).to_numpy(),
            chunk,
            problems,
            where=where_listed,
            rule="write a number or leave the row out",
        )
        yield chunk
        problems.settle()


def _places(columns: Columns) -> list[int]:
    """Where item, concept and value stand."""
    result = _roles(columns.names, columns.index)
    if result is None:
        raise FileError(
            columns.path,
            f"the columns are {first_ten(columns.names)}; a long file has item, concept and value",
        )
    return [columns.names.index(name) for name in result]


def _roles(names: Iterable[str], index: Iterable[str]) -> list[str] | None:
    """The columns item, concept and value, in any case and order, if these are all there are."""
    roles = [name for name in names if name not in set(index) or _role(name) in _HEADER]
    named = {_role(name): name for name in roles}
    if len(roles) != len(_HEADER) or named.keys() != set(_HEADER):
        return None
    return [named[role] for role in _HEADER]


def _role(name: str) -> str:
    word, level = split_level(name)
    return (word if word.casefold() == "value" or level == 1 else name).casefold()


def _is_long(source: Source) -> bool:
    if not source.head.startswith(MAGIC):
        return False
    try:
        with seekable(source) as stream:
            if not mentions(stream, *(name.encode() for name in _HEADER)):
                return False
            seen = survey(stream, pages=False)
        return _roles(seen.names, seen.index) is not None
    except (InputError, OSError):  # whoever reads it says what is wrong
        return False
    finally:
        with suppress(OSError):
            source.stream.seek(0)


# -- Writing -----------------------------------------------------------------------------------


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    require_listed(truth.item_axis, truth)
    require_listed(truth.concept_axis, truth)
    matrix = truth.matrix if truth.grades is None else truth.grades
    codes = _judged(truth)
    if truth.judged is not None and at(matrix, codes).all():
        raise InputError(
            "a long file that lists no 0 says that all other cells are negative, but cells of this "
            "truth are unjudged; write parquet or npz instead"
        )
    _write(truth, codes, matrix, target)


def _judged(truth: Truth) -> Ints:
    """The cells to be listed: those that were judged, or positives only if these say as much."""
    if truth.judged is not None:
        return _true_codes(truth.judged)
    positives = _true_codes(truth.graded)
    rows, columns = np.divmod(positives, max(1, truth.shape[1]))
    if len(np.unique(rows)) == truth.shape[0] and len(np.unique(columns)) == truth.shape[1]:
        return positives
    return np.arange(truth.shape[0] * truth.shape[1])


def _true_codes(mask: NDArray[Any] | Cells) -> Ints:
    return mask.codes[mask.values] if isinstance(mask, Cells) else np.flatnonzero(mask)


def _write_run(run: Run, target: Target) -> None:
    require_listed(run.item_axis, run)
    require_listed(run.concept_axis, run)
    matrix = run.labels if run.scores is None else run.scores
    assert matrix is not None
    codes = matrix.codes if isinstance(matrix, Cells) else np.arange(matrix.size)
    _write(run, codes, matrix, target)


def _write(thing: Truth | Run, codes: Ints, matrix: NDArray[Any] | Cells, target: Target) -> None:
    import polars

    rows, columns = np.divmod(codes, max(1, thing.shape[1]))
    level = thing.level if isinstance(thing, Truth) else 1
    frame = polars.DataFrame(
        [
            polars.Series("item", thing.items, dtype=polars.String).gather(rows),
            polars.Series("concept", thing.concepts, dtype=polars.String).gather(columns),
            polars.Series(with_level("value", level), at(matrix, codes)),
        ]
    )
    write_frame(frame, target)


register(
    Format(
        name="parquet-long",
        extensions=(),
        priority=0,
        lists=True,
        holds=IDS
        | JUDGEMENTS
        | {Content.LEVEL, Content.AS_NEGATIVE, Content.ABSENT, Content.DECIDED},
        recognises=_is_long,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)
