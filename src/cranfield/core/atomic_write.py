"""Replacing a file wholly or not at all: a temporary file beside it, which then takes its name.

What a writer that was killed has left is removed by the next one in the same folder. A file that is
being written is locked, so that nobody takes it for such a remainder.

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

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

_STREAM = re.compile(r"/dev/(stdout|stderr)|/(?:dev|proc/self)/fd/(\d+)")
_STREAMS = {"stdout": 1, "stderr": 2}
_PARTIAL = re.compile(r"\.[0-9a-f]{16}\.part")


@contextmanager
def replaced(path: Path) -> Iterator[BufferedIOBase]:
    """Where to write what a file is to hold; it holds it once the block is left."""
    try:
        with _opened(path) as raw:
            yield raw
    except OSError as error:
        raise unwritable(path, error) from None


def require_room(path: Path, *, makes_folder: bool = False) -> None:
    """Refuse a file that could not be written in the end, before any work is done for it.

    makes_folder  whether its folder, and those above it, are made where they are not there
    """
    goal = Path(os.path.realpath(path))
    folder = goal.parent
    while makes_folder and not os.path.lexists(folder):
        folder = folder.parent
    if not os.path.isdir(folder):
        raise FileError(path, "its folder is not there; make it, or choose another")
    if os.path.isdir(goal):
        raise FileError(path, "is a folder; name a file")
    written = goal if os.path.exists(goal) else folder
    beside = folder if not _is_special(goal) else goal
    if not (os.access(written, os.W_OK) and os.access(beside, os.W_OK)):
        raise FileError(path, "may not be written; change its permissions, or name another file")


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
    _remove_remainders(goal.parent)
    partial, raw = _started(goal)
    try:
        with raw:
            yield raw
            raw.flush()
            if fcntl is not None:  # while it is locked
                _take_name(partial, goal)
        if fcntl is None:  # an open file cannot be renamed there
            _take_name(partial, goal)
    finally:
        with suppress(OSError):  # it has taken its name, or never was
            os.unlink(partial)


def _take_name(partial: Path, goal: Path) -> None:
    with suppress(FileNotFoundError):
        partial.chmod(stat.S_IMODE(goal.stat().st_mode))
    partial.replace(goal)


def _started(goal: Path) -> tuple[Path, BufferedIOBase]:
    """A new file beside another one, locked for as long as it is open."""
    while True:
        partial = goal.with_name(f".{secrets.token_hex(8)}.part")
        raw = partial.open("xb")
        try:
            # Before it was locked, another writer may have taken it for a remainder.
            is_ours = fcntl is None or (_locked(raw) and partial.exists())
        except OSError:  # no locks on this file system
            is_ours = True
        if is_ours:
            return partial, raw
        raw.close()


def _remove_remainders(folder: Path) -> None:
    """Remove what killed writers have left; without locks nobody can tell, and it stays."""
    with suppress(OSError):
        for entry in os.scandir(folder) if fcntl is not None else ():
            if _PARTIAL.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError), open(entry.path, "rb") as remainder:
                    if _locked(remainder):
                        os.unlink(entry.path)


def _locked(file: BufferedIOBase) -> bool:
    """Lock a file, unless somebody else has."""
    assert fcntl is not None
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
