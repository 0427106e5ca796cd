"""Writing a file wholly or not at all: a temporary file beside it, which then takes its name.

A link stays a link: the file it leads to is replaced. What exists and is no regular file, such as
a pipe or a device, is written in place, since replacing it would destroy it.
"""

from __future__ import annotations

import gzip
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from io import BufferedIOBase, BytesIO
from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.registry import Target

_STREAM = re.compile(r"/dev/(stdout|stderr)|/(?:dev|proc/self)/fd/(\d+)")
_STREAMS = {"stdout": 1, "stderr": 2}
_EFFORT = 6
"""Of gzip: its default, 9, takes several times as long to save a few percent."""


@contextmanager
def written(path: Path) -> Iterator[Target]:
    """A target for the content of `path`; a name that ends in .gz is packed."""
    try:
        with _opened(path) as raw:
            if path.suffix.lower() == ".gz":
                # Neither name nor time inside, so equal content gives equal files.
                with gzip.GzipFile("", "wb", _EFFORT, fileobj=raw, mtime=0) as packed:
                    yield Target(path, packed)
            else:
                yield Target(path, raw)
    except OSError as error:
        raise _unwritable(path, error) from None


def _opened(path: Path) -> AbstractContextManager[BufferedIOBase]:
    stream = _STREAM.fullmatch(str(path))
    if stream is not None:
        # As it is open, be it a pipe or a file to which something else was written before.
        return os.fdopen(os.dup(_STREAMS.get(stream[1]) or int(stream[2])), "wb")
    goal = Path(os.path.realpath(path))
    return _in_place(goal) if _is_special(goal) else _beside(goal)


@contextmanager
def folder_written(path: Path) -> Iterator[Target]:
    """A target for the files of a folder, which must not be there yet, or be empty."""
    try:
        goal = Path(os.path.realpath(path))
        if goal.exists() and (not goal.is_dir() or any(goal.iterdir())):
            raise FileError(
                path, "is there already and would be replaced; remove it, or choose another name"
            )
        with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".") as place:
            partial = Path(place, "partial")
            partial.mkdir()
            yield Target(path, BytesIO(), partial)
            partial.replace(goal)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> FileError:
    return FileError(
        path,
        f"cannot be written ({error.strerror or error}); "
        "check the name, the folder and the room left",
    )


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
