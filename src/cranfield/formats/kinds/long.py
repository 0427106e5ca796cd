"""Long CSV and TSV: a header `item,concept,value`, then a line for each cell.

A run lists the cells it retrieved; the others are absent. A truth lists judged cells, 0, 1 or a
whole-number grade. If it lists any 0, cells it does not list were not judged; if it lists
positives only, as many do, cells it does not list are negative. In a truth a last column called
`value level=6` says that grades are relevant from 6 on.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, InputError
from cranfield.formats.cells import (
    entries,
    judgements,
    report,
    require_known_concepts,
    require_listed,
)
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.delimited import line_of
from cranfield.formats.lines import Layout, MalformedError, decoded, fields
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target
from cranfield.formats.table import Chunk, Table, split_level, with_level

_HEADER = ["item", "concept", "value"]


def _chunks(source: Source, problems: Problems) -> Iterable[Chunk]:
    separator = b"\t" if b"\t" in source.first_line else b","
    table = Table(source, separator, problems)
    header = table.header()
    if _level(header) is None:
        raise FileError(
            source.path,
            f"the header is {shown(','.join(header[:4]))}; a long file has item,concept,value",
            line=1,
        )
    yield from table.chunks(
        Layout(separator, 2, 1), where=where_listed, expected="item,concept,value"
    )


def _level(header: list[str]) -> int | None:
    """The level that a header of item, concept and value tells; None if it is another header."""
    *ids, value = header
    word, level = split_level(value)
    return level if [name.casefold() for name in (*ids, word)] == _HEADER else None


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    listing = Listing(problems, concepts=concepts)
    negatives = False
    for chunk in _chunks(source, problems):
        _require_values(chunk, problems)
        values = judgements(chunk, problems, where=where_listed, graded=True)[:, 0]
        negatives = negatives or not values.all()
        listing.add(chunk.names[0], chunk.names[1], values, chunk.lines)
    require_known_concepts(listing.concepts, concepts, problems, line=None)
    return listing.truth(
        absent="unjudged" if negatives else "negative",
        unjudged="negative",
        level=_header_level(source) or 1,
    )


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
        rule="write a number or leave the line out",
    )


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    zeros = (value == 0 for _, _, value in entries(truth))
    if truth.judged is not None and not any(zeros):
        raise InputError(
            "a long file that lists no 0 says that all other cells are negative, but cells of this "
            "truth are unjudged; write .csv or .npz instead"
        )
    _write(truth, target)


def _write(thing: Truth | Run, target: Target) -> None:
    for axis in (thing.item_axis, thing.concept_axis):
        require_listed(axis, thing)
    separator = "\t" if target.extension == ".tsv" else ","
    level = thing.level if isinstance(thing, Truth) else 1
    header = (*_HEADER[:2], with_level(_HEADER[2], level))
    target.stream.write(line_of(header, (), separator))
    for item, concept, value in entries(thing):
        target.stream.write(line_of((item, concept), (repr(value),), separator))


def _header_level(source: Source) -> int | None:
    for separator in (b",", b"\t"):
        try:
            header = [decoded(field) for field in fields(source.first_line, separator)]
        except MalformedError:
            continue
        level = _level(header)
        if level is not None:
            return level
    return None


register(
    Format(
        name="long",
        extensions=(),
        priority=1,
        lists=True,
        holds=IDS | JUDGEMENTS | {Content.LEVEL, Content.AS_NEGATIVE, Content.ABSENT},
        recognises=lambda source: _header_level(source) is not None,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write,
    )
)
