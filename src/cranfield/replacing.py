"""Replacing a file wholly or not at all: a temporary file beside it, which then takes its name.

A link stays a link: the file it leads to is replaced. What exists and is no regular file, such as
a pipe or a device, is written in place, since replacing it would destroy it.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from io import BufferedIOBase
from pathlib import Path

from cranfield.errors import FileError

_STREAM = re.compile(r"/dev/(stdout|stderr)|/(?:dev|proc/self)/fd/(\d+)")
_STREAMS = {"stdout": 1, "stderr": 2}


@contextmanager
def replaced(path: Path) -> Iterator[BufferedIOBase]:
    """Where to write what a file is to hold; it holds it once the block is left."""
    try:
        with _opened(path) as raw:
            yield raw
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> FileError:
    """What to say when a file cannot be written."""
    return FileError(
        path,
        f"cannot be written ({error.strerror or error}); "
        "check the name, the folder and the room left",
    )


def _opened(path: Path) -> AbstractContextManager[BufferedIOBase]:
    stream = _STREAM.fullmatch(str(path))
    if stream is not None:
        # As it is open, be it a pipe or a file to which something else was written before.
        return os.fdopen(os.dup(_STREAMS.get(stream[1]) or int(stream[2])), "wb")
    goal = Path(os.path.realpath(path))
    return _in_place(goal) if _is_special(goal) else _beside(goal)


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
        with suppress(FileNotFoundError):
            partial.chmod(stat.S_IMODE(goal.stat().st_mode))
        partial.replace(goal)
    finally:
        with suppress(OSError):  # it has taken its name, or never was
            os.unlink(partial)
