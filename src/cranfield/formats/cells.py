"""What the numbers of a file must be, by what they mean: judgements, decisions, known items.

Shared by all text formats. A cell that is wrong is reported with its line, item and concept. For
writing, cells are listed: of a truth those that somebody judged, of a run those it retrieved.
`listing` reads such files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.extra_items import how_to_mend
from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Cells, Floats, Ints, at, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.errors import InputError, first_ten, several
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected
from cranfield.formats.table import Chunk, Where

UNJUDGED = -1

_LARGEST_GRADE = 2**53


def judgements(
    chunk: Chunk, problems: Problems, *, where: Where, graded: bool
) -> NDArray[np.signedinteger]:
    """Truth cells as whole numbers, `UNJUDGED` where the field is empty."""
    values = chunk.values
    empty = np.isnan(values)
    if graded:
        wrong = ~empty & ~((values >= 0) & (values < _LARGEST_GRADE) & (values == np.floor(values)))
        rule = (
            "a truth holds 0, 1 or a whole-number grade, or nothing where nobody judged; numbers "
            "to be hit need a first column called 'item targets'"
        )
    else:
        wrong = (values != 0) & (values != 1)
        rule = "a truth in this format holds 0 and 1 only; for grades write a CSV file"
    report(wrong, chunk, problems, where=where, rule=rule)
    filled = np.where(empty | wrong, UNJUDGED, values)
    return filled.astype(np.int8 if filled.max(initial=0) < 128 else np.int64)


def decisions(values: Floats, chunk: Chunk, problems: Problems, *, where: Where) -> Bools:
    """Decisions as bool."""
    chosen: Bools = values == 1
    wrong = ~(chosen | (values == 0))
    if wrong.any():
        report(
            wrong,
            chunk._replace(values=values),
            problems,
            where=lambda names, position: where(names, values.shape[1] + position),
            rule="decisions are 0 or 1, behind the confidences of all concepts",
        )
    return chosen


def report(wrong: Bools, chunk: Chunk, problems: Problems, *, where: Where, rule: str) -> None:
    """Report every wrong cell of a chunk."""
    indices = np.flatnonzero(wrong)
    for reported, position in enumerate(indices.tolist()):
        row, at = divmod(position, wrong.shape[1])
        line = int(chunk.lines[row])
        if not problems.wants(line):
            problems.count_only(len(indices) - reported)
            return
        names = [column[row] for column in chunk.names]
        value = float(chunk.values[row, at])
        text = "no value" if np.isnan(value) else repr(value).removesuffix(".0")
        problems.add(f"{where(names, at)}: {text}; {rule}", line=line)


def truth_of(
    cells: NDArray[Any],
    items: Iterable[str] | None,
    concepts: object,
    *,
    unjudged: Unjudged = "negative",
    level: int = 1,
) -> Truth:
    """A truth from judgements; it has grades if a cell, or the level, is above 1."""
    judged = cells >= 0
    graded = max(level, cells.max(initial=0)) > 1
    return Truth(
        None if graded else cells == 1,
        grades=np.maximum(cells, 0) if graded else None,
        judged=None if judged.all() else judged,
        items=items,
        concepts=concepts,  # type: ignore[arg-type]
        unjudged=unjudged,
        copy=None,
        level=level,
    )


def written_cells(truth: Truth) -> NDArray[Any]:
    """What a table of a truth holds: labels or grades, else targets."""
    if not truth.has_labels:
        assert truth.targets is not None
        return truth.targets
    return truth.labels if truth.grades is None else dense(truth.grades)


def truth_of_targets(values: NDArray[Any], items: Iterable[str] | None, concepts: object) -> Truth:
    """A truth of numbers that a run should hit; where there is none, nobody knows it."""
    there = ~np.isnan(values)
    return Truth(
        targets=np.where(there, values, 0.0),
        judged=None if there.all() else there,
        items=items,
        concepts=concepts,  # type: ignore[arg-type]
    )


def require_known_items(
    lines: Mapping[str, int | None], expected: Expected, problems: Problems
) -> None:
    """Every item must be one of the truth's, where the truth has ids, unless others are dropped."""
    if expected.open or expected.items is None or expected.items.ids is None:
        return
    known = expected.items.positions.keys()
    if expected.extra == "drop" or lines.keys() <= known:
        return
    unknown = [item for item in lines if item not in known and item not in expected.rest]
    if unknown:
        problems.add(
            f"{several(len(unknown), 'item')} not in the truth: {first_ten(unknown)}",
            mend=how_to_mend(unknown),
            line=lines[unknown[0]],
        )


def require_known_concepts(
    named: Iterable[str],
    concepts: tuple[str, ...] | None,
    problems: Problems,
    *,
    line: int | None,
) -> None:
    """Every concept must be one of those known, where any are."""
    if concepts is None:
        return
    known = set(concepts)
    unknown = [name for name in named if name not in known]
    if unknown:
        problems.add(
            f"{several(len(unknown), 'unknown concept')}: {first_ten(unknown)}; expected are "
            f"{first_ten(concepts)}; rename or remove the others",
            line=line,
        )


def require_order(expected: Expected) -> None:
    """Columns without names need concepts whose order means something."""
    if expected.concepts is not None and not expected.in_order:
        raise InputError(
            "this file does not name its concepts, and the truth's are only in the order in which "
            "its file mentions them",
            mend="give {concepts} in the order of the columns, or name the columns",
        )


def where_in(concepts: tuple[str, ...] | None) -> Where:
    """What to call a cell of a matrix whose columns are these concepts."""

    def where(names: list[str], position: int) -> str:
        item = f"item {shown(names[0])}"
        if concepts is None:
            return f"{item}, value {position + 1}"
        if position < len(concepts):
            return f"{item}, concept {shown(concepts[position])}"
        return f"{item}, decision for concept {shown(concepts[position - len(concepts)])}"

    return where


_BLOCK = 1 << 16


def entries(thing: Truth | Run) -> Iterator[tuple[str, str, Any]]:
    """Item, concept and value of every cell to be listed; labels as 0 and 1."""
    matrix = _said(thing)
    for codes in listed_codes(thing):
        rows, columns = np.divmod(codes, thing.shape[1])
        values = at(matrix, codes)
        values = values.astype(np.int8) if values.dtype == np.bool_ else values
        for row, column, value in zip(
            rows.tolist(), columns.tolist(), values.tolist(), strict=True
        ):
            yield thing.items[row], thing.concepts[column], value


def require_listed(axis: Axis, thing: Truth | Run) -> None:
    """Refuse a truth or a run with items or concepts that no cell of its list would mention."""
    listed = np.zeros(axis.size, dtype=np.bool_)
    for codes in listed_codes(thing):
        rows, columns = np.divmod(codes, thing.shape[1])
        listed[rows if axis.kind == "item" else columns] = True
    if not listed.all():
        lost = [axis.names[position] for position in np.flatnonzero(~listed)]
        what = "judged" if isinstance(thing, Truth) else "retrieved"
        raise InputError(
            f"this format lists {what} cells, so it loses {several(len(lost), axis.kind)} without "
            f"any: {first_ten(lost)}; choose one with a place for every cell, such as npz or "
            "parquet"
        )


def listed_codes(thing: Truth | Run) -> Iterator[Ints]:
    """Where the cells to be listed stand, some at a time."""
    mask = thing.judged if isinstance(thing, Truth) else _said(thing)
    if isinstance(mask, Cells):
        codes = mask.codes[mask.values] if isinstance(thing, Truth) else mask.codes
    elif mask is None or isinstance(thing, Run):
        codes = range(thing.shape[0] * thing.shape[1])
    else:
        codes = np.flatnonzero(mask)
    for first in range(0, len(codes), _BLOCK):
        yield np.asarray(codes[first : first + _BLOCK])


def _said(thing: Truth | Run) -> Any:
    """Grades or labels; confidences or decisions."""
    if isinstance(thing, Truth):
        return thing.matrix if thing.grades is None else thing.grades
    return thing.labels if thing.scores is None else thing.scores
