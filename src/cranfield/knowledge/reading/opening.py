"""What is in a file, as bytes or as text, unpacked if it is gzip; and what its name says."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO
from pathlib import Path

from cranfield.core.pipes import readable
from cranfield.errors import FileError

_MOST_UNPACKED = 256 << 20
"""Bytes; an archive that holds more hides something, or is better unpacked first."""


def content(path: Path) -> bytes:
    """The bytes of a file; gzip is recognised by its first two, whatever the name."""
    try:
        data = readable(path).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.GzipFile(fileobj=BytesIO(data)).read(_MOST_UNPACKED + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FileError(
            path, f"the gzip archive is broken ({error}); copy or pack the file again"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(path, f"cannot be read ({why}); check the name") from None
    if len(data) > _MOST_UNPACKED:
        raise FileError(
            path, f"unpacks to more than {_MOST_UNPACKED >> 20} MiB; unpack it if that is right"
        )
    if not data.strip():
        raise FileError(path, "the file is empty; it needs at least one concept")
    return data


def text(path: Path, data: bytes) -> str:
    """Bytes as text, with one kind of line end; a byte-order mark goes."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(path, "the text is UTF-16; save the file as UTF-8", line=1)
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        decoded = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(path, "the text is not UTF-8; save the file as UTF-8", line=line) from None
    if "\0" in decoded:
        line = decoded.count("\n", 0, decoded.index("\0")) + 1
        raise FileError(path, "there is a NUL byte; this is not plain text", line=line)
    return decoded


def suffix_of(path: Path) -> str:
    """The ending of a file's name in lower case, .gz left off."""
    return _unpacked(path).suffix.lower()


def name_of(path: Path) -> str:
    """The name of a file without .gz and without its ending."""
    return _unpacked(path).stem


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path
