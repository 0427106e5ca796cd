"""Frames: matrices that name their rows and columns, and say which of their cells are missing.

pandas: the columns name concepts and the index names items, unless they are the default 0, 1, 2 …,
which only beside another frame with these numbers in another order are ids.
Polars: the columns name concepts; a first column of text, or of whole numbers under a word for
items, names items. A Series is one concept without a name, since the columns of a truth and of a
run rarely share one. Missing are null and NA, and NaN in pandas; in Polars NaN is a number that
failed, and stays an error. So it is in a run of pandas, where only NA says that nothing was
retrieved.

pandas is never imported, Polars only for what it made.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import WORDS_FOR_ITEMS, Axis, Kind
from cranfield.core.matrices import LISTS, Bools, count_rounded
from cranfield.errors import InputError

_BLOCK = 4096

Column = tuple[NDArray[Any], Bools | None]
"""Values of a column or of several, 0 where missing, and which are, if any."""


@dataclass(frozen=True)
class Frame:
    """What a frame says."""

    values: NDArray[Any]
    """(N, C), 0 where missing."""
    missing: Bools | None
    item_axis: Axis
    concept_axis: Axis
    is_series: bool
    nan: Bools | None = None
    """Of the missing cells, those of plain floats of pandas: perhaps a number that failed."""


def read_frame(what: str, data: Any) -> Frame | None:
    """A frame or Series of pandas or Polars, read; None for anything else."""
    if isinstance(data, Frame):
        return data
    if isinstance(data, np.ndarray):
        return None
    if is_a(data, "pandas", "DataFrame", "Series"):
        return _read_pandas(what, data)
    if is_a(data, "polars", "LazyFrame"):
        raise InputError(f"{what} is a lazy frame; pass what its collect() returns")
    if is_a(data, "polars", "DataFrame", "Series"):
        return _read_polars(what, data)
    return None


def axis_names(data: Any) -> tuple[str, str]:
    """What a frame calls its rows and its columns, as a table of counts does; "" = nothing."""
    if is_a(data, "pandas", "DataFrame"):
        rows, columns = data.index.name, data.columns.name
        return "" if rows is None else str(rows), "" if columns is None else str(columns)
    if is_a(data, "polars", "DataFrame") and data.width and names_items(data.to_series(0)):
        return str(data.columns[0]), ""
    return "", ""


def is_a(data: Any, library: str, *kinds: str) -> bool:
    """Whether something is of one of these classes; a library that is not imported made nothing."""
    module = sys.modules.get(library)
    return module is not None and isinstance(data, tuple(getattr(module, kind) for kind in kinds))


# ── pandas ────────────────────────────────────────────────────────────────────────────────────


def _read_pandas(what: str, data: Any) -> Frame:
    single = is_a(data, "pandas", "Series")
    frame = data.to_frame() if single else data
    values, missing = _pandas_values(what, frame)
    plain = [isinstance(kind, np.dtype) for kind in frame.dtypes]
    return Frame(
        values,
        missing,
        pandas_axis(what, frame.index, "item"),
        Axis("concept", 1) if single else pandas_axis(what, frame.columns, "concept"),
        single,
        None if missing is None else missing & plain,
    )


def _pandas_values(what: str, frame: Any) -> Column:
    kinds = set(frame.dtypes)
    kind = kinds.pop() if len(kinds) == 1 else None
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        # One block of plain numbers, which pandas hands out without a copy.
        values = frame.to_numpy()
        missing = np.isnan(values) if kind.kind == "f" else None
        if missing is None or not missing.any():
            return values, None
        return np.where(missing, kind.type(0), values), missing
    return _side_by_side(
        len(frame),
        [
            _pandas_column(what, name, frame.iloc[:, position])
            for position, name in enumerate(frame.columns)
        ],
    )


def pandas_axis(what: str, index: Any, kind: Kind) -> Axis:
    """The ids that an index of pandas holds; none if it only counts, as the default one does."""
    ids = _pandas_ids(what, index)
    return named_axis(what, kind, len(index), ids, default_index=ids is None)


def _pandas_ids(what: str, index: Any) -> list[object] | None:
    if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1:
        return None
    if index.nlevels > 1:
        raise InputError(
            f"{what}: the frame's labels have {index.nlevels} levels; join them into one"
        )
    if index.hasnans:
        position = int(np.flatnonzero(index.isna())[0])
        raise InputError(f"{what}: number {position + 1} of the frame's labels is missing; name it")
    return list(index)


def _pandas_column(what: str, name: object, column: Any) -> Column:
    dtype = column.dtype
    if dtype.kind not in "biuf":
        raise InputError(
            f"{what}: column {str(name)!r} holds {dtype}, not numbers; convert it with astype to "
            "'boolean', 'Int64' or 'float', drop it, or call set_index if it names the items"
            + (f"; {LISTS}" if dtype == np.object_ else "")
        )
    plain = getattr(dtype, "numpy_dtype", getattr(dtype, "subtype", dtype))
    missing = column.isna().to_numpy()
    if not missing.any():
        return column.to_numpy(dtype=plain), None
    return column.to_numpy(dtype=plain, na_value=False if dtype.kind == "b" else 0), missing


# ── Polars ────────────────────────────────────────────────────────────────────────────────────


def _read_polars(what: str, data: Any) -> Frame:
    single = is_a(data, "polars", "Series")
    series = [data] if single else data.get_columns()
    ids = None
    if not single and series and names_items(series[0]):
        ids, series = _polars_ids(what, series[0]), series[1:]
    columns = [_polars_column(what, column) for column in series]
    return Frame(
        *_side_by_side(len(data), columns),
        named_axis(what, "item", len(data), ids),
        Axis("concept", len(columns), None if single else [column.name for column in series]),
        single,
    )


def names_items(column: Any) -> bool:
    """Whether the first column of a frame of Polars holds ids."""
    import polars

    if column.dtype in (polars.String, polars.Categorical, polars.Enum):
        return True
    return column.dtype.is_integer() and column.name.strip().casefold() in WORDS_FOR_ITEMS


def _polars_ids(what: str, column: Any) -> list[object]:
    if column.null_count():
        position = int(column.is_null().arg_max()) + 1
        raise InputError(f"{what}: row {position} has no id in column {column.name!r}; name it")
    if column.dtype.is_integer() and column.n_unique() < len(column):
        raise InputError(
            f"{what}: the first column, {column.name!r}, names the items, but numbers stand in it "
            "twice; rename it if it is a concept"
        )
    return list(column.to_list())


def _polars_column(what: str, column: Any) -> Column:
    import polars

    dtype = column.dtype
    numbers = dtype.is_integer() or dtype.is_float()
    if dtype == polars.Null:
        return np.zeros(len(column), dtype=np.bool_), np.ones(len(column), dtype=np.bool_)
    if not (numbers or dtype == polars.Boolean) or str(dtype).endswith("Int128"):
        raise InputError(
            f"{what}: column {column.name!r} holds {dtype}, not numbers; cast it, drop it, or put "
            "it first if it names the items" + (f"; {LISTS}" if dtype.is_nested() else "")
        )
    if not column.null_count():
        return column.to_numpy(), None
    return column.fill_null(0 if numbers else False).to_numpy(), column.is_null().to_numpy()


# ── both ──────────────────────────────────────────────────────────────────────────────────────


def named_axis(
    what: str,
    kind: Kind,
    size: int,
    ids: list[object] | None = None,
    *,
    default_index: bool = False,
) -> Axis:
    """An axis whose errors say what it belongs to."""
    try:
        return Axis(kind, size, ids, default_index=default_index)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _side_by_side(rows: int, columns: Sequence[Column]) -> Column:
    """Columns as a matrix, with a mask of the missing cells if there are any."""
    values = _filled(rows, [values for values, _ in columns])
    if all(missing is None for _, missing in columns):
        return values, None
    none = np.zeros(rows, dtype=np.bool_)
    return values, _filled(rows, [none if missing is None else missing for _, missing in columns])


def _filled(rows: int, columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Filled in blocks of rows, which is several times faster than column by column."""
    kinds = {column.dtype for column in columns} or {np.dtype(np.bool_)}
    matrix = np.empty((rows, len(columns)), dtype=np.result_type(*kinds))
    if matrix.dtype.kind == "f" and any(map(count_rounded, columns)):
        raise InputError(
            "a column of whole numbers beyond 2⁵³ stands beside columns of another type, in which "
            "they would be rounded; cast all columns alike"
        )
    for first in range(0, rows, _BLOCK):
        block = slice(first, first + _BLOCK)
        for position, column in enumerate(columns):
            matrix[block, position] = column[block]
    return matrix
