"""ImageCLEF text: `item v1 … vC` on each line, parted by any run of blanks.

A run holds C confidences, or 2C values: C confidences, then C decisions of 0 or 1. Where C is not
known every value is a confidence; what makes topics or labels of all columns refuses a run that
looks like the second (`require_divided`). ImageCLEF 2010 wrote the confidences of all items first,
and then their decisions on lines of their own, in the same order. A truth holds 0 and 1. There is
no header: the names of the concepts come from elsewhere. Items without blanks in their ids only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, several
from cranfield.formats.cells import (
    decisions,
    judgements,
    require_known_items,
    require_order,
    truth_of,
    where_in,
)
from cranfield.formats.contents import Content
from cranfield.formats.gather import Items, Repeats, Stack
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target
from cranfield.formats.table import Table

_BLANK = re.compile(r"[ \t\n\r\v\f\0\ufeff]")


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Truth:
    table = Table(source, b"", problems)
    width = max(1, table.usual_width()) if concepts is None else len(concepts)
    expected = (
        f"{width} as on other lines" if concepts is None else f"{width}, one for each concept"
    )
    where = where_in(concepts)
    items, cells = Items(problems), Stack(width, np.int8)
    for chunk in table.chunks(Layout(b"", 1, width), where=where, expected=expected):
        chunk = items.add(chunk)
        cells.add(judgements(chunk, problems, where=where, graded=False))
    return problems.build(lambda: truth_of(cells.finished(), items.ids, concepts))


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    table = Table(source, b"", problems)
    concepts = expected.width
    if concepts is None:
        width = concepts = max(1, table.usual_width())
        words = f"{width} as on other lines"
    else:
        width = table.usual_width(acceptable=lambda count: count in (concepts, 2 * concepts))
        width = width if width in (concepts, 2 * concepts) else concepts
        words = f"{concepts} (confidences) or {2 * concepts} (confidences, then decisions)"
        if width == 2 * concepts:
            words = f"{width} (confidences, then decisions) as on other lines"
    problems.build(lambda: require_order(expected))
    where = where_in(expected.concepts)
    repeats = Repeats() if width == concepts else None
    items = Items(problems, known=expected.item_ids, repeats=repeats)
    likely = source.likely_rows(width)
    scores, labels = (Stack(concepts, kind, likely=likely) for kind in (np.float64, np.bool_))
    for chunk in table.chunks(Layout(b"", 1, width), where=where, expected=words):
        chunk = items.add(chunk)
        scores.add(chunk.values[:, :concepts])
        if width > concepts:
            labels.add(decisions(chunk.values[:, concepts:], chunk, problems, where=where))
    below = items.finish()
    if not items.all_known:
        require_known_items(items.lines, expected, problems)
    return problems.build(
        lambda: Run(
            scores.finished(),
            labels=labels.finished() if width > concepts else below,
            items=items.ids,
            concepts=expected.concepts,
            name=options.name,
            threshold=options.threshold,
            copy=None,
        )
    )


def _write_truth(collection: Collection, target: Target) -> None:
    truth = collection.truth
    for item, row in zip(plain(truth.items), truth.labels, strict=True):
        _write_line(target, item, row.astype(np.int8).tolist())


def _write_run(run: Run, target: Target) -> None:
    for item, values in zip(plain(run.items), _rows(run), strict=True):
        _write_line(target, item, values)


def _rows(run: Run) -> Iterator[list[Any]]:
    """The values of each line; a threshold is written as the decisions that follow from it."""
    labels = None if run.labels is None else dense(run.labels)
    scores = run.scores
    assert not isinstance(scores, Cells)
    if scores is None:
        assert labels is not None
        yield from (row.astype(np.int8).tolist() for row in labels)
        return
    if labels is None and run.threshold is not None:
        labels = scores >= run.threshold
    for position, row in enumerate(scores):
        yield row.tolist() + ([] if labels is None else labels[position].astype(np.int8).tolist())


def _write_line(target: Target, item: str, values: list[Any]) -> None:
    target.stream.write(f"{item} {' '.join(map(repr, values))}\n".encode())


def plain(items: tuple[str, ...]) -> Iterator[str]:
    """Ids that can stand between blanks."""
    for item in items:
        if _BLANK.search(item):
            raise InputError(
                f"item {shown(item)} has a blank in its id, so text cannot hold it; write .csv"
            )
        yield item


register(
    Format(
        name="text",
        extensions=(".txt",),
        priority=9,
        # A threshold is held as the decisions that follow from it.
        holds=frozenset({Content.ITEM_IDS, Content.DECISIONS, Content.THRESHOLD}),
        # What no other format knows is read as text, whose errors name the line.
        recognises=lambda source: True,
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)


def seems_undivided(run: Run) -> bool:
    """Whether the columns have no names, and only those of the second half hold nothing but 0/1."""
    scores = run.scores
    if run.concept_axis.ids is not None or run.labels is not None or isinstance(scores, Cells):
        return False
    if scores is None or scores.shape[1] % 2 or not scores.size:
        return False
    halves = np.hsplit(scores, 2)
    first, second = (bool(np.isin(half, (0, 1)).all()) for half in halves)
    return second and not first


def require_divided(run: Run) -> None:
    """Refuse such a run, since half of its columns would count as further concepts."""
    if seems_undivided(run):
        width = run.shape[1]
        raise InputError(
            f"run {run.name!r} has {width} columns without names, of which the second half holds "
            f"only 0 and 1: it looks like confidences and then decisions on "
            f"{several(width // 2, 'concept')}",
            mend="name the concepts when reading it with {concepts}, or in concepts.txt beside the "
            "folder of runs",
        )
