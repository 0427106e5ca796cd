"""An opened file: unpacked if it is gzip or xz, handed out in blocks of whole lines; and written.

What any file can suffer from is said here: it is not there, not readable, empty, not UTF-8 at its
start, a broken archive, a line without end. Line ends become one newline, a byte-order mark goes.
Written files are packed if their name says so, and complete or not there at all.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedIOBase, BufferedReader, BytesIO, FileIO
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from cranfield.caching import cached_property
from cranfield.core import pipes
from cranfield.core.atomic_write import replaced, unwritable
from cranfield.errors import FileError

_MARK = b"\xef\xbb\xbf"
_BLOCK = 1 << 20
"""Small enough that the memory of one block serves the next, instead of new pages."""
_LONGEST_LINE = 64 << 20
_LONGEST_QUOTE = 8 << 20
"""Bytes in which an opened quote must close; beyond, its line is taken as it stands."""
_HEAD = 1 << 16
_MOST_UNPACKED = 64 << 20
_MOST_GROWTH = 100
"""What needs a seekable file is dense already: an archive that grows more hides something."""
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\0"
_PACKED = (".gz", ".xz")
_OTHER_ARCHIVES = {
    re.compile(rb"BZh[1-9]1AY&SY"): "bzip2",
    re.compile(rb"\x28\xb5\x2f\xfd"): "Zstandard",
    re.compile(rb"\x04\x22\x4d\x18"): "LZ4",
    re.compile(rb"\x1f\x9d"): "compress",
    re.compile(rb"7z\xbc\xaf\x27\x1c"): "7-Zip",
    re.compile(rb"Rar!\x1a\x07"): "RAR",
}
"""Archives by their first bytes, of the kinds that are not unpacked here."""
_NOT_TEXT = {
    b"\x93NUMPY": "an array of NumPy (.npy)",
    b"PK\x03\x04": "a zip archive, such as .npz or .xlsx",
    b"PAR1": "a Parquet file",
    b"\x89HDF": "an HDF5 file",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document (.xls, .doc)",
    b"\x80\x04\x95": "a pickle of Python",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture (.png)",
    b"\xff\xd8\xff": "a picture (.jpg)",
}
"""Files by their first bytes that people hand in where a text is expected."""
_LONGEST_MAGIC = 10


class Block(NamedTuple):
    """A part of a file that ends with a line."""

    data: bytes
    end: int
    """Where its last line ends; what follows belongs to the next block."""


class Source:
    """A file that is being read."""

    def __init__(
        self,
        path: Path,
        stream: BufferedIOBase,
        head: bytes,
        *,
        packed: bool = False,
        is_folder: bool = False,
    ) -> None:
        self.path = path
        self.stream = stream
        self.packed = packed
        self.head = head
        self.is_folder = is_folder

    @property
    def name(self) -> str:
        """The file's name without .gz or .xz and its extension; a folder's whole name."""
        return legible(self.path.resolve().name) if self.is_folder else name_of(self.path)

    @property
    def extension(self) -> str:
        """The extension in lower case, .gz or .xz left off."""
        return extension_of(self.path)

    @property
    def first_line(self) -> bytes:
        """The first line that is not blank, as far as the head of the file holds it."""
        return self.first_lines[0]

    @cached_property
    def first_lines(self) -> tuple[bytes, bytes]:
        """The first two lines that are not blank, or as many of them as there are."""
        result = self.head_lines()
        return next(result, b""), next(result, b"")

    def head_lines(self) -> Iterator[bytes]:
        """The lines that are not blank, as far as the head of the file holds them."""
        text = _one_line_end(self.head.removeprefix(_MARK))
        return (line for line in text.split(b"\n") if line.strip())

    @property
    def likely_lines(self) -> int:
        """About as many lines as there are, or some more, judged by the first ones; 0 = unknown."""
        lines = self.head.count(b"\n")
        if self.packed or not lines:
            return 0
        return int(1.05 * self.path.stat().st_size * lines / len(self.head)) + 1

    def likely_rows(self, width: int) -> int:
        """The same for lines of so many numbers, none of which takes less than two bytes."""
        lines = self.likely_lines
        return min(lines, self.path.stat().st_size // (2 * max(1, width))) if lines else 0

    @property
    def begin(self) -> int:
        """The byte at which the text begins."""
        return len(_MARK) if self.head.startswith(_MARK) else 0

    @property
    def size(self) -> int:
        """Bytes of the file, if any part of it can be read by itself; else 0."""
        return self.path.stat().st_size if self._can_go_back else 0

    def blocks(self, *, quotes: bool = False, begin: int | None = None) -> Iterator[Block]:
        """The text in blocks of whole lines.

        quotes  whether they matter: then no block ends where one is open
        begin   the byte to begin at, if that is not the first one
        """
        self.require_text()
        if begin is not None:
            self.stream.seek(begin)
        elif self.begin:
            self._read(self.begin)
        rest = held = b""
        while data := held + self._read(_BLOCK):
            if data == held:
                break
            as_read, held = not (rest or held), b""
            if b"\r" in data:
                if data.endswith(b"\r"):  # perhaps half of a line end
                    data, held = data[:-1], b"\r"
                data, as_read = _one_line_end(data), False
            data = rest + data if rest else data
            end = data.rfind(b"\n") + 1
            if quotes and len(data) < _LONGEST_QUOTE:
                end = _outside_quotes(data, end)
            if end:
                yield Block(data, end)
            elif len(data) > _LONGEST_LINE:
                raise FileError(
                    self.path,
                    f"the line is longer than {_LONGEST_LINE >> 20} MiB; "
                    "is this the right file? Every item needs its own line",
                )
            rest = data[end:]
            if rest and as_read and end and self._can_go_back:
                # To read a part of a line twice costs less than to copy all that follows it.
                self.stream.seek(-len(rest), os.SEEK_CUR)
                rest = b""
        if rest:
            yield Block(rest + b"\n", len(rest) + 1)

    def lines(self) -> Iterator[bytes]:
        """Line by line, without line ends, for what people read and machines printed."""
        for block in self.blocks():
            yield from block.data[: block.end].removesuffix(b"\n").split(b"\n")

    @property
    def _can_go_back(self) -> bool:
        return not self.packed and self.stream.seekable()

    def _read(self, size: int) -> bytes:
        with self.telling():
            return self.stream.read(size)

    def require_text(self) -> None:
        """Refuse what is no text by its first bytes, and say what it is."""
        kind = next((kind for magic, kind in _NOT_TEXT.items() if self.head.startswith(magic)), "")
        if kind:
            raise FileError(
                self.path, f"is {kind}, where a text file is expected; save its content as CSV"
            )
        if self.head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise FileError(self.path, "the text is UTF-16; save the file as UTF-8", line=1)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Turn what goes wrong while reading into an error that names the file."""
        with _telling(self.path, self.stream):
            yield


@contextmanager
def seekable(source: Source) -> Iterator[Any]:
    """The file as one in which one can move about: where it is packed, unpacked to disk."""
    if not source.packed:
        yield source.stream
        return
    most = max(_MOST_UNPACKED, _MOST_GROWTH * source.path.stat().st_size)
    with tempfile.TemporaryFile() as unpacked, source.telling():
        while part := source.stream.read(_BLOCK):
            unpacked.write(part)
            if unpacked.tell() > most:
                raise FileError(
                    source.path, f"unpacks to more than {most >> 20} MiB; is this the right file?"
                )
        unpacked.seek(0)
        yield unpacked


@contextmanager
def opened(path: str | Path) -> Iterator[Source]:
    """Open a file, or a folder; gzip and xz are recognised by their first bytes."""
    path = Path(path)
    if os.path.isdir(path):  # asks without raising, whatever the name
        yield Source(path, BytesIO(), b"", is_folder=True)
        return
    try:
        raw = BufferedReader(FileIO(pipes.readable(path)), _HEAD)
    except FileNotFoundError:
        raise FileError(path, "there is no such file; check the name and the folder") from None
    except PermissionError:
        raise FileError(path, "this file may not be read; change its permissions") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(path, f"cannot be opened ({why}); check the name") from None
    with raw:
        with _telling(path, raw):
            stream = _unpacking(path, raw)
        with _telling(path, stream):
            head = stream.peek(_HEAD)[:_HEAD]
        if not head:
            raise FileError(path, "the file is empty; it needs at least one line")
        yield Source(path, stream, head, packed=stream is not raw)


def _unpacking(
    path: Path, raw: BufferedReader[FileIO]
) -> gzip.GzipFile | lzma.LZMAFile | BufferedReader[FileIO]:
    start = raw.peek(_LONGEST_MAGIC)
    for magic, kind in _OTHER_ARCHIVES.items():
        if magic.match(start):
            raise FileError(
                path, f"is packed by {kind}; unpack it, or pack it by gzip or xz instead"
            )
    if start.startswith(_GZIP):
        return gzip.GzipFile(fileobj=raw, mode="rb")
    return lzma.LZMAFile(cast(IO[bytes], raw)) if start.startswith(_XZ) else raw


@contextmanager
def _telling(path: Path, stream: BufferedIOBase) -> Iterator[None]:
    archive = "xz archive" if isinstance(stream, lzma.LZMAFile) else "gzip archive"
    try:
        yield
    except EOFError:
        raise FileError(
            path, f"the {archive} ends too early; copy or pack the file again"
        ) from None
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
        raise FileError(
            path, f"the {archive} is broken ({error}); copy or pack the file again"
        ) from None
    except OSError as error:
        raise FileError(
            path, f"cannot be read ({error.strerror or error}); check the file"
        ) from None


def legible(name: str) -> str:
    """A file's name as text that every encoding of Unicode can hold."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def name_of(path: Path) -> str:
    """A file's name without .gz and without its extension."""
    return legible(_unpacked(path).stem)


def extension_of(path: Path) -> str:
    return _unpacked(path).suffix.lower()


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in _PACKED else path


def _one_line_end(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _outside_quotes(data: bytes, cut: int) -> int:
    """The last line end up to `cut` with no quote open."""
    is_open = data.count(b'"', 0, cut) % 2
    while cut and is_open:
        earlier = data.rfind(b"\n", 0, cut - 1) + 1
        is_open ^= data.count(b'"', earlier, cut) % 2
        cut = earlier
    return cut


_EFFORT = 6
"""Of gzip: its default, 9, takes several times as long to save a few percent."""


@dataclass(frozen=True)
class Target:
    """A file that is being written, or a folder for formats of several files."""

    path: Path
    """The name it will have; until it is complete its content stands elsewhere."""
    stream: BufferedIOBase
    folder: Path | None = None

    @property
    def extension(self) -> str:
        return extension_of(self.path)


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
        with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".") as position:
            partial = Path(position, "partial")
            partial.mkdir()
            yield Target(path, BytesIO(), partial)
            partial.replace(goal)
    except OSError as error:
        raise unwritable(path, error) from None
