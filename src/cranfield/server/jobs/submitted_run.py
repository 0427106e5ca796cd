"""A run as it was submitted: its file, and the threshold that its group typed."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np

from cranfield import formats
from cranfield.collections.collection import Collection
from cranfield.core.axes import Extra
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.errors import InputError, several

Cells = dict[tuple[str, str], float]
"""Thresholds by item and concept."""


def read_submitted(
    path: str | Path,
    threshold: str,
    collection: Collection,
    *,
    extra: Extra,
    name: str | None = None,
) -> Run:
    """The run of a file, which decides by a threshold as somebody typed it: a number, a line
    concept,number for each concept, or item,concept,number for each cell."""
    cut = _cut(threshold)
    if not isinstance(cut, _CellThresholds):
        return formats.read_run(path, collection, name=name, threshold=cut, extra=extra)
    run = formats.read_run(path, collection, name=name, extra=extra)
    return run.decided_by(cut.over(run))


class _CellThresholds:
    """Thresholds of single cells."""

    def __init__(self, by_cell: Cells) -> None:
        self.by_cell = by_cell

    def over(self, run: Run) -> Floats:
        """In the order of a run, which may lack items of theirs."""
        values = np.full(run.shape, np.nan)
        rows, columns = run.item_axis.positions, run.concept_axis.positions
        for (item, concept), value in self.by_cell.items():
            if item in rows and concept in columns:
                values[rows[item], columns[concept]] = value
        lacking = int(np.isnan(values).sum())
        if lacking:
            raise InputError(f"threshold: it lacks {several(lacking, 'cell')} of the run; add them")
        return values


def _cut(text: str) -> float | dict[str, float] | _CellThresholds | None:
    if not text.strip():
        return None
    try:
        return _finite(text, "")
    except ValueError:
        pass
    rows = [[field.strip() for field in row] for row in csv.reader(text.strip().splitlines())]
    values: dict[tuple[str, ...], float] = {}
    for number, row in enumerate(rows, 1):
        *names, value = row or [""]
        key = tuple(names)
        if key in values:
            raise InputError(f"threshold, line {number}: {','.join(names)} is there twice")
        try:
            if len(row) not in (2, 3) or len(row) != len(rows[0]):
                raise ValueError
            values[key] = _finite(value, f", line {number}")
        except ValueError:
            raise InputError(
                f"threshold, line {number}: {','.join(row)!r} is neither a number nor "
                "concept,number nor item,concept,number"
            ) from None
    if len(rows[0]) == 2:
        return {concept: value for (concept,), value in values.items()}
    return _CellThresholds({(item, concept): value for (item, concept), value in values.items()})


def _finite(text: str, where: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise InputError(f"threshold{where}: give a finite number")
    return number
