"""Pipes, which can be read once only, kept so that they can be read again.

A command looks at a file to see what it is, and reads it later: of a pipe the beginning would be
lost by then. While a command runs, what comes out of a pipe is kept in a temporary file. In Python
nothing is kept, since there the same name may be a new pipe.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

_kept: dict[tuple[int, int], Path] | None = None
_one_at_a_time = Lock()


@contextmanager
def kept() -> Iterator[None]:
    """Keep what comes out of pipes within the block."""
    global _kept
    before, _kept = _kept, {}
    try:
        yield
    finally:
        for copy in _kept.values():
            copy.unlink(missing_ok=True)
        _kept = before


def readable(path: Path) -> Path:
    """Where to read what a file holds: there, or where that was kept."""
    if _kept is None:
        return path
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # whoever opens it says why
        return path
    if not stat.S_ISFIFO(status.st_mode):
        return path
    with _one_at_a_time:
        pipe = status.st_dev, status.st_ino
        if pipe not in _kept:
            with path.open("rb") as source, tempfile.NamedTemporaryFile(delete=False) as copy:
                _kept[pipe] = Path(copy.name)
                shutil.copyfileobj(source, copy)
        return _kept[pipe]
