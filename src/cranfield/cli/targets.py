"""Targets: files that a command is to write. What cannot be written, is no name for what it holds,
or would replace what is read, is refused before any work."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import CranfieldError, FileError, UsageError

_SEPARATOR = re.compile("[:=,>]+")
_MADE = ("folder", "tables", "map")
"""Targets whose folder is made."""


class Target(NamedTuple):
    """A file or folder to write."""

    parameter: str
    path: Path
    holds: str
    """What `core.options.Written` names, a page or a picture."""


def require_writable(targets: Iterable[Target], inputs: Iterable[Path]) -> None:
    """Refuse targets that cannot be written, or that are inputs or each other."""
    from cranfield.commands.outputs import refuse_overwrite, without_knowledge
    from cranfield.core.atomic_write import require_room
    from cranfield.show.vega import require_writable as require_drawable

    targets, taken, tables = list(targets), list(inputs), []
    for target in targets:
        _require_name(target)
        if target.holds == "tables":
            tables.append(target)
            continue
        spared = without_knowledge(taken) if target.holds == "map" else taken
        refuse_overwrite(target.path, spared, parameter=target.parameter)
        taken.append(target.path)
    for target in tables:
        _require_apart(target, taken)
    for target in targets:
        if target.holds == "folder":
            _require_new(target.path)
        elif target.holds == "picture":
            require_drawable(target.path)
        if target.holds not in ("folder", "tables"):
            require_room(target.path, makes_folder=target.holds in _MADE)


def files_in(values: Iterable[Any]) -> Iterator[Path]:
    """Everything that values name and that may be read: FILE, NAME=FILE, corpus:FILE,columns=tags,
    vectors:FILE>=0.6."""
    for value in values:
        if isinstance(value, Path):
            yield value
        elif isinstance(value, list):
            yield from files_in(value)
        elif isinstance(value, str):
            starts = [0, *(match.end() for match in _SEPARATOR.finditer(value))]
            ends = [*(match.start() for match in _SEPARATOR.finditer(value)), len(value)]
            parts = (value[start:end] for start in starts for end in ends if start < end)
            yield from map(Path, filter(os.path.exists, parts))


def chosen_form(
    flags: Mapping[str, bool], output: Path | None, extensions: Mapping[str, str]
) -> str:
    """How to write the result: as the flag says, else the file's extension, else as a table."""
    chosen = [f"--{name}" for name, is_set in flags.items() if is_set]
    if len(chosen) > 1:
        raise UsageError(f"give one of {', '.join(chosen)}")
    if chosen or output is None:
        return chosen[0].removeprefix("--") if chosen else "table"
    ending = output.suffix.lower()
    if ending not in extensions:
        *most, last = (f"--{name}" for name in flags)
        others = f"{', '.join(most)} or {last}" if most else last
        raise UsageError(
            f"{output.name or output}: the extension {output.suffix!r} does not say what to write; "
            f"use {', '.join(extensions)}, or give {others}",
            parameter="output",
        )
    return extensions[ending]


def _require_name(target: Target) -> None:
    """Refuse a name that says that a file holds something else."""
    check = _NAMES.get(target.holds)
    try:
        if check is not None:
            check(target.path)
    except CranfieldError as error:
        raise UsageError(str(error), parameter=target.parameter) from None


def _require_format(path: Path) -> None:
    from cranfield.formats.registry import written_as

    written_as(path)


def _require_votes(path: Path) -> None:
    from cranfield.commands.outputs import require_table

    require_table(path)


def _require_map(path: Path) -> None:
    from cranfield.formats.folder import MAP_ENDINGS

    _require_ending(path, "map", MAP_ENDINGS)


def _require_page(path: Path) -> None:
    _require_ending(path, "page", (".html", ".htm"))


def _require_picture(path: Path) -> None:
    from cranfield.show.vega import PICTURES

    _require_ending(path, "picture", PICTURES)


def _require_ending(path: Path, kind: str, endings: Iterable[str]) -> None:
    from cranfield.formats.source import extension_of

    if extension_of(path) not in endings:
        extension = f"{path.name}: the extension {path.suffix!r}"
        raise UsageError(f"{extension} is no {kind}; use {', '.join(endings)}")


_NAMES: dict[str, Callable[[Path], None]] = {
    "truth": _require_format,
    "votes": _require_votes,
    "map": _require_map,
    "page": _require_page,
    "picture": _require_picture,
}


def _require_apart(target: Target, taken: Iterable[Path]) -> None:
    """Refuse a folder for tables that is a file, or whose tables would replace what is taken."""
    from cranfield.commands.outputs import members, refuse_overwrite
    from cranfield.core.atomic_write import require_room
    from cranfield.reports import TABLE_FILE

    folder = target.path
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder", parameter=target.parameter)
    inputs = list(taken)
    names = {path.name for part in inputs for path in members(part)}
    for name in filter(TABLE_FILE.fullmatch, sorted(names)):
        refuse_overwrite(folder / name, inputs, parameter=target.parameter)
    require_room(folder / "table.csv", makes_folder=True)


def _require_new(folder: Path) -> None:
    """Refuse a folder that holds something."""
    from cranfield.core.atomic_write import require_room

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError(folder, "is there already and not empty; choose another folder")
    require_room(folder / "file", makes_folder=True)
