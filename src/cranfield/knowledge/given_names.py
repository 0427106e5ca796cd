"""Names of nodes as people give them: a text is one name and never its letters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cranfield.core.axes import require_ordered
from cranfield.errors import InputError


def given_names(what: str, given: Any) -> tuple[str, ...]:
    """One name or several, as texts; None is no name."""
    if given is None:
        return ()
    if isinstance(given, str | int):
        return (str(given),)
    if not isinstance(given, Iterable):
        raise InputError(f"{what}: got {type(given).__name__}; give a tuple of ids")
    return tuple(map(str, given))


def ordered_names(what: str, given: Any) -> tuple[str, ...]:
    """Names whose order means something."""
    require_ordered(what, given)
    return given_names(what, given)


def given_mapping(what: str, given: Any) -> Mapping[Any, Any]:
    """A mapping, which has no other form."""
    if not isinstance(given, Mapping):
        raise InputError(f"{what}: got {type(given).__name__}; give a dict")
    return given


def given_path(what: str, given: Any) -> str | Path:
    """The name of a file, or of something shipped."""
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{what}: got {type(given).__name__}; give the path of a file")
    return given if isinstance(given, str) else Path(given)
