"""Plain data: dataclasses to dictionaries that JSON can hold, and back, without loss.

A saved result must come back as it was. JSON has neither NaN nor infinity, so these are written as
`{"$float": "nan"}`; fields that hold their default are left out, so that files stay readable and a
later version may add fields.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

_FLOAT = "$float"


def stored(value: Any) -> Any:
    """A value as strict JSON can hold it; `restored` is the way back."""
    return _plain(value, lambda number: {_FLOAT: str(number)})


def finite(value: Any) -> Any:
    """A value for readers that know neither NaN nor infinity: None in their place."""
    return _plain(value, lambda number: None)


def restored(value: Any) -> Any:
    """What `stored` was made of; lists stay lists."""
    if isinstance(value, Mapping):
        if value.keys() == {_FLOAT}:
            return float(value[_FLOAT])
        return {key: restored(member) for key, member in value.items()}
    return [restored(member) for member in value] if isinstance(value, list) else value


def changed(instance: Any) -> dict[str, Any]:
    """The fields of a dataclass that differ from their defaults, by name."""
    return {
        field.name: value
        for field in fields(instance)
        if (value := getattr(instance, field.name)) != _default(field)
    }


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _plain(value: Any, special: Callable[[float], Any]) -> Any:
    if isinstance(value, float):
        number = float(value)  # NumPy's float64 is a float, and would be written otherwise
        return number if math.isfinite(number) else special(number)
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(member, special) for key, member in value.items()}
    if isinstance(value, Sequence):
        return [_plain(member, special) for member in value]
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        return _plain(value.tolist(), special)
    raise TypeError(f"a result holds plain data only, not {type(value).__name__}")
