"""Forms of output: which one is wanted, and where it goes, which is never where it came from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import typer


def chosen_form(
    flags: Mapping[str, bool], output: Path | None, extensions: Mapping[str, str]
) -> str:
    """How to write the result: as the flag says, else the file's extension, else as a table."""
    chosen = [name for name, given in flags.items() if given]
    if len(chosen) > 1:
        raise typer.BadParameter(f"give one of {', '.join('--' + name for name in chosen)}")
    if chosen or output is None:
        return chosen[0] if chosen else "table"
    if output.suffix not in extensions:
        *most, last = (f"--{name}" for name in flags)
        given = f"{', '.join(most)} or {last}" if most else last
        raise typer.BadParameter(
            f"{output.name or output}: the extension {output.suffix!r} does not say what to write; "
            f"use {', '.join(extensions)}, or give {given}",
            param_hint="--output",
        )
    return extensions[output.suffix]


def spare(inputs: Iterable[Path | None], output: Path | None, *, option: str = "--output") -> None:
    """Refuse to write over what is read; a collection folder is read as the files that make it."""
    from cranfield.commands.outputs import replaces

    if output is not None and replaces(output, inputs):
        raise typer.BadParameter(
            f"{output} is an input or another output and would be lost; name another file",
            param_hint=option,
        )


def require_folders(paths: Iterable[Path | None]) -> None:
    """Refuse files whose folder is not there, before any other file is written."""
    from cranfield.errors import FileError

    for path in paths:
        if path is not None and not os.path.isdir(path.parent):
            raise FileError(path, "its folder is not there; make it, or choose another")


def require_apart(taken: Iterable[Path], folder: Path, *, option: str) -> None:
    """Refuse a folder for tables that is a file, or whose tables would replace what is taken."""
    from cranfield.commands.outputs import members
    from cranfield.reports import TABLE_FILE

    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is a file; name a folder", param_hint=option)
    inputs = list(taken)
    names = {path.name for part in inputs for path in members(part)}
    for name in filter(TABLE_FILE.fullmatch, sorted(names)):
        spare(inputs, folder / name, option=option)


def require_new(folder: Path) -> None:
    """Refuse a folder that holds something."""
    from cranfield.errors import FileError

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError(folder, "is there already and not empty; choose another folder")


def require_format(path: Path | None, *, option: str = "--output") -> None:
    """Refuse a file that neither truths nor runs can be written to."""
    from cranfield.errors import FileError
    from cranfield.formats.registry import written_as

    try:
        if path is not None:
            written_as(path)
    except FileError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def require_votes(path: Path | None, *, option: str = "--output") -> None:
    """Refuse a file that no votes can be written to."""
    from cranfield.commands.outputs import require_table
    from cranfield.errors import InputError

    try:
        if path is not None:
            require_table(path, parameter=option)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def require_map(path: Path | None, *, option: str = "--output") -> None:
    """Refuse a file that no map can be written to."""
    from cranfield.formats.folder import MAP_ENDINGS
    from cranfield.formats.source import extension_of

    if path is not None and extension_of(path) not in MAP_ENDINGS:
        raise typer.BadParameter(
            f"{path.name}: the extension {path.suffix!r} is no map's; use {', '.join(MAP_ENDINGS)}",
            param_hint=option,
        )


def require_page(path: Path | None) -> None:
    """Refuse a name that says that a page is something else."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise typer.BadParameter(f"{path}; a page is called .html", param_hint="--html")


def require_picture(path: Path | None) -> None:
    """Refuse a file that no picture can be written to."""
    from cranfield.show.vega import PICTURES, require_writable

    if path is None:
        return
    if path.suffix.lower() not in PICTURES:
        raise typer.BadParameter(
            f"{path.name}: the extension {path.suffix!r} is no picture; use {', '.join(PICTURES)}",
            param_hint="--picture",
        )
    require_writable(path)
