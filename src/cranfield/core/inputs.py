"""Given: the matrices that people hand in for one truth or run, with the ids that name them.

Arrays align by position. Frames bring ids: several of them are put into the order of the first,
and ids that are given explicitly take the place of theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Axis, Kind, cell_name, leading
from cranfield.core.frames import Frame, is_a, read_frame
from cranfield.core.matrices import Bools, Cells, Ints, as_matrix, sparse_where_empty
from cranfield.core.unit_values import read_values
from cranfield.errors import InputError, first_ten, several

Matrix = NDArray[Any] | Cells


@dataclass(frozen=True)
class Given:
    """Matrices of one shape and order."""

    matrices: dict[str, Matrix]
    missing: dict[str, Bools]
    """The missing cells of matrices that have some; they hold 0."""
    item_axis: Axis
    concept_axis: Axis

    @property
    def shape(self) -> tuple[int, int]:
        return self.item_axis.size, self.concept_axis.size

    def stored(self, name: str) -> Matrix | None:
        """A matrix, sparse if some of its cells are missing; None if it was not given."""
        matrix = self.matrices.get(name)
        if name not in self.missing:
            return matrix
        assert isinstance(matrix, np.ndarray)
        return sparse_where_empty(matrix, self.missing[name])


def as_given(
    named: Mapping[str, Any],
    *,
    items: Iterable[object] | Axis | None,
    concepts: Iterable[object] | Axis | None,
    may_miss: Collection[str],
    whose: str = "",
    nan_is_missing: bool = True,
) -> Given:
    """Bring matrices together.

    items, concepts  ids of rows and columns, or the axis of what these matrices were made from
    may_miss  the names of those in which a missing cell means something
    whose     what to say behind the name of a matrix in messages
    nan_is_missing  whether NaN in pandas is a missing cell, and no number that failed
    """
    frames: dict[str, Frame] = {}
    matrices: dict[str, Matrix] = {}
    for name, one in named.items():
        if one is not None:
            frame = read_frame(name + whose, one)
            if frame is not None:
                frames[name] = frame
            matrices[name] = as_matrix(name + whose, one) if frame is None else frame.values
    shape = _common_shape(matrices, whose)
    plain = Axis("item", shape[0]), Axis("concept", shape[1])
    sides = {
        name: (frames[name].item_axis, frames[name].concept_axis) if name in frames else plain
        for name in matrices
    }
    by_row, by_column = ({name: pair[side] for name, pair in sides.items()} for side in (0, 1))
    item_axis, rows = _agreed("item", shape[0], by_row, items)
    concept_axis, columns = _agreed("concept", shape[1], by_column, concepts)
    missing: dict[str, Bools] = {}
    for name, frame in frames.items():
        order = rows[name], columns[name]
        matrices[name] = _taken(frame.values, *order)
        if frame.missing is not None:
            missing[name] = _taken(frame.missing, *order)
        if frame.nan is not None and frame.nan.any() and not nan_is_missing:
            cell = cell_name(item_axis, concept_axis)(*np.argwhere(_taken(frame.nan, *order))[0])
            raise InputError(
                f"{name}{whose}: {cell} is NaN; {name} must be finite numbers: correct it, or make "
                "cells that were not retrieved <NA> in columns that can hold it, such as 'Float64'"
            )
    for name in sorted(missing.keys() - set(may_miss)):
        cell = cell_name(item_axis, concept_axis)(*np.argwhere(missing[name])[0])
        raise InputError(f"{name}{whose}: {cell} is missing; fill it")
    return Given(matrices, missing, item_axis, concept_axis)


def as_thresholds(given: Any, items: Axis, concepts: Axis, *, run: str) -> Any:
    """Thresholds by concept (a Series, a mapping of ids) or by cell (a frame) in the order of a
    run's ids; a mapping may know more concepts than the run has.

    Anything else is returned as it is.
    """
    what, whose = f"threshold of run {run!r}", "the run"
    if isinstance(given, Mapping):
        return read_values(what, given, "concept").over(concepts, whose, may_exceed=True)
    frame = read_frame(what, given)
    if frame is None:
        return given
    if frame.missing is not None:
        raise InputError(f"{what}: {several(int(frame.missing.sum()), 'value')} missing; fill them")
    by_cell = frame.values.shape == (items.size, concepts.size)
    if frame.is_series or (frame.values.shape[1] == 1 and not by_cell):
        return read_values(what, given, "concept").over(concepts, whose)
    return _taken(
        frame.values,
        _places(frame.item_axis, items, what, whose),
        _places(frame.concept_axis, concepts, what, whose),
    )


def _common_shape(matrices: Mapping[str, Matrix], whose: str) -> tuple[int, int]:
    (first, matrix), *others = matrices.items()
    for name, other in others:
        if other.shape != matrix.shape:
            raise InputError(
                f"{name}{whose} has shape {other.shape} and the {first} {matrix.shape}; "
                "make them equal"
            )
    return matrix.shape[0], matrix.shape[1]


def _agreed(
    kind: Kind, size: int, axes: Mapping[str, Axis], ids: Iterable[object] | Axis | None
) -> tuple[Axis, dict[str, Ints | None]]:
    """One axis for all matrices, and where each has what stands there; None = by position."""
    if ids is not None:
        if isinstance(ids, Axis):
            assert ids.size == size
            return ids, dict.fromkeys(axes)
        axis = Axis(kind, size, _explicit(kind, ids, axes))
        for name, own in axes.items():
            _require_no_other_order(own, axis, name)
        return axis, dict.fromkeys(axes)
    first = leading(axes)
    axis = axes[first]
    return axis, {name: _places(own, axis, name, first) for name, own in axes.items()}


def _explicit(kind: Kind, ids: Any, axes: Mapping[str, Axis]) -> Iterable[object]:
    """Ids as they were given; those of a Series follow the index of the frame that they name."""
    frame = next((own for own in axes.values() if own.ids is not None or own.default_index), None)
    if frame is None or not is_a(ids, "pandas", "Series"):
        return ids  # type: ignore[no-any-return]
    return read_values(f"{kind}s=", ids, kind).over(frame, "the frame")


def _require_no_other_order(own: Axis, explicit: Axis, name: str) -> None:
    """Naming rows in another order than they name themselves would mix them up."""
    if (
        own.ids is None
        or own.ids == explicit.ids
        or own.positions.keys() != explicit.positions.keys()
    ):
        return
    raise InputError(
        f"{own.kind}s= and the frame of the {name} hold the same ids in another order; "
        f"leave {own.kind}s= out, since the frame names its {own.kind}s"
    )


def _places(axis: Axis, wanted: Axis, what: str, other: str) -> Ints | None:
    """Where each wanted id stands on an axis; None = by position."""
    if wanted.aligns_by_position(axis, other, what) or axis.names == wanted.names:
        return None
    for having, lacking, one, two in ((axis, wanted, what, other), (wanted, axis, other, what)):
        alone = [name for name in having.names if name not in lacking.positions]
        if alone:
            raise InputError(
                f"{one}: {several(len(alone), axis.kind)} not in {two}: {first_ten(alone)}; "
                f"give both the same {axis.kind}s"
            )
    return np.array([axis.positions[name] for name in wanted.names], dtype=np.int64)


def _taken(matrix: NDArray[Any], rows: Ints | None, columns: Ints | None) -> NDArray[Any]:
    if rows is not None:
        matrix = matrix[rows]
    return matrix if columns is None else matrix[:, columns]
