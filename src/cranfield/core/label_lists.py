"""Label lists: for each item the labels that it has, as Hugging Face `datasets` store them.

A column is any sequence of lists of labels: whole numbers are places in `concepts`, text is the
name of a concept. A column of single labels has one label for each item; an empty list is an item
without labels; None is an item of which nothing is known. Arrow and Polars columns are read as
they lie in memory, others in a few passes over flat lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from numbers import Integral, Real
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.axes import Axis, cell_name, require_ordered
from cranfield.core.frames import is_a, pandas_axis
from cranfield.core.matrices import Bools, Cells, Ints, as_array
from cranfield.core.unit_values import read_values
from cranfield.errors import InputError, first_ten, several

_MOST_UNNAMED = 1_000_000
"""Concepts without names are at most so many; a larger label is more likely to be a mistake."""


@dataclass(frozen=True)
class LabelLists:
    """What a column of lists says."""

    cells: Cells
    """A cell for each label of each list: True, or its score."""
    known: Bools
    """The items that have a list, be it empty."""
    items: Axis
    concepts: Axis


def read_lists(
    column: Any, *, scores: Any = None, items: Iterable[object] | None, concepts: Any
) -> LabelLists:
    """Label lists as cells; `scores` holds a number for each label, in lists of equal lengths."""
    column = _whole(column)
    if scores is not None:
        scores = _whole(scores)
        scores = _in_step(column, scores)
    labels = _flat("label lists", column)
    item_axis = (
        pandas_axis("label lists", column.index, "item")
        if items is None and is_a(column, "pandas", "Series")
        else Axis("item", len(labels.lengths), items)
    )
    columns, concept_axis = _concepts(labels, item_axis, _names(concepts))
    values = (
        np.ones(len(columns), dtype=np.bool_)
        if scores is None
        else _scores(_flat("scores", scores), labels, item_axis)
    )
    try:
        cells = Cells.of(
            (item_axis.size, concept_axis.size),
            np.repeat(np.arange(item_axis.size), labels.lengths),
            columns,
            values,
            cell=cell_name(item_axis, concept_axis),
        )
    except InputError as error:
        if not labels.resembles_matrix:
            raise
        hint = "if these are rows of a 0/1 matrix, give it to cf.Truth(...)"
        raise InputError(f"{error}; {hint}") from None
    return LabelLists(cells, labels.known, item_axis, concept_axis)


def _in_step(column: Any, scores: Any) -> Any:
    """The scores in the order of the labels, where they are a Series of pandas."""
    if not is_a(scores, "pandas", "Series"):
        return scores
    axis = (
        pandas_axis("label lists", column.index, "item")
        if is_a(column, "pandas", "Series")
        else Axis("item", len(column))
    )
    return read_values("scores", scores, "item").over(axis, "the label lists")


# ── columns as flat lists ─────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Flat:
    """All lists of a column behind each other."""

    entries: NDArray[Any] | list[Any]
    lengths: Ints
    known: Bools

    @property
    def resembles_matrix(self) -> bool:
        """Whether lists are equally long and hold nothing but 0 and 1."""
        return len(set(self.lengths.tolist())) == 1 and set(self.entries) <= {0, 1}

    def first_of(self, kinds: set[type]) -> int:
        """The place of the first entry of one of these types."""
        return next(index for index, entry in enumerate(self.entries) if type(entry) in kinds)

    def error(self, position: int, items: Axis, why: str) -> InputError:
        row = int(np.searchsorted(np.cumsum(self.lengths), position, side="right"))
        return InputError(f"item {items.names[row]!r}: {_shown(self.entries[position])} {why}")


def _shown(value: object) -> str:
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _whole(column: Any) -> Any:
    """A column in one piece, since lazy ones take their time to hand out entries one by one."""
    if isinstance(column, Mapping) or hasattr(column, "columns") or not hasattr(column, "__iter__"):
        raise InputError(
            f"label lists are a {type(column).__name__}; give one column, with a list for each item"
        )
    require_ordered("label lists", column, along="with the labels of each item")
    try:
        return column[:]
    except TypeError:
        return list(column)


def _flat(what: str, column: Any) -> _Flat:
    if is_a(column, "pandas", "Series"):
        gaps = column.isna().tolist()
        entries = [None if gap else entry for entry, gap in zip(column.tolist(), gaps, strict=True)]
        return _flat_of_lists(what, entries)
    if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        return _flat_of_arrow(what, column)
    return _flat_of_lists(what, column.tolist() if hasattr(column, "tolist") else list(column))


def _flat_of_arrow(what: str, column: Any) -> _Flat:
    import polars

    try:
        series = polars.Series(column)
    except (polars.exceptions.PolarsError, TypeError, ValueError) as error:
        raise InputError(f"{what} cannot be read ({error}); give Python lists") from None
    known = series.is_not_null()
    if isinstance(series.dtype, polars.Array):
        series = series.arr.to_list()
    if isinstance(series.dtype, polars.List):
        lengths = series.list.len().fill_null(0)
        entries = series.filter(lengths > 0).explode()
    else:
        lengths, entries = known, series.drop_nulls()
    dtype = entries.dtype
    numbers = dtype.is_float() or (dtype.is_integer() and not str(dtype).endswith("Int128"))
    return _Flat(
        entries.to_numpy() if numbers and not entries.null_count() else entries.to_list(),
        lengths.cast(polars.Int64).to_numpy(),
        known.to_numpy(),
    )


def _flat_of_lists(what: str, lists: list[Any]) -> _Flat:
    known = np.fromiter((entry is not None for entry in lists), np.bool_, len(lists))
    kinds = set(map(type, lists)) - {NoneType}
    single = {kind for kind in kinds if issubclass(kind, str | Real | np.generic)}
    if single and single == kinds:
        return _Flat([entry for entry in lists if entry is not None], known.astype(np.int64), known)
    odd = single | {kind for kind in kinds if not _is_list(kind)}
    if odd:
        position = next(position for position, entry in enumerate(lists) if type(entry) in odd)
        raise InputError(
            f"{what}: number {position + 1} is {_shown(lists[position])}; give each item a list, "
            "or each a single one"
        )
    filled = [entry for entry in lists if entry is not None]
    lengths = np.zeros(len(lists), dtype=np.int64)
    try:
        lengths[known] = np.fromiter(map(len, filled), np.int64, len(filled))
    except TypeError:  # arrays and tensors of no dimension have no length
        raise InputError(f"{what} hold arrays of no dimension; convert them with tolist") from None
    if any(hasattr(kind, "__array__") for kind in kinds):
        return _Flat(_joined_arrays([as_array(what, entry) for entry in filled]), lengths, known)
    return _Flat(list(chain.from_iterable(filled)), lengths, known)


def _is_list(kind: type) -> bool:
    return (
        hasattr(kind, "__len__")
        and hasattr(kind, "__iter__")
        and not issubclass(kind, Mapping | bytes)
    )


def _joined_arrays(arrays: list[NDArray[Any]]) -> NDArray[Any] | list[Any]:
    """Arrays behind each other; as a list where joining them would change what they hold."""
    arrays = [array for array in arrays if array.size]
    if len({(array.dtype, array.ndim) for array in arrays}) == 1 and arrays[0].ndim == 1:
        return np.concatenate(arrays)
    return list(chain.from_iterable(array.tolist() for array in arrays))


# ── labels and scores ─────────────────────────────────────────────────────────────────────────


def _names(concepts: Any) -> list[object] | None:
    """Names of concepts: a sequence, or a feature of `datasets` that holds class labels."""
    feature = getattr(concepts, "feature", concepts)
    if hasattr(feature, "str2int"):
        concepts = feature.names
    if concepts is None:
        return None
    require_ordered("concepts=", concepts, along="in the order of the places that labels name")
    return list(concepts)


def _concepts(labels: _Flat, items: Axis, names: list[object] | None) -> tuple[Ints, Axis]:
    """The place of each label's concept, and the concepts."""
    if _are_names(labels, items):
        return _named(labels, items, names)
    most = _MOST_UNNAMED if names is None else len(names)
    try:
        places = np.asarray(labels.entries, dtype=np.int64)
        outside = (places < 0) | (places >= most)
    except OverflowError:
        outside = np.array([not 0 <= label < most for label in labels.entries])
    if outside.any():
        raise labels.error(
            int(np.argmax(outside)),
            items,
            "is below 0 or too large; correct it, or name the concepts"
            if names is None
            else f"is no place among {several(most, 'concept')}; correct it, or add concepts",
        )
    size = int(places.max(initial=-1)) + 1 if names is None else most
    return places, Axis("concept", size, names)


def _named(labels: _Flat, items: Axis, names: list[object] | None) -> tuple[Ints, Axis]:
    entries = list(labels.entries)
    known = sorted(set(entries)) if names is None else names
    axis = Axis("concept", len(known), known)
    try:
        places = np.fromiter(map(axis.positions.__getitem__, entries), np.int64, len(entries))
    except KeyError:
        unknown = next(i for i, label in enumerate(entries) if label not in axis.positions)
        why = f"is not among the concepts {first_ten(axis.names)}; correct it, or add it to them"
        raise labels.error(unknown, items, why) from None
    return places, axis


def _are_names(labels: _Flat, items: Axis) -> bool:
    """Whether labels are names rather than numbers; a mixture and anything else is refused."""
    if isinstance(labels.entries, np.ndarray) and labels.entries.dtype.kind in "iu":
        return False
    kinds = set(map(type, labels.entries))
    names = {kind for kind in kinds if issubclass(kind, str)}
    numbers = {kind for kind in kinds - {bool} if issubclass(kind, Integral)}
    if kinds - names - numbers:
        index = labels.first_of(kinds - names - numbers)
        raise labels.error(index, items, "is no label; labels are whole numbers or names")
    if names and numbers:
        index = labels.first_of(names)
        raise labels.error(index, items, "is a name, but others are numbers; write them alike")
    return bool(names)


def _scores(scores: _Flat, labels: _Flat, items: Axis) -> NDArray[Any]:
    if len(scores.lengths) != len(labels.lengths):
        raise InputError(
            f"there are scores of {several(len(scores.lengths), 'item')} and labels of "
            f"{len(labels.lengths)}; give a list of scores for each list of labels"
        )
    differing = np.flatnonzero(scores.lengths != labels.lengths)
    if len(differing):
        row = int(differing[0])
        raise InputError(
            f"item {items.names[row]!r} has {several(int(labels.lengths[row]), 'label')} and "
            f"{several(int(scores.lengths[row]), 'score')}; give a score for each label"
        )
    if isinstance(scores.entries, np.ndarray) and scores.entries.dtype.kind in "iuf":
        return scores.entries
    odd = {kind for kind in set(map(type, scores.entries)) if not issubclass(kind, Real)}
    if odd:
        raise scores.error(scores.first_of(odd), items, "is no score; scores are numbers")
    return np.asarray(scores.entries, dtype=np.float64)
