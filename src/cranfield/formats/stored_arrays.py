"""Stored arrays: NPY and NPZ as plain numbers and strings, never pickled objects.

Nothing that a file says is evaluated, and no more memory is taken than it has bytes for.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedIOBase
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from cranfield.errors import FileError, InputError, first_ten
from cranfield.formats.problems import shown
from cranfield.formats.source import Source, Target, seekable

_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?[a-zA-Z]\d{0,9})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,18}(?:, ?\d{1,18}){0,31},? ?)?)\), \}\s*"
)
_OFFICE = {"[Content_Types].xml", "content.xml"}
"""What .xlsx and .ods hold, which are archives like NPZ."""
_LONGEST_HEADER = 10_000
_BLOCK = 1 << 24

Arrays = dict[str, NDArray[Any]]


# -- Reading -----------------------------------------------------------------------------------


def _read_array(stream: BufferedIOBase | IO[bytes], what: str, *, size: int | None) -> NDArray[Any]:
    """One stored array, refused before it is loaded if it is pickled or larger than its file."""
    magic = stream.read(8)
    longer = magic[6:7] > b"\1"
    size_of_header = int.from_bytes(stream.read(4 if longer else 2), "little")
    # By pattern, not evaluated: what is not plain numbers or strings need not be understood.
    header = _HEADER.fullmatch(stream.read(min(size_of_header, _LONGEST_HEADER)))
    if magic[:6] != npy.MAGIC_PREFIX or header is None:
        raise InputError(f"{what} is not an array of plain numbers or strings, or it is broken")
    dtype = np.dtype(header[1].decode())
    shape = tuple(map(int, re.findall(rb"\d+", header[3])))
    if dtype.hasobject or dtype.kind not in "biufUS":
        raise InputError(
            f"{what} holds {'pickled objects' if dtype.hasobject else dtype}, which are not read; "
            "store numbers, and ids as an array of strings"
        )
    needed = math.prod(shape) * dtype.itemsize
    if size is not None and needed > size:
        raise InputError(f"{what} should take {needed} bytes and has {size}; copy the file again")
    flat = np.empty(math.prod(shape), dtype=dtype)
    raw = flat.view(np.uint8)
    for first in range(0, needed, _BLOCK):
        wanted = min(_BLOCK, needed - first)
        part = stream.read(wanted)
        if len(part) < wanted:
            raise InputError(f"{what} ends too early; copy or store the file again")
        raw[first : first + wanted] = np.frombuffer(part, dtype=np.uint8)
    return flat.reshape(shape, order="F" if header[2] == b"True" else "C")


def read_npy(source: Source) -> Arrays:
    """The one array of an NPY file, under no name."""
    with telling(source, "NPY file"):
        size = None if source.packed else source.path.stat().st_size
        return {"": _read_array(source.stream, "the array", size=size)}


def read_npz(source: Source, known: Container[str], *, main: str) -> Arrays:
    """The arrays of an NPZ archive whose names are known.

    main  what the most important ones should be called
    """
    arrays: Arrays = {}
    others: list[str] = []
    with (
        telling(source, "NPZ archive"),
        seekable(source) as stream,
        zipfile.ZipFile(stream) as archive,
    ):
        for entry in archive.infolist():
            name = entry.filename.removesuffix(".npy")
            if name in known:
                with archive.open(entry) as member:
                    arrays[name] = _read_array(member, name, size=entry.file_size)
            else:
                others.append(name)
    if not arrays and _OFFICE.intersection(others):
        raise FileError(
            source.path, "is a spreadsheet or another document of an office; save its table as CSV"
        )
    if not arrays:
        raise FileError(
            source.path,
            f"the archive holds no array by a known name, only {first_ten(others) or 'nothing'}; "
            f"name them {main}",
        )
    return arrays


@contextmanager
def telling(source: Source, what: str) -> Iterator[None]:
    """Turn whatever goes wrong with broken bytes into an error that names the file."""
    try:
        yield
    except FileError:
        raise
    except InputError as error:
        raise error.in_file(source.path) from None
    except MemoryError:
        raise FileError(source.path, f"the {what} needs more memory than there is") from None
    # The readers of NumPy and zipfile raise a dozen kinds of error on broken bytes.
    except Exception as error:
        why = f" ({error})" if isinstance(error, (OSError, zipfile.BadZipFile)) else ""
        raise FileError(
            source.path, f"the {what} is broken{why}; copy or store the file again"
        ) from None


def ids_of(arrays: Mapping[str, NDArray[Any]], name: str) -> list[str] | None:
    """The array of this name as ids; None if there is none."""
    ids = arrays.get(name)
    if ids is None:
        return None
    if ids.ndim != 1:
        raise InputError(f"{name} must be a list of ids; got shape {ids.shape}")
    if ids.dtype.kind == "S":
        ids = np.char.decode(ids, "utf-8")
    return [str(name) for name in ids.tolist()]


def word_of(arrays: Mapping[str, NDArray[Any]], name: str) -> str | None:
    """The array of this name as one word; None if there is none."""
    value = arrays.get(name)
    return None if value is None else str(value[()])


# -- Writing -----------------------------------------------------------------------------------


class _Forward:
    """A stream that is only written forwards, as archives within gzip must be."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self.write = stream.write
        self.flush = stream.flush


def write_npz(target: Target, arrays: Mapping[str, Any]) -> None:
    """Write arrays under their names; equal ones give equal files."""
    with zipfile.ZipFile(_Forward(target.stream), "w") as archive:  # type: ignore[call-overload]
        for name, array in arrays.items():
            # An entry made by hand carries no time.
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                npy.write_array(member, np.asarray(array), allow_pickle=False)


def as_strings(ids: tuple[str, ...]) -> NDArray[Any]:
    """Ids as NumPy stores strings."""
    for name in ids:
        if name.endswith("\0"):
            raise InputError(
                f"the id {shown(name)} ends with a NUL character, which NumPy drops; rename it"
            )
    return np.array(ids, dtype=str)
