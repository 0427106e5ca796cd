"""Arguments: what public functions expect, read off their annotations.

Functions say themselves which numbers and words will do. Where one fails over a thing of another
kind instead, such as None for a truth, the failure is explained here, once for all of them: by the
first argument that does not fit its annotation. What has none, or Any, is not looked at.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from functools import wraps
from numbers import Integral, Real
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from warnings import warn

from cranfield.errors import CranfieldError, InputError

_Function = TypeVar("_Function", bound=Callable[..., Any])

_WORDS = {
    bool: "True or False",
    float: "a number",
    int: "a whole number",
    str: "a text",
    NoneType: "None",
    os.PathLike: "the name of a file",
}


def checked(function: _Function) -> _Function:
    """The function, whose failures over arguments of a wrong kind say what was expected."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except CranfieldError:
            raise
        except Exception as error:
            refusal = _misfit(function, args, options)
            if refusal is None:
                raise
            raise refusal from error

    return call  # type: ignore[return-value]


def renamed(**names: str) -> Callable[[_Function], _Function]:
    """The function, which for one version still takes keywords by their old names, and warns:
    `@renamed(old="new")`."""

    def renaming(function: _Function) -> _Function:
        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            for old, new in names.items():
                if old in options and new not in options:
                    warn(
                        f"{function.__name__}({old}=…) is now {new}=…; the old name goes with the "
                        "next version",
                        DeprecationWarning,
                        stacklevel=_outside(),
                    )
                    options[new] = options.pop(old)
            return function(*args, **options)

        return call  # type: ignore[return-value]

    return renaming


class FormerName:
    """What an attribute was called before: for one version it still works, and warns."""

    def __init__(self, new: str) -> None:
        self._new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = name

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self
        warn(
            f"{kind.__name__}.{self._old} is now {self._new}; the old name goes with the next "
            "version",
            DeprecationWarning,
            stacklevel=_outside(),
        )
        return getattr(owner, self._new)


def _outside() -> int:
    """How many calls up the code is that is not ours, for warnings that should name its line."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("cranfield"):
        frame, level = frame.f_back, level + 1
    return level


def _misfit(
    function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> InputError | None:
    """What to say of the first argument that is not of the kind it should be."""
    signature = inspect.signature(function)
    try:
        arguments = signature.bind(*args, **options).arguments
    except TypeError:  # the call is wrong, not what it brings
        return None
    hints = _hints(function, signature)
    for name, value in arguments.items():
        if not _fits(value, hints.get(name, Any)):
            whose = function.__qualname__.removesuffix(".__init__")
            expected = _expected(hints[name])
            return InputError(f"{whose}: {name} is {_shown(value)}; give {expected}")
    return None


def _hints(function: Callable[..., Any], signature: inspect.Signature) -> dict[str, Any]:
    """The annotations of single arguments, as far as their names mean something at run time."""
    hints: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        single = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if single and parameter.annotation is not parameter.empty:
            alone = SimpleNamespace(__annotations__={name: parameter.annotation})
            with suppress(NameError):  # of what is imported for the type checker alone
                hints |= get_type_hints(alone, inspect.unwrap(function).__globals__)
    return hints


def _fits(value: Any, hint: Any) -> bool:
    origin = get_origin(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, choice) for choice in get_args(hint))
    if origin is Literal:
        return any(type(value) is type(choice) for choice in get_args(hint))
    kind = origin or hint
    if kind is None or kind is NoneType:
        return value is None
    if not isinstance(kind, type):
        return True
    if kind is bool:
        return isinstance(value, bool | Integral) or _is_scalar(value, "b")
    if kind is int:
        return isinstance(value, Integral) or _is_scalar(value, "iu")
    if kind is float:
        return isinstance(value, Real) or _is_scalar(value, "iuf")
    if kind is not str and issubclass(kind, os.PathLike):
        return isinstance(value, str | os.PathLike)
    if issubclass(kind, Mapping):
        return isinstance(value, Mapping) and (
            origin is None or _all_fit(list(value.values()), get_args(hint)[1])
        )
    if origin is not None and issubclass(kind, Iterable):
        several = isinstance(value, Iterable) and not isinstance(value, Mapping)
        return several and _all_fit(value, get_args(hint)[0])
    return isinstance(value, kind)


def _all_fit(values: Iterable[Any], hint: Any) -> bool:
    """Whether each fits, as far as that can be seen without using up what comes only once."""
    if isinstance(values, str | bytes):
        return _fits(values, hint)
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind == "O":
        values = list(values)
    elif kind:
        examples = ("",) if kind in "STU" else (0, 0.0)
        return any(_fits(example, hint) for example in examples)
    if not isinstance(values, list | tuple | Mapping | Set):
        return True
    return all(_fits(value, hint) for value in values)


def _is_scalar(value: Any, kinds: str) -> bool:
    """Whether this is an array of no dimension, such as sums of arrays are."""
    return getattr(value, "shape", None) == () and getattr(value.dtype, "kind", "") in kinds


def _expected(hint: Any) -> str:
    """What would have been right, in words."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    words = list(dict.fromkeys(_word(choice) for choice in choices))
    if "the name of a file" in words and "a text" in words:
        words.remove("a text")
    return " or ".join(words)


def _word(hint: Any) -> str:
    origin = get_origin(hint)
    if origin is Literal:
        return " or ".join(map(repr, get_args(hint)))
    kind = origin or hint
    if isinstance(kind, type):
        if kind is not str and issubclass(kind, os.PathLike):
            return _WORDS[os.PathLike]
        if origin is not None and issubclass(kind, Mapping):
            return "a dict"
        if origin is not None and issubclass(kind, Iterable):
            return f"several of {_word(get_args(hint)[0])}"
        if origin is not None:
            return "a function"
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        return _WORDS.get(kind, f"{article} {kind.__name__}")
    return _WORDS.get(kind, "a function" if callable(kind) else str(kind))


def _shown(value: Any) -> str:
    """A value that is short, or what kind of thing it is."""
    text = repr(value) if isinstance(value, str | Real | NoneType) else ""
    return text if 0 < len(text) <= 60 else f"of type {type(value).__name__}"
