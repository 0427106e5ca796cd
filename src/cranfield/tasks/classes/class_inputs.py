"""What people hand in as a confusion matrix: arrays, frames, names of classes, labels of items."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from cranfield.core.axes import is_missing, require_ordered
from cranfield.core.contingency import Contingency
from cranfield.core.frames import axis_names, read_frame
from cranfield.core.matrices import Floats, Ints, as_array
from cranfield.core.unit_values import in_step
from cranfield.errors import InputError, first_ten, several
from cranfield.tasks.classes.layout import Rows, TitledMatrix

_MOST_ITEMS = 2.0**53
"""Up to here counts are exact."""
_LEAST_SUM = 1e-100
"""Products of smaller ones are soon 0."""

Codes = tuple[Ints, Ints, tuple[str, ...]]


def as_table(
    matrix: Any,
    classes: Iterable[object] | None,
    said: Iterable[object] | None,
    costs: Any,
    *,
    named: bool | None = None,
    rows: Rows | None = None,
) -> Contingency:
    """A checked table; without names, classes are numbered."""
    came = _titled("the confusion matrix", matrix).laid_out(rows)
    counts = np.ascontiguousarray(came.values)  # so that all sums go the same way
    classes = came.true if classes is None else classes
    said = came.system if said is None else said
    if 0 in counts.shape:
        raise InputError(f"the confusion matrix is empty, {counts.shape}; give at least one class")
    wrong = np.argwhere(counts < 0)
    if named is None:
        named = classes is not None
    true = _names("true", classes, counts.shape[0])
    columns = _names("said", classes if said is None else said, counts.shape[1])
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"true class {true[row]!r}, said {columns[column]!r}: {counts[row, column]:g}; "
            "counts and probabilities cannot be below 0"
        )
    _require_a_sum(counts)
    if costs is not None:
        costs = _as_costs(costs, true, columns)
    counts.flags.writeable = False
    return Contingency(counts, true, columns, named, costs)


def _titled(what: str, values: Any) -> TitledMatrix:
    """A matrix with the names of its rows and columns, and of its axes if a frame has such."""
    if isinstance(values, TitledMatrix):
        return values._replace(values=_numbers(what, values.values))
    frame = read_frame(what, values)
    if frame is None:
        return TitledMatrix(_numbers(what, values), None, None)
    if frame.missing is not None:
        raise InputError(f"{what} misses a value; write 0 where a cell is empty")
    return TitledMatrix(
        _numbers(what, frame.values),
        frame.item_axis.ids,
        frame.concept_axis.ids,
        *axis_names(values),
    )


def _require_a_sum(counts: Floats) -> None:
    with np.errstate(over="ignore"):
        total = float(counts.sum())
    if total > _MOST_ITEMS or 0.0 < total < _LEAST_SUM:
        raise InputError(
            f"the cells of the confusion matrix add up to {total:g}; give counts of at most 2⁵³ "
            "items, or probabilities that add up to 1"
        )


def codes_of(true: Any, said: Any, classes: Iterable[object] | None) -> Codes:
    """True and said labels as places in all classes."""
    columns = in_step({"true labels": true, "said labels": said})
    sides = [_coded(what, labels) for what, labels in columns.items()]
    both = [label for _, labels in sides for label in labels]
    if len(set(map(type, both))) > 1 and not {"True", "False"} & set(both):
        # True is 1 beside numbers, as it is for Python, but not beside its own name.
        sides = [
            (codes, [int(x) if isinstance(x, bool) else x for x in labels])
            for codes, labels in sides
        ]
    present = {label for _, labels in sides for label in labels}
    if classes is not None:
        names = _names("true", classes, None)
    elif all(isinstance(label, int) for label in present):
        names = tuple(map(str, sorted(present)))
    else:
        names = tuple(sorted(set(map(str, present))))
    places = {name: index for index, name in enumerate(names)}
    unknown = sorted({str(label) for label in present} - places.keys())
    if unknown:
        raise InputError(
            f"{several(len(unknown), 'label')} not among the classes: {first_ten(unknown)}; "
            "add them, or correct the labels"
        )
    true_codes, said_codes = (
        np.array([places[str(label)] for label in labels], dtype=np.int64)[codes]
        for codes, labels in sides
    )
    return true_codes, said_codes, names


def _coded(what: str, values: Any) -> tuple[Ints, list[Any]]:
    """One label for each item, as places among the labels that occur: names, or whole numbers."""
    missing = [x for x in values if is_missing(x)] if isinstance(values, list) else []
    if missing:  # NumPy would make a text of it
        raise InputError(f"{what}: {missing[0]!r} is no label; labels are names or whole numbers")
    array = as_array(what, values)
    if array.ndim != 1:
        raise InputError(f"{what} have shape {array.shape}; give one label for each item")
    numbers: dict[Any, int] = {}
    listed = array.tolist()
    odd = [label for label in listed if not isinstance(label, Hashable)]
    if odd:
        raise InputError(f"{what}: {odd[0]!r} is no label; labels are names or whole numbers")
    codes = np.array([numbers.setdefault(label, len(numbers)) for label in listed], np.int64)
    labels = [int(x) if isinstance(x, float) and x.is_integer() else x for x in numbers]
    odd = [label for label in labels if not isinstance(label, str | int)]
    if odd:
        raise InputError(f"{what}: {odd[0]!r} is no label; labels are names or whole numbers")
    return codes, labels


def _numbers(what: str, values: Any) -> Floats:
    array = as_array(what, values)
    if array.ndim != 2:
        raise InputError(f"{what} has shape {array.shape}; give rows of true by columns of said")
    if array.dtype.kind not in "biuf":
        raise InputError(f"{what} must hold numbers; got {array.dtype}")
    numbers = array.astype(np.float64, order="C")  # so that all sums go the same way
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0]
        raise InputError(
            f"{what}: row {row + 1}, column {column + 1} holds {numbers[row, column]}; "
            "write finite numbers"
        )
    return numbers


def _names(side: str, values: Iterable[object] | None, size: int | None) -> tuple[str, ...]:
    if values is None:
        return tuple(map(str, range(size or 0)))
    lines = "rows" if side == "true" else "columns"
    require_ordered(f"the {side} classes", values, along=f"in the order of the {lines}")
    names = tuple(map(str, values))
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(
            f"{several(len(twice), f'{side} class name')} more than once: {first_ten(twice)}; "
            "name each once"
        )
    if size is not None and len(names) != size:
        hint = "; name them with said=" if side == "said" else ""
        raise InputError(f"{several(len(names), f'{side} class name')} for {size} {lines}{hint}")
    return names


def _as_costs(values: Any, true: tuple[str, ...], said: tuple[str, ...]) -> Floats:
    """Costs in the order of the table; those with names align by the names of their classes."""
    costs = _titled("the matrix of costs", values).laid_out(None)
    if costs.true is None and costs.system is None:
        if costs.values.shape != (len(true), len(said)):
            raise InputError(
                f"the matrix of costs has shape {costs.values.shape}; give one cost for each of "
                f"{len(true)} true by {len(said)} said classes"
            )
        return costs.values
    if costs.true is None or costs.system is None:
        raise InputError("the costs are a frame; name all its rows and columns")
    rows = {name: index for index, name in enumerate(costs.true)}
    columns = {name: index for index, name in enumerate(costs.system)}
    lacking = [name for name in true if name not in rows]
    lacking += [name for name in said if name not in columns]
    if lacking:
        raise InputError(
            f"costs lack classes: {first_ten(dict.fromkeys(lacking))}; "
            "give a cost for each true and each said class"
        )
    return costs.values[np.ix_([rows[name] for name in true], [columns[name] for name in said])]
