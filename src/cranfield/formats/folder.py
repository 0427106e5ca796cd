"""A collection on disk: a truth file, or a folder with a truth and what lies beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cranfield.errors import FileError


def truth_file(folder: Path) -> Path:
    """The one file `truth.*` of a folder."""
    found = visible(folder, "truth.*")
    if not found:
        raise FileError(folder, "this folder has no truth.*; a collection needs its truth there")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise FileError(folder, f"this folder has {len(found)} truths ({names}); keep one")
    return found[0]


def concepts_file(folder: Path) -> Path | None:
    path = folder / "concepts.txt"
    return path if path.is_file() else None


def run_files(folder: Path) -> tuple[Path, ...]:
    """The files in `runs`, by name; hidden ones do not count."""
    return tuple(visible(folder / "runs", "*"))


def visible(folder: Path, pattern: str) -> list[Path]:
    try:
        found: Iterable[Path] = list(folder.glob(pattern))
        return sorted(path for path in found if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise FileError(folder, f"this folder cannot be read ({error.strerror or error})") from None
