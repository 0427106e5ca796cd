"""Writing a file wholly or not at all: a temporary file beside it, which then takes its name.

A link stays a link: the file it leads to is replaced. What exists and is no regular file, such as
a pipe or a device, is written in place, since replacing it would destroy it.
"""

from __future__ import annotations

import gzip
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedIOBase
from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.registry import Target
from cranfield.formats.source import extension_of

_EFFORT = 6
"""Of gzip: its default, 9, takes several times as long to save a few percent."""


@contextmanager
def written(path: Path) -> Iterator[Target]:
    """A target for the content of `path`; a name that ends in .gz is packed."""
    try:
        goal = Path(os.path.realpath(path))
        with _in_place(goal) if _is_special(goal) else _beside(goal) as raw:
            if path.suffix.lower() == ".gz":
                # Neither name nor time inside, so equal content gives equal files.
                with gzip.GzipFile("", "wb", _EFFORT, fileobj=raw, mtime=0) as packed:
                    yield Target(packed, extension_of(path))
            else:
                yield Target(raw, extension_of(path))
    except OSError as error:
        raise FileError(
            path,
            f"cannot be written ({error.strerror or error}); "
            "check the name, the folder and the room left",
        ) from None


def _is_special(goal: Path) -> bool:
    try:
        return not stat.S_ISREG(goal.stat().st_mode)
    except FileNotFoundError:
        return False


@contextmanager
def _in_place(goal: Path) -> Iterator[BufferedIOBase]:
    with goal.open("wb") as raw:
        yield raw


@contextmanager
def _beside(goal: Path) -> Iterator[BufferedIOBase]:
    partial = goal.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with partial.open("xb") as raw:
            yield raw
        partial.replace(goal)
    finally:
        with suppress(OSError):  # it has taken its name, or never was
            os.unlink(partial)
