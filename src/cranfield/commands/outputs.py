"""Outputs: files that commands write, which are never those that they read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from cranfield.errors import InputError


def replaces(output: Path, inputs: Iterable[Path | None]) -> bool:
    """Whether a file is one that is read; a collection folder is read as the files that make it."""
    if os.path.exists(output) and not os.path.isfile(output):
        return False
    return any(_same(output, path) for given in inputs if given for path in members(given))


def require_table(path: Path, *, parameter: str = "") -> None:
    """Refuse a file whose name says that it holds no table, which votes are written as."""
    from cranfield.formats.source import extension_of

    endings = (".csv", ".tsv", ".txt")
    if path.suffix and extension_of(path) not in endings:
        raise InputError(
            f"{path.name}: the extension {path.suffix!r} is no table's",
            mend=f"use {', '.join(endings)}",
            parameter=parameter,
        )


def refuse_overwrite(output: Path, inputs: Iterable[Path | None], *, parameter: str) -> None:
    """Refuse to write over what is read."""
    if replaces(output, inputs):
        raise InputError(
            f"{output} is an input or another output and would be lost",
            mend="name another file",
            parameter=parameter,
        )


def without_knowledge(inputs: Iterable[Path]) -> list[Path]:
    """What commands that write maps read: of a collection folder its truth and its concepts, since
    its maps are made anew."""
    from cranfield.formats import folder

    read: list[Path] = []
    for path in inputs:
        collection = folder.is_collection(path)
        truths = [*folder.visible(path, "truth.*"), path / "concepts.txt"] if collection else [path]
        read += truths
    return read


def _same(file: Path, other: Path) -> bool:
    try:
        return os.path.samefile(file, other)
    except OSError:  # one of them is not there yet
        return os.path.realpath(file) == os.path.realpath(other)


def members(path: Path) -> Iterator[Path]:
    """The file itself; of a folder its files, of a collection without its splits."""
    from cranfield.formats import folder

    if not os.path.isdir(path):
        yield path
    elif folder.is_collection(path):
        truths, known = folder.visible(path, "truth.*"), folder.knowledge_files(path)
        for part in (*truths, path / "concepts.txt", *known, *folder.run_files(path)):
            yield from members(part)
    else:
        yield from folder.visible(path, "*")
