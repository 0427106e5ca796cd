"""Unit values: one value for each item or each concept, in the order of an axis.

Groups, clusters, strata, attributes, weights, thresholds by concept, classes of items: whatever
carries ids aligns by them. A Series of pandas has its index, a frame of Polars with two columns the
first of them, a mapping its keys. Sequences and arrays align by position, and so does a Series with
the default index, unless the ids that it meets are 0…N−1 in another order (see `axes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Axis, Kind, is_missing, leading, require_ordered
from cranfield.core.frames import is_a, named_axis, names_items, pandas_axis
from cranfield.core.matrices import Floats, as_array
from cranfield.errors import InputError, first_ten, several

Values = NDArray[Any] | list[Any]


@dataclass(frozen=True)
class UnitValues:
    """Values as they came, with the ids that name them."""

    what: str
    values: Values
    axis: Axis
    is_mapping: bool = False

    def over(
        self, axis: Axis, whose: str, *, may_lack: bool = False, may_exceed: bool = False
    ) -> Values:
        """The values in the order of an axis.

        whose       the owner of the axis, in messages
        may_lack    whether a unit may have no value; it gets None
        may_exceed  whether units that the axis does not know are passed over
        """
        if not self.is_mapping and axis.leads_by_position(self.axis, whose, self.what):
            if self.axis.size != axis.size:
                raise InputError(
                    f"{self.what}: {several(self.axis.size, 'value')} for "
                    f"{several(axis.size, axis.kind)} of {whose}; give one for each, or a mapping "
                    "of ids"
                )
            return self.values
        if self.axis.names == axis.names:
            return self.values
        there = self.axis.positions
        unknown = [name for name in self.axis.names if name not in axis.positions]
        if unknown and not may_exceed:
            raise InputError(
                f"{self.what}: {several(len(unknown), axis.kind)} not in {whose}: "
                f"{first_ten(unknown)}; remove them, or check that ids are written alike"
            )
        lacking = [name for name in axis.names if name not in there]
        if lacking and not may_lack:
            raise InputError(
                f"{self.what}: {several(len(lacking), axis.kind)} of {whose} without a value: "
                f"{first_ten(lacking)}; give each {axis.kind} one"
            )
        if lacking or isinstance(self.values, list):
            return [self.values[there[name]] if name in there else None for name in axis.names]
        return self.values[[there[name] for name in axis.names]]


def read_values(what: str, data: Any, kind: Kind) -> UnitValues:
    """One value for each unit, as people hand it in; what is missing is None or NaN."""
    if isinstance(data, UnitValues):
        return data
    if isinstance(data, Mapping):
        axis = named_axis(what, kind, len(data), list(data))
        return UnitValues(what, list(data.values()), axis, is_mapping=True)
    if is_a(data, "pandas", "DataFrame", "Series"):
        return _of_pandas(what, data, kind)
    if is_a(data, "polars", "LazyFrame"):
        raise InputError(f"{what}: a lazy frame; pass what its collect() returns")
    if is_a(data, "polars", "DataFrame"):
        return _of_polars(what, data, kind)
    require_ordered(what, data, along=f"with one value for each {kind}")
    values = _plain(what, data, kind)
    return UnitValues(what, values, Axis(kind, len(values)))


def unit_values(
    what: str, data: Any, axis: Axis, whose: str = "the truth", *, may_lack: bool = False
) -> Values:
    """One value for each unit of an axis; with `may_lack`, None or NaN where there is none."""
    values = read_values(what, data, axis.kind).over(axis, whose, may_lack=may_lack)
    if not may_lack:
        _require_all(what, values, axis)
    return values


def in_step(columns: Mapping[str, Any], kind: Kind = "item") -> dict[str, Values]:
    """Several columns, each with a value for every unit, in the order of the first with ids."""
    read = {what: read_values(what, data, kind) for what, data in columns.items()}
    first = read[leading({what: column.axis for what, column in read.items()})]
    for what, column in read.items():
        if first.is_mapping and column.axis.ids is None:
            raise InputError(
                f"{first.what} are a mapping and {what} are not; give both as mappings of ids, or "
                "both as sequences"
            )
        if first.axis.is_permuted_range and not (column.axis.ids or column.axis.default_index):
            raise InputError(
                f"{first.what}: the {kind} ids are 0 to {first.axis.size - 1} in another order, "
                f"and {what} have no ids to align by; give both as Series, or, if position is "
                f"meant, call reset_index(drop=True) or to_numpy() on {first.what}"
            )
    return {what: column.over(first.axis, first.what) for what, column in read.items()}


def named_columns(data: Any) -> list[tuple[str, Any]] | None:
    """The columns of a mapping or a frame by their names, those of a frame with the ids of its
    rows; None for anything else."""
    if isinstance(data, Mapping) or is_a(data, "pandas", "DataFrame"):
        return [(str(name), values) for name, values in data.items()]
    if is_a(data, "polars", "DataFrame"):
        ids = data.columns[:1] if data.width and names_items(data.to_series(0)) else []
        return [(name, data.select(*ids, name)) for name in data.columns if name not in ids]
    return None


def paired_numbers(first: Any, second: Any) -> tuple[Floats, Floats]:
    """Two sides of numbers as arrays of any shape; Series and mappings align by their ids."""
    if any(isinstance(side, Mapping) or is_a(side, "pandas", "Series") for side in (first, second)):
        first, second = in_step({"the first numbers": first, "the others": second}).values()
    return np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)


def _of_pandas(what: str, data: Any, kind: Kind) -> UnitValues:
    if data.ndim == 2:
        if data.shape[1] != 1:
            raise InputError(f"{what}: a frame of {data.shape[1]} columns; pass one of them")
        data = data.iloc[:, 0]
    axis = pandas_axis(what, data.index, kind)
    if isinstance(data.dtype, np.dtype) and data.dtype.kind in "biuf":
        return UnitValues(what, data.to_numpy(), axis)
    gaps = data.isna().tolist()
    listed = [None if gap else value for value, gap in zip(data.tolist(), gaps, strict=True)]
    return UnitValues(what, listed, axis)


def _of_polars(what: str, data: Any, kind: Kind) -> UnitValues:
    if data.width not in (1, 2):
        raise InputError(
            f"{what}: a frame of {data.width} columns; pass two, {kind} ids and values, or one"
        )
    *ids, values = (column.to_list() for column in data.get_columns())
    if ids and None in ids[0]:
        raise InputError(f"{what}: row {ids[0].index(None) + 1} has no {kind} id; name it")
    return UnitValues(what, values, named_axis(what, kind, data.height, *ids))


def _plain(what: str, data: Any, kind: Kind) -> Values:
    if hasattr(data, "__array__") and not is_a(data, "polars", "Series"):
        array = as_array(what, data)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise InputError(
                f"{what}: an array of shape {array.shape}; give one value for each {kind}"
            )
        return array
    if not isinstance(data, Iterable) or isinstance(data, str | bytes):
        raise InputError(
            f"{what}: got {type(data).__name__}; give one value for each {kind}: a list, an "
            "array, a Series, or a mapping of ids"
        )
    return list(data)


def _require_all(what: str, values: Sequence[Any] | NDArray[Any], axis: Axis) -> None:
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        gaps = np.flatnonzero(np.isnan(values)) if values.dtype.kind in "fmM" else np.empty(0, int)
    else:
        gaps = np.flatnonzero([is_missing(value) for value in values])
    if len(gaps):
        names = [axis.names[index] for index in gaps.tolist()]
        raise InputError(
            f"{what}: {several(len(names), axis.kind)} without a value: {first_ten(names)}; "
            f"give each {axis.kind} one"
        )
