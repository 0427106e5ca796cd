"""Writing what a format holds: a file, packed if its name says so, or a folder of files."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from cranfield.core.atomic_write import replaced, unwritable
from cranfield.errors import FileError
from cranfield.formats.registry import Target

_EFFORT = 6
"""Of gzip: its default, 9, takes several times as long to save a few percent."""


@contextmanager
def written(path: Path) -> Iterator[Target]:
    """A target for the content of `path`; a name that ends in .gz is packed."""
    with replaced(path) as raw:
        if path.suffix.lower() == ".gz":
            # Neither name nor time inside, so equal content gives equal files.
            with gzip.GzipFile("", "wb", _EFFORT, fileobj=raw, mtime=0) as packed:
                yield Target(path, packed)
        else:
            yield Target(path, raw)


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
        raise unwritable(path, error) from None
