"""Cells as files list them, for writing: an item, a concept and a value at a time.

A truth lists the cells that somebody judged, a run those it retrieved. `listing` reads such files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.core.axes import Axis
from cranfield.core.matrices import Cells, Ints, at
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several

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
        lost = [axis.names[place] for place in np.flatnonzero(~listed)]
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
