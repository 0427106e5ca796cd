"""Output files: results written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from cranfield.errors import FileError


def write_whole(path: Path, text: str) -> None:
    """Write a file so that nobody ever sees half of it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8", newline="")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise FileError(path, f"cannot be written ({error.strerror})") from None
