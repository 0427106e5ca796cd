"""A collection's folder: its truth, and what lies beside it."""

from __future__ import annotations

import os
from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.registry import makes_one

_BESIDE = (".xml",)
"""Endings of files that only say more about another one, such as which attributes are labels."""


def is_collection(path: Path) -> bool:
    """Whether this is a folder with a truth in it."""
    return os.path.isdir(path) and bool(visible(path, "truth.*"))


def truth_file(folder: Path) -> Path:
    """The one file `truth.*` of a folder; or a folder of that name whose files make a truth."""
    found = visible(folder, "truth.*")
    if not found:
        raise FileError(folder, "this folder has no truth.*; a collection needs its truth there")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise FileError(folder, f"this folder has {len(found)} truths ({names}); keep one")
    return found[0]


def concepts_file(folder: Path) -> Path | None:
    return _file(folder / "concepts.txt")


def splits_file(folder: Path) -> Path | None:
    return _file(folder / "splits.csv")


def run_files(folder: Path) -> tuple[Path, ...]:
    """What is in `runs`, by name; hidden files do not count."""
    return tuple(visible(folder / "runs", "*"))


def _file(path: Path) -> Path | None:
    return path if path.is_file() else None


def visible(folder: Path, pattern: str) -> list[Path]:
    """Files, and folders that make one truth or run."""
    try:
        return sorted(
            path
            for path in folder.glob(pattern)
            if not path.name.startswith(".")
            and path.suffix.lower() not in _BESIDE
            and (path.is_file() or (path.is_dir() and makes_one(path)))
        )
    except OSError as error:
        raise FileError(folder, f"this folder cannot be read ({error.strerror or error})") from None
