"""Writing a file wholly or not at all: a temporary file beside it, which then takes its name."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cranfield.errors import FileError
from cranfield.formats.registry import Target
from cranfield.formats.source import extension_of

_EFFORT = 6
"""Of gzip: its default, 9, takes several times as long to save a few percent."""


@contextmanager
def written(path: Path) -> Iterator[Target]:
    """A target for the content of `path`; a name that ends in .gz is packed."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with partial.open("xb") as raw:
            if path.suffix.lower() == ".gz":
                # Neither name nor time inside, so equal content gives equal files.
                with gzip.GzipFile("", "wb", _EFFORT, fileobj=raw, mtime=0) as packed:
                    yield Target(packed, extension_of(path))
            else:
                yield Target(raw, extension_of(path))
        partial.replace(path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error})") from None
    finally:
        with suppress(OSError):  # it has taken its name, or never was
            os.unlink(partial)
