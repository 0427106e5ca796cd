"""Dataset: items with their features and the class of each, for estimators to learn from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.axes import Axis
from cranfield.core.frames import Frame, read_frame
from cranfield.core.matrices import Floats, Ints, as_array
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError, first_ten, several


class Dataset:
    """A table of features, numbers or categories, and a class for each of its lines.

    features    (N, F) numbers; of a feature with categories, their places among these
    classes     one for each item, names or whole numbers; a Series aligns with a frame of features
                by its index
    names       of the features; default: 1, 2, 3, …
    categories  of features that have some: their names, in the order of the places
    name        what to call it
    """

    def __init__(
        self,
        features: Any,
        classes: Any,
        *,
        names: Sequence[str] | None = None,
        categories: Mapping[str, Sequence[str]] | None = None,
        name: str = "data",
    ) -> None:
        frame = read_frame("features", features)
        self.features = _numbers(features, frame)
        axis = Axis("item", len(self.features)) if frame is None else frame.item_axis
        self.classes = as_array(
            "the classes", unit_values("the classes", classes, axis, "the features")
        )
        count = self.features.shape[1]
        self.names = tuple(map(str, range(1, count + 1) if names is None else names))
        self.categories = {key: tuple(of) for key, of in (categories or {}).items()}
        self.name = name
        self._require_fit()

    def __repr__(self) -> str:
        items, features = self.features.shape
        return f"Dataset({self.name!r}, {items} items, {features} features)"

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """The columns of features that are numbers, and of those that are categories."""
        is_category = np.array([name in self.categories for name in self.names])
        return np.flatnonzero(~is_category), np.flatnonzero(is_category)

    @cached_property
    def digest(self) -> str:
        """Hash of features and classes, line by line."""
        told = repr((self.names, sorted(self.categories.items()), self.classes.tolist()))
        data = told.encode() + np.ascontiguousarray(self.features).tobytes()
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    def _require_fit(self) -> None:
        items, count = self.features.shape
        if self.classes.shape != (items,):
            raise InputError(
                f"there are {several(items, 'item')} and classes of shape {self.classes.shape}; "
                "give one class for each item"
            )
        if not count:
            raise InputError("there are no features; give at least one")
        if len(set(self.names)) != count:
            raise InputError(
                f"there are {several(count, 'feature')}; name each of them once, got "
                f"{first_ten(self.names)}"
            )
        unknown = sorted(set(self.categories) - set(self.names))
        if unknown:
            raise InputError(f"categories of unknown features: {first_ten(unknown)}")
        for name, known in self.categories.items():
            column = self.features[:, self.names.index(name)]
            if not np.isin(column, np.arange(len(known))).all():
                raise InputError(
                    f"feature {name!r} has {len(known)} categories; write their places, from 0 to "
                    f"{len(known) - 1}"
                )


def _numbers(given: Any, frame: Frame | None) -> Floats:
    if frame is not None and frame.missing is not None:
        raise InputError("the features miss a value; fill it in, or leave the item out")
    array = as_array("features", given if frame is None else frame.values)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise InputError(
            f"features have shape {array.shape} and hold {array.dtype}; give numbers, a row for "
            "each item, or read a file with cf.read_dataset"
        )
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0]
        raise InputError(
            f"features: row {row + 1}, column {column + 1} holds {numbers[row, column]}; fill in "
            "what is missing, or leave the item out"
        )
    return numbers
