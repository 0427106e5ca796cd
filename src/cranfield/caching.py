"""Values that an object computes when they are first asked for.

The `cached_property` of Python 3.11 holds one lock for all objects of a class while it computes, so
that threads that work on different runs wait for each other. This one holds none, as that of later
versions: at worst two threads compute the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Value = TypeVar("_Value")


class cached_property(Generic[_Value]):  # noqa: N801 - a decorator, spelled as in functools
    """A method without arguments as an attribute that keeps its value."""

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__
        self.__module__ = compute.__module__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> cached_property[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> _Value: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        # Not a data descriptor: once the value stands in the object, this is not called again.
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
