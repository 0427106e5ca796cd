"""Hashes of what a truth or a run says, independent of the order of rows and columns with ids."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Axis
from cranfield.core.matrices import Cells, Ints

_BLOCK = 4_000_000


def content_digest(
    item_axis: Axis, concept_axis: Axis, parts: Iterable[tuple[str, NDArray[Any] | Cells | None]]
) -> str:
    """Hash of named matrices in the order of their ids.

    Boolean and whole-number matrices count by their nonzero cells, so that dense and sparse forms
    of one truth agree; score matrices count by every stored cell, since an absent score is not 0.
    """
    digest = hashlib.sha256()  # for which processors have instructions
    orders = []
    for axis in (item_axis, concept_axis):
        order, names = _named(axis.kind, axis.size, axis.ids)
        digest.update(names)
        orders.append(order)
    for name, matrix in parts:
        if matrix is not None:
            digest.update(name.encode())
            for chunk in _chunks(matrix, *orders):
                digest.update(np.ascontiguousarray(chunk).ravel().view(np.uint8).data)
    return digest.hexdigest()[:32]


def canonical_order(axis: Axis) -> Ints:
    """Positions in the order of the ids; as they are where there are none."""
    return _named(axis.kind, axis.size, axis.ids)[0]


@lru_cache(maxsize=4)
def _named(kind: str, size: int, ids: tuple[str, ...] | None) -> tuple[Ints, bytes]:
    """The order of ids, and all of them in it; the runs of a campaign share theirs."""
    names = ids or ()
    order = sorted(range(size), key=names.__getitem__) if ids is not None else range(size)
    told = repr((kind, size, tuple(map(names.__getitem__, order)) if names else ()))
    places = np.array(order, dtype=np.int64)
    places.flags.writeable = False
    return places, told.encode()


def _chunks(
    matrix: NDArray[Any] | Cells, by_item: Ints, by_concept: Ints
) -> Iterable[NDArray[Any]]:
    scores = matrix.values if isinstance(matrix, Cells) else matrix
    is_score = scores.dtype.kind == "f"
    if isinstance(matrix, Cells):
        stored = slice(None) if is_score else matrix.values != 0
        places = (
            np.argsort(by_item)[matrix.rows[stored]],
            np.argsort(by_concept)[matrix.columns[stored]],
        )
        moved = places[0] * matrix.shape[1] + places[1]
        order = np.argsort(moved)
        yield moved[order]
        yield _numbers(matrix.values[stored][order])
        return
    rows = max(1, _BLOCK // max(1, matrix.shape[1]))
    codes: list[NDArray[Any]] = []
    values: list[NDArray[Any]] = []
    for first in range(0, len(by_item), rows):
        block = np.take(_taken(matrix, by_item[first : first + rows], first), by_concept, axis=1)
        if is_score:
            yield block
        else:
            nonzero = np.flatnonzero(block)
            codes.append(nonzero + first * matrix.shape[1])
            values.append(_numbers(block.ravel()[nonzero]))
    yield from codes
    yield from values


def _taken(matrix: NDArray[Any], rows: Ints, first: int) -> NDArray[Any]:
    """Some rows, which need no copy where they follow each other."""
    if len(rows) and rows[0] == first and (np.diff(rows) == 1).all():
        return matrix[first : first + len(rows)]
    return np.asarray(matrix[rows])


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    return values if values.dtype.kind == "f" else values.astype(np.int64)
