"""Subtopics: the aspects of a topic, each with judgements of its own, as in diversity tracks.

A document may be relevant to several subtopics of a topic; it is relevant to the topic if it is
relevant to any of them. A truth keeps a sparse matrix of grades for each name of a subtopic: its
stored cells were judged. Subtopics of different topics may have the same name ("1", "2" …).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Cells, Ints

Subtopics = Mapping[str, Cells]
"""Grades by name of the subtopic, in the order of names."""


class SubtopicCells(NamedTuple):
    """Cells of all subtopics, by cell and then by subtopic."""

    codes: Ints
    subtopics: Ints
    """Places among the names."""
    grades: Ints


def as_subtopics(matrices: Mapping[str, Any]) -> Subtopics | None:
    """Matrices of grades as sparse ones; of a full matrix only what is relevant needs a cell."""

    def sparse(matrix: Any) -> Cells:
        if isinstance(matrix, Cells):
            return matrix
        codes = np.flatnonzero(matrix)
        return Cells((matrix.shape[0], matrix.shape[1]), codes, matrix.ravel()[codes])

    return {name: sparse(matrices[name]) for name in sorted(matrices)} or None


def listed(subtopics: Subtopics) -> SubtopicCells:
    """The stored cells of all subtopics."""
    parts = list(subtopics.values())
    codes = np.concatenate([cells.codes for cells in parts])
    names = np.repeat(np.arange(len(parts)), [len(cells.codes) for cells in parts])
    grades = np.concatenate([cells.values for cells in parts])
    order = np.lexsort((names, codes))
    return SubtopicCells(codes[order], names[order], grades[order])


def strongest(subtopics: Subtopics) -> Cells:
    """The grade of each cell for the subtopic that it is most relevant to."""
    (shape,) = {cells.shape for cells in subtopics.values()}
    codes, _, grades = listed(subtopics)
    first = np.flatnonzero(np.append(True, np.diff(codes) > 0)[: len(codes)])
    best = np.maximum.reduceat(grades, first) if len(codes) else grades
    return Cells(shape, codes[first], best)


def restricted(subtopics: Subtopics | None, codes: Ints) -> Subtopics | None:
    """What subtopics say about some cells only."""
    if subtopics is None:
        return None
    return {
        name: Cells(cells.shape, cells.codes[here], cells.values[here])
        for name, cells in subtopics.items()
        for here in [np.isin(cells.codes, codes)]
    }


def relevant_to_any(subtopics: Subtopics, level: int) -> Cells:
    """Which cells are relevant to some subtopic."""
    best = strongest(subtopics)
    marks: Bools = best.values >= level
    return Cells(best.shape, best.codes, marks)
