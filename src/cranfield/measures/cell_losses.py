"""Losses of single cells, added up by concept, by item or over all: what measures of probabilities
and of regression have in common.

Conventions
    The numbers of a run count, not their order. They are needed for every cell that counts: a
    sparse run that leaves some out is refused, since nobody knows what it would have said, unless
    absent=zero reads its silence as 0; a note then counts such cells. Decisions without confidences
    are the numbers 0 and 1, which is noted. A unit without a cell that counts is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction
from cranfield.core.axes import cell_name
from cranfield.core.matrices import Bools, Floats, dense, total
from cranfield.errors import InputError, several
from cranfield.measures.declare import quotient
from cranfield.measures.definition import ItemSums, Options

Absent = Literal["refuse", "zero"]

_BLOCK = 1_000_000
"""Cells to look at at once, so that memory stays small."""


@dataclass(frozen=True)
class ValueBlock:
    """What a run says of some items, as numbers (n, C)."""

    rows: slice
    said: Floats
    counted: Bools | None
    """The cells that count; None = all."""


def blocks(comparison: Comparison, name: str, absent: Absent) -> Iterator[ValueBlock]:
    """The numbers of a run, block after block of items; `name` is the measure that asks."""
    items, concepts = comparison.truth.shape
    counted = counted_cells(comparison)
    step = max(1, _BLOCK // max(1, concepts))
    for first in range(0, items, step):
        rows = slice(first, min(first + step, items))
        predicted, mentioned = comparison.values(rows)
        here = None if counted is None else counted[rows]
        if absent == "refuse" and mentioned is not None:
            _require_all(comparison, name, rows, ~mentioned if here is None else here & ~mentioned)
        yield ValueBlock(rows, predicted, here)


def refuse_silence(comparison: Comparison, name: str) -> None:
    """Refuse a run that leaves out a cell that counts; `name` is the measure that asks."""
    for _ in blocks(comparison, name, "refuse"):
        pass


def counted_cells(comparison: Comparison) -> Bools | None:
    """(N, C): the cells that count; None = all."""
    judged = comparison.truth.judged if comparison.unjudged == "exclude" else None
    return None if judged is None else dense(judged)


def sums(
    comparison: Comparison,
    direction: Direction,
    look: Callable[[ValueBlock], Floats],
    *,
    name: str,
    absent: Absent,
) -> Floats:
    """Σ of what `look` says of each cell, by unit; NaN for a unit without a cell that counts."""
    by_item, columns = np.zeros(comparison.truth.shape[0]), comparison.truth.shape[1]
    added = kernels.new_sums(columns if direction == "concept" else 1)
    for block in blocks(comparison, name, absent):
        losses = look(block)
        if block.counted is not None:
            losses = np.where(block.counted, losses, 0.0)
        match direction:
            case "example":
                by_item[block.rows] = kernels.row_sums(losses)
            case "concept":
                added.add(np.ascontiguousarray(losses))
            case _:
                added.add(losses.reshape(-1, 1))
    out = by_item if direction == "example" else added.rounded()
    return np.where(sizes(comparison, direction) > 0, out, np.nan)


def means(
    comparison: Comparison,
    direction: Direction,
    look: Callable[[ValueBlock], Floats],
    *,
    name: str,
    absent: Absent,
) -> Floats:
    """The mean over cells of what `look` says of each, by unit."""
    added = sums(comparison, direction, look, name=name, absent=absent)
    return added / np.maximum(sizes(comparison, direction), 1)


def mean_sums(comparison: Comparison, losses: Floats) -> ItemSums:
    """What each item adds to the mean over cells; `losses` are the means of single items."""
    cells = sizes(comparison, "example")
    return ItemSums(quotient, np.array([np.nan_to_num(losses) * cells, cells]))


def sizes(comparison: Comparison, direction: Direction) -> Floats:
    """How many cells count, by unit."""
    shape = comparison.truth.shape
    if comparison.unjudged == "exclude" and comparison.truth.judged is not None:
        by_side = [total(comparison.truth.judged, axis).astype(np.float64) for axis in (0, 1)]
    else:
        by_side = [np.full(shape[1 - axis], float(shape[axis])) for axis in (0, 1)]
    match direction:
        case "concept":
            return by_side[0]
        case "example":
            return by_side[1]
    return np.array([by_side[0].sum()])


def value_notes(comparison: Comparison, options: Options) -> list[str]:
    """What readers of a score should know about the numbers of a run."""
    notes = ["decisions taken as the numbers 0 and 1"] if comparison.run.scores is None else []
    if options["absent"] == "zero":
        silent = int(sizes(comparison, "micro")[0]) - len(comparison.listed("micro").codes)
        if silent:
            notes.append(f"{several(silent, 'absent cell')} taken as 0")
    return notes


def _require_all(comparison: Comparison, name: str, rows: slice, silent: Bools) -> None:
    if not silent.any():
        return
    truth = comparison.truth
    row, column = (int(index) for index in np.argwhere(silent)[0])
    cell = cell_name(truth.item_axis, truth.concept_axis)(rows.start + row, column)
    raise InputError(
        f"run {comparison.run.name!r} says nothing of {cell}; {name} needs a number for every "
        f"cell: give all of them, or let silence mean 0 with {name}(absent=zero)"
    )
