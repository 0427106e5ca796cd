"""Plain data: dataclasses to dictionaries that JSON can hold, and back, without loss.

A saved result must come back as it was. JSON has neither NaN nor infinity, so these are written as
`{"$float": "nan"}`; fields that hold their default are left out, so that files stay readable and a
later version may add fields.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

_FLOAT = "$float"
_T = TypeVar("_T")


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


def checked(instance: _T) -> _T:
    """The same dataclass, if its fields hold what they are declared to: files can be damaged."""
    for name, declared in get_type_hints(type(instance)).items():
        if not _fits(getattr(instance, name), declared):
            raise TypeError(f"{type(instance).__name__.lower()}: {name!r} has a wrong type")
    return instance


def _fits(value: Any, declared: Any) -> bool:
    origin, members = get_origin(declared), get_args(declared)
    if declared is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, member) for member in members)
    if origin is Literal:
        return value in members if isinstance(value, str) else False
    if declared is float:
        return isinstance(value, int | float)
    if origin is None:
        return isinstance(value, declared)
    if origin is tuple and members[-1] is not ...:
        sizes = isinstance(value, tuple) and len(value) == len(members)
        return sizes and all(map(_fits, value, members))
    if not isinstance(value, origin) or isinstance(value, str):
        return False
    if issubclass(origin, Mapping):
        return True
    return all(_fits(member, members[0]) for member in value)
