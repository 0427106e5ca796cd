"""Long CSV and TSV: a header `item,concept,value`, then a line for each cell.

A run lists the cells it retrieved; the others are absent. A truth lists judged cells, 0, 1 or a
whole-number grade. If it lists any 0, cells it does not list were not judged; if it lists
positives only, as many do, cells it does not list are negative.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.collection import Collection
from cranfield.errors import FileError, InputError
from cranfield.formats.cells import judgements, report, require_known_concepts
from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.delimited import line_of
from cranfield.formats.entries import entries, require_listed
from cranfield.formats.lines import Layout, MalformedError, decoded, fields
from cranfield.formats.listing import Listing, where_listed
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, Target, register
from cranfield.formats.source import Source
from cranfield.formats.table import Chunk, Table
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
        rule="write a number or leave the line out",
    )


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    if truth.judged is not None and not truth.totals(0, "exclude").negatives.any():
        raise InputError(
            "a long file that lists no 0 says that all other cells are negative, but cells of this "
            "truth are unjudged; write .csv or .npz instead"
        )
    _write(truth, target)


def _write(thing: Truth | Run, target: Target) -> None:
    for axis in (thing.item_axis, thing.concept_axis):
        require_listed(axis, thing)
    separator = "\t" if target.extension == ".tsv" else ","
    target.stream.write(line_of(_HEADER, (), separator))
    for item, concept, value in entries(thing):
        target.stream.write(line_of((item, concept), (repr(value),), separator))


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
        lists=True,
        holds=IDS | JUDGEMENTS | {Content.AS_NEGATIVE, Content.ABSENT},
        recognises=_is_long,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write,
    )
)
