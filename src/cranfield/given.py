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

from cranfield.axes import Axis, Kind, cell_name
from cranfield.errors import InputError, first_ten, several
from cranfield.frames import Frame, read_frame
from cranfield.matrices import Bools, Cells, Ints, as_matrix, sparse_where_empty

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
    items: Iterable[object] | None,
    concepts: Iterable[object] | None,
    may_miss: Collection[str],
    whose: str = "",
) -> Given:
    """Bring matrices together.

    may_miss  the names of those in which a missing cell means something
    whose     what to say behind the name of a matrix in messages
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
    item_axis, rows = _agreed("item", shape[0], frames, items)
    concept_axis, columns = _agreed("concept", shape[1], frames, concepts)
    missing: dict[str, Bools] = {}
    for name, frame in frames.items():
        order = rows[name], columns[name]
        matrices[name] = _taken(frame.values, *order)
        if frame.missing is not None:
            missing[name] = _taken(frame.missing, *order)
    for name in sorted(missing.keys() - set(may_miss)):
        cell = cell_name(item_axis, concept_axis)(*np.argwhere(missing[name])[0])
        raise InputError(f"{name}{whose}: {cell} is missing; fill it")
    return Given(matrices, missing, item_axis, concept_axis)


def as_thresholds(given: Any, items: Axis, concepts: Axis, *, run: str) -> Any:
    """Thresholds by concept (a Series, a mapping of ids) or by cell (a frame) in the order of a
    run's ids; a mapping may know more concepts than the run has.

    Anything else is returned as it is.
    """
    what = f"threshold of run {run!r}"
    if isinstance(given, Mapping):
        by_id = {str(name): value for name, value in given.items()}
        lacking = [name for name in concepts.names if name not in by_id]
        if lacking:
            raise InputError(
                f"run {run!r} has {several(len(lacking), 'concept')} without a threshold: "
                f"{first_ten(lacking)}; give each concept one"
            )
        return [by_id[name] for name in concepts.names]
    frame = read_frame(what, given)
    if frame is None:
        return given
    if frame.missing is not None:
        raise InputError(f"{what}: {several(int(frame.missing.sum()), 'value')} missing; fill them")
    if frame.is_series:
        by_concept = Axis("concept", frame.item_axis.size, frame.item_axis.ids)
        return _taken(frame.values, _places(by_concept, concepts, what, "the run"), None)[:, 0]
    return _taken(
        frame.values,
        _places(frame.item_axis, items, what, "the run"),
        _places(frame.concept_axis, concepts, what, "the run"),
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
    kind: Kind, size: int, frames: Mapping[str, Frame], ids: Iterable[object] | None
) -> tuple[Axis, dict[str, Ints | None]]:
    """One axis for all, and where each frame has what stands there; None = by position."""
    axes = {
        name: frame.item_axis if kind == "item" else frame.concept_axis
        for name, frame in frames.items()
    }
    if ids is not None:
        axis = Axis(kind, size, ids)
        for name, own in axes.items():
            _require_no_other_order(own, axis, name)
        return axis, dict.fromkeys(axes)
    first = next((name for name, own in axes.items() if own.ids is not None), None)
    if first is None:
        return Axis(kind, size), dict.fromkeys(axes)
    axis = axes[first]
    return axis, {name: _places(own, axis, name, first) for name, own in axes.items()}


def _require_no_other_order(own: Axis, explicit: Axis, name: str) -> None:
    """Naming rows in another order than they name themselves would mix them up."""
    if own.ids in (None, explicit.ids) or own.positions.keys() != explicit.positions.keys():
        return
    raise InputError(
        f"{own.kind}s= and the frame of the {name} hold the same ids in another order; "
        f"leave {own.kind}s= out, since the frame names its {own.kind}s"
    )


def _places(axis: Axis, wanted: Axis, what: str, other: str) -> Ints | None:
    """Where each wanted id stands on an axis; None = by position."""
    if axis.ids is None or wanted.ids is None or axis.ids == wanted.ids:
        return None
    for having, lacking, one, two in ((axis, wanted, what, other), (wanted, axis, other, what)):
        alone = [name for name in having.names if name not in lacking.positions]
        if alone:
            raise InputError(
                f"{one}: {several(len(alone), axis.kind)} not in {two}: {first_ten(alone)}; "
                f"give both the same {axis.kind}s"
            )
    return np.array([axis.positions[name] for name in wanted.ids], dtype=np.int64)


def _taken(matrix: NDArray[Any], rows: Ints | None, columns: Ints | None) -> NDArray[Any]:
    if rows is not None:
        matrix = matrix[rows]
    return matrix if columns is None else matrix[:, columns]
